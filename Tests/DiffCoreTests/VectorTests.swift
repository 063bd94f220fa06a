// Cases whose expected results another program has computed.
import DiffCore
import Testing

@Suite struct VectorTests {
    @Test(arguments: OperationVector.all)
    func `operations result in the expected snapshot`(vector: OperationVector) {
        var snapshot = TextSnapshot()
        for operation in vector.operations.split(whereSeparator: { $0 == ";" || $0 == "\n" }) {
            snapshot.perform(operation.split(separator: " ").map(String.init))
        }
        #expect(snapshot.text == vector.result)
        #expect(Set(snapshot.reloadedItemIdentifiers) == Set(vector.reloadedItems))
        #expect(Set(snapshot.reconfiguredItemIdentifiers) == Set(vector.reconfiguredItems))
        #expect(Set(snapshot.reloadedSectionIdentifiers) == Set(vector.reloadedSections))
    }

    @Test(arguments: DiffVector.all)
    func `the batch update is as expected`(vector: DiffVector) {
        let batch = TextSnapshot(vector.new).difference(from: TextSnapshot(vector.old)).batch
        #expect(batch.sectionDeletes == vector.sectionDeletes)
        #expect(batch.sectionInserts == vector.sectionInserts)
        #expect(batch.sectionMoves.count == vector.sectionMoves)
        #expect(batch.itemDeletes.map(\.text) == vector.itemDeletes)
        #expect(batch.itemInserts.map(\.text) == vector.itemInserts)
        #expect(batch.itemMoves.count == vector.movesWithin + vector.crossMoves.count)
        let moves = Set(batch.itemMoves.map { "\($0.from.text)>\($0.to.text)" })
        #expect(moves.isSuperset(of: vector.crossMoves))
    }

    @Test(arguments: DiffVector.all)
    func `a difference lists every inserted, deleted and crossing item`(vector: DiffVector) {
        let difference = TextSnapshot(vector.new).difference(from: TextSnapshot(vector.old))
        let crossing = difference.movedItems.count { $0.from.section != $0.to.section }
        let found = [difference.deletedItems.count, difference.insertedItems.count, crossing]
        #expect(found == vector.byIdentity)
        #expect(difference.movedItems.count == crossing + vector.movesWithin)
    }

    @Test func `queries of a snapshot return the expected results`() {
        let snapshot = TextSnapshot("A(a b c) B(x y z)")
        #expect(snapshot.numberOfItems == 6)
        #expect(snapshot.numberOfSections == 2)
        #expect(snapshot.numberOfItems(inSection: "B") == 3)
        #expect(snapshot.itemIdentifiers(inSection: "A") == ["a", "b", "c"])
        #expect(snapshot.sectionIdentifier(containingItem: "y") == "B")
        #expect(snapshot.sectionIdentifier(containingItem: "q") == nil)
        #expect(snapshot.indexOfItem("y") == 4)
        #expect(snapshot.indexOfItem("q") == nil)
        #expect(snapshot.indexOfSection("B") == 1)
        #expect(snapshot.indexOfSection("Z") == nil)
        #expect(snapshot.sectionIdentifiers == ["A", "B"])
        #expect(snapshot.itemIdentifiers == ["a", "b", "c", "x", "y", "z"])
    }
}

extension IndexPath {
    fileprivate var text: String { "\(section).\(item)" }
}

extension DiffableDataSourceSnapshot<String, String> {
    /// Performs an operation given as words.
    fileprivate mutating func perform(_ words: [String]) {
        let given = Array(words.dropFirst().prefix { !["<", ">", "in"].contains($0) })
        let relation = words.dropFirst(given.count + 1).first ?? ""
        let other = words.last ?? ""
        switch (words[0], relation) {
        case ("appendSections", _): appendSections(given)
        case ("insertSections", "<"): insertSections(given, beforeSection: other)
        case ("insertSections", ">"): insertSections(given, afterSection: other)
        case ("deleteSections", _): deleteSections(given)
        case ("moveSection", "<"): moveSection(given[0], beforeSection: other)
        case ("moveSection", ">"): moveSection(given[0], afterSection: other)
        case ("reloadSections", _): reloadSections(given)
        case ("appendItems", "in"): appendItems(given, toSection: other)
        case ("appendItems", _): appendItems(given)
        case ("insertItems", "<"): insertItems(given, beforeItem: other)
        case ("insertItems", ">"): insertItems(given, afterItem: other)
        case ("deleteItems", _): deleteItems(given)
        case ("deleteAllItems", _): deleteAllItems()
        case ("moveItem", "<"): moveItem(given[0], beforeItem: other)
        case ("moveItem", ">"): moveItem(given[0], afterItem: other)
        case ("reloadItems", _): reloadItems(given)
        case ("reconfigureItems", _): reconfigureItems(given)
        default: Issue.record("no such operation: \(words)")
        }
    }
}
