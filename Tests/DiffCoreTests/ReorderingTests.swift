// Items moved by the user, and the transactions that the handlers get.
import DiffCore
import Testing

@Suite struct ReorderingTests {
    private let view = RecordingView()
    private let dataSource: DiffableDataSource<String, String>

    init() {
        dataSource = DiffableDataSource(view: view) { _, _, item in item }
        dataSource.apply(TextSnapshot("A(a b c) B(x)"))
    }

    @Test func `an item moves only if the handler allows it`() {
        #expect(!dataSource.reorder("a", to: IndexPath(item: 2, section: 0)))
        dataSource.reorderingHandlers.canReorderItem = { $0 != "b" }
        #expect(!dataSource.reorder("b", to: IndexPath(item: 0, section: 0)))
        #expect(!dataSource.reorder("absent", to: IndexPath(item: 0, section: 0)))
        #expect(!dataSource.reorder("a", to: IndexPath(item: 0, section: 2)))
        #expect(dataSource.snapshot() == TextSnapshot("A(a b c) B(x)"))
        #expect(dataSource.reorder("a", to: IndexPath(item: 2, section: 0)))
        #expect(dataSource.snapshot() == TextSnapshot("A(b c a) B(x)"))
    }

    @Test func `an item moves to its final index path or to the end of a section`() {
        dataSource.reorderingHandlers.canReorderItem = { _ in true }
        dataSource.reorder("c", to: IndexPath(item: 1, section: 0))
        #expect(dataSource.snapshot() == TextSnapshot("A(a c b) B(x)"))
        dataSource.reorder("a", to: IndexPath(item: 0, section: 1))
        #expect(dataSource.snapshot() == TextSnapshot("A(c b) B(a x)"))
        dataSource.reorder("c", to: IndexPath(item: 9, section: 1))
        #expect(dataSource.snapshot() == TextSnapshot("A(b) B(a x c)"))
    }

    @Test func `the handlers get the lists before and after the move and their difference`() {
        var told: [DiffableDataSourceTransaction<String, String>] = []
        dataSource.reorderingHandlers.canReorderItem = { _ in true }
        dataSource.reorderingHandlers.willReorder = { [view] in
            #expect(view.rows.map(\.cells) == [["a", "b", "c"], ["x"]])
            told.append($0)
        }
        dataSource.reorderingHandlers.didReorder = { [view] in
            #expect(view.rows.map(\.cells) == [["b", "c"], ["x", "a"]])
            told.append($0)
        }
        dataSource.reorder("a", to: IndexPath(item: 1, section: 1))
        #expect(told.count == 2)
        for transaction in told {
            #expect(transaction.initialSnapshot == TextSnapshot("A(a b c) B(x)"))
            #expect(transaction.finalSnapshot == TextSnapshot("A(b c) B(x a)"))
            #expect(
                ["a", "b", "c", "x"].applying(transaction.difference) == ["b", "c", "x", "a"])
            #expect(transaction.sectionTransactions.map(\.sectionIdentifier) == ["A", "B"])
            #expect(transaction.sectionTransactions[0].initialSnapshot.items == ["a", "b", "c"])
            #expect(transaction.sectionTransactions[0].finalSnapshot.items == ["b", "c"])
            #expect(["x"].applying(transaction.sectionTransactions[1].difference) == ["x", "a"])
        }
    }

    @Test func `a transaction has the fewest moves`() throws {
        var transaction: DiffableDataSourceTransaction<String, String>?
        dataSource.reorderingHandlers.canReorderItem = { _ in true }
        dataSource.reorderingHandlers.didReorder = { transaction = $0 }
        dataSource.reorder("a", to: IndexPath(item: 2, section: 0))
        var made = try #require(transaction)
        #expect(
            Array(made.difference) == [
                .remove(offset: 0, element: "a", associatedWith: 2),
                .insert(offset: 2, element: "a", associatedWith: 0),
            ])
        #expect(made.sectionTransactions.map(\.difference) == [made.difference])
        // The order of all items stays when the last one becomes the first of the next section.
        dataSource.reorder("a", to: IndexPath(item: 0, section: 1))
        made = try #require(transaction)
        #expect(made.difference.isEmpty)
        #expect(made.sectionTransactions.map { $0.difference.count } == [1, 1])
    }

    @Test func `a move to the item's own place or to no place is refused`() {
        var handlers = DiffableDataSource<String, String>.ReorderingHandlers()
        handlers.canReorderItem = { _ in true }
        handlers.willReorder = { _ in Issue.record("a handler is called") }
        handlers.didReorder = { _ in Issue.record("a handler is called") }
        dataSource.reorderingHandlers = handlers
        for index in [1, -1] {
            #expect(!dataSource.reorder("b", to: IndexPath(item: index, section: 0)))
        }
        #expect(!dataSource.reorder("c", to: IndexPath(item: 9, section: 0)))
        #expect(!dataSource.reorder("c", to: IndexPath(item: .max, section: 0)))
        #expect(!dataSource.reorder("c", to: IndexPath(item: 0, section: -1)))
        #expect(dataSource.snapshot() == TextSnapshot("A(a b c) B(x)"))
    }

    @Test(arguments: [
        ("c", 0, 0, "c a+(a1 a2) b(b1)", "x"), ("a", 1, 0, "b(b1) a+(a1 a2) c", "x"),
        ("a1", 2, 0, "a+(a2 a1) b(b1) c", "x"), ("b", 2, 0, "a+(a1 b(b1) a2) c", "x"),
        ("a", 9, 1, "b(b1) c", "x a+(a1 a2)"), ("x", 1, 0, "a+(x a1 a2) b(b1) c", ""),
        ("a2", 3, 0, "a+(a1) b(b1) a2 c", "x"), ("b", 0, 1, "a+(a1 a2) c", "b(b1) x"),
    ])
    func `an item moves in an outline with its descendants`(
        item: String, index: Int, section: Int, first: String, second: String
    ) throws {
        let outline = TextOutline("a+(a1 a2) b(b1) c")
        dataSource.apply(outline, to: "A")
        dataSource.reorderingHandlers.canReorderItem = { _ in true }
        var transaction: DiffableDataSourceTransaction<String, String>?
        dataSource.reorderingHandlers.didReorder = { transaction = $0 }
        #expect(dataSource.reorder(item, to: IndexPath(item: index, section: section)))
        #expect(dataSource.snapshot(for: "A").text == first)
        #expect(dataSource.snapshot(for: "B").text == second)
        let changed = try #require(transaction?.sectionTransactions.first)
        if changed.sectionIdentifier == "A" { #expect(changed.initialSnapshot == outline) }
        for part in transaction?.sectionTransactions ?? [] {
            #expect(part.finalSnapshot == dataSource.snapshot(for: part.sectionIdentifier))
            #expect(
                part.initialSnapshot.items.applying(part.difference) == part.finalSnapshot.items)
        }
    }
}
