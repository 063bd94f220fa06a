// A recipe, and the store with the recipes of the book.

/// A recipe, identified by its number.
struct Recipe: Identifiable, Sendable {
    enum Course: String, CaseIterable, Sendable {
        case starter = "Starters"
        case main = "Main courses"
        case dessert = "Desserts"
    }

    let id: Int
    let name: String
    let course: Course
    let minutes: Int

    static let all = [
        Recipe(id: 1, name: "Tomato soup", course: .starter, minutes: 35),
        Recipe(id: 2, name: "Beetroot salad", course: .starter, minutes: 20),
        Recipe(id: 3, name: "Onion tart", course: .starter, minutes: 70),
        Recipe(id: 4, name: "Bruschetta", course: .starter, minutes: 15),
        Recipe(id: 5, name: "Mushroom risotto", course: .main, minutes: 45),
        Recipe(id: 6, name: "Spinach dumplings", course: .main, minutes: 60),
        Recipe(id: 7, name: "Fish stew", course: .main, minutes: 50),
        Recipe(id: 8, name: "Potato gratin", course: .main, minutes: 80),
        Recipe(id: 9, name: "Lentil curry", course: .main, minutes: 40),
        Recipe(id: 10, name: "Plum cake", course: .dessert, minutes: 75),
        Recipe(id: 11, name: "Chocolate mousse", course: .dessert, minutes: 25),
        Recipe(id: 12, name: "Apple crumble", course: .dessert, minutes: 55),
        Recipe(id: 13, name: "Rice pudding", course: .dessert, minutes: 40),
    ]
}

/// The recipes by their identifiers. The store knows no list; it reports its changes.
@MainActor final class RecipeStore {
    enum Change {
        /// The contents of a recipe changed.
        case recipe(Recipe.ID)
        /// Recipes were added, deleted, or became or ceased to be favourites.
        case collections
    }

    /// Called after each change.
    var didChange: (Change) -> Void = { _ in }

    private var recipes = Dictionary(uniqueKeysWithValues: Recipe.all.map { ($0.id, $0) })
    /// The favourites in the order that the user gave them.
    private(set) var favourites: [Recipe.ID] = [5, 2, 12, 9]
    private var lastID = Recipe.all.count

    var all: [Recipe] { recipes.values.sorted { $0.name < $1.name } }

    subscript(id: Recipe.ID) -> Recipe? { recipes[id] }

    @discardableResult
    func add(named name: String, to collection: RecipeCollection) -> Recipe.ID {
        let course = if case .course(let course) = collection { course } else { Recipe.Course.main }
        lastID += 1
        recipes[lastID] = Recipe(id: lastID, name: name, course: course, minutes: 30)
        didChange(.collections)
        return lastID
    }

    func delete(_ id: Recipe.ID) {
        recipes[id] = nil
        favourites.removeAll { $0 == id }
        didChange(.collections)
    }

    func toggleFavourite(_ id: Recipe.ID) {
        if favourites.contains(id) {
            favourites.removeAll { $0 == id }
        } else {
            favourites.append(id)
        }
        didChange(.collections)
        didChange(.recipe(id))
    }

    /// Stores the order that the list shows already.
    func arrangeFavourites(_ ids: [Recipe.ID]) { favourites = ids }
}
