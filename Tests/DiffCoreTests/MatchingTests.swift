// The hash table of identifiers, the items that stay when others are moved, and the sets of indices.
import Synchronization
import TestSupport
import Testing

@testable import DiffCore

@Suite struct UniqueArrayTests {
    /// The seed alone determines the operations.
    @Test(arguments: seeds(30), [0, 500])
    func `a changed array finds every index`(seed: UInt64, count: Int) {
        var generator = SeededGenerator(seed: seed)
        var list = UniqueArray<Int>()
        var model = Array(0..<count)
        var fresh = count
        list.insert(model, at: 0)
        for _ in 0..<200 {
            if !model.isEmpty, Bool.random(using: &generator) {
                let start = Int.random(in: 0..<model.count, using: &generator)
                let length = min(
                    model.count - start, [1, 1, 30].randomElement(using: &generator) ?? 1)
                let index = Int.random(in: 0...model.count - length, using: &generator)
                let moved = model[start..<start + length]
                list.move(start..<start + length, to: index)
                model.removeSubrange(start..<start + length)
                model.insert(contentsOf: moved, at: index)
            } else if model.count < 5 || Int.random(in: 0..<5, using: &generator) < 3 {
                let added = Array(fresh..<fresh + Int.random(in: 1...4, using: &generator))
                fresh += added.count
                let gap = Int.random(in: 0...model.count, using: &generator)
                list.insert(added, at: gap)
                model.insert(contentsOf: added, at: gap)
            } else {
                let count = Int.random(in: 1...6, using: &generator)
                let removed = model.indices.shuffled(using: &generator).prefix(count).sorted()
                list.remove(in: [Range<Int>](joining: removed))
                for index in removed.reversed() { model.remove(at: index) }
            }
            #expect(list.elements == model)
            #expect(model.indices.allSatisfy { list.index(of: model[$0]) == $0 })
            #expect(list.index(of: -1) == nil)
        }
    }

    @Test func `the first repeated identifier is found`() {
        for count in [2, 8, 9, 100] {
            var elements = Array(0..<count)
            #expect(UniqueArray.firstRepeated(in: elements) == nil)
            elements.append(count / 2)
            #expect(UniqueArray.firstRepeated(in: elements) == count / 2)
        }
    }
}

@Suite struct MinimalMovesTests {
    /// The seed alone determines the ranges.
    @Test(arguments: 0..<120 as Range<UInt64>)
    func `the ranges that stay are in order and as heavy as possible`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let gap = [0, 3, 300][Int(seed % 3)]
        let lengths = seed.isMultiple(of: 2) ? 1...1 : 1...9
        var old = 0
        var ranges: [MatchedRange] = []
        for _ in 0..<Int.random(in: 1...100, using: &generator) {
            old += Int.random(in: 0...gap, using: &generator)
            let length = Int.random(in: lengths, using: &generator)
            ranges.append(MatchedRange(old: old, new: 0, length: length))
            old += length
        }
        ranges.shuffle(using: &generator)
        var marked = ranges
        markMinimalMoves(in: &marked, from: 0)
        let kept = marked.filter { !$0.isMoved }
        #expect(kept.map(\.old) == kept.map(\.old).sorted())
        let indices = ranges.flatMap { range in (0..<range.length).map { Int(range.old + $0) } }
        let movedCount = indices.count - kept.reduce(0) { $0 + Int($1.length) }
        #expect(movedCount == leastMovesByTable(indices))
    }

    @Test(arguments: [1, 64, 65, 4_096, 5_000, 300_000, 17_000_000])
    func `an ordered set finds the nearest members of every index`(bound: Int) {
        var generator = SeededGenerator(seed: UInt64(bound))
        let set = OrderedIndexSet(bound: bound)
        var model: Set<Int> = []
        for _ in 0..<300 {
            let index = Int.random(in: 0..<bound, using: &generator)
            let (next, previous) = (set.first(after: index), set.last(before: index))
            #expect(next == model.filter { $0 > index }.min())
            #expect(previous == model.filter { $0 < index }.max())
            if model.contains(index) {
                set.remove(index)
                model.remove(index)
            } else {
                set.insert(index)
                model.insert(index)
            }
        }
    }

    @Test(arguments: [0, 1, 63, 64, 65, 130])
    func `a bit set lists the missing indices`(bound: Int) {
        for range in [0..<0, 0..<bound / 2, bound / 3..<bound] {
            let set = IndexBitSet(bound: bound)
            let wasAbsent = set.insert(range)
            let isAbsentAgain = set.insert(range)
            #expect(wasAbsent)
            #expect(isAbsentAgain == range.isEmpty)
            let missing = (0..<bound).filter { !range.contains($0) }
            let found = set.missing(count: missing.count)
            #expect(found == missing.map(Int32.init))
        }
    }
}

// MARK: Collisions

/// Identifiers chosen to collide, which seeded hashes make harmless.
///
/// Costs are counted in comparisons of keys; each probe makes one, unless the bytes are the same.
@Suite(.serialized) struct CollisionTests {
    private static let count = 300
    /// The mask of a table for `count` identifiers.
    fileprivate static let mask = 1_023

    /// Constant seeds, which stand for a hash without seeds.
    private static let known = HashSeeds(first: 0, second: 1)

    /// Words that share a slot under the known seeds, found by trial.
    private static let words = Array(
        (UInt64(0)...).lazy
            .filter { WordKey(word: $0).hash(seeds: known) & mask == 0 }.prefix(count))

    /// Identifiers of 16 bytes, such as UUIDs, that share a slot under the known seeds.
    private static let pairs = Array(
        (UInt64(0)...).lazy.map { Pair(first: $0, second: 7) }
            .filter { $0.key.hash(seeds: known) & mask == 0 }.prefix(count))

    @Test func `identifiers chosen for known seeds make every search long`() {
        // Each insertion and each look-up passes all identifiers inserted before.
        let expected = Self.count * (Self.count - 1) / 2
        let costs = Self.costs(seeds: Self.known)
        #expect(costs.inserting == [expected, expected])
        #expect(costs.finding == [expected, expected])
    }

    @Test func `searches for the same identifiers are short with the seeds of this process`() {
        expectShortSearches(seeds: .ofProcess)
    }

    /// The test's seed alone determines the seeds of the hash.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func `searches for the same identifiers are short with random seeds`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        expectShortSearches(
            seeds: HashSeeds(first: generator.next(), second: generator.next() | 1))
    }

    /// In a table that is two fifths full, finding or inserting a key takes 0.33 comparisons on average;
    /// colliding keys take 150.
    private func expectShortSearches(seeds: HashSeeds) {
        let costs = Self.costs(seeds: seeds)
        #expect(costs.inserting.allSatisfy { $0 < 2 * Self.count })
        #expect(costs.finding.allSatisfy { $0 < 2 * Self.count })
    }

    /// The comparisons that inserting all keys and finding them takes, for words and pairs.
    private static func costs(seeds: HashSeeds) -> (inserting: [Int], finding: [Int]) {
        let ofWords = costs(of: words, as: WordKey.self, seeds: seeds)
        let ofPairs = costs(of: pairs, as: TwoWordKey.self, seeds: seeds)
        return ([ofWords.inserting, ofPairs.inserting], [ofWords.finding, ofPairs.finding])
    }

    private static func costs<Identifier, K: Key & ~Copyable>(
        of identifiers: [Identifier], as key: K.Type, seeds: HashSeeds
    ) -> (inserting: Int, finding: Int) {
        withBorrowedIdentifiers(identifiers) { borrowed in
            let keys = KeyBuffer<CountingKey<K>>(borrowed)
            let table = SlotTable(capacity: identifiers.count, kind: .word, seeds: seeds)
            let inserting = counting {
                let repeated = table.insert(identifiers.indices, of: keys)
                #expect(repeated == nil)
            }
            let finding = counting {
                for index in identifiers.indices {
                    let found = table.index(ofKeyAt: index, of: keys, in: keys)
                    #expect(found == index)
                }
            }
            return (inserting, finding)
        }
    }

    private static func counting(_ action: () -> Void) -> Int {
        comparisonCount.store(0, ordering: .relaxed)
        action()
        return comparisonCount.load(ordering: .relaxed)
    }
}

/// An identifier of two words.
private struct Pair: Sendable {
    let first: UInt64
    let second: UInt64

    var key: TwoWordKey { TwoWordKey(first: first, second: second) }
}

private let comparisonCount = Atomic<Int>(0)

/// A key that counts its comparisons.
private struct CountingKey<Base: Key & ~Copyable>: Key, ~Copyable {
    let key: Base

    func isSame(as other: borrowing CountingKey) -> Bool {
        comparisonCount.add(1, ordering: .relaxed)
        return key.isSame(as: other.key)
    }

    /// Omits the bits of the tag, which would avoid most of the comparisons.
    func hash(seeds: HashSeeds) -> Int { key.hash(seeds: seeds) & CollisionTests.mask }
}
