// Golden screens of `peerlist pick`, and tests of its keys, on a screen without a terminal.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerScreen

@MainActor @Suite(.timeLimit(.minutes(10))) struct PickScreenTests {
    /// The names of the chosen rows, once the picker has ended.
    private final class Choice {
        private(set) var names: [String]?
        private(set) var departedCount = 0

        func picker(_ options: PickOptions) -> Picker {
            Picker(options) { [self] rows, departedCount in
                (names, self.departedCount) = (rows.map(\.name), departedCount)
            }
        }
    }

    private let choice = Choice()

    private func household(
        _ count: Int, columns: Int = 80, rows: Int = 24, charset: Charset = .unicode,
        _ options: PickOptions = PickOptions()
    ) -> DrivenScreen {
        .household(
            count, columns: columns, rows: rows, charset: charset, picker: choice.picker(options))
    }

    /// Returns the screen of the house, with a laptop, a printer and a television.
    private func house(_ options: PickOptions = PickOptions()) -> DrivenScreen {
        DrivenScreen(picker: choice.picker(options))
    }

    @Test(arguments: [0, 1, 3, 500], [(80, 24), (40, 10)])
    func `the list fits the window`(count: Int, size: (columns: Int, rows: Int)) throws {
        let driven = household(count, columns: size.columns, rows: size.rows)
        let lines = driven.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { SafeText(String($0)).width <= size.columns })
        guard [3, 500].contains(count) else { return }
        try expectCommitted(
            driven.text + "\n", "pick-\(count)-\(size.columns)x\(size.rows).txt")
    }

    @Test func `typing narrows the list at once, and Enter chooses the first match`() throws {
        let driven = household(50)
        driven.type("webos tv 4d91")
        try expectCommitted(driven.text + "\n", "pick-typed.txt")
        driven.press(.enter)
        #expect(choice.names == ["LG webOS TV 4D91"])
    }

    @Test func `what is typed selects the best match, by its letters too`() {
        let driven = household(50)
        driven.type("lgwbs")
        driven.press(.enter)
        #expect(choice.names == ["LG webOS TV 4D91"])
    }

    @Test func `the arrows move among the matches while typing`() {
        let driven = household(500)
        driven.type("10.99.0.139")
        driven.press(.down, .down, .up, .enter)
        #expect(choice.names == ["531620847195 2"])
    }

    @Test(arguments: [Key.escape, .control("c")])
    func `Esc and Ctrl-C leave without a choice`(key: Key) {
        let driven = household(3)
        driven.type("hp")
        #expect(choice.names == nil)
        driven.press(key)
        #expect(choice.names == [])
    }

    @Test func `a query is typed already, and selects its first match as devices arrive`() throws {
        let driven = house(PickOptions(query: "tv"))
        driven.live(until: 1)
        #expect(driven.text.contains("Still looking: nothing matches \"tv\" yet."))
        #expect(driven.text.contains("> tv▏"))
        driven.live(until: 10)
        #expect(try driven.line(with: "▸ tv").hasPrefix(">"))
        driven.press(.enter)
        #expect(choice.names == ["tv"])
    }

    @Test func `the selection stays with its row when others arrive after a key`() {
        let driven = house()
        driven.live(until: 1)
        driven.press(.down)
        driven.live(until: 10)
        driven.press(.enter)
        #expect(choice.names == ["brn30055c"])
    }

    @Test func `the choice waits for devices if there is none yet`() {
        let driven = house()
        driven.press(.enter)
        #expect(choice.names == nil)
        #expect(driven.text.contains("nothing is selected"))
        driven.live(until: 0.2)
        driven.press(.character("a"))
        #expect(!driven.text.contains("nothing is selected"))
        driven.press(.enter)
        #expect(choice.names == ["anna"])
    }

    @Test func `settings group the rows by type and show details beside them`() throws {
        let driven = DrivenScreen(
            columns: 120, settings: ScreenSettings(grouping: .type, showsDetails: true),
            picker: choice.picker(PickOptions()))
        driven.live(until: 10)
        #expect(driven.text.contains("Internet printing"))
        driven.type("6631")
        try expectCommitted(driven.text + "\n", "pick-by-type-beside.txt")
        driven.press(.enter)
        #expect(choice.names == ["Office Printer"])
    }

    @Test func `a service can be chosen, by the arrows or by typing`() throws {
        let driven = house()
        driven.live(until: 10)
        driven.press(.right, .down, .down)
        #expect(try driven.line(with: "port 6631").hasPrefix(">"))
        driven.press(.left)
        #expect(!driven.text.contains("port 6631"))
        driven.type("6631")
        #expect(try driven.line(with: "port 6631").hasPrefix(">"))
        driven.press(.enter)
        #expect(choice.names == ["Office Printer"])
    }

    @Test func `Space and Tab mark rows, whose marks stay while others are searched`() throws {
        let driven = household(3, PickOptions(isMulti: true))
        driven.press(.down, .character(" "), .up, .up, .tab)
        try expectCommitted(driven.text + "\n", "pick-marked.txt")
        driven.type("hp ")
        #expect(driven.text.contains("2 marked"))
        driven.press(.tab, .up, .tab, .enter)
        #expect(choice.names == ["Büro oben", "Brother ADS-1700W"])
    }

    @Test func `without marks the selected row is chosen, and one mark is not enough to leave`() {
        let driven = household(3, PickOptions(isMulti: true))
        driven.press(.tab)
        #expect(choice.names == nil)
        driven.press(.up, .tab, .enter)
        #expect(choice.names == ["Büro oben"])
    }

    @Test func `without --multi Tab marks nothing, and Space is typed`() {
        let driven = household(3)
        driven.press(.tab, .character(" "))
        #expect(!driven.text.contains("marked"))
        #expect(driven.screen.view.prompt?.text == " ")
    }

    @Test func `a row that lacks what is to be printed is refused, and the list stays`() {
        let driven = house(PickOptions(part: .url))
        driven.live(until: 10)
        driven.type("tv")
        driven.press(.enter)
        #expect(choice.names == nil)
        #expect(driven.text.contains("tv has no URL"))
        #expect(driven.text.contains("> tv▏"))
        driven.press(.control("u"))
        driven.type("6631")
        driven.press(.enter)
        #expect(choice.names?.count == 1)
    }

    @Test func `marked rows that departed are counted, and cannot be the only choice`() {
        let driven = house(PickOptions(isMulti: true))
        driven.live(until: 10)
        driven.type("tv")
        driven.press(.tab)
        driven.live(until: 250)
        driven.press(.enter)
        #expect(choice.names == nil)
        #expect(driven.text.contains("the device has departed"))
        driven.press(.control("u"))
        driven.type("brn30055c")
        driven.press(.tab, .enter)
        #expect(choice.names == ["brn30055c"])
        #expect(choice.departedCount == 1)
    }

    @Test func `marks move to the replacements of their rows`() throws {
        var picker = choice.picker(PickOptions(isMulti: true))
        let (old, new) = (RowID.device(UUID()), RowID.device(UUID()))
        picker.toggle(old)
        picker.replace([old: new])
        #expect(picker.marked == [new])
        picker.toggle(new)
        #expect(picker.marked.isEmpty)
    }

    @Test func `the help has the keys of the choice, and closes without a choice`() throws {
        let driven = household(3, rows: 40, PickOptions(isMulti: true))
        driven.press(.function(1))
        try expectCommitted(driven.text + "\n", "pick-help.txt")
        driven.press(.escape)
        #expect(choice.names == nil)
        #expect(driven.text.contains("Büro oben"))
        driven.press(.enter)
        #expect(choice.names?.count == 1)
    }

    @Test func `pasted text is typed`() throws {
        let driven = household(3)
        _ = driven.screen.view.handle(pasted: "büro\noben")
        #expect(try driven.line(with: "Büro oben").hasPrefix(">"))
        #expect(driven.screen.view.prompt?.text == "büro oben")
    }

    @Test func `a click selects, and opens no details`() throws {
        let driven = household(3)
        for _ in 0..<2 { _ = driven.screen.handle(MouseEvent(.press, row: 3, column: 8)) }
        #expect(try driven.line(with: "Büro oben").hasPrefix(">"))
        driven.press(.enter)
        #expect(choice.names == ["Büro oben"])
    }

    @Test func `on the Linux console, a row is marked by a sign that its fonts have`() throws {
        let driven = household(3, charset: .console, PickOptions(isMulti: true))
        driven.press(.tab)
        #expect(try driven.line(with: "Brother").contains("*"))
        #expect(!driven.text.contains("✓"))
        driven.type("büro")
        #expect(!driven.text.contains { ReplayStatusTests.notOnConsole.contains($0) })
    }

    @Test func `with the ASCII character set the list is ASCII`() {
        let driven = household(3, charset: .ascii, PickOptions(isMulti: true))
        driven.press(.tab)
        driven.type("hp")
        let isASCII = driven.text.unicodeScalars.allSatisfy(\.isASCII)
        #expect(isASCII)
    }
}
