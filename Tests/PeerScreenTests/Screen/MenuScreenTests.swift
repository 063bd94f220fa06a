// The menu and the boxes of choices: golden screens, their keys, and what Esc leaves.
import PeerListTestSupport
import PeerModel
import TerminalList
import Testing

@testable import PeerScreen

@MainActor @Suite struct MenuScreenTests {
    /// The situations of the golden screens.
    enum Situation: String, CaseIterable {
        case menu, menuTyped = "menu-typed", types, typesTyped = "types-typed", copy
    }

    nonisolated static let sizes = [(40, 10), (80, 24), (120, 40)]

    @Test(arguments: Situation.allCases, sizes)
    func `the menu and the boxes look as committed`(
        situation: Situation, size: (columns: Int, rows: Int)
    ) throws {
        let driven = DrivenScreen.household(50, columns: size.columns, rows: size.rows)
        driven.press(.down)
        switch situation {
        case .menu: driven.press(.character(":"))
        case .menuTyped:
            driven.press(.character(":"))
            driven.type("/show")
        case .types: driven.press(.character("t"))
        case .typesTyped:
            driven.press(.character("t"))
            driven.type("ssh")
        case .copy: driven.press(.character("c"))
        }
        let lines = driven.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == size.rows)
        #expect(lines.allSatisfy { SafeText(String($0)).width <= size.columns })
        try expectCommitted(
            driven.text + "\n", "box-\(situation.rawValue)-\(size.columns)x\(size.rows).txt")
    }

    @Test(arguments: [Key.character(":"), .function(10)])
    func `the menu has the keys that a person needs, and runs the line at the cursor`(key: Key)
        throws
    {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.down, key)
        #expect(driven.text.contains("─ Menu: press a key, or / to search "))
        let entries = try #require(driven.screen.view.choices?.entries)
        for binding in driven.screen.view.keys.bindings {
            guard case .run = binding.action, binding.section != "A fleet" else { continue }
            let isLeftOut = ["clear-search", "side-pane", "focus", "mouse", "toggle", "menu"]
                .contains(binding.name)
            #expect(
                entries.contains { $0.label == binding.help } == !isLeftOut, "\(binding.help)")
        }
        #expect(entries.count < 24)
        #expect(try driven.line(with: "> details of").contains("details of the selected row  "))
        driven.press(.enter)
        #expect(driven.text.contains("tv (tv.local)"))
    }

    @Test func `a key that the menu shows runs its line`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.character(":"), .character("g"))
        #expect(driven.screen.view.choices == nil)
        #expect(driven.text.contains("Internet printing"))
        driven.press(.character(":"), .character("s"))
        #expect(driven.text.contains("sorted by address"))
        driven.press(.character(":"), .character("?"))
        #expect(driven.text.contains("─ Keys "))
        driven.press(.escape, .character(":"), .character("q"))
        #expect(driven.requests.last == .quit)
    }

    @Test func `other letters narrow the menu, and then all do`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.character(":"))
        driven.type("by device")
        #expect(try driven.line(with: "> group by device").contains("│"))
        #expect(!driven.text.contains("label"))
        driven.press(.enter)
        #expect(driven.text.contains("Internet printing"))
        driven.press(.character(":"))
        driven.type("/q")
        #expect(try driven.line(with: "> quit").contains("│") && driven.requests.isEmpty)
        driven.type("q")
        #expect(driven.text.contains("no match") && driven.requests.isEmpty)
        driven.press(.escape)
        #expect(driven.text.contains("─ Menu: press"))
        driven.press(.escape)
        #expect(!driven.text.contains("Menu"))
    }

    @Test func `in the details in place of the list, the menu has their keys, and q quits`() throws
    {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.enter, .character(":"))
        let labels = driven.screen.view.choices?.entries.map(\.label) ?? []
        #expect(labels.contains("copy an address, a name, a value or JSON"))
        #expect(!labels.contains("details of the selected row"), "they are shown")
        driven.press(.character("q"))
        #expect(driven.requests.last == .quit)
    }

    @Test func `in a replay the menu has the key that shows services, as the arrows seek`() {
        let driven = DrivenScreen(
            keys: ReplayCommand.keys(AsyncStream.makeStream().continuation), isRecorded: true)
        driven.live(until: 10)
        driven.press(.character(":"), .character("z"))
        #expect(driven.text.contains("port 6631"))
    }

    /// Esc leaves one thing at a time.
    @Test func `Esc leaves details, search, types, and then does nothing`() throws {
        let driven = DrivenScreen(columns: 120)
        driven.live(until: 10)
        driven.press(.character("t"), .down, .enter)
        #expect(driven.text.contains("1 of 3 peers"))
        driven.press(.character("/"))
        driven.type("brn")
        driven.press(.enter, .enter)
        #expect(driven.text.contains("State"))
        driven.press(.escape)
        #expect(!driven.text.contains("State") && driven.text.contains("/brn"))
        driven.press(.escape)
        #expect(!driven.text.contains("/brn") && driven.text.contains("type on"))
        driven.press(.escape)
        #expect(driven.text.contains("3 peers, 4 services"))
        #expect(try driven.line(with: "▸ brn30055c").hasPrefix(">"))
        let list = driven.text
        for _ in 0..<3 {
            driven.press(.escape)
            #expect(driven.text == list)
        }
    }

    @Test func `Esc leaves details that the settings show`() {
        let driven = DrivenScreen(columns: 120, settings: ScreenSettings(showsDetails: true))
        driven.live(until: 10)
        #expect(driven.text.contains("State"))
        driven.press(.escape)
        #expect(driven.text.contains("State"))
    }

    @Test func `in the box of types one types, and Enter shows only the type at the cursor`() throws
    {
        let driven = DrivenScreen.household(50)
        driven.press(.character("t"))
        driven.type("ssh")
        driven.press(.enter)
        #expect(driven.screen.view.choices == nil)
        let hidden = driven.screen.content.choices.hiddenTypes
        let all = driven.screen.content.seen.typeEntries(hidden: []).map(\.id)
        #expect(all.filter { !hidden.contains($0) } == ["_ssh._tcp"])
        // A type that appears later is hidden, too.
        #expect(hidden.contains("_later._tcp"))
        #expect(driven.text.contains("1 type on"))
        #expect(try driven.line(with: "▸").contains("ssh"))
        driven.press(.escape)
        #expect(driven.screen.content.choices.hiddenTypes.isEmpty)
        #expect(driven.text.contains(" 50 peers"))
        // With all types on again, none is filtered any more.
        driven.press(.character("t"))
        driven.type("ssh")
        driven.press(.enter)
        driven.press(.character("t"), .tab, .enter)
        #expect(driven.screen.content.choices.hiddenTypes.isEmpty)
    }

    @Test func `the wheel and a click act in the menu`() throws {
        let driven = DrivenScreen(columns: 40, rows: 10)
        driven.live(until: 10)
        driven.press(.character(":"))
        _ = driven.screen.handle(MouseEvent(.wheelDown, row: 3, column: 10))
        #expect(try driven.line(with: "> check now").contains("v"))
        let line = try #require(
            driven.text.split(separator: "\n", omittingEmptySubsequences: false)
                .firstIndex { $0.contains("copy an") })
        _ = driven.screen.handle(MouseEvent(.press, row: line, column: 10))
        #expect(driven.text.contains("─ Copy"))
        let frame = driven.frame
        #expect(
            frame.text.split(separator: "\n", omittingEmptySubsequences: false)[frame.cursorRow]
                .contains("> "), "the hidden cursor is at the line")
    }

    @Test(arguments: [Charset.unicode, .ascii])
    func `the help explains every sign before a row`(charset: Charset) throws {
        let driven = DrivenScreen(rows: 70, charset: charset)
        driven.press(.character("?"))
        let sign = charset == .ascii ? ">" : "»"
        #expect(try driven.line(with: "another machine answers for it").contains("\(sign) "))
    }
}
