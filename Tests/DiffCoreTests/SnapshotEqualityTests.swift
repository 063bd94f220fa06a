// When two snapshots are the same, and what their marks do to a difference.
import DiffCore
import Testing

@Suite struct SnapshotEqualityTests {
    @Test func `snapshots are equal whatever way they were filled`() {
        var other = TextSnapshot("B(b)")
        other.insertSections(["A"], beforeSection: "B")
        other.appendItems(["c", "a"], toSection: "A")
        other.moveItem("a", beforeItem: "c")
        other.deleteItems(["c"])
        #expect(other == TextSnapshot("A(a) B(b)"))
        #expect(other != TextSnapshot("A(a b) B()"))
        #expect(other != TextSnapshot("A(b) B(a)"))
    }

    @Test func `marks count, and their order does not`() {
        let plain = TextSnapshot("A(a b)")
        var one = plain
        one.reloadItems(["a", "b"])
        var other = plain
        other.reloadItems(["b", "a"])
        #expect(one == other)
        #expect(one != plain)
        #expect(!one.difference(from: plain).isEmpty)
        #expect(plain.applying(one.difference(from: plain)) == one)
    }

    @Test func `marks of sections and items come out at their places`() {
        let plain = TextSnapshot("A(a b) B(c)")
        var marked = plain
        marked.reloadSections(["B", "A"])
        marked.reconfigureItems(["c", "a"])
        let difference = marked.difference(from: plain)
        #expect(difference.reloadedSections.map(\.index) == [0, 1])
        #expect(difference.reconfiguredItems.map(\.item) == ["a", "c"])
        #expect(plain.applying(difference) == marked)
    }

    @Test func `deleting everything takes the sections and the marks along`() {
        var snapshot = TextSnapshot("A(a)")
        snapshot.reloadSections(["A"])
        snapshot.reconfigureItems(["a"])
        snapshot.deleteAllItems()
        #expect(snapshot == TextSnapshot())
    }

    @Test func `an item that is moved keeps its marks`() {
        var snapshot = TextSnapshot("A(a) B(b)")
        snapshot.reloadItems(["a"])
        snapshot.appendItems(["a"], toSection: "B")
        #expect(snapshot.text == "A() B(b a)")
        #expect(snapshot.reloadedItemIdentifiers == ["a"])
    }

    @Test func `a snapshot reads as its sections with their items`() {
        #expect(TextSnapshot("A(a b) B()").description == "A: [\"a\", \"b\"]\nB: []")
    }
}
