// Data sources that find changed contents.
import DiffCore
import TestSupport
import Testing

@MainActor @Suite struct ContentTests {
    private let view = RecordingView()
    private let dataSource: DiffableDataSource<String, String>

    init() { dataSource = DiffableDataSource(view: view) { _, _, item in item } }

    @Test func `items whose content changed are reconfigured`() {
        var contents = ["a": 1, "b": 1]
        func apply(_ text: String) -> [String] {
            dataSource.apply(TextSnapshot(text), content: { contents[$0] })
                .reconfiguredItems.map(\.item)
        }
        #expect(apply("A(a b)") == [])
        contents["b"] = 2
        contents["c"] = 1
        #expect(apply("A(a b c)") == ["b"])
        #expect(apply("A(a b c)") == [])
        contents["a"] = nil
        #expect(apply("A(b) B(a)") == ["a"], "a moved item as well")
        contents["c"] = 2
        #expect(apply("A(b c) B(a)") == [], "an inserted item gets a new cell")
    }

    @Test func `snapshots without contents in between change nothing`() async {
        var content = 1
        await dataSource.apply(TextSnapshot("A(a b)"), content: { _ in content })
        content = 2
        await dataSource.apply(TextSnapshot("A(b)"))
        let difference = await dataSource.apply(TextSnapshot("A(a b)")) { _ in content }
        #expect(difference.reconfiguredItems.map(\.item) == ["b"])
        #expect(difference.insertedItems.map(\.item) == ["a"])
    }

    @Test func `marks of the snapshot are kept`() {
        dataSource.apply(TextSnapshot("A(a b)"), content: { $0 })
        var snapshot = TextSnapshot("A(a b)")
        snapshot.reloadItems(["a"])
        let difference = dataSource.apply(snapshot, content: { $0 })
        #expect(difference.reloadedItems.map(\.item) == ["a"])
        #expect(difference.reconfiguredItems.isEmpty)
    }
}

/// Random lists with contents, beside a dictionary.
@Suite struct ContentLawTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `exactly the items with another content are reconfigured`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let dataSource = DiffableDataSource<Int, Int>()
        var (known, contents) = ([Int: Int](), [Int: Int]())
        for _ in 0..<20 {
            let items = (0..<60).filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
            var order = items
            if Bool.random(using: &generator) { order.shuffle(using: &generator) }
            let half = Int.random(in: 0...order.count, using: &generator)
            let list = DiffableDataSourceSnapshot([
                (0, Array(order[..<half])), (1, Array(order[half...])),
            ])
            for item in items where Int.random(in: 0..<8, using: &generator) == 0 {
                contents[item, default: 0] += 1
            }
            let shown = dataSource.snapshot()
            guard Int.random(in: 0..<4, using: &generator) > 0 else {
                dataSource.apply(list)
                continue
            }
            let difference = dataSource.apply(list, content: { contents[$0, default: 0] })
            let changed = order.filter { item in
                shown.indexOfItem(item) != nil
                    && known[item].map { $0 != contents[item, default: 0] } ?? false
            }
            #expect(difference.reconfiguredItems.map(\.item) == changed)
            known = Dictionary(uniqueKeysWithValues: items.map { ($0, contents[$0, default: 0]) })
        }
    }
}
