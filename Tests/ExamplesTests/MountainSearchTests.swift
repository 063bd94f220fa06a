// Tests of the mountain search example.
import TerminalList
import Testing

@testable import MountainSearch

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
