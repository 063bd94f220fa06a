// Tests of the pane beside the list and in its place.
import TerminalList
import Testing

@Suite struct PaneTests {
    private let list = ListFixture()

    private func line(_ text: String, id: String? = nil) -> TextPane.Line {
        TextPane.Line([.init(text)], id: id)
    }

    private func lines(_ range: Range<Int>) -> [TextPane.Line] {
        range.map { line("line \($0)", id: "\($0)") }
    }

    private func show(
        _ lines: [TextPane.Line], placement: TextPane.Placement = .full, id: String = "x",
        onEnd: @escaping () -> Void = {}
    ) {
        list.view.pane = TextPane(id, "about \(id)", lines, placement: placement, onEnd: onEnd)
    }

    /// The lines of the pane, after the rule of a side pane.
    @discardableResult
    private func text(_ columns: Int = 40, _ rows: Int = 12) -> [String] {
        list.draw(columns, rows).text.split(separator: "\n", omittingEmptySubsequences: false)
            .dropFirst(2).dropLast().map { line in
                guard let rule = line.firstIndex(of: "│") else { return String(line) }
                return String(line[line.index(after: rule)...].dropFirst())
            }
    }

    @Test func `a pane in place of the list shows its title and text and has the focus`() {
        list.show(["a", "b"], animating: false)
        var ends = 0
        show(lines(0..<3)) { ends += 1 }
        let frame = list.draw()
        #expect(frame.text.contains("about x"))
        #expect(frame.text.contains("\nline 0\nline 1\nline 2\n"))
        #expect(!frame.text.contains("10.0.0.0"))
        list.press(.down)
        #expect(list.view.selectedItem == nil)
        for key in [Key.escape, .enter, .character("q")] {
            show(lines(0..<3)) { ends += 1 }
            #expect(list.view.paneHasFocus)
            list.press(key)
            #expect(list.view.pane == nil)
        }
        #expect(ends == 3)
        #expect(list.draw().text.contains("10.0.0.0"))
    }

    @Test func `a full pane disables the list's keys, except those for its row`() {
        var searches = 0
        var copies = 0
        list.view.keys = .standard(adding: [
            KeyBinding([.character("/")], "search", hint: "search") { searches += 1 },
            KeyBinding([.character("c")], "copy", hint: "copy", actsInPane: true) { copies += 1 },
        ])
        list.show(["a"], animating: false)
        show(lines(0..<3))
        #expect(list.draw().text.hasSuffix("c copy   ? help   Esc back"))
        list.press(.character("/"), .character("c"))
        #expect((searches, copies) == (0, 1))
        list.press(.character("?"))
        #expect(list.draw().text.contains("Keys"))
        list.press(.escape)
        guard case .quit = list.view.handle(.control("c")) else {
            Issue.record("Ctrl-C does not quit from a pane")
            return
        }
    }

    @Test func `a pane beside the list leaves 40 columns and is hidden in a narrow window`() {
        list.show(["nas"], animating: false)
        show([line("first"), line("second")], placement: .side)
        let lines = list.draw(80, 10).text.split(separator: "\n")
        #expect(lines[1].contains(" │ about x"))
        #expect(lines[2].hasPrefix("   nas               10.0.0.0"))
        #expect(lines[2].hasSuffix(" │ first"))
        #expect(lines[3].firstIndex(of: "│") == lines[3].index(lines[3].startIndex, offsetBy: 41))
        #expect(!list.draw(63, 10).text.contains("│"))
        #expect(list.draw(64, 10).text.contains("│ first"))
        #expect(list.draw(200, 10).text.contains("│ first"))
    }

    @Test func `a selected row is marked in the list's columns only`() {
        list.show(["nas"], animating: false)
        list.press(.down)
        show([line("first")], placement: .side)
        let frame = list.draw(80, 10)
        #expect(frame.style(row: 2, column: 39).attributes == [.reverse])
        #expect(frame.style(row: 2, column: 43).attributes == [])
    }

    @Test func `keys scroll the pane beside the list while it has the focus`() {
        list.view.keys = .standard(adding: [
            KeyBinding([.tab], "details and back", action: .switchFocus)
        ])
        list.show(["a", "b"], animating: false)
        show(lines(0..<100), placement: .side)
        list.draw(80, 10)
        list.press(.tab, .down, .down)
        #expect(text(80, 10).first == "line 2")
        let frame = list.draw(80, 10)
        #expect(frame.text.contains("│ > about x"))
        #expect((frame.cursorRow, frame.cursorColumn) == (2, 43), "where screen readers look")
        #expect(list.view.selectedItem == nil)
        list.press(.tab, .down)
        #expect(list.view.selectedItem == "a")
        #expect(text(80, 10).first == "line 2")
        list.press(.tab, .escape, .down)
        #expect(list.view.selectedItem == "b")
        list.press(.tab)
        list.draw(50, 10)
        list.press(.up)
        #expect(list.view.selectedItem == "a", "a pane that is not shown has no keys")
    }

    @Test func `a pane scrolls by lines, screens and to its ends, and shows its position`() {
        show(lines(0..<100))
        #expect(text().count == 9)
        list.press(.down)
        #expect(text().first == "line 1")
        list.press(.pageDown)
        #expect(text().first == "line 9")
        list.press(.end)
        #expect(text().last == "line 99")
        #expect(list.draw(40, 12).text.contains("92-100 of 100"))
        list.press(.down, .pageDown, .up)
        #expect(text().last == "line 98")
        list.press(.home)
        #expect(text().first == "line 0")
    }

    @Test func `keys before the first frame scroll the pane`() {
        show(lines(0..<100))
        list.press(.down, .down)
        #expect(text().first == "line 2")
        show(lines(0..<100), id: "y")
        list.press(.end)
        #expect(text().last == "line 99")
    }

    @Test func `the first visible line keeps its position when lines above it change`() {
        show(lines(10..<100))
        text()
        for _ in 0..<20 { list.press(.down) }
        #expect(text().first == "line 30")
        show(lines(0..<100))
        #expect(text().first == "line 30")
        show(lines(25..<100))
        #expect(text().first == "line 30")
        show(lines(25..<30) + lines(32..<100))
        #expect(text()[2] == "line 32", "the next one that is left keeps its line")
        show(lines(0..<5))
        #expect(text().first == "line 0")
    }

    @Test func `new lines at the top are visible in a pane at its top`() {
        show(lines(10..<100))
        text()
        show(lines(0..<100))
        #expect(text().first == "line 0")
    }

    @Test func `a line without identifier is identified by the one above`() {
        let body = [line("a", id: "a"), line("a1"), line("a2"), line("b", id: "b"), line("b1")]
        show(lines(0..<5) + body + lines(50..<70))
        text()
        for _ in 0..<7 { list.press(.down) }
        #expect(text().first == "a2")
        show(lines(3..<5) + body + lines(50..<70))
        #expect(text().first == "a2")
    }

    @Test func `a pane with another identity starts at its top`() {
        show(lines(0..<100))
        text()
        list.press(.pageDown)
        show(lines(0..<100), id: "y")
        #expect(text().first == "line 0")
    }

    @Test func `setting an equal pane needs no frame`() {
        show(lines(0..<3))
        list.draw()
        show(lines(0..<3))
        #expect(!list.view.needsDisplay)
        show(lines(0..<4))
        #expect(list.view.needsDisplay)
    }
}
