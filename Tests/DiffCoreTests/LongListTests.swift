// Lists of 40,000 items.
import DiffCore
import TestSupport
import Testing

@Suite struct LongListTests {
    /// A change of a long list.
    enum Event: CaseIterable {
        case fewArrive, fewLeave, fewReplaced, blocksComeAndGo, blockMoves, someSwapped
    }

    private let count = 40_000

    private func list(_ items: [Int]) -> NumberSnapshot {
        var snapshot = NumberSnapshot()
        snapshot.appendSections([0])
        snapshot.appendItems(items)
        return snapshot
    }

    private func items(after event: Event) -> [Int] {
        var generator = SeededGenerator(seed: 11)
        var items = Array(0..<count)
        func index() -> Int { Int.random(in: 0..<items.count, using: &generator) }
        switch event {
        case .fewArrive: for number in 0..<20 { items.insert(count + number, at: index()) }
        case .fewLeave: for _ in 0..<20 { items.remove(at: index()) }
        case .fewReplaced: for number in 0..<200 { items[index()] = count + number }
        case .blocksComeAndGo:
            items.removeSubrange(10_000..<14_000)
            items.insert(contentsOf: count..<count + 4_000, at: 20_000)
            items[0..<500].shuffle(using: &generator)
        case .blockMoves:
            let block = items[5_000..<9_000]
            items.removeSubrange(5_000..<9_000)
            items.insert(contentsOf: block, at: 30_000)
            items[100] = count
        case .someSwapped: for _ in 0..<200 { items.swapAt(index(), index()) }
        }
        return items
    }

    @Test(arguments: Event.allCases)
    func `the difference of a long list keeps the laws`(event: Event) {
        let (old, new) = (list(Array(0..<count)), list(items(after: event)))
        #expect(brokenLaw(from: old, to: new, leastMoves: leastMovesFast) == nil)
    }

    @Test(arguments: Event.allCases)
    func `a refilled long list finds every index`(event: Event) {
        let old = list(Array(0..<count))
        #expect(old.indexOfItem(count - 1) == count - 1)
        let items = items(after: event)
        let new = list(items)
        #expect(old.replaying(new.difference(from: old)) == new)
        #expect(items.indices.allSatisfy { new.indexOfItem(items[$0]) == $0 })
        #expect(new.indexOfItem(-1) == nil)
    }

    /// The repeated item is one that stayed, one that was moved, or one that was inserted.
    @Test(arguments: [30_000, 250, 22_000])
    func `an item of a long list that two calls append moves to the later position`(twice: Int) {
        let old = list(Array(0..<count))
        #expect(old.indexOfItem(0) == 0)
        var items = items(after: .blocksComeAndGo)
        var new = list(items)
        let item = items.remove(at: twice)
        new.appendItems([item])
        items.append(item)
        #expect(old.replaying(new.difference(from: old)) == new)
        #expect(new.itemIdentifiers == items)
        #expect(new.indexOfItem(item) == count - 1)
    }
}
