// A collection of recipes: an entry of the sidebar, and a section of the list.
import DiffCore
import TerminalList

enum RecipeCollection: Hashable {
    case all, favourites
    case course(Recipe.Course)

    static let sidebar = [all, favourites] + Recipe.Course.allCases.map(course)

    init?(title: String) {
        guard let collection = Self.sidebar.first(where: { $0.title == title }) else { return nil }
        self = collection
    }

    var title: String {
        switch self {
        case .all: "All recipes"
        case .favourites: "Favourites"
        case .course(let course): course.rawValue
        }
    }

    /// Returns the recipes of the collection: a section, or one for each course of all recipes.
    @MainActor func snapshot(
        of store: RecipeStore
    ) -> DiffableDataSourceSnapshot<RecipeCollection, Recipe.ID> {
        var snapshot = DiffableDataSourceSnapshot<RecipeCollection, Recipe.ID>()
        let sections = self == .all ? Recipe.Course.allCases.map(RecipeCollection.course) : [self]
        for section in sections {
            snapshot.appendSections([section])
            snapshot.appendItems(section.recipes(of: store))
        }
        return snapshot
    }

    @MainActor private func recipes(of store: RecipeStore) -> [Recipe.ID] {
        switch self {
        case .all: store.all.map(\.id)
        case .favourites: store.favourites
        case .course(let course): store.all.filter { $0.course == course }.map(\.id)
        }
    }
}

// MARK: The row and the details of a recipe

extension Recipe {
    func cell(isFavourite: Bool) -> ListCell {
        ListCell(
            [.init(name), .init("\(minutes) min")], accessories: isFavourite ? [.checkmark] : [])
    }

    func details(isFavourite: Bool) -> [TextPane.Line] {
        let texts = [
            course.rawValue, "Takes \(minutes) minutes.",
            isFavourite ? "A favourite." : "Not a favourite.",
        ]
        return texts.map { TextPane.Line([.init($0)]) }
    }
}
