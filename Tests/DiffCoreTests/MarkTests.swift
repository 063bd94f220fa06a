// Marks in differences and batches: each item once, and none that is inserted.
import DiffCore
import Testing

@Suite struct MarkTests {
    private typealias Batch = SnapshotDifference<String, String>.Batch

    @Test func `what is inserted is not reloaded or reconfigured as well`() {
        var snapshot = TextSnapshot("A(a b) B(c)")
        snapshot.reloadSections(["A", "B"])
        snapshot.reloadItems(["b", "c"])
        snapshot.reconfigureItems(["a", "b", "c"])
        let difference = snapshot.difference(from: TextSnapshot("A(a)"))
        #expect(difference.insertedItems.map(\.item) == ["b", "c"])
        #expect(difference.reloadedSections.map(\.section) == ["A"])
        #expect(difference.reloadedItems.isEmpty)
        #expect(difference.reconfiguredItems.map(\.item) == ["a"])
    }

    @Test func `an item that is marked both ways is reloaded`() {
        var snapshot = TextSnapshot("A(a b)")
        snapshot.reconfigureItems(["a", "b"])
        snapshot.reloadItems(["a"])
        let difference = snapshot.difference(from: TextSnapshot("A(a b)"))
        #expect(difference.reloadedItems.map(\.item) == ["a"])
        #expect(difference.reconfiguredItems.map(\.item) == ["b"])
    }

    @Test func `a batch has the reloads at their new positions`() {
        var snapshot = TextSnapshot("B(x) A(c b a)")
        snapshot.reloadSections(["A", "B"])
        snapshot.reloadItems(["c", "x"])
        snapshot.reconfigureItems(["b", "a"])
        let batch = snapshot.difference(from: TextSnapshot("A(a b x) C(c)")).batch
        #expect(
            batch
                == Batch(
                    sectionDeletes: [1], sectionInserts: [0],
                    itemDeletes: [.init(item: 2, section: 0)],
                    itemInserts: [.init(item: 0, section: 1)],
                    itemMoves: batch.itemMoves, sectionReloads: [1],
                    itemReconfigurations: [.init(item: 1, section: 1), .init(item: 2, section: 1)]))
    }

    @Test func `a snapshot is made of sections with their items`() {
        #expect(TextSnapshot([("A", ["a", "b"]), ("B", [])]) == TextSnapshot("A(a b) B()"))
        #expect(TextSnapshot([("A", ["a", "b"]), ("B", ["a"])]) == TextSnapshot("A(b) B(a)"))
    }
}
