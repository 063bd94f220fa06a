// Recipes: snapshots contain identifiers, so a changed recipe keeps its row and selection.
import DiffCore
import Glibc
import TerminalList

/// Recipes by course, some of them favourites.
///
/// The recipes are in a dictionary; snapshots contain only their identifiers. A new favourite
/// changes no identifier, so the difference would be empty: `reconfigureItems` names the row whose
/// contents changed.
@MainActor final class Recipes {
    // Rows that the user removes disappear at once.
    let view = TerminalListView<Recipe.Course, Recipe.ID>(
        columns: [
            ListColumn("Recipe", minimum: 18, ideal: 28, rank: 2),
            ListColumn("Time", minimum: 7, ideal: 7, alignment: .trailing),
            ListColumn("Favourite", minimum: 9, ideal: 9, rank: 1),
        ], timing: ListTiming(departure: .zero))
    private lazy var dataSource = DiffableDataSource<Recipe.Course, Recipe.ID>(view: view) {
        [unowned self] _, _, id in
        cell(of: id)
    } headerProvider: { _, _, course in
        course.rawValue
    }
    private var recipes = Dictionary(uniqueKeysWithValues: Recipe.all.map { ($0.id, $0) })
    private var showsFavouritesOnly = false { didSet { update() } }
    private var isByTime = false { didSet { update() } }

    init() {
        view.emptyMessage = ["No favourites yet.", "Press v for all recipes, then f for some."]
        view.keys = .standard(adding: [
            KeyBinding([.character("f"), .enter], "mark or unmark a favourite", hint: "favourite") {
                [unowned self] in if let id = view.selectedItem { toggleFavourite(id) }
            },
            KeyBinding([.character("v")], "show all, or favourites only", hint: "view") {
                [unowned self] in showsFavouritesOnly.toggle()
            },
            KeyBinding([.character("o")], "order by time, or by name", hint: "order") {
                [unowned self] in isByTime.toggle()
            },
        ])
        update(animated: false)
    }

    private func cell(of id: Recipe.ID) -> ListCell {
        guard let recipe = recipes[id] else { return ListCell([]) }
        return ListCell([
            .init(recipe.name), .init("\(recipe.minutes) min"),
            .init(recipe.isFavourite ? "*" : "", style: Style(tone: .caution)),
        ])
    }

    /// Changes one recipe, and reconfigures its item in the current snapshot.
    private func toggleFavourite(_ id: Recipe.ID) {
        recipes[id]?.isFavourite.toggle()
        if showsFavouritesOnly { return update() }
        var snapshot = dataSource.snapshot()
        snapshot.reconfigureItems([id])
        dataSource.apply(snapshot)
        updateHeader()
    }

    /// Applies the filter and the order: the same identifiers at other positions.
    private func update(animated: Bool = true) {
        let shown = recipes.values
            .filter { $0.isFavourite || !showsFavouritesOnly }
            .sorted { isByTime ? ($0.minutes, $0.name) < ($1.minutes, $1.name) : $0.name < $1.name }

        var snapshot = DiffableDataSourceSnapshot<Recipe.Course, Recipe.ID>()
        for course in Recipe.Course.allCases {
            let ids = shown.filter { $0.course == course }.map(\.id)
            if ids.isEmpty { continue }
            snapshot.appendSections([course])
            snapshot.appendItems(ids)
        }
        dataSource.apply(snapshot, animatingDifferences: animated)
        updateHeader()
    }

    private func updateHeader() {
        let favourites = recipes.values.count(where: \.isFavourite)
        view.header = ListHeader(
            showsFavouritesOnly ? "Favourite recipes" : "Recipes",
            status: "\(favourites) favourites")
    }

    /// Shows the list until the user quits; returns the exit status.
    func run() async -> Int32 { await view.run() }
}

@main @MainActor enum Program {
    static func main() async { exit(await Recipes().run()) }
}
