// Tests of items that the user moves by keys and with the mouse.
import DiffCore
import TerminalList
import Testing

/// Two sections of letters; all but `x` can be moved.
private final class LetterList {
    let view = TerminalListView<String, String>(columns: [ListColumn("Name", minimum: 9, ideal: 9)])
    let source: DiffableDataSource<String, String>
    private(set) var moves = 0

    init() {
        source = DiffableDataSource(view: view) { _, _, item in
            ListCell([.init(item)])
        } headerProvider: { _, _, section in
            section
        }
        view.header = ListHeader("Letters")
        source.reorderingHandlers.canReorderItem = { $0 != "x" }
        source.reorderingHandlers.didReorder = { [unowned self] _ in moves += 1 }
        var snapshot = DiffableDataSourceSnapshot<String, String>()
        snapshot.appendSections(["S", "T", "U"])
        snapshot.appendItems(["a", "b", "c"], toSection: "S")
        snapshot.appendItems(["x", "y"], toSection: "U")
        source.apply(snapshot, animatingDifferences: false)
        draw()
    }

    @discardableResult
    func draw() -> Frame { view.frame(size: FrameSize(columns: 60, rows: 14), now: .now) }

    /// The rows from the first header, trimmed.
    var rows: String {
        draw().text.split(separator: "\n").dropFirst(2).dropLast()
            .map { $0.filter { $0 != " " } }.joined(separator: " ")
    }

    func press(_ keys: Key...) {
        for key in keys {
            _ = view.handle(key)
            draw()
        }
    }

    func mouse(_ kinds: (MouseEvent.Kind, row: Int)...) {
        for (kind, row) in kinds { _ = view.handle(MouseEvent(kind, row: row, column: 4)) }
    }
}

@Suite struct ReorderingTests {
    private let list = LetterList()

    @Test(arguments: [[Key.altDown, .altUp], [.shiftDown, .shiftUp]])
    func `keys move the selected item, through the sections`(keys: [Key]) {
        list.view.select("b")
        list.press(keys[0])
        #expect(list.rows == "S a c >b T U x y")
        list.press(keys[0])
        #expect(list.rows == "S a c T >b U x y")
        list.press(keys[0], keys[0], keys[0], keys[0])
        #expect(list.rows == "S a c T U x y >b")
        list.press(keys[1], keys[1], keys[1], keys[1], keys[1])
        #expect(list.rows == "S a >b c T U x y")
        list.press(keys[1], keys[1], keys[1])
        #expect(list.rows == "S >b a c T U x y")
        #expect(list.moves == 11)
    }

    @Test func `an item that the handlers keep stays`() {
        list.view.select("x")
        list.press(.altDown)
        list.mouse((.press, 7), (.drag, 8), (.release, 8))
        #expect(list.rows == "S a b c T U >x y")
        #expect(list.moves == 0)
    }

    @Test func `the keys are in the hints and the help only if the handlers allow moves`() {
        func lastLine() -> String { String(list.draw().text.split(separator: "\n").last ?? "") }
        #expect(lastLine() == "Alt-↑ move   ? help   q quit")
        list.press(.character("?"))
        #expect(list.draw().text.contains("Alt-↓ Shift-↓      move the row down"))
        list.press(.escape)
        list.source.reorderingHandlers.canReorderItem = nil
        list.view.setNeedsDisplay()
        #expect(lastLine() == "? help   q quit")
        guard case .unknown = list.view.handle(.altDown) else {
            Issue.record("Alt-Down has an effect")
            return
        }
    }

    @Test func `the mouse drags an item to another row, which is marked meanwhile`() throws {
        list.mouse((.press, 3), (.drag, 4), (.drag, 5))
        #expect(list.rows == "S >a b →c T U x y")
        #expect(list.draw().style(row: 5, column: 20).attributes == .underline)
        list.mouse((.release, 5))
        #expect(list.rows == "S b c >a T U x y")
        list.mouse((.press, 5), (.drag, 3), (.release, 3))
        #expect(list.rows == "S >a b c T U x y")
        list.view.charset = .ascii
        list.mouse((.press, 3), (.drag, 4))
        #expect(list.rows == "S >a ^b c T U x y")
        #expect(list.moves == 2)
    }

    @Test func `an item dropped on a header becomes the section's first one`() {
        list.mouse((.press, 3), (.drag, 6), (.release, 6))
        #expect(list.rows == "S b c T >a U x y")
        list.mouse((.press, 6), (.drag, 5), (.release, 5))
        #expect(list.moves == 1, "it is the first one already")
    }

    @Test(arguments: [0, 1, 10, 13, 100, -1])
    func `an item dropped outside the rows stays`(row: Int) {
        list.mouse((.press, 3), (.drag, row), (.release, row))
        #expect(list.rows == "S >a b c T U x y")
        #expect(list.moves == 0)
    }

    @Test func `a click on the selected item opens it when the button is released`() {
        var opened: [String] = []
        list.view.itemWasOpened = { opened.append($0) }
        list.mouse((.press, 3), (.release, 3))
        #expect(opened == [])
        list.mouse((.press, 3))
        #expect(opened == [])
        list.mouse((.release, 3))
        #expect(opened == ["a"])
        list.mouse((.press, 3), (.drag, 4), (.drag, 3), (.release, 3))
        #expect(opened == ["a"], "the button has left the row")
        #expect(list.moves == 0)
    }

    @Test func `the release of a click elsewhere has no effect`() {
        list.source.reorderingHandlers.canReorderItem = nil
        list.mouse((.press, 3))
        list.view.show(message: "a message")
        guard case .unknown = list.view.handle(MouseEvent(.release, row: 3, column: 4)) else {
            Issue.record("the release has an effect")
            return
        }
        #expect(list.draw().text.contains("a message"))
    }

    @Test func `an item that departs while it is dragged is not moved`() {
        list.mouse((.press, 3), (.drag, 4))
        var snapshot = list.source.snapshot()
        snapshot.deleteItems(["a"])
        list.source.apply(snapshot, animatingDifferences: false)
        list.draw()
        list.mouse((.release, 4))
        #expect(list.rows.contains("b c T U x y"))
        #expect(list.moves == 0)
    }
}
