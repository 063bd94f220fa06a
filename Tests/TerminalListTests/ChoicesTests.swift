// Tests the box of choices.
import TerminalList
import Testing

@Suite struct ChoicesTests {
    /// The arguments of a box's callbacks.
    private final class Heard {
        var switched: [String] = []
        var picked: [String] = []
        var ends = 0
    }

    private let list = ListFixture()
    private let heard = Heard()

    private func open(_ entries: [Choices.Entry], isTyped: Bool = true) {
        list.show(["a", "b", "c"], animating: false)
        list.view.choices = Choices("Types", entries, isTyped: isTyped) { [heard] ids, isOn in
            heard.switched.append((ids + [isOn ? "on" : "off"]).joined(separator: " "))
        } onPick: { [heard] id in
            heard.picked.append(id)
        } onEnd: { [heard] in
            heard.ends += 1
        }
        list.draw()
    }

    private func boxes(_ ids: Character..., off: Set<Character> = []) -> [Choices.Entry] {
        ids.map { .init(String($0), "type \($0)", detail: "3", isOn: !off.contains($0)) }
    }

    private func lines(_ columns: Int = 60, _ rows: Int = 12) -> [String] {
        list.draw(columns, rows).text.split(separator: "\n").compactMap { line in
            guard let start = line.firstIndex(of: "│"), let end = line.lastIndex(of: "│") else {
                return nil
            }
            return String(line[start..<end].dropFirst()).trimmed
        }
    }

    @Test func `Space switches the entry at the cursor, and Enter closes the box`() {
        open(boxes("x", "y", off: ["y"]))
        #expect(lines().map { $0.prefix(12) } == ["> [x] type x", "  [ ] type y"])
        list.press(.character(" "), .down, .character(" "))
        #expect(heard.switched == ["x off", "y on"])
        #expect(lines().map { $0.prefix(12) } == ["  [ ] type x", "> [x] type y"])
        #expect(list.view.choices != nil)
        list.press(.enter)
        #expect(list.view.choices == nil)
        #expect(heard.switched == ["x off", "y on"])
        #expect(heard.ends == 1)
    }

    @Test func `the detail of an entry uses the width that its label leaves`() {
        let words = String(repeating: "word ", count: 8) + "end"
        open([.init("x", "a", detail: words), .init("y", String(repeating: "b", count: 60))])
        #expect(lines()[0].hasSuffix(words))
        open([.init("x", String(repeating: "b", count: 60), detail: words)])
        #expect(lines()[0].hasSuffix("…"))
        #expect(lines()[0].contains("word"))
    }

    @Test func `Tab switches all on, then all off, and only changed entries are reported`() {
        open(boxes("x", "y", "z", off: ["y"]))
        list.press(.tab, .tab)
        #expect(heard.switched == ["y on", "x y z off"])
        #expect(list.view.choices?.entries.map(\.isOn) == [false, false, false])
    }

    @Test func `Enter leaves only the entry at the cursor on, if nothing was switched`() {
        open(boxes("x", "y", "z", off: ["y"]))
        #expect(list.draw().text.contains("Enter only this"))
        list.press(.down, .enter)
        #expect(heard.switched == ["x z off", "y on"])
        #expect(list.view.choices == nil && heard.ends == 1)
        open(boxes("x", "y"))
        list.press(.character(" "), .character(" "), .enter)
        #expect(heard.switched.dropFirst(2) == ["x off", "x on"])
        #expect(list.view.choices == nil && heard.ends == 2)
    }

    @Test func `the cursor goes to the best match, and Enter leaves only that on`() {
        let types = [
            ("File transfer", "_sftp-ssh._tcp  2"), ("Secure shell", "_ssh._tcp  1"),
            ("Web site", "_http._tcp  9"),
        ]
        open(types.map { .init($1, $0, detail: $1, isOn: true) })
        list.press(.character("s"), .character("s"), .character("h"))
        #expect(lines().map { $0.prefix(18) } == ["  [x] File transfe", "> [x] Secure shell", ""])
        list.press(.enter)
        #expect(
            heard.switched == ["_sftp-ssh._tcp  2 _http._tcp  9 off", "_ssh._tcp  1 on"])
        open(types.map { .init($1, $0, detail: $1, isOn: true) })
        list.press(.character("x"), .enter)
        #expect(list.view.choices != nil, "there is no match to leave on")
    }

    @Test func `a key that an entry shows picks it, other characters narrow, and then all do`() {
        let keys: [Choices.Entry] = [
            .init("v", "verify now", key: .character("v")),
            .init("o", "open its page", key: .character("o")),
            .init("f", "run a program", key: .function(6)),
            .init("e", "details", key: .enter), .init("n", "no key"),
        ]
        for (key, id) in [(Key.character("o"), "o"), (.function(6), "f")] {
            open(keys)
            list.press(key)
            #expect(heard.picked.last == id)
            #expect(list.view.choices == nil)
        }
        open(keys)
        #expect(list.draw().text.contains("Types: press a key, or / to search"))
        #expect(lines().map(\.last) == ["v", "o", "6", "s", "y"], "Enter belongs to the box")
        list.press(.character("g"))
        #expect(
            lines().prefix(3) == ["> open its page", "  run a program", ""], "no keys are shown")
        list.press(.character("r"), .character("a"), .character("m"), .character(" "))
        #expect(lines()[0] == "no match", "Space is text")
        list.press(.backspace, .enter)
        #expect(heard.picked.last == "f")
        open(keys)
        list.press(.character("/"), .character("v"))
        #expect(lines()[0] == "> verify now" && list.view.choices != nil)
        list.press(.escape, .character("o"))
        #expect(heard.picked.last == "o" && heard.picked.count == 4)
    }

    @Test func `the box keeps its place while one types`() throws {
        open((0..<9).map { .init("\($0)", "entry \($0)", detail: "long detail \($0)") })
        func edges() -> [Int] {
            let lines = list.draw(60, 14).text.split(
                separator: "\n", omittingEmptySubsequences: false)
            return lines.indices.filter { lines[$0].contains("┌") || lines[$0].contains("└") }
        }
        let before = edges()
        list.press(.end, .character("7"))
        #expect(edges() == before)
        #expect(lines(60, 14)[0].hasPrefix("> entry 7"))
    }

    @Test func `without typing, characters neither narrow nor pick`() {
        open([.init("x", "rm -r"), .init("y", "a b")], isTyped: false)
        list.press(.character("a"), .character("/"))
        #expect(lines() == ["> rm -r", "  a b"] && heard.picked.isEmpty)
        list.press(.character("q"))
        #expect(heard.ends == 1)
    }

    @Test func `characters narrow the entries, which Tab switches`() {
        let names = ["office/hall", "office/attic", "home/hall", "home/quiet", "home/bath"]
        open(names.map { .init($0, $0, isOn: true) })
        #expect(list.draw(60, 12).text.contains("Types: type to search"))
        // Letters that are keys elsewhere: all, none, quit, next row.
        list.press(.character("n"), .backspace, .character("H"), .character("a"))
        #expect(lines().prefix(3) == ["> [x] office/hall", "  [x] home/hall", ""])
        #expect(list.draw(60, 12).text.contains("Types: /Ha"))
        list.press(.tab)
        #expect(heard.switched == ["office/hall home/hall off"])
        list.press(.down, .character(" "), .tab)
        #expect(heard.switched.dropFirst() == ["home/hall on", "office/hall on"])
        list.press(.character("x"))
        #expect(lines()[0] == "no match")
        list.press(.character(" "), .down, .tab)
        #expect(heard.switched.count == 3)
        list.press(.escape)
        #expect(lines().allSatisfy { !$0.isEmpty } && list.view.choices != nil)
        list.press(.character("q"))
        #expect(lines().prefix(2) == ["> [x] home/quiet", ""])
        list.press(.escape, .end, .up, .character(" "), .escape)
        #expect(heard.switched.last == "home/quiet off")
        #expect(list.view.choices == nil && heard.ends == 1)
    }

    @Test func `without check boxes Enter closes the box and picks the entry`() {
        open([.init("x", "by name"), .init("y", "by address")])
        list.press(.character("b"), .down, .enter)
        #expect(heard.picked == ["y"])
        #expect(heard.ends == 0)
        #expect(list.view.choices == nil)
    }

    @Test func `Esc closes the box without a pick`() {
        open(boxes("x"))
        list.press(.escape)
        #expect(heard.ends == 1)
        #expect(list.view.choices == nil)
        #expect(!list.draw().text.contains("Types"))
    }

    @Test func `Ctrl-C quits from the box, and other keys do nothing`() {
        open(boxes("x"))
        list.press(.down, .right, .function(9))
        #expect(list.view.selectedItem == nil)
        #expect(list.draw().text.contains("Types"))
        guard case .quit = list.view.handle(.control("c")) else {
            Issue.record("Ctrl-C does not quit")
            return
        }
    }

    @Test func `the cursor stays at its entry when entries are replaced`() {
        open(boxes("m", "p"))
        list.press(.down)
        list.view.choices?.entries = boxes("a", "m", "n", "p", "z")
        #expect(list.view.choices?.selectedID == "p")
        list.view.choices?.entries = boxes("a", "m", "z")
        #expect(list.view.choices?.selectedID == "z")
        list.view.choices?.entries = boxes("a", "m")
        #expect(list.view.choices?.selectedID == "m")
        list.view.choices?.entries = []
        #expect(list.view.choices?.selectedID == nil)
        #expect(lines() == ["nothing to choose from"])
        list.press(.down, .tab)
        list.view.choices?.entries = boxes("b")
        list.press(.up)
        #expect(list.view.choices?.selectedID == "b")
    }

    @Test func `the box scrolls to the cursor and shows its position`() {
        open((0..<30).map { .init("\($0)", "entry \($0)") })
        for _ in 0..<12 { list.press(.down) }
        #expect(lines(40, 8).last?.hasPrefix("> entry 12") == true)
        #expect(list.draw(40, 8).text.contains("13 of 30"))
        list.press(.end)
        #expect(lines(40, 8).last?.hasPrefix("> entry 29") == true)
        list.press(.home)
        #expect(lines(40, 8).first?.hasPrefix("> entry 0") == true)
        list.press(.pageDown)
        #expect(lines(40, 8).last?.hasPrefix("> entry 5") == true)
    }

    @Test func `the hidden cursor is at the line of the entry`() {
        open(boxes("x", "y"))
        list.press(.down)
        let frame = list.draw()
        let line = frame.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(line[frame.cursorRow].contains("> [x] type y"))
        #expect(Array(line[frame.cursorRow])[frame.cursorColumn] == ">")
    }
}

extension String {
    /// Without the spaces at the end, and one at the beginning.
    fileprivate var trimmed: String {
        let end = lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex
        return String(self[..<end].dropFirst())
    }
}
