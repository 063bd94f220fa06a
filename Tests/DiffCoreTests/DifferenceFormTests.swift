// The other forms of a difference: its inverse, words, the standard library's.
import DiffCore
import TestSupport
import Testing

@Suite struct DifferenceFormTests {
    /// A failure names its seed, and the seed alone decides the two snapshots.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func `random differences can be undone, and handed to the standard library`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let old = NumberSnapshot.random(items: 60, sections: 4, using: &generator)
        let new = NumberSnapshot.random(items: 60, sections: 4, using: &generator)
        let difference = new.difference(from: old)
        #expect(new.applying(difference.inverse) == old)
        #expect(difference.inverse.inverse == difference)
        let items = old.itemIdentifiers.applying(new.collectionDifference(from: old))
        #expect(items == new.itemIdentifiers)
        for section in new.sectionIdentifiers where old.sectionIdentifiers.contains(section) {
            let changes = new.collectionDifference(from: old, inSection: section)
            let applied = old.itemIdentifiers(inSection: section).applying(changes)
            #expect(applied == new.itemIdentifiers(inSection: section))
        }
    }

    @Test func `the standard library's differences can be applied to a section`() throws {
        let old = TextSnapshot("A(a b c) B(x)")
        let changes = ["a", "c", "n", "b"].difference(from: ["a", "b", "c"])
        let new = try #require(old.applying(changes, toSection: "A"))
        #expect(new.text == "A(a c n b) B(x)")
        #expect(old.applying(changes, toSection: "B") == nil)
        #expect(changes.inferringMoves() == new.collectionDifference(from: old))
    }

    @Test func `a difference reads as a list of changes`() {
        let old = TextSnapshot("A(a b c d) B(x) D() C()")
        var new = TextSnapshot("C(c) A(b d n a) D()")
        new.reconfigureItems(["n"])
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
                reconfigure n at 1.2
                """)
        #expect(old.difference(from: old).description == "no changes")
    }
}
