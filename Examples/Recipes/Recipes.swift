// Recipes: collections, a list and details; a changed recipe keeps its row and selection.
import DiffCore
import Glibc
import TerminalList

/// The collections of a recipe book, the recipes of the chosen one, and the details of a recipe.
///
/// Snapshots contain only identifiers; the recipes are in a ``RecipeStore``, which reports changes. A
/// changed recipe keeps its identifier, so `reconfigureItems` names the row whose contents changed.
@MainActor final class Recipes {
    // Rows that the user removes disappear at once.
    let view = TerminalListView<RecipeCollection, Recipe.ID>(
        columns: [
            ListColumn("Recipe", minimum: 18, ideal: 22, rank: 1),
            ListColumn("Time", minimum: 7, ideal: 7, alignment: .trailing),
        ], timing: ListTiming(departure: .zero))
    private lazy var dataSource = DiffableDataSource<RecipeCollection, Recipe.ID>(view: view) {
        [store] _, _, id in
        store[id]?.cell(isFavourite: store.favourites.contains(id)) ?? ListCell([])
    } headerProvider: { [unowned self] _, _, section in
        section == collection ? nil : section.title
    }
    private let store = RecipeStore()
    private var collection = RecipeCollection.all
    /// The recipe that was selected last in each collection.
    private var selected: [RecipeCollection: Recipe.ID] = [:]

    init() {
        func key(
            _ keys: [Key], _ help: String, hint: String? = nil, _ run: @escaping (Recipes) -> Void
        ) -> KeyBinding {
            KeyBinding(keys, help, hint: hint) { [unowned self] in run(self) }
        }
        view.keys = .standard(adding: [
            key([.enter], "details", hint: "details") { $0.showDetails(.full) },
            key([.character("c")], "collections", hint: "collections") { $0.chooseCollection() },
            key([.character("f")], "mark or unmark a favourite", hint: "favourite") {
                if let id = $0.view.selectedItem { $0.store.toggleFavourite(id) }
            },
            key([.character("n")], "write a new recipe", hint: "new") { $0.writeRecipe() },
            key([.delete, .character("d")], "delete the recipe") {
                if let id = $0.view.selectedItem { $0.store.delete(id) }
            },
        ])
        view.emptyMessage = ["No recipe here.", "Press c for other collections."]
        // The user arranges the favourites; the list shows a move first, then the store learns of it.
        dataSource.reorderingHandlers.didReorder = { [store] transaction in
            store.arrangeFavourites(transaction.finalSnapshot.itemIdentifiers)
        }
        view.selectionDidChange = { [unowned self] id in
            selected[collection] = id
            showDetails(.side)
        }
        store.didChange = { [unowned self] in update(after: $0) }
        show(.all)
    }

    private func chooseCollection() {
        let entries = RecipeCollection.sidebar.map {
            Choices.Entry($0.title, $0.title, detail: "\($0.snapshot(of: store).numberOfItems)")
        }
        view.choices = Choices(
            "Collections", entries,
            onPick: { [unowned self] in RecipeCollection(title: $0).map(show) })
    }

    /// Shows a collection by reloading the list, because marks of changes would tell nothing, and
    /// selects the recipe that was selected there last, or the first one.
    private func show(_ collection: RecipeCollection) {
        let last = selected[collection]
        self.collection = collection
        dataSource.reorderingHandlers.canReorderItem =
            collection == .favourites ? { _ in true } : nil
        let snapshot = collection.snapshot(of: store)
        dataSource.applySnapshotUsingReloadData(snapshot)
        view.select(snapshot.itemIdentifiers.first { $0 == last } ?? snapshot.itemIdentifiers.first)
        updateHeader()
    }

    /// Shows a change of the store. After a deletion the list selects the next recipe by itself.
    private func update(after change: RecipeStore.Change) {
        switch change {
        case .collections: dataSource.apply(collection.snapshot(of: store))
        case .recipe(let id):
            var snapshot = dataSource.snapshot()
            snapshot.reconfigureItems([id].filter { snapshot.indexOfItem($0) != nil })
            dataSource.apply(snapshot)
        }
        updateHeader()
        showDetails(.side)
    }

    private func updateHeader() {
        view.header = ListHeader(collection.title, status: "\(store.favourites.count) favourites")
    }

    private func writeRecipe() {
        var name = ""
        view.prompt = TextPrompt("New recipe: ", onChange: { name = $0 }) { [unowned self] in
            if $0, !name.isEmpty { view.select(store.add(named: name, to: collection)) }
        }
    }

    /// Shows the details of the selected recipe beside the list, or in its place until Esc.
    private func showDetails(_ placement: TextPane.Placement) {
        guard let recipe = view.selectedItem.flatMap({ store[$0] }) else { return view.pane = nil }
        let lines = recipe.details(isFavourite: store.favourites.contains(recipe.id))
        view.pane = TextPane("\(recipe.id)", recipe.name, lines, placement: placement) {
            [unowned self] in showDetails(.side)
        }
    }

    func run() async -> Int32 { await view.run() }
}

@main @MainActor enum Program {
    static func main() async { exit(await Recipes().run()) }
}
