// A recipe, identified by its number, and the recipes of the book.

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
    var isFavourite = false

    static let all = [
        Recipe(id: 1, name: "Tomato soup", course: .starter, minutes: 35),
        Recipe(id: 2, name: "Beetroot salad", course: .starter, minutes: 20, isFavourite: true),
        Recipe(id: 3, name: "Onion tart", course: .starter, minutes: 70),
        Recipe(id: 4, name: "Bruschetta", course: .starter, minutes: 15),
        Recipe(id: 5, name: "Mushroom risotto", course: .main, minutes: 45, isFavourite: true),
        Recipe(id: 6, name: "Spinach dumplings", course: .main, minutes: 60),
        Recipe(id: 7, name: "Fish stew", course: .main, minutes: 50),
        Recipe(id: 8, name: "Potato gratin", course: .main, minutes: 80),
        Recipe(id: 9, name: "Lentil curry", course: .main, minutes: 40, isFavourite: true),
        Recipe(id: 10, name: "Plum cake", course: .dessert, minutes: 75),
        Recipe(id: 11, name: "Chocolate mousse", course: .dessert, minutes: 25),
        Recipe(id: 12, name: "Apple crumble", course: .dessert, minutes: 55, isFavourite: true),
        Recipe(id: 13, name: "Rice pudding", course: .dessert, minutes: 40),
    ]
}
