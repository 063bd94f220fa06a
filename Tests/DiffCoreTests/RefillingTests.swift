// Lists that are filled anew at event after event: each takes over what the last knew of places.
import DiffCore
import TestSupport
import Testing

@Suite struct RefillingTests {
    /// A failure names its seed, and the seed alone decides the events. Most change little, so that
    /// places are added up over many of them; some change much.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `a list that is filled anew at many events knows every place after each`(seed: UInt64) {
        var events = Events(seed: seed)
        var shown = events.snapshot
        for _ in 0..<60 {
            events.happen()
            let next = events.snapshot
            let difference = next.difference(from: shown)
            #expect(shown.applying(difference) == next)
            let places = Dictionary(
                uniqueKeysWithValues: events.items.enumerated().map { ($1, $0) })
            #expect((0..<events.fresh).allSatisfy { next.indexOfItem($0) == places[$0] })
            shown = next
        }
    }

    /// However its place is kept: that of an item of the first list, of one that came since, and of
    /// one that comes with its double.
    @Test(arguments: [0, 1, 5, 20], [5, 50, -1])
    func `an item that comes in two calls moves to the later place after any number of events`(
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

/// What happens to a list of numbers, in which no number returns for another item.
private struct Events {
    var items = Array(0..<100)
    /// The first number that has not been used.
    var fresh = 100
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// The list, filled anew.
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
