// Data sources that find changed contents.
import DiffCore
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
