// Data sources: updates of the view, look-ups and the order of updates.
import DiffCore
import TestSupport
import Testing

@Suite struct DataSourceTests {
    private let view = RecordingView()

    private func makeDataSource() -> DiffableDataSource<String, String> {
        DiffableDataSource(view: view) { _, _, item in "<\(item)>" }
    }

    private func cells(_ snapshot: TextSnapshot) -> [[String]] {
        snapshot.sectionIdentifiers.map { section in
            snapshot.itemIdentifiers(inSection: section).map { "<\($0)>" }
        }
    }

    @Test func `the view shows the applied snapshot`() {
        let dataSource = makeDataSource()
        dataSource.apply(TextSnapshot("A(a b) B(c)"))
        #expect(view.rows.map(\.section) == ["A", "B"])
        #expect(view.rows.map(\.cells) == [["<a>", "<b>"], ["<c>"]])
        #expect(dataSource.snapshot() == TextSnapshot("A(a b) B(c)"))
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `a view that performs the batch updates shows every snapshot`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let dataSource = makeDataSource()
        for _ in 0..<10 {
            let numbers = NumberSnapshot.random(items: 12, sections: 4, using: &generator)
            var snapshot = TextSnapshot()
            for section in numbers.sectionIdentifiers {
                snapshot.appendSections(["\(section)"])
                snapshot.appendItems(numbers.itemIdentifiers(inSection: section).map { "\($0)" })
            }
            dataSource.apply(snapshot)
            #expect(view.rows.map(\.section) == snapshot.sectionIdentifiers)
            #expect(view.rows.map(\.cells) == cells(snapshot))
        }
    }

    @Test func `apply returns the difference that the view gets`() {
        let dataSource = makeDataSource()
        dataSource.apply(TextSnapshot("A(a b)"))
        let difference = dataSource.apply(TextSnapshot("A(b c)"))
        #expect(difference.deletedItems.map(\.item) == ["a"])
        #expect(difference.insertedItems.map(\.item) == ["c"])
        #expect(dataSource.apply(TextSnapshot("A(b c)")).isEmpty)
    }

    @Test func `the cell provider is called once for each reconfigured or reloaded item`() {
        var asked: [String] = []
        let dataSource = DiffableDataSource<String, String>(view: view) { _, indexPath, item in
            asked.append("\(item)@\(indexPath.section).\(indexPath.item)")
            return item
        }
        var snapshot = TextSnapshot("A(a b) B(c d)")
        dataSource.apply(snapshot)
        asked = []
        snapshot.reconfigureItems(["d"])
        snapshot.reloadItems(["a"])
        let difference = dataSource.apply(snapshot)
        #expect(asked == ["a@0.0", "d@1.1"])
        #expect(difference.reloadedItems.map(\.item) == ["a"])
        #expect(
            difference.reconfiguredItems.map(\.position.indexPath) == [.init(item: 1, section: 1)])
        #expect(dataSource.snapshot() == TextSnapshot("A(a b) B(c d)"), "the marks are cleared")
    }

    @Test func `a reload replaces all rows without a difference`() {
        let dataSource = makeDataSource()
        dataSource.applySnapshotUsingReloadData(TextSnapshot("A(a)")) { [view] in view.note("done")
        }
        #expect(view.log == ["reload A(a)", "done"])
        #expect(view.rows.map(\.cells) == [["<a>"]])
    }

    @Test func `applying without animation passes no animation to the view`() {
        let dataSource = makeDataSource()
        dataSource.apply(TextSnapshot("A(a)"))
        dataSource.apply(TextSnapshot("A(b)"), animatingDifferences: false) { [view] in
            view.note("done")
        }
        #expect(view.log == ["reload A(a)", "update A(b), still", "done"])
    }

    @Test func `the view gets the default animation unless the change is not animated`() {
        let dataSource = makeDataSource()
        #expect(dataSource.defaultRowAnimation == .automatic)
        dataSource.apply(TextSnapshot("A(a)"))
        dataSource.defaultRowAnimation = .none
        dataSource.apply(TextSnapshot("A(b)"))
        dataSource.apply(TextSnapshot("A(c)"), animatingDifferences: false)
        #expect(view.log == ["reload A(a)", "update A(b), still", "update A(c), still"])
    }

    @Test func `the header provider gets the view, the section and its index`() {
        let dataSource = DiffableDataSource<String, String>(view: view) { _, _, item in
            item
        } headerProvider: { [weak expected = view] view, number, section in
            #expect(view === expected)
            return section == "B" ? nil : "\(number): \(section)"
        }
        dataSource.apply(TextSnapshot("A(a) B(b) C()"))
        #expect(view.headers == ["0: A", nil, "2: C"])
    }

    @Test func `without a header provider no section has a header`() {
        makeDataSource().apply(TextSnapshot("A(a) B(b)"))
        #expect(view.headers == [nil, nil])
    }

    @Test func `the header provider can be replaced`() {
        let dataSource = makeDataSource()
        dataSource.apply(TextSnapshot("A(a) B(b)"))
        dataSource.setHeaderProvider(of: view) { _, number, section in "\(number) \(section)" }
        #expect(view.headers == ["0 A", "1 B"])
        dataSource.setHeaderProvider(of: view, nil)
        #expect(view.headers == [nil, nil])
    }

    @Test func `a header provider for another view stops the program`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { @MainActor in
            let view = RecordingView()
            let dataSource = DiffableDataSource<String, String>(view: view) { _, _, item in item }
            dataSource.setHeaderProvider(of: RecordingView(), nil)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("is not the view of this data source"), "\(message)")
    }

    @Test func `a row is empty if the cell provider returns nil`() {
        let dataSource = DiffableDataSource<String, String>(view: view) {
            [weak owner = view] _, _, item in
            guard owner != nil, item != "b" else { return nil }
            return item
        }
        dataSource.apply(TextSnapshot("A(a b c)"))
        #expect(view.rows.map(\.cells) == [["a", "empty", "c"]])
    }

    @Test func `an object can be an identifier of a section`() {
        final class Part: Hashable, Sendable {
            static func == (left: Part, right: Part) -> Bool { left === right }
            func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
        }
        let (first, second) = (Part(), Part())
        let dataSource = DiffableDataSource<Part, Int>()
        dataSource.apply(.init([(first, [1]), (second, [2])]))
        dataSource.apply(.init([(second, [2]), (first, [1])]))
        #expect(dataSource.index(for: first) == 1)
    }

    @Test func `what a chain of completions needs is released as it goes on`() {
        final class Token {}
        let dataSource = makeDataSource()
        var (tokens, kept): ([() -> Token?], Int) = ([], 0)
        func applyNext(_ number: Int) {
            kept = max(kept, tokens.count { $0() != nil })
            guard number < 100 else { return }
            let token = Token()
            tokens.append { [weak token] in token }
            dataSource.apply(TextSnapshot("A(a\(number))")) {
                withExtendedLifetime(token) { applyNext(number + 1) }
            }
        }
        applyNext(0)
        #expect(tokens.count == 100)
        #expect(kept <= 2)
        #expect(tokens.allSatisfy { $0() == nil })
    }

    @Test func `snapshots applied during an update or from completions are shown in order`() {
        let dataSource = makeDataSource()
        let view = view
        view.duringUpdate = {
            let difference = dataSource.apply(TextSnapshot("A(a b)")) {
                view.note("second done")
                dataSource.apply(TextSnapshot("A(b)"))
            }
            #expect(difference.insertedItems.map(\.item) == ["b"])
            #expect(dataSource.snapshot() == TextSnapshot("A(a b)"), "no applied snapshot is lost")
            #expect(dataSource.indexPath(for: "b") == nil, "look-ups refer to the shown snapshot")
        }
        dataSource.apply(TextSnapshot("A(a)")) { view.note("first done") }
        #expect(
            view.log == [
                "reload A(a)", "first done", "update A(a b)", "second done", "update A(b)",
            ])
        #expect(view.rows.map(\.cells) == [["<b>"]])
    }

    @Test func `a cell provider may apply a snapshot`() {
        final class Box { var dataSource: DiffableDataSource<String, String>? }
        let box = Box()
        box.dataSource = DiffableDataSource(view: view) { _, _, item in
            if item == "more" { box.dataSource?.apply(TextSnapshot("A(a b c)")) }
            return "<\(item)>"
        }
        box.dataSource?.apply(TextSnapshot("A(a more)"))
        #expect(view.rows.map(\.cells) == [["<a>", "<b>", "<c>"]])
    }

    @Test func `look-ups work in both directions and return nil outside of the list`() {
        let dataSource = makeDataSource()
        dataSource.apply(TextSnapshot("A(a b) B() C(c)"))
        #expect(dataSource.itemIdentifier(for: IndexPath(item: 1, section: 0)) == "b")
        #expect(dataSource.itemIdentifier(for: IndexPath(item: 0, section: 2)) == "c")
        for (item, section) in [(2, 0), (0, 1), (1, 2), (0, 3), (-1, 0), (0, -1)] {
            #expect(dataSource.itemIdentifier(for: IndexPath(item: item, section: section)) == nil)
        }
        #expect(dataSource.indexPath(for: "c") == IndexPath(item: 0, section: 2))
        #expect(dataSource.indexPath(for: "q") == nil)
        #expect(dataSource.sectionIdentifier(for: 1) == "B")
        #expect(dataSource.sectionIdentifier(for: 3) == nil)
        #expect(dataSource.sectionIdentifier(for: -1) == nil)
        #expect(dataSource.index(for: "C") == 2)
        #expect(dataSource.index(for: "Q") == nil)
    }

    @Test func `a data source does not retain its view`() {
        var gone: RecordingView? = RecordingView()
        weak let watched = gone
        let dataSource = DiffableDataSource<String, String>(view: RecordingView()) { _, _, item in
            item
        }
        if let gone { _ = DiffableDataSource<String, String>(view: gone) { _, _, item in item } }
        gone = nil
        #expect(watched == nil)
        dataSource.apply(TextSnapshot("A(a)"))
        #expect(dataSource.itemIdentifier(for: IndexPath(item: 0, section: 0)) == "a")
    }
}
