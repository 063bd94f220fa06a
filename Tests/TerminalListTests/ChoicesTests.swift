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

    private func open(_ entries: [Choices.Entry], isTyped: Bool = false) {
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
            guard let start = line.firstIndex(of: "│") else { return nil }
            return String(line[start...].dropFirst().dropLast()).trimmed
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

    @Test func `a switches all on and n all off, and only changed entries are reported`() {
        open(boxes("x", "y", "z", off: ["y"]))
        list.press(.character("a"), .character("a"), .character("n"))
        #expect(heard.switched == ["y on", "x y z off"])
        #expect(list.view.choices?.entries.map(\.isOn) == [false, false, false])
    }

    @Test func `in a box in which one types, characters narrow the entries, which Tab switches`() {
        let names = ["office/hall", "office/attic", "home/hall", "home/quiet"]
        open(names.map { .init($0, $0, isOn: true) }, isTyped: true)
        #expect(list.draw(60, 12).text.contains("Types: type to search"))
        // Letters that are keys elsewhere: all, none, quit, next row.
        list.press(.character("n"), .backspace, .character("H"), .character("a"))
        #expect(lines() == ["> [x] office/hall", "  [x] home/hall"])
        #expect(list.draw(60, 12).text.contains("Types: Ha"))
        list.press(.tab)
        #expect(heard.switched == ["office/hall home/hall off"])
        list.press(.down, .character(" "), .tab)
        #expect(heard.switched.dropFirst() == ["home/hall on", "office/hall on"])
        list.press(.character("x"))
        #expect(lines() == ["no match"])
        list.press(.character(" "), .down, .tab)
        #expect(heard.switched.count == 3)
        list.press(.escape)
        #expect(lines().count == 4 && list.view.choices != nil)
        list.press(.character("q"))
        #expect(lines() == ["> [x] home/quiet"])
        list.press(.escape, .end, .character(" "), .escape)
        #expect(heard.switched.last == "home/quiet off")
        #expect(list.view.choices == nil && heard.ends == 1)
    }

    @Test func `without check boxes Enter closes the box and picks the entry`() {
        open([.init("x", "by name"), .init("y", "by address")])
        list.press(.character("a"), .down, .enter)
        #expect(heard.picked == ["y"])
        #expect(heard.ends == 0)
        #expect(list.view.choices == nil)
    }

    @Test(arguments: [Key.escape, .character("q")])
    func `Esc and q close the box without a pick`(key: Key) {
        open(boxes("x"))
        list.press(key)
        #expect(heard.ends == 1)
        #expect(list.view.choices == nil)
        #expect(!list.draw().text.contains("Types"))
    }

    @Test func `Ctrl-C quits from the box, and other keys do nothing`() {
        open(boxes("x"))
        list.press(.down, .character("Z"), .character("?"))
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
        list.press(.enter, .down, .character("n"))
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
