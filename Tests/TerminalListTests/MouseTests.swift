// Tests of clicks and the wheel.
import DiffCore
import TerminalList
import Testing

@Suite struct MouseTests {
    private let list = ListFixture()

    private func long() {
        list.show(ListFixture.names(0..<100), animating: false)
        list.draw()
    }

    private func turn(_ kind: MouseEvent.Kind, row: Int = 5, column: Int = 5) {
        _ = list.view.handle(MouseEvent(kind, row: row, column: column))
    }

    private func click(row: Int, column: Int = 5) {
        _ = list.view.handle(MouseEvent(.press, row: row, column: column))
    }

    @Test func `the wheel scrolls by three rows, up to the ends`() {
        long()
        turn(.wheelUp)
        #expect(list.names().first == "   row000")
        turn(.wheelDown)
        turn(.wheelDown)
        #expect(list.names().first == "   row006")
        for _ in 0..<50 { turn(.wheelDown) }
        #expect(list.names().last == "   row099")
        #expect(list.view.selectedItem == nil)
    }

    @Test func `the wheel keeps the selection on the screen`() {
        long()
        list.view.select("row004")
        turn(.wheelDown)
        #expect(list.names()[1] == ">  row004")
        turn(.wheelDown)
        #expect(list.names().first == ">  row006")
        for _ in 0..<3 { turn(.wheelDown) }
        for _ in 0..<5 { turn(.wheelUp) }
        #expect(list.names().first == "   row000")
        #expect(list.view.selectedItem == "row015")
    }

    @Test func `a click selects a row, and a second one has the effect of Enter`() {
        var opened: [String?] = []
        list.view.keys = .standard(adding: [
            KeyBinding([.enter], "open") { [weak list] in opened.append(list?.view.selectedItem) }
        ])
        list.show(["a", "b", "c"], animating: false)
        list.draw()
        click(row: 3)
        #expect(list.view.selectedItem == "b")
        #expect(opened == [])
        click(row: 4)
        click(row: 4)
        #expect(opened == ["c"])
    }

    @Test func `a click on the selected row calls itemWasOpened if it is set`() {
        var opened: [String] = []
        var keys = 0
        list.view.keys = .standard(adding: [KeyBinding([.enter], "open") { keys += 1 }])
        list.view.itemWasOpened = { opened.append($0) }
        list.show(["a", "b", "c"], animating: false)
        list.draw()
        click(row: 3)
        #expect(opened == [])
        click(row: 3)
        #expect(opened == ["b"])
        list.view.prompt = TextPrompt("Find:") { _ in
        } onEnd: { _ in
        }
        click(row: 3)
        #expect(opened == ["b"])
        #expect(keys == 0)
    }

    @Test func `a click selects the row that was visible, even after changes`() {
        list.show(["a", "b", "c"], animating: false)
        list.draw()
        list.show(["x", "a", "b", "c"])
        click(row: 3)
        #expect(list.view.selectedItem == "b")
        list.draw()
        list.show(["x", "b", "c"])
        click(row: 3)
        #expect(list.view.selectedItem == "b", "what has left meanwhile is not selected")
    }

    @Test func `the second button selects the row that was drawn, and requests a menu`() {
        var selected: [String?] = []
        list.view.menuWasRequested = { [weak list] in selected.append(list?.view.selectedItem) }
        list.show(["a", "b", "c"], animating: false)
        list.draw()
        list.show(["x", "a", "b", "c"])
        turn(.secondaryPress, row: 3)
        #expect(selected == ["b"])
        list.draw()
        list.show(["x", "b", "c"])
        turn(.secondaryPress, row: 3)
        #expect(selected == ["b"], "the row has departed meanwhile")
        turn(.secondaryPress, row: 12)
        #expect(selected == ["b", "b"])
        list.view.choices = Choices("Types", [])
        turn(.secondaryPress, row: 5)
        list.view.choices = nil
        list.view.prompt = TextPrompt("Find:") { _ in
        } onEnd: { _ in
        }
        turn(.secondaryPress, row: 5)
        #expect(selected.count == 2)
        #expect(list.view.selectedItem == "b")
    }

    @Test(arguments: [0, 1, 5, 22, 23, 1000, -1])
    func `a click outside the rows does nothing`(row: Int) {
        list.show(["a", "b", "c"], animating: false)
        list.draw()
        click(row: row)
        #expect(list.view.selectedItem == nil)
    }

    @Test func `headers and departed rows cannot be clicked`() {
        let list = ListFixture { "Kind: " + $0 }
        list.show(["x": ["a", "b"]], animating: false)
        list.draw()
        list.show(["x": ["b"]])
        list.draw()
        for row in 2...3 { _ = list.view.handle(MouseEvent(.press, row: row, column: 5)) }
        #expect(list.view.selectedItem == nil)
        _ = list.view.handle(MouseEvent(.press, row: 4, column: 5))
        #expect(list.view.selectedItem == "b")
    }

    @Test func `a click on a disclosure sign is reported, and one beside it is not`() {
        let view = TerminalListView<Int, Int>(columns: [ListColumn("Name", minimum: 12, ideal: 20)])
        let source = DiffableDataSource(view: view) { _, _, number in
            ListCell(["row"], outline: .init(level: number, number < 2 ? .collapsed : .leaf))
        }
        var snapshot = DiffableDataSourceSnapshot<Int, Int>()
        snapshot.appendSections([0])
        snapshot.appendItems([0, 1, 2])
        source.apply(snapshot, animatingDifferences: false)
        var clicked: [Int] = []
        view.outlineWasClicked = { clicked.append($0) }
        let text = view.frame(size: FrameSize(columns: 40, rows: 10), now: .now).text
        #expect(text.contains("\n     ▸ row\n"))
        for (row, column) in [(2, 3), (3, 3), (3, 5), (3, 7), (4, 7)] {
            _ = view.handle(MouseEvent(.press, row: row, column: column))
        }
        #expect(clicked == [0, 1])
        #expect(view.selectedItem == 2)
    }

    @Test func `in a box of choices a click chooses, and the wheel moves the cursor`() {
        list.draw()
        list.view.choices = Choices("Types", ["x", "y"].map { .init($0, $0, isOn: true) })
        let lines = list.draw().text.split(separator: "\n", omittingEmptySubsequences: false)
        let row = lines.firstIndex { $0.contains("[x] y") } ?? 0
        click(row: row, column: 40)
        #expect(list.view.choices?.entries.map(\.isOn) == [true, false])
        click(row: row, column: 2)
        click(row: row + 1, column: 40)
        #expect(list.view.choices?.entries.map(\.isOn) == [true, false])
        turn(.wheelUp)
        #expect(list.view.choices?.selectedID == "x")
    }

    @Test func `the wheel scrolls the pane below the pointer, and a click moves the focus to it`() {
        long()
        let lines = (0..<100).map { TextPane.Line([.init("line \($0)")], id: "\($0)") }
        list.view.pane = TextPane("x", "x", lines)
        list.draw()
        turn(.wheelDown, column: 60)
        #expect(list.draw().text.contains("│ line 3\n"))
        #expect(list.names().first == "   row000")
        turn(.wheelDown, column: 10)
        #expect(list.names().first == "   row003")
        click(row: 5, column: 60)
        #expect(list.view.paneHasFocus)
        click(row: 5, column: 10)
        #expect(!list.view.paneHasFocus)
    }

    @Test func `a click on a column title is reported, and one beside it is not`() {
        var clicked: [Int] = []
        list.view.titleWasClicked = { clicked.append($0) }
        list.show(["a"], animating: false)
        let line = list.draw().text.split(separator: "\n")[1]
        let address = line.distance(
            from: line.startIndex, to: line.firstRange(of: "Address")?.lowerBound ?? line.endIndex)
        for column in [0, 3, address, address + 3] { click(row: 1, column: column) }
        #expect(clicked == [0, 1, 1])
        #expect(list.view.selectedItem == nil)
    }

    @Test func `a click on a hint has the effect of its key`() {
        var opened = 0
        list.view.keys = .standard(adding: [
            KeyBinding([.enter], "open", hint: "open") { opened += 1 }
        ])
        let last = list.draw().text.split(separator: "\n").last ?? ""
        #expect(last == "Enter open   ? help   q quit")
        for column in [0, 9, 10, 12] { click(row: 23, column: column) }
        #expect(opened == 2)
        click(row: 23, column: 13)
        #expect(list.draw().text.contains("Keys"))
        list.press(.escape)
        list.draw()
        guard case .quit = list.view.handle(MouseEvent(.press, row: 23, column: 22)) else {
            Issue.record("the hint of quit does not quit")
            return
        }
    }

    @Test func `a click closes the help without another effect`() {
        long()
        list.press(.character("?"))
        click(row: 5)
        #expect(!list.draw().text.contains("Keys"))
        #expect(list.view.selectedItem == nil)
    }
}
