// Outlines in a data source: expanding, collapsing, handlers, and replaced outlines.
import DiffCore
import Testing

@Suite struct OutlineDataSourceTests {
    private let view = RecordingView()
    private let dataSource: DiffableDataSource<String, String>

    init() { dataSource = DiffableDataSource(view: view) { _, _, item in item } }

    private var text: String { dataSource.snapshot().text }

    @Test func `the visible items of an outline are the items of its section`() {
        dataSource.apply(TextSnapshot("A(x) B(y)"))
        let difference = dataSource.apply(TextOutline("x+(k l(m)) n"), to: "A")
        #expect(text == "A(x k l n) B(y)")
        #expect(difference.insertedItems.map(\.item) == ["k", "l", "n"])
        #expect(difference.movedItems.isEmpty)
        #expect(dataSource.snapshot(for: "A") == TextOutline("x+(k l(m)) n"))
        #expect(dataSource.snapshot(for: "B") == TextOutline("y"))
        #expect(dataSource.snapshot(for: "Z") == TextOutline())
        #expect(view.rows.map(\.cells) == [["x", "k", "l", "n"], ["y"]])
    }

    @Test func `applying an outline appends an absent section`() {
        dataSource.apply(TextSnapshot("A(x)"))
        dataSource.apply(TextOutline("k"), to: "B")
        #expect(text == "A(x) B(k)")
    }

    @Test func `an item expands and collapses`() {
        dataSource.apply(TextOutline("a(b c) d"), to: "A")
        #expect(dataSource.expand("a"))
        #expect(text == "A(a b c d)")
        #expect(!dataSource.expand("a"))
        #expect(dataSource.collapse("a"))
        #expect(text == "A(a d)")
        #expect(!dataSource.collapse("a"))
        #expect(!dataSource.expand("absent"))
    }

    @Test func `handlers allow changes and are notified`() {
        var log: [String] = []
        var handlers = DiffableDataSource<String, String>.SectionSnapshotHandlers()
        handlers.shouldExpandItem = { $0 != "d" }
        handlers.shouldCollapseItem = { $0 != "a" }
        handlers.willExpandItem = { log.append("will expand \($0)") }
        handlers.willCollapseItem = { log.append("will collapse \($0)") }
        dataSource.sectionSnapshotHandlers = handlers
        dataSource.apply(TextOutline("a(b) c+(x) d(e)"), to: "A")
        #expect(dataSource.expand("a"))
        #expect(!dataSource.collapse("a"))
        #expect(!dataSource.expand("d"))
        #expect(dataSource.collapse("c"))
        #expect(log == ["will expand a", "will collapse c"])
        #expect(text == "A(a b c d)")
    }

    @Test func `the children of an item can be loaded when it expands`() {
        dataSource.sectionSnapshotHandlers.snapshotForExpandingParent = { item, beneath in
            #expect(beneath == TextOutline("old"))
            return TextOutline("\(item)1 \(item)2")
        }
        dataSource.apply(TextOutline("a(old)"), to: "A")
        #expect(dataSource.expand("a"))
        #expect(text == "A(a a1 a2)")
    }

    @Test func `an outline is dropped when its section gets other items`() {
        dataSource.apply(TextOutline("a(b) c"), to: "A")
        var snapshot = dataSource.snapshot()
        snapshot.appendSections(["B"])
        dataSource.apply(snapshot)
        #expect(dataSource.snapshot(for: "A") == TextOutline("a(b) c"))
        snapshot.deleteItems(["c"])
        dataSource.apply(snapshot)
        #expect(dataSource.snapshot(for: "A") == TextOutline("a"))
        #expect(!dataSource.expand("a"))
    }
}
