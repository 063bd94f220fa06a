// Tests of the recipes example.
import TerminalList
import Testing

@testable import Recipes

@MainActor @Suite struct RecipesTests {
    @Test func `recipes by course`() throws {
        let list = DrivenList(Recipes(), \.view)
        try list.expectScreen("recipes-80x24")
        try list.expectScreen("recipes-40x10", columns: 40, rows: 10)
    }

    @Test func `a new favourite keeps its row and the selection`() throws {
        let recipes = Recipes()
        let list = DrivenList(recipes, \.view)
        list.press(.down, .down)
        let before = list.lines
        list.press(.character("f"))
        #expect(list.lines.count == before.count)
        let changed = zip(before, list.lines).filter { $0 != $1 }.map(\.1)
        #expect(changed.count == 1)
        #expect(changed[0].hasPrefix(">~ Bruschetta"))
        #expect(changed[0].hasSuffix("*"))
        try list.expectScreen("recipes-favourite-80x24")
        list.press(.character("f"))
        list.settle()
        #expect(list.lines == before)
    }

    @Test func `sorting moves the rows and keeps the selection`() throws {
        let recipes = Recipes()
        let list = DrivenList(recipes, \.view)
        list.press(.down, .character("o"))
        let starters = list.lines.prefix(5).map { $0.prefix(13) }
        #expect(
            starters
                == [
                    "Starters", "   Bruschetta", ">  Beetroot sa", "   Tomato sou", "   Onion tart",
                ]
                .map { $0.prefix(13) })
    }

    @Test func `only favourites can be shown, and a former favourite departs`() throws {
        let recipes = Recipes()
        let list = DrivenList(recipes, \.view)
        list.press(.character("v"))
        list.settle()
        #expect(list.lines.count == 7)
        list.press(.down, .enter)
        #expect(!list.lines.contains { $0.contains("Beetroot salad") })
        list.settle()
        for _ in 0..<3 {
            list.press(.enter)
            list.settle()
        }
        #expect(list.draw().contains("No favourites yet."))
        list.press(.character("v"))
        list.settle()
        #expect(list.lines.count == 16)
        #expect(list.draw().contains("0 favourites"))
    }
}
