// Keys by their names, and tables with the keys that a user chose.
import TerminalList
import Testing

/// Keys of every kind.
private let everyKind: [Key] =
    [
        .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .insert, .delete, .enter,
        .escape, .tab, .backTab, .backspace, .character("/"), .character(","), .character("#"),
        .character(" "), .character("é"), .character("G"), .character("プ"),
    ] + (1...63).map(Key.function) + "abcdefgklnoprtuvwxy".map(Key.control)

@Suite struct KeymapTests {
    @Test(arguments: everyKind)
    func `a key is found again by its name`(key: Key) {
        #expect(Key(name: key.name) == key)
        #expect(Key(name: key.name.count > 1 ? key.name.uppercased() : key.name) == key)
    }

    @Test func `names are what is written on the keys`() {
        let names = [Key.character(" "), .control("b"), .pageUp, .function(1), .character("/")]
            .map(\.name)
        #expect(names == ["Space", "Ctrl-B", "PgUp", "F1", "/"])
        #expect(Key(name: "escape") == .escape)
        #expect(Key(name: "PageDown") == .pageDown)
    }

    @Test func `keys that a terminal sends the same for are the same`() {
        #expect(Key(name: "Ctrl-I") == .tab)
        #expect(Key(name: "Ctrl-H") == .backspace)
        #expect(Key(name: "ctrl-m") == .enter)
    }

    @Test(arguments: [
        "", "Ctrl-", "Ctrl-Z", "Ctrl-Q", "Ctrl-1", "Ctrl-ab", "F0", "F64", "F+1", "F01", "Hyper",
        "\u{1b}", "\u{9b}", "\u{200b}", "\n", "qq", "Ctrl-\u{202e}",
    ])
    func `what no key has is no name`(name: String) {
        #expect(Key(name: name) == nil)
    }

    private func table(_ keymap: [String: [Key]], adding own: [KeyBinding] = []) -> KeyTable {
        .standard(adding: own, keymap: keymap)
    }

    private func keys(_ table: KeyTable, of name: String) -> [Key]? {
        table.bindings.first { $0.name == name }?.keys
    }

    @Test func `every standard binding has a name of its own`() {
        let names = KeyTable.standard().bindings.compactMap(\.name)
        #expect(
            names == [
                "row-up", "row-down", "page-up", "page-down", "first", "last", "redraw", "help",
                "quit",
            ])
    }

    @Test func `chosen keys are in place of the ordinary ones`() {
        let table = table(["first": [.control("a"), .character("<")]])
        #expect(keys(table, of: "first") == [.control("a"), .character("<")])
        guard case .first = table.action(for: .character("<")) else {
            Issue.record("< does not go to the first row")
            return
        }
        #expect(table.action(for: .home) == nil)
    }

    @Test func `a key that is given to one binding is taken from the others`() {
        var count = 0
        let own = KeyBinding([.character("x")], name: "count", "count one up") { count += 1 }
        let table = table(["count": [.character("j"), .down]], adding: [own])
        #expect(keys(table, of: "row-down") == nil)
        #expect(keys(table, of: "count") == [.character("j"), .down])
        if case .run(let run) = table.action(for: .down) { run() }
        #expect(count == 1)
    }

    @Test func `own bindings come before standard ones, and the user before both`() {
        let group = KeyBinding([.character("g")], name: "group", "group by type") {}
        let plain = table([:], adding: [group])
        #expect(keys(plain, of: "group") == [.character("g")])
        #expect(keys(plain, of: "first") == [.home])
        let chosen = table(["first": [.character("g")]], adding: [group])
        #expect(keys(chosen, of: "group") == nil)
        #expect(keys(chosen, of: "first") == [.character("g")])
    }

    @Test func `a key given to two names goes to the one that comes first`() {
        let table = table(["row-up": [.character("z")], "last": [.character("z"), .end]])
        #expect(keys(table, of: "row-up") == [.character("z")])
        #expect(keys(table, of: "last") == [.end])
    }

    @Test func `no key at all is a choice too, but not for help and quit`() {
        let table = table(["redraw": [], "help": [], "quit": []])
        #expect(keys(table, of: "redraw") == nil)
        #expect(keys(table, of: "help") == [.function(1)])
        #expect(keys(table, of: "quit") == [.control("c")])
    }

    @Test func `help and quit keep a key whatever is given to others`() {
        let table = table([
            "first": [.character("?"), .function(1)], "last": [.character("q"), .control("c")],
        ])
        #expect(keys(table, of: "help") == [.function(1)])
        #expect(keys(table, of: "quit") == [.control("c")])
        #expect(keys(table, of: "first") == [.character("?")])
        #expect(keys(table, of: "last") == [.character("q")])
    }

    @Test func `a name that no binding has is passed over`() {
        let table = table(["no-such-thing": [.character("j")]])
        #expect(keys(table, of: "row-down") == [.down, .character("j")])
    }

    @Test func `the help says the chosen keys, below the headings of their sections`() {
        let own = [
            KeyBinding([.character("/")], name: "search", "search", section: "Search") {},
            KeyBinding([.character("n")], name: "next", "next match", section: "Search") {},
        ]
        let list = ListFixture(
            keys: .standard(
                adding: own, section: "Moving", keymap: ["search": [.control("f")]]))
        list.press(.character("?"))
        let help = list.draw().text
        #expect(
            help.contains("│ Search  ") && help.contains("│ Moving  "), "\(help)")
        #expect(help.contains("│ Ctrl-F       search"), "\(help)")
        #expect(help.contains("│ PgDn Space   one screen down       │"), "\(help)")
        #expect(help.split(separator: "\n").filter { $0.contains("│ Search  ") }.count == 1)
    }
}
