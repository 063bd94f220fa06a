// Tests of key names and of keymaps.
import TerminalList
import Testing

/// Keys of every kind.
private let everyKind: [Key] =
    [
        .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .insert, .delete, .enter,
        .escape, .tab, .backTab, .backspace, .character("/"), .character(","), .character("#"),
        .character(" "), .character("é"), .character("G"), .character("プ"), .altUp, .altDown,
        .shiftUp, .shiftDown,
    ] + (1...63).map(Key.function) + "abcdefgklnoprtuvwxy".map(Key.control)

@Suite struct KeymapTests {
    @Test(arguments: everyKind)
    func `every key is found by its name`(key: Key) {
        #expect(Key(name: key.name) == key)
        #expect(Key(name: key.name.count > 1 ? key.name.uppercased() : key.name) == key)
    }

    @Test func `the name of a key is its ASCII label`() {
        let names = [Key.character(" "), .control("b"), .pageUp, .function(1), .character("/")]
            .map(\.name)
        #expect(names == ["Space", "Ctrl-B", "PgUp", "F1", "/"])
        #expect(Key(name: "escape") == .escape)
        #expect(Key(name: "PageDown") == .pageDown)
    }

    @Test func `keys with the same bytes are the same key`() {
        #expect(Key(name: "Ctrl-I") == .tab)
        #expect(Key(name: "Ctrl-H") == .backspace)
        #expect(Key(name: "ctrl-m") == .enter)
    }

    @Test(arguments: [
        "", "Ctrl-", "Ctrl-Z", "Ctrl-Q", "Ctrl-1", "Ctrl-ab", "F0", "F64", "F+1", "F01", "Hyper",
        "\u{1b}", "\u{9b}", "\u{200b}", "\n", "qq", "Ctrl-\u{202e}",
    ])
    func `an unknown name is not a key`(name: String) {
        #expect(Key(name: name) == nil)
    }

    private func table(_ keymap: [String: [Key]], adding own: [KeyBinding] = []) -> KeyTable {
        .standard(adding: own, keymap: keymap)
    }

    private func keys(_ table: KeyTable, of name: String) -> [Key]? {
        table.bindings.first { $0.name == name }?.keys
    }

    @Test func `every standard binding has a unique name`() {
        let names = KeyTable.standard().bindings.compactMap(\.name)
        #expect(
            names == [
                "row-up", "row-down", "page-up", "page-down", "first", "last", "redraw", "help",
                "quit",
            ])
    }

    @Test func `a keymap replaces the keys of a binding`() {
        let table = table(["first": [.control("a"), .character("<")]])
        #expect(keys(table, of: "first") == [.control("a"), .character("<")])
        guard case .first = table.action(for: .character("<")) else {
            Issue.record("< does not go to the first row")
            return
        }
        #expect(table.action(for: .home) == nil)
    }

    @Test func `a key of the keymap is removed from other bindings`() {
        var count = 0
        let own = KeyBinding([.character("x")], name: "count", "count one up") { count += 1 }
        let table = table(["count": [.character("j"), .down]], adding: [own])
        #expect(keys(table, of: "row-down") == nil)
        #expect(keys(table, of: "count") == [.character("j"), .down])
        if case .run(let run) = table.action(for: .down) { run() }
        #expect(count == 1)
    }

    @Test
    func `the keymap takes precedence over the owner's bindings, and those over standard ones`() {
        let group = KeyBinding([.character("g")], name: "group", "group by type") {}
        let plain = table([:], adding: [group])
        #expect(keys(plain, of: "group") == [.character("g")])
        #expect(keys(plain, of: "first") == [.home])
        let chosen = table(["first": [.character("g")]], adding: [group])
        #expect(keys(chosen, of: "group") == nil)
        #expect(keys(chosen, of: "first") == [.character("g")])
    }

    @Test func `a key given to two names belongs to the first binding`() {
        let table = table(["row-up": [.character("z")], "last": [.character("z"), .end]])
        #expect(keys(table, of: "row-up") == [.character("z")])
        #expect(keys(table, of: "last") == [.end])
    }

    @Test func `a keymap can remove all keys, except of help and quit`() {
        let table = table(["redraw": [], "help": [], "quit": []])
        #expect(keys(table, of: "redraw") == nil)
        #expect(keys(table, of: "help") == [.function(1)])
        #expect(keys(table, of: "quit") == [.control("c")])
    }

    @Test func `help and quit always keep a key`() {
        let table = table([
            "first": [.character("?"), .function(1)], "last": [.character("q"), .control("c")],
        ])
        #expect(keys(table, of: "help") == [.function(1)])
        #expect(keys(table, of: "quit") == [.control("c")])
        #expect(keys(table, of: "first") == [.character("?")])
        #expect(keys(table, of: "last") == [.character("q")])
    }

    @Test func `unknown names in a keymap are ignored`() {
        let table = table(["no-such-thing": [.character("j")]])
        #expect(keys(table, of: "row-down") == [.down, .character("j")])
    }

    @Test func `the help shows the keymap's keys in their sections`() {
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
