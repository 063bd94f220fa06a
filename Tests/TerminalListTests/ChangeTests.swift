// Tests of marks, departed rows and their expiry.
import DiffCore
import TerminalList
import Testing

@Suite struct ChangeTests {
    private func list(_ items: [String]) -> ListFixture {
        let list = ListFixture()
        list.show(items, animating: false)
        list.draw()
        return list
    }

    @Test func `an arrival is emphasized, then marked, then plain`() {
        let list = list(["a", "c"])
        list.show(["a", "b", "c"])
        #expect(list.names() == ["   a", " + b", "   c"])
        #expect(list.draw().style(row: 3, column: 3) == Style(.bold, tone: .good))
        list.wait(2)
        #expect(list.draw().style(row: 3, column: 3) == Style(tone: .good))
        #expect(list.names() == ["   a", " + b", "   c"])
        list.wait(3)
        #expect(list.names() == ["   a", "   b", "   c"])
        #expect(list.draw().style(row: 3, column: 3) == .plain)
    }

    @Test func `a departed row stays at its position, emphasized, then marked, then disappears`() {
        let list = list(["a", "b", "c"])
        list.show(["a", "c"])
        #expect(list.names() == ["   a", " - b", "   c"])
        #expect(list.draw().style(row: 3, column: 3) == Style(.bold, tone: .bad))
        list.wait(2)
        #expect(list.draw().style(row: 3, column: 3) == Style(tone: .bad))
        #expect(list.lines()[1].contains("10.0.0.1"), "it shows what it showed before")
        list.wait(1.5)
        #expect(list.names() == ["   a", " - b", "   c"])
        list.wait(0.5)
        #expect(list.names() == ["   a", "   c"])
    }

    @Test func `a change is marked for two seconds`() {
        let list = list(["a", "b"])
        list.show(["a", "b"], changed: ["b"])
        #expect(list.names() == ["   a", " ~ b"])
        list.wait(2)
        #expect(list.names() == ["   a", "   b"])
    }

    @Test func `a reloaded row has a mark of its own, which a change does not replace`() {
        let list = list(["a", "b", "c"])
        func reload(_ items: [String], changing changed: [String] = []) {
            var snapshot = DiffableDataSourceSnapshot<String, String>()
            snapshot.appendSections(["all"])
            snapshot.appendItems(["a", "b", "c", "d"])
            snapshot.reloadItems(items)
            snapshot.reconfigureItems(changed)
            list.show(snapshot)
        }
        reload(["b", "d"], changing: ["a"])
        #expect(list.names() == [" ~ a", " * b", "   c", " + d"])
        reload(["a"], changing: ["b"])
        #expect(list.names() == [" * a", " * b", "   c", " + d"])
        list.wait(2)
        #expect(list.names() == ["   a", "   b", "   c", " + d"])
    }

    @Test func `the rows of a reloaded section are marked as reloaded`() {
        let list = ListFixture { "Kind: " + $0 }
        var snapshot = DiffableDataSourceSnapshot<String, String>()
        snapshot.appendSections(["x", "y"])
        snapshot.appendItems(["a"], toSection: "x")
        snapshot.appendItems(["b", "c"], toSection: "y")
        list.show(snapshot, animating: false)
        list.draw()
        snapshot.reloadSections(["y"])
        list.show(snapshot)
        #expect(list.names() == ["Kind:", "   a", "Kind:", " * b", " * c"])
        list.show(snapshot, animating: false)
        list.wait(2)
        #expect(list.names() == ["Kind:", "   a", "Kind:", "   b", "   c"])
    }

    @Test func `an arrival that changes is still marked as an arrival`() {
        let list = list(["a"])
        list.show(["a", "b"])
        list.show(["a", "b"], changed: ["b"])
        #expect(list.names() == ["   a", " + b"])
    }

    @Test func `an item that returns is an arrival and its departed row disappears`() {
        let list = list(["a", "b", "c"])
        list.show(["a", "c"])
        list.draw()
        list.show(["a", "c", "b"])
        #expect(list.names() == ["   a", "   c", " + b"])
        list.wait(10)
        #expect(list.names() == ["   a", "   c", "   b"])
    }

    @Test func `an item inserted and deleted between two frames is never shown`() {
        let list = list(["a"])
        list.show(["a", "b"])
        list.show(["a"])
        #expect(list.names() == ["   a"])
    }

    @Test func `adjacent departed rows keep their order, whatever the order of the deletions`() {
        for order in [["b", "c", "d"], ["d", "c", "b"], ["c", "b", "d"], ["c", "d", "b"]] {
            let list = list(["a", "b", "c", "d", "e"])
            var left = ["a", "b", "c", "d", "e"]
            for item in order {
                left.removeAll { $0 == item }
                list.show(left)
                list.draw()
            }
            #expect(list.names() == ["   a", " - b", " - c", " - d", "   e"])
        }
    }

    @Test func `an arrival does not come between a departed row and the one above it`() {
        let list = list(["a", "b", "d"])
        list.show(["a", "d"])
        list.draw()
        list.show(["a", "c", "d"])
        #expect(list.names() == ["   a", " - b", " + c", "   d"])
    }

    @Test func `the first item and all items of a list can depart`() {
        let list = list(["a", "b"])
        list.show(["b"])
        #expect(list.names() == [" - a", "   b"])
        list.show([])
        #expect(list.names() == [" - a", " - b"])
        list.wait(4)
        #expect(list.lines().joined().contains("Nothing is here."))
    }

    @Test func `a deleted section keeps its header while it has departed rows`() {
        let list = ListFixture { "Kind: " + $0 }
        list.show(["x": ["a"], "y": ["b", "c"], "z": ["d"]], animating: false)
        list.draw()
        list.show(["x": ["a"], "z": ["d"]])
        let header = "Kind:"
        #expect(
            list.names() == [
                header, "   a", header, " - b", " - c", header, "   d",
            ])
        #expect(list.lines()[2] == "Kind: y")
        list.wait(4)
        #expect(list.names() == [header, "   a", header, "   d"])
    }

    @Test func `a moved item leaves no departed row`() {
        let list = list(["a", "b", "c"])
        list.show(["c", "a", "b"])
        #expect(list.names() == ["   c", "   a", "   b"])
    }

    @Test func `a departed row keeps its position when the item above it moves`() {
        let list = list(["a", "b", "c", "d"])
        list.show(["a", "b", "d"])
        list.draw()
        list.show(["b", "a", "d"].sorted(by: >))
        #expect(list.names().filter { $0 == " - c" }.count == 1)
        #expect(list.names().count == 4)
    }

    @Test func `a difference without animation marks nothing and leaves no departed rows`() {
        let list = list(["a", "b"])
        list.show(["b", "c"], changed: ["b"], animating: false)
        #expect(list.names() == ["   b", "   c"])
        #expect(list.view.nextDeadline == nil)
    }

    @Test func `a list with the row animation none marks nothing and leaves no departed rows`() {
        let list = list(["a", "b", "old"])
        list.rowAnimation = .none
        list.view.expectReplacement(of: "old", by: "new")
        list.show(["b", "c", "new"], changed: ["b"])
        #expect(list.names() == ["   b", "   c", "   new"])
        #expect(list.view.nextDeadline == nil)
        list.rowAnimation = .fade
        list.show(["b", "new"])
        #expect(list.names() == ["   b", " - c", "   new"])
    }

    @Test func `reloaded data have neither marks nor departed rows`() {
        let list = list(["a", "b"])
        list.show(["b"])
        list.draw()
        list.reload(["x", "b"])
        #expect(list.names() == ["   x", "   b"])
    }

    @Test func `a replaced item does not depart`() {
        let list = list(["a", "old", "z"])
        list.view.expectReplacement(of: "old", by: "new")
        list.show(["a", "new", "z"])
        #expect(list.names() == ["   a", " ~ new", "   z"])
    }

    @Test func `an announced replacement applies to the next difference only`() {
        let list = list(["a", "old"])
        list.view.expectReplacement(of: "old", by: "new")
        list.show(["a", "b", "old"])
        list.draw()
        list.show(["a", "b"])
        #expect(list.names() == ["   a", " + b", " - old"])
    }

    @Test func `a reload discards announced replacements`() {
        let list = list(["a", "old"])
        list.view.expectReplacement(of: "old", by: "new")
        list.reload(["a", "old", "z"])
        list.draw()
        list.show(["a", "new", "z"])
        #expect(list.names() == ["   a", " - old", " + new", "   z"])
    }

    @Test func `forgotten changes leave neither marks nor departed rows`() {
        let list = list(["a", "b", "c", "d", "e"])
        list.show(["a", "c", "d", "e"])
        list.draw()
        list.view.select("d")
        list.show(["a", "f", "g"], changed: ["a"])
        list.view.forgetChange(of: ["b", "d", "f", "a", "unknown"])
        #expect(list.names().sorted() == [" + g", " - c", ">- e", "   a", "   f"].sorted())
        #expect(list.view.selectedItem == "e", "the row of the selected one is gone")
        list.show(["a", "d", "f", "g"])
        list.view.forgetChange(of: ["d"])
        #expect(list.names().contains { $0.hasSuffix("  d") })
        list.show(["a", "f", "g"])
        #expect(list.names().contains(" - d"), "what leaves later lingers")
        list.wait(4)
        #expect(list.names().map { $0.suffix(1) } == ["a", "f", "g"])
    }

    @Test func `at most 500 departed rows are kept`() {
        let list = ListFixture()
        let names = ListFixture.names(0..<510)
        list.show(names, animating: false)
        list.draw(80, 600)
        for count in 1...503 { list.show(Array(names.dropFirst(count))) }
        #expect(list.view.departedItems == Array(names[3..<503]))
        #expect(list.names(80, 600).count == 507)
    }

    @Test func `a second data source for a view stops the program`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let view = TerminalListView<String, String>(columns: ListFixture.columns)
            _ = DiffableDataSource<String, String>(view: view) { _, _, _ in nil }
            _ = DiffableDataSource<String, String>(view: view) { _, _, _ in nil }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("the view has a data source already"), "\(message)")
    }

    @Test func `a row without a cell is empty`() {
        let view = TerminalListView<String, String>(columns: ListFixture.columns)
        let source = DiffableDataSource<String, String>(view: view) { _, _, item in
            item == "b" ? nil : ListCell([.init(item)])
        }
        var snapshot = source.snapshot()
        snapshot.appendSections([""])
        snapshot.appendItems(["a", "b", "c"])
        source.apply(snapshot, animatingDifferences: false)
        let frame = view.frame(size: FrameSize(columns: 40, rows: 10), now: .now)
        let lines = frame.text.split(separator: "\n", omittingEmptySubsequences: false)
        let rows = Array(lines.drop { !$0.hasSuffix("  a") }.prefix(3))
        #expect(rows.count == 3 && rows[1].allSatisfy { $0 == " " } && rows[2].hasSuffix("  c"))
    }
}
