// Indices of lists that are edited many times without being compared.
import DiffCore
import TestSupport
import Testing

@Suite struct RandomEditTests {
    /// The seed alone determines the edits: mostly insertions, so that identifiers without slots get some.
    @Test(arguments: seeds(20))
    func `a list of any kind of identifier finds every index after random edits`(seed: UInt64) {
        #expect(brokenEdit(seed: seed) { $0 } == nil)
        #expect(brokenEdit(seed: seed) { PairID(high: UInt64($0 % 3), low: UInt64($0)) } == nil)
        #expect(brokenEdit(seed: seed) { "peer \($0) with a name that is long" } == nil)
        #expect(brokenEdit(seed: seed) { [$0] } == nil)
    }

    /// Returns the number of the first edit after which an index is wrong.
    private func brokenEdit<Identifier: Hashable & Sendable>(
        seed: UInt64, make: (Int) -> Identifier
    ) -> Int? {
        var generator = SeededGenerator(seed: seed)
        var items = (0..<200).map(make)
        var fresh = items.count
        var snapshot = DiffableDataSourceSnapshot<Int, Identifier>()
        snapshot.appendSections([0])
        snapshot.appendItems(items)
        for edit in 0..<120 {
            let index = Int.random(in: 0..<items.count, using: &generator)
            let item = items[index]
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                snapshot.deleteItems([item])
                items.remove(at: index)
            case 1:
                let last = items[items.count - 1]
                guard item != last else { break }
                snapshot.moveItem(item, afterItem: last)
                items.append(items.remove(at: index))
            default:
                let count = Int.random(in: 1...12, using: &generator)
                let added = (fresh..<fresh + count).map(make)
                fresh += count
                snapshot.insertItems(added, beforeItem: item)
                items.insert(contentsOf: added, at: index)
            }
            let isRight =
                items.enumerated().allSatisfy { snapshot.indexOfItem($1) == $0 }
                && snapshot.indexOfItem(make(fresh)) == nil
            guard isRight, snapshot.itemIdentifiers == items else { return edit }
        }
        return nil
    }
}

private struct PairID: BitwiseIdentifier {
    let high: UInt64
    let low: UInt64
}
