// Identifiers chosen to collide, which seeded hashes make harmless.
import Synchronization
import TestSupport
import Testing

@testable import DiffCore

/// Costs are counted in comparisons of keys; each probe makes one.
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
        #expect(costs.finding == [expected + Self.count, expected + Self.count])
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

    /// In a table that is two fifths full, finding a key takes 1.33 comparisons on average and
    /// inserting one 0.33; colliding keys take 150.
    private func expectShortSearches(seeds: HashSeeds) {
        let costs = Self.costs(seeds: seeds)
        #expect(costs.inserting.allSatisfy { $0 < 2 * Self.count })
        #expect(costs.finding.allSatisfy { $0 < 3 * Self.count })
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
            var table = SlotTable(capacity: identifiers.count)
            let inserting = counting {
                let repeated = table.insert(identifiers.indices, of: keys, seeds: seeds)
                #expect(repeated == nil)
            }
            let finding = counting {
                for index in identifiers.indices {
                    let found = table.index(ofKeyAt: index, of: keys, in: keys, seeds: seeds)
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

    static var isBitwise: Bool { Base.isBitwise }

    func isSame(as other: borrowing CountingKey) -> Bool {
        comparisonCount.add(1, ordering: .relaxed)
        return key.isSame(as: other.key)
    }

    /// Omits the bits of the tag, which would avoid most of the comparisons.
    func hash(seeds: HashSeeds) -> Int { key.hash(seeds: seeds) & CollisionTests.mask }
}
