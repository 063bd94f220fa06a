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
        #expect(dataSource.outline(of: "A") == TextOutline("x+(k l(m)) n"))
        #expect(dataSource.outline(of: "B") == nil)
        #expect(dataSource.outline(of: "Z") == nil)
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
        var handlers = DiffableDataSource<String, String>.SectionSnapshotHandlers<String>()
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

    @Test(arguments: [
        ("delete a2", "a+(a1(x)) b(b1) c"), ("delete b", "a+(a1(x) a2) c"),
        ("delete a", "a1(x) a2 b(b1) c"), ("delete a1", "a+(a2) b(b1) c"),
        ("append d", "a+(a1(x) a2) b(b1) c d"), ("append b1", "a+(a1(x) a2) b c b1"),
        ("insert d < a1", "a+(d a1(x) a2) b(b1) c"), ("insert d > a1", "a+(a1(x) d a2) b(b1) c"),
        ("insert d > a2", "a+(a1(x) a2 d) b(b1) c"), ("insert d > a", "a+(d a1(x) a2) b(b1) c"),
        ("insert d > b", "a+(a1(x) a2) b(b1) d c"),
        ("move c < a", "c a+(a1(x) a2) b(b1)"), ("move b < a2", "a+(a1(x) b(b1) a2) c"),
        ("move a1 > a2", "a+(a2 a1(x)) b(b1) c"), ("move a1 > b", "a+(a2) b(b1) a1(x) c"),
        ("move b > a", "a+(b(b1) a1(x) a2) c"), ("move a > c", "a1(x) a2 b(b1) c a+"),
    ])
    func `an outline follows a snapshot`(operation: String, expected: String) {
        dataSource.apply(TextOutline("a+(a1(x) a2) b(b1) c"), to: "A")
        var snapshot = dataSource.snapshot()
        let words = operation.split(separator: " ").map(String.init)
        switch (words[0], words.count > 2 ? words[2] : "") {
        case ("delete", _): snapshot.deleteItems([words[1]])
        case ("append", _): snapshot.appendItems([words[1]])
        case ("insert", "<"): snapshot.insertItems([words[1]], beforeItem: words[3])
        case ("insert", _): snapshot.insertItems([words[1]], afterItem: words[3])
        case (_, "<"): snapshot.moveItem(words[1], beforeItem: words[3])
        default: snapshot.moveItem(words[1], afterItem: words[3])
        }
        dataSource.apply(snapshot)
        #expect(dataSource.snapshot(for: "A").text == expected)
    }

    @Test func `an outline outlasts other sections, marks and reloads`() {
        let outline = TextOutline("a(b) c")
        dataSource.apply(outline, to: "A")
        var snapshot = dataSource.snapshot()
        snapshot.insertSections(["B"], beforeSection: "A")
        snapshot.reconfigureItems(["a"])
        dataSource.apply(snapshot)
        #expect(dataSource.snapshot(for: "A") == outline)
        snapshot.moveSection("B", afterSection: "A")
        dataSource.applySnapshotUsingReloadData(snapshot)
        #expect(dataSource.snapshot(for: "A") == outline)
        snapshot.deleteSections(["A"])
        dataSource.apply(snapshot)
        #expect(dataSource.snapshot(for: "A") == TextOutline())
        snapshot.appendSections(["A"])
        snapshot.appendItems(["a"])
        dataSource.apply(snapshot)
        #expect(dataSource.snapshot(for: "A") == TextOutline("a"))
    }

    @Test func `hidden items follow their parent to another section`() {
        dataSource.apply(TextOutline("a(b(c)) d+(e(f))"), to: "A")
        dataSource.apply(TextSnapshot("A(a d e) B(x)"))
        dataSource.apply(TextSnapshot("A(d) B(e x a)"))
        #expect(dataSource.snapshot(for: "A").text == "d+")
        #expect(dataSource.snapshot(for: "B").text == "e(f) x a(b(c))")
        #expect(dataSource.expand("a"))
        #expect(text == "A(d) B(e x a b)")
    }

    @Test func `a hidden item that is shown leaves its place`() {
        dataSource.apply(TextOutline("a(b+(c) d) e"), to: "A")
        dataSource.apply(TextSnapshot("A(a e) B(b)"))
        #expect(dataSource.snapshot(for: "A").text == "a(d) e")
        #expect(dataSource.snapshot(for: "B").text == "b(c)")
    }

    @Test func `an outline takes its items from other sections`() {
        dataSource.apply(TextOutline("a(b(c)) d+(e f(g))"), to: "A")
        dataSource.apply(TextOutline("x(b d)"), to: "B")
        #expect(text == "A(a e f) B(x)")
        #expect(dataSource.snapshot(for: "A").text == "a e f(g)")
        #expect(dataSource.snapshot(for: "B").text == "x(b d)")
    }
}
