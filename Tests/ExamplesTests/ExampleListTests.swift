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
        #expect(list.lines.map { $0.dropFirst(3).prefix(12) } == ["Dufourspitze", "Zugspitze   "])
        try list.expectScreen("mountain-search-spi-80x24")
    }

    @Test func `Backspace widens the list, and Esc shows all`() {
        let search = MountainSearch()
        let list = DrivenList(search, \.view)
        list.type("K2x")
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
        #expect(list.lines.map { $0.prefix(11) } == [">  Alpamayo"])
        list.press(.escape)
        #expect(search.view.selectedItem == "Alpamayo")
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
            #expect(list.lines[1].contains("joined"))
        }
    }
}

@MainActor @Suite struct InsertionSortTests {
    private func numbers(_ list: DrivenList<InsertionSort.Section, Int>) -> [Int] {
        list.lines.compactMap { line in Int(line.dropFirst(3).prefix(6).filter { $0 != " " }) }
    }

    @Test func `the numbers start unsorted`() throws {
        let list = DrivenList(InsertionSort(generator: SeededGenerator(seed: 1)), \.view)
        try list.expectScreen("insertion-sort-80x24")
        #expect(numbers(list) != Array(1...18))
        #expect(numbers(list).sorted() == Array(1...18))
    }

    @Test func `a step swaps two neighbours and selects the smaller`() throws {
        let sort = InsertionSort(generator: SeededGenerator(seed: 1))
        let list = DrivenList(sort, \.view)
        var before = numbers(list)
        let index = try #require(before.indices.dropFirst().first { before[$0] < before[$0 - 1] })
        list.press(.enter)
        #expect(sort.view.selectedItem == before[index])
        before.swapAt(index, index - 1)
        #expect(numbers(list) == before)
        try list.expectScreen("insertion-sort-step-80x24")
    }

    @Test(arguments: 1...20)
    func `the number of steps is the number of inversions`(seed: UInt64) {
        let sort = InsertionSort(generator: SeededGenerator(seed: seed))
        let list = DrivenList(sort, \.view)
        let first = numbers(list)
        let wrong = first.indices.reduce(0) { sum, index in
            sum + first[..<index].count { $0 > first[index] }
        }
        var steps = 0
        while sort.step(), steps < 1000 { steps += 1 }
        #expect(steps == wrong)
        #expect(numbers(list) == Array(1...18))
        #expect(list.draw().contains("in order, steps: \(steps)"))
    }

    @Test func `r starts and stops the sort, which ends when sorted`() {
        let sort = InsertionSort(generator: SeededGenerator(seed: 2))
        let list = DrivenList(sort, \.view)
        list.press(.character("r"))
        #expect(sort.isRunning)
        list.press(.character("r"))
        #expect(!sort.isRunning)
        list.press(.character("r"))
        while sort.step() {}
        #expect(!sort.isRunning)
    }

    @Test func `n shuffles the numbers`() throws {
        let sort = InsertionSort(generator: SeededGenerator(seed: 3))
        let list = DrivenList(sort, \.view)
        while sort.step() {}
        list.press(.character("n"))
        #expect(numbers(list) != Array(1...18))
        #expect(list.draw().contains("steps: 0"))
    }

    @Test func `the moving row stays visible in a small window`() throws {
        let sort = InsertionSort(generator: SeededGenerator(seed: 1))
        let list = DrivenList(sort, \.view)
        for _ in 0..<60 {
            list.draw(40, 10)
            list.press(.enter)
            let screen = list.draw(40, 10)
            #expect(screen.contains("\n> "))
        }
        try list.expectScreen("insertion-sort-40x10", columns: 40, rows: 10)
    }
}

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

@MainActor @Suite struct SidebarTests {
    @Test func `the folders in both sections, the first expanded`() throws {
        let list = DrivenList(Sidebar(), \.view)
        try list.expectScreen("sidebar-80x24")
        try list.expectScreen("sidebar-40x10", columns: 40, rows: 10)
    }

    @Test func `Right expands a folder, and Left collapses it`() throws {
        let list = DrivenList(Sidebar(), \.view)
        list.press(.down, .down, .down, .right)
        try list.expectScreen("sidebar-unfolded-80x24")
        list.press(.up, .up, .left)
        list.settle()
        #expect(list.lines[1].hasPrefix(">  ▸ Home"))
        #expect(list.lines[2].hasPrefix("   ▸ Work"))
    }

    @Test func `a changed struct is a new item and loses selection and expansion`() throws {
        let list = DrivenList(Sidebar(), \.view)
        list.press(.down, .character("u"))
        #expect(list.lines.contains { $0.hasPrefix(" + ▸ Home") && $0.hasSuffix("4") })
        #expect(list.lines.contains { $0.hasPrefix(">  ▸ Work") })
        try list.expectScreen("sidebar-struct-80x24")
    }

    @Test func `keys between two frames have their effect`() {
        let sidebar = Sidebar()
        let list = DrivenList(sidebar, \.view)
        list.press(.down)
        for key in [Key.character("u"), .character("u"), .right, .left, .character("u")] {
            _ = sidebar.view.handle(key)
        }
        #expect(list.lines.contains { $0.hasPrefix(">+ ▸ Home") && $0.hasSuffix("4") })
    }

    @Test func `the children of a changed struct remain and can be expanded again`() {
        let list = DrivenList(Sidebar(), \.view)
        list.press(.down, .character("u"))
        list.settle()
        list.press(.home, .right)
        list.settle()
        #expect(
            list.lines[1...3].map { String($0.dropFirst(3).prefix(10)) }
                == ["▾ Home    ", "    Family", "  ▸ Travel"])
    }

    @Test func `a constant identifier keeps selection and expansion`() throws {
        let list = DrivenList(Sidebar(), \.view)
        list.press(.end, .up, .up, .up, .character("u"))
        try list.expectScreen("sidebar-identifier-80x24")
        list.settle()
        #expect(list.lines.contains { $0.hasPrefix(">  ▾ Home") && $0.hasSuffix("4") })
    }
}
