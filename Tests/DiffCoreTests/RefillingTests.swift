// Lists that are refilled at every event and share the hash table of their predecessors.
import DiffCore
import TestSupport
import Testing

@Suite struct RefillingTests {
    /// The seed alone determines the events. Most change little, so that the table is reused for many
    /// events; some change a lot.
    @Test(arguments: seeds(40))
    func `a list that is refilled at many events finds every index after each`(seed: UInt64) {
        var events = Events(seed: seed)
        var shown = events.snapshot
        for _ in 0..<60 {
            events.happen()
            let next = events.snapshot
            let difference = next.difference(from: shown)
            #expect(shown.replaying(difference) == next)
            let indices = Dictionary(
                uniqueKeysWithValues: events.items.enumerated().map { ($1, $0) })
            #expect((0..<events.fresh).allSatisfy { next.indexOfItem($0) == indices[$0] })
            shown = next
        }
    }

    /// The repeated item is one of the first list, one inserted since, or a new one.
    @Test(arguments: [0, 1, 5, 20], [5, 50, -1])
    func `an item appended by two calls moves to the later position after any number of events`(
        events count: Int, twice: Int
    ) {
        var events = Events(seed: 7)
        var shown = events.snapshot
        for _ in 0..<count {
            events.items.insert(events.fresh, at: 50)
            events.fresh += 1
            let next = events.snapshot
            #expect(next.difference(from: shown).insertedItems.count == 1)
            shown = next
        }
        if twice < 0 { events.items.append(events.fresh) }
        let item = twice < 0 ? events.fresh : events.items[twice]
        var next = events.snapshot
        next.appendItems([item], toSection: 0)
        let difference = next.difference(from: shown)
        #expect(difference.insertedItems.count == (twice < 0 ? 1 : 0))
        var items = events.items.filter { $0 != item }
        items.insert(item, at: twice == 5 ? 39 : 40)
        #expect(next.itemIdentifiers == items)
        #expect(next.indexOfItem(item) == items.firstIndex(of: item))
    }
}

/// Random events of a list of numbers, none of which is reused.
private struct Events {
    var items = Array(0..<100)
    /// The smallest unused number.
    var fresh = 100
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// A new snapshot of the list.
    var snapshot: NumberSnapshot {
        var snapshot = NumberSnapshot()
        snapshot.appendSections([0, 1])
        snapshot.appendItems(Array(items.prefix(40)), toSection: 0)
        snapshot.appendItems(Array(items.dropFirst(40)), toSection: 1)
        return snapshot
    }

    mutating func happen() {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0..<4: come(1)
        case 4..<8: go(1)
        case 8, 9: move()
        case 10: Bool.random(using: &generator) ? come(30) : go(30)
        default: items.shuffle(using: &generator)
        }
    }

    private mutating func come(_ count: Int) {
        for _ in 0..<count {
            items.insert(fresh, at: Int.random(in: 0...items.count, using: &generator))
            fresh += 1
        }
    }

    private mutating func go(_ count: Int) {
        for _ in 0..<min(count, items.count - 60) {
            items.remove(at: items.indices.randomElement(using: &generator) ?? 0)
        }
    }

    private mutating func move() {
        let item = items.remove(at: items.indices.randomElement(using: &generator) ?? 0)
        items.insert(item, at: Int.random(in: 0...items.count, using: &generator))
    }
}
