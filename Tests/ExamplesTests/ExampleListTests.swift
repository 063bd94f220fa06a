// Tests of the lists of the examples.
import TerminalList
import TestSupport
import Testing

@testable import InsertionSort
@testable import MountainSearch
@testable import Recipes
@testable import Sidebar
@testable import WiFiSettings

@MainActor @Suite struct MountainSearchTests {
    @Test func `all mountains are listed alphabetically`() throws {
        let list = DrivenList(MountainSearch(), \.view)
        try list.expectScreen("mountain-search-80x24")
        try list.expectScreen("mountain-search-40x10", columns: 40, rows: 10)
    }

    @Test func `each letter narrows the list`() throws {
        let list = DrivenList(MountainSearch(), \.view)
        list.type("spi")
        try list.expectScreen("mountain-search-spi-80x24")
        list.settle()
        #expect(list.lines.map { $0.dropFirst(3).prefix(12) } == ["Dufourspitze", "Zugspitze   "])
    }

    @Test func `what leaves and arrives is marked for a moment`() {
        let list = DrivenList(MountainSearch(), \.view)
        list.type("k2")
        #expect(list.lines.contains { $0.hasPrefix(" - Aconcagua") })
        list.settle()
        #expect(list.lines.map { $0.prefix(5) } == ["   K2"])
        list.press(.escape)
        #expect(list.lines.contains { $0.hasPrefix(" + Aconcagua") })
        list.settle()
        #expect(list.lines[0].hasPrefix("   Aconcagua"))
    }

    @Test func `Backspace widens the list, and Esc shows all`() {
        let search = MountainSearch()
        let list = DrivenList(search, \.view)
        list.type("K2x")
        list.settle()
        #expect(list.lines.first?.contains("No mountain here has “K2x” in its name.") == true)
        list.press(.backspace)
        #expect(search.filter == "K2")
        #expect(list.lines.map { $0.prefix(5) } == [" + K2"])
        list.press(.escape)
        #expect(search.filter.isEmpty)
        #expect(list.draw().contains("\(Mountain.all.count) of \(Mountain.all.count)"))
    }

    @Test func `the selected mountain stays selected while it matches`() {
        let search = MountainSearch()
        let list = DrivenList(search, \.view)
        list.press(.down, .down)
        list.type("alp")
        list.settle()
        #expect(list.lines.map { $0.prefix(11) } == [">  Alpamayo"])
        list.press(.escape)
        #expect(search.view.selectedItem?.name == "Alpamayo")
    }

    @Test func `q is typed as a letter`() {
        let search = MountainSearch()
        DrivenList(search, \.view).type("q?")
        #expect(search.filter == "q?")
    }

    @Test func `each mountain is listed once with a plausible height`() {
        #expect(Mountain.all.count >= 60)
        #expect(Set(Mountain.all.map(\.name)).count == Mountain.all.count)
        #expect(Mountain.all.allSatisfy { (1000...8849).contains($0.height) })
        #expect(Mountain.all.allSatisfy { !$0.place.isEmpty })
    }
}

@MainActor @Suite struct WiFiSettingsTests {
    private func settings() -> WiFiSettings { WiFiSettings(generator: SeededGenerator(seed: 1)) }

    @Test func `the switch and the networks in range`() throws {
        let list = DrivenList(settings(), \.view)
        try list.expectScreen("wifi-settings-80x24")
        try list.expectScreen("wifi-settings-40x10", columns: 40, rows: 10)
    }

    @Test func `the switch removes and restores the section of networks`() throws {
        let list = DrivenList(settings(), \.view)
        list.press(.enter)
        #expect(list.lines.contains { $0.hasPrefix(" - Attic") })
        list.settle()
        #expect(list.lines.map { $0.prefix(8) } == [">  Wi-Fi"])
        #expect(list.lines[0].contains("off"))
        list.press(.character("w"))
        #expect(list.lines.contains("Networks"))
        #expect(list.lines.contains { $0.hasPrefix(" + Attic") })
    }

    @Test func `a click on the switch switches Wi-Fi, and the details replace the list until Esc`()
    {
        let settings = settings()
        let list = DrivenList(settings, \.view)
        list.press(.down, .right)
        #expect(list.draw().contains("Signal: 1 of 4"))
        list.press(.escape)
        _ = settings.view.handle(MouseEvent(.press, row: 2, column: 78))
        list.settle()
        #expect(list.lines.count == 1)
        #expect(list.lines[0].hasSuffix("[off]"))
    }

    @Test func `a joined network moves to the settings with the selection`() throws {
        let settings = settings()
        let list = DrivenList(settings, \.view)
        list.press(.down, .down, .enter)
        #expect(settings.view.selectedItem == .network("Café guests"))
        try list.expectScreen("wifi-settings-joined-80x24")
        list.press(.enter)
        list.settle()
        #expect(
            list.lines.map { $0.prefix(8) }.prefix(4) == [
                "   Wi-Fi", "Networks", "   Attic", ">  Café ",
            ])
    }

    @Test func `networks arrive and depart, and signals change`() throws {
        let settings = settings()
        let list = DrivenList(settings, \.view)
        for _ in 0..<4 {
            settings.step()
            list.draw()
        }
        let signs = Set(list.lines.map { $0.dropFirst().prefix(1) })
        #expect(signs.isSuperset(of: ["+", "-", "~"]))
        try list.expectScreen("wifi-settings-later-80x24")
    }

    @Test func `nothing changes while Wi-Fi is off`() {
        let settings = settings()
        let list = DrivenList(settings, \.view)
        list.press(.character("w"))
        list.settle()
        for _ in 0..<50 { settings.step() }
        #expect(list.lines.count == 1)
    }

    @Test(arguments: 1...5)
    func `a joined network always stays`(seed: UInt64) {
        let settings = WiFiSettings(generator: SeededGenerator(seed: seed))
        let list = DrivenList(settings, \.view)
        list.press(.down, .enter)
        for _ in 0..<40 {
            settings.step()
            #expect(list.lines[1].contains("✓"))
        }
    }
}

@MainActor @Suite struct InsertionSortTests {
    private typealias List = DrivenList<Int, InsertionSort.Bar>

    /// The numbers on the screen, by the list.
    private func numbers(_ list: List) -> [[Int]] {
        list.lines.split { $0.hasPrefix("List") }.map { lines in
            lines.compactMap { line in Int(line.dropFirst(3).prefix(6).filter { $0 != " " }) }
        }
    }

    private func isSorted(_ numbers: [Int]) -> Bool { numbers == numbers.sorted() }

    @Test func `three lists of numbers start unsorted`() throws {
        let list = DrivenList(InsertionSort(generator: SeededGenerator(seed: 1)), \.view)
        try list.expectScreen("insertion-sort-80x24")
        #expect(numbers(list).count == 3)
        #expect(numbers(list).allSatisfy { $0.count == 6 && Set($0).count == 6 && !isSorted($0) })
    }

    @Test func `a step swaps two neighbours in each list`() throws {
        let sort = InsertionSort(generator: SeededGenerator(seed: 1))
        let list = DrivenList(sort, \.view)
        var before = numbers(list)
        for number in before.indices {
            let values = before[number]
            let index = try #require(
                values.indices.dropFirst().first { values[$0] < values[$0 - 1] })
            before[number].swapAt(index, index - 1)
        }
        list.press(.enter)
        #expect(numbers(list) == before)
        try list.expectScreen("insertion-sort-step-80x24")
    }

    @Test(arguments: 1...20)
    func `the number of steps is the greatest number of inversions of a list`(seed: UInt64) {
        let sort = InsertionSort(generator: SeededGenerator(seed: seed))
        let list = DrivenList(sort, \.view)
        let first = numbers(list)
        let wrong = first.map { values in
            values.indices.reduce(0) { sum, index in
                sum + values[..<index].count { $0 > values[index] }
            }
        }
        var steps = 0
        while sort.step(), steps < 1000 { steps += 1 }
        #expect(steps == wrong.max())
        #expect(numbers(list) == first.map { $0.sorted() })
        #expect(list.draw().contains("in order, steps: \(steps)"))
    }

    @Test func `r starts and stops the sort`() {
        let sort = InsertionSort(generator: SeededGenerator(seed: 2))
        let list = DrivenList(sort, \.view)
        list.press(.character("r"))
        #expect(sort.isRunning)
        list.press(.character("r"))
        #expect(!sort.isRunning)
        list.press(.character("r"), .enter)
        #expect(!sort.isRunning, "a single step stops it")
    }

    @Test func `n shows other numbers`() throws {
        let sort = InsertionSort(generator: SeededGenerator(seed: 3))
        let list = DrivenList(sort, \.view)
        let before = numbers(list)
        while sort.step() {}
        list.press(.character("n"))
        #expect(numbers(list).map { $0.sorted() } != before.map { $0.sorted() })
        #expect(list.draw().contains("steps: 0"))
    }

    @Test func `a selected row stays visible in a small window`() throws {
        let sort = InsertionSort(generator: SeededGenerator(seed: 1))
        let list = DrivenList(sort, \.view)
        list.draw(40, 10)
        list.press(.end)
        let selected = sort.view.selectedItem
        for _ in 0..<20 {
            list.draw(40, 10)
            list.press(.enter)
            #expect(list.draw(40, 10).contains("\n> "))
        }
        #expect(sort.view.selectedItem == selected)
        try list.expectScreen("insertion-sort-40x10", columns: 40, rows: 10)
    }
}

@MainActor @Suite struct RecipesTests {
    private typealias List = DrivenList<RecipeCollection, Recipe.ID>

    private let recipes = Recipes()

    /// Picks a collection of the sidebar by the number of rows below the first one.
    private func choose(_ number: Int, _ list: List) {
        list.press(.character("c"))
        for _ in 0..<number { list.press(.down) }
        list.press(.enter)
    }

    /// The names of the recipes in the list.
    private func names(_ list: List) -> [String] {
        list.lines.compactMap { line in
            guard line.dropFirst(3).prefix(1) != " ", line.contains("min") else { return nil }
            let name = line.dropFirst(3).prefix(22)
            return String(name[...(name.lastIndex { $0 != " " } ?? name.startIndex)])
        }
    }

    @Test func `recipes by course, with the details of the first one beside them`() throws {
        let list = DrivenList(recipes, \.view)
        try list.expectScreen("recipes-80x24")
        try list.expectScreen("recipes-40x10", columns: 40, rows: 10)
    }

    @Test func `a new favourite keeps its row and the selection`() throws {
        let list = DrivenList(recipes, \.view)
        list.press(.down)
        let before = names(list)
        list.press(.character("f"))
        #expect(names(list) == before)
        #expect(list.lines.contains { $0.hasPrefix(">~ Bruschetta") && $0.contains("✓ │") })
        try list.expectScreen("recipes-favourite-80x24")
        list.press(.character("f"))
        list.settle()
        #expect(list.lines.contains { $0.hasPrefix(">  Bruschetta") && !$0.contains("✓") })
    }

    @Test func `the sidebar chooses a collection, which restores its selection`() throws {
        let list = DrivenList(recipes, \.view)
        list.press(.down, .down, .character("c"))
        try list.expectScreen("recipes-collections-80x24")
        list.press(.escape)
        choose(4, list)
        #expect(
            names(list) == ["Apple crumble", "Chocolate mousse", "Plum cake", "Rice pudding"])
        #expect(recipes.view.selectedItem == 12)
        list.press(.down, .down)
        choose(0, list)
        #expect(recipes.view.selectedItem == 3, "Onion tart")
        choose(4, list)
        #expect(recipes.view.selectedItem == 10, "Plum cake")
    }

    @Test func `favourites are arranged by the user`() throws {
        let list = DrivenList(recipes, \.view)
        #expect(!list.draw(100).contains("Alt-↑"), "only favourites can be arranged")
        choose(1, list)
        #expect(list.draw(120).contains("Alt-↑ move"))
        list.press(.altDown)
        _ = recipes.view.handle(MouseEvent(.press, row: 5, column: 5))
        _ = recipes.view.handle(MouseEvent(.release, row: 2, column: 5))
        let order = ["Lentil curry", "Beetroot salad", "Mushroom risotto", "Apple crumble"]
        #expect(names(list) == order)
        choose(0, list)
        choose(1, list)
        #expect(names(list) == order)
        #expect(recipes.view.selectedItem == 9)
        list.press(.character("f"))
        #expect(names(list) == Array(order.dropFirst()))
        #expect(list.draw().contains("3 favourites"))
    }

    @Test func `a new recipe is selected, and a deleted one leaves the selection to the next`() {
        let list = DrivenList(recipes, \.view)
        choose(2, list)
        list.press(.character("n"))
        list.type("Corn fritters")
        list.press(.enter)
        #expect(
            names(list) == [
                "Beetroot salad", "Bruschetta", "Corn fritters", "Onion tart", "Tomato soup",
            ])
        #expect(recipes.view.selectedItem == 14)
        #expect(list.lines.contains { $0.hasPrefix(">+ Corn fritters") })
        list.press(.delete)
        #expect(!names(list).contains("Corn fritters"))
        #expect(list.lines.contains { $0.hasPrefix(">  Onion tart") })
        #expect(list.draw().contains("Takes 70 minutes."))
        for _ in 0..<4 { list.press(.character("d")) }
        #expect(list.lines.joined().contains("No recipe here."))
        #expect(list.draw().contains("3 favourites"))
    }

    @Test func `Enter shows the details in place of the list until Esc`() {
        let list = DrivenList(recipes, \.view)
        list.press(.enter)
        #expect(!list.draw().contains("Bruschetta"))
        #expect(list.draw(40, 10).contains("Takes 20 minutes."))
        list.press(.escape)
        #expect(list.draw().contains("Bruschetta"))
    }
}

@MainActor @Suite struct SidebarTests {
    /// The lines of the list alone, without the pane beside it.
    private func lines<Item>(_ list: DrivenList<Sidebar.Section, Item>) -> [String] {
        list.lines.map { line in
            let text = line.prefix(40)
            return String(text[...(text.lastIndex { $0 != " " } ?? text.startIndex)])
        }
    }

    @Test func `the folders in both sections below their headers, the first expanded`() throws {
        let list = DrivenList(Sidebar(), \.view)
        try list.expectScreen("sidebar-80x24")
        try list.expectScreen("sidebar-40x10", columns: 40, rows: 10)
    }

    @Test func `Right expands a folder, and Left collapses it`() throws {
        let list = DrivenList(Sidebar(), \.view)
        list.press(.down, .down, .down, .down, .right)
        try list.expectScreen("sidebar-unfolded-80x24")
        list.press(.left, .left, .left)
        #expect(lines(list)[1].hasPrefix(">    ▸ Home"))
        #expect(lines(list)[2].hasPrefix("     ▸ Work"))
        list.press(.left, .left)
        #expect(lines(list)[0...1] == [">  ▸ As structs", "   ▾ As identifiers"])
    }

    @Test func `the letters of the selected folder are beside the list`() {
        let list = DrivenList(Sidebar(), \.view)
        list.press(.down)
        #expect(!list.draw().contains("│"), "a header has no letters")
        list.press(.down)
        #expect(list.lines[0].hasSuffix("│ Letter 3"))
        list.press(.down, .down)
        #expect(list.lines[0].hasSuffix("│ No unread letters."))
    }

    @Test func `a changed struct is a new item and loses selection and expansion`() throws {
        let list = DrivenList(Sidebar(), \.view)
        list.press(.down, .down, .character("u"))
        #expect(lines(list).contains { $0.hasPrefix(" +   ▸ Home") && $0.hasSuffix("4") })
        #expect(lines(list).contains { $0.hasPrefix(">    ▸ Work") })
        try list.expectScreen("sidebar-struct-80x24")
    }

    @Test func `keys between two frames have their effect`() {
        let sidebar = Sidebar()
        let list = DrivenList(sidebar, \.view)
        list.press(.down, .down)
        for key in [Key.character("u"), .character("u"), .right, .left, .character("u")] {
            _ = sidebar.view.handle(key)
        }
        #expect(lines(list).contains { $0.hasPrefix(">+   ▸ Home") && $0.hasSuffix("4") })
    }

    @Test func `the children of a changed struct remain and can be expanded again`() {
        let list = DrivenList(Sidebar(), \.view)
        list.press(.down, .down, .character("u"))
        list.settle()
        list.press(.home, .down, .right)
        #expect(
            lines(list)[1...3].map { String($0.dropFirst(3).prefix(12)) }
                == ["  ▾ Home    ", "      Family", "    ▸ Travel"])
    }

    @Test func `a constant identifier keeps selection and expansion`() throws {
        let list = DrivenList(Sidebar(), \.view)
        list.press(.end, .up, .up, .up, .character("u"))
        try list.expectScreen("sidebar-identifier-80x24")
        list.settle()
        #expect(lines(list).contains { $0.hasPrefix(">    ▾ Home") && $0.hasSuffix("4") })
    }
}
