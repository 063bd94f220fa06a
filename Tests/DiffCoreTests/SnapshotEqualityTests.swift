// The equality of snapshots, their marks, and the texts of snapshots and differences.
import DiffCore
import Testing

@Suite struct SnapshotEqualityTests {
    @Test func `equality does not depend on how snapshots were filled`() {
        var other = TextSnapshot("B(b)")
        other.insertSections(["A"], beforeSection: "B")
        other.appendItems(["c", "a"], toSection: "A")
        other.moveItem("a", beforeItem: "c")
        other.deleteItems(["c"])
        #expect(other == TextSnapshot("A(a) B(b)"))
        #expect(other != TextSnapshot("A(a b) B()"))
        #expect(other != TextSnapshot("A(b) B(a)"))
    }

    @Test func `equality includes marks but not their order`() {
        let plain = TextSnapshot("A(a b)")
        var one = plain
        one.reloadItems(["a", "b"])
        var other = plain
        other.reloadItems(["b", "a"])
        #expect(one == other)
        #expect(one != plain)
        #expect(!one.difference(from: plain).isEmpty)
        #expect(plain.replaying(one.difference(from: plain)) == one)
    }

    @Test func `a difference lists marked sections and items in the snapshot's order`() {
        let plain = TextSnapshot("A(a b) B(c)")
        var marked = plain
        marked.reloadSections(["B", "A"])
        marked.reconfigureItems(["c", "a"])
        let difference = marked.difference(from: plain)
        #expect(difference.reloadedSections.map(\.index) == [0, 1])
        #expect(difference.reconfiguredItems.map(\.item) == ["a", "c"])
        #expect(plain.replaying(difference) == marked)
    }

    @Test func `deleting all items deletes the sections and the marks`() {
        var snapshot = TextSnapshot("A(a)")
        snapshot.reloadSections(["A"])
        snapshot.reconfigureItems(["a"])
        snapshot.deleteAllItems()
        #expect(snapshot == TextSnapshot())
    }

    @Test func `a moved item keeps its marks`() {
        var snapshot = TextSnapshot("A(a) B(b)")
        snapshot.reloadItems(["a"])
        snapshot.appendItems(["a"], toSection: "B")
        #expect(snapshot.text == "A() B(b a)")
        #expect(snapshot.reloadedItemIdentifiers == ["a"])
    }

    @Test func `the description of a snapshot lists sections with their items`() {
        #expect(TextSnapshot("A(a b) B()").description == "A: [\"a\", \"b\"]\nB: []")
    }

    @Test func `the description of a difference lists its changes`() {
        let old = TextSnapshot("A(a b c d) B(x) D() C()")
        var new = TextSnapshot("C(c) A(b d n a) D()")
        new.reconfigureItems(["b"])
        new.reloadItems(["a"])
        new.reloadSections(["A"])
        #expect(
            new.difference(from: old).description == """
                delete section B at 1
                move section C from 3 to 0
                reload section A at 1
                delete x at 1.0
                insert n at 1.2
                move c from 0.2 to 0.0
                move a from 0.0 to 1.3
                reload a at 1.3
                reconfigure b at 1.0
                """)
        #expect(old.difference(from: old).description == "no changes")
    }
}
