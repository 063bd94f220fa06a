// Identifiers that a stranger chose to collide: harmless, as nobody knows the seeds.
import Synchronization
import TestSupport
import Testing

@testable import DiffCore

/// Costs are counted in comparisons of keys, of which every step of a search makes one.
@Suite(.serialized) struct CollisionTests {
    private static let count = 300
    /// That of a table for as many.
    fileprivate static let mask = 1_023

    /// Seeds that are the same in every process, as a hash without seeds has them.
    private static let known = HashSeeds(first: 0, second: 1)

    /// Words that a stranger who knows the seeds tried until enough fell into the same slot.
    private static let words = Array(
        (UInt64(0)...).lazy
            .filter { WordKey(word: $0).hash(seeds: known) & mask == 0 }.prefix(count))

    /// The same of 16 bytes, such as a UUID.
    private static let pairs = Array(
        (UInt64(0)...).lazy.map { Pair(first: $0, second: 7) }
            .filter { $0.key.hash(seeds: known) & mask == 0 }.prefix(count))

    @Test func `where the seeds are known, a stranger makes every search a long one`() {
        // Each entry, and each look-up, passes all those that were entered before.
        let expected = Self.count * (Self.count - 1) / 2
        let costs = Self.costs(seeds: Self.known)
        #expect(costs.entering == [expected, expected])
        #expect(costs.finding == [expected + Self.count, expected + Self.count])
    }

    @Test func `the same identifiers are found at once with the seeds of this process`() {
        expectShortSearches(seeds: .ofProcess)
    }

    /// A failure names its seed, which alone decides the seeds of the hash.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func `they are found at once whatever the seeds are`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        expectShortSearches(
            seeds: HashSeeds(first: generator.next(), second: generator.next() | 1))
    }

    /// A table that is two fifths full needs 1.33 comparisons to find a key that is there, and 0.33
    /// to enter one; a stranger's come to 150.
    private func expectShortSearches(seeds: HashSeeds) {
        let costs = Self.costs(seeds: seeds)
        #expect(costs.entering.allSatisfy { $0 < 2 * Self.count })
        #expect(costs.finding.allSatisfy { $0 < 3 * Self.count })
    }

    /// The comparisons that it takes to enter all keys and to find them again, words and pairs.
    private static func costs(seeds: HashSeeds) -> (entering: [Int], finding: [Int]) {
        let ofWords = costs(of: words, as: WordKey.self, seeds: seeds)
        let ofPairs = costs(of: pairs, as: TwoWordKey.self, seeds: seeds)
        return ([ofWords.entering, ofPairs.entering], [ofWords.finding, ofPairs.finding])
    }

    private static func costs<Identifier, K: Key & ~Copyable>(
        of identifiers: [Identifier], as key: K.Type, seeds: HashSeeds
    ) -> (entering: Int, finding: Int) {
        lend(identifiers) { lent in
            let keys = KeyList<CountingKey<K>>(lent)
            var table = SlotTable(roomFor: identifiers.count)
            let entering = counting {
                let repeated = table.insert(identifiers.indices, of: keys, seeds: seeds)
                #expect(repeated == nil)
            }
            let finding = counting {
                for place in identifiers.indices {
                    let found = table.place(ofKeyAt: place, of: keys, in: keys, seeds: seeds)
                    #expect(found == place)
                }
            }
            return (entering, finding)
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

/// A key that counts how often it is compared.
private struct CountingKey<Base: Key & ~Copyable>: Key, ~Copyable {
    let key: Base

    static var isBitwise: Bool { Base.isBitwise }

    func isSame(as other: borrowing CountingKey) -> Bool {
        comparisonCount.add(1, ordering: .relaxed)
        return key.isSame(as: other.key)
    }

    /// Without what a tag is made of, which would spare most of the comparisons to be counted.
    func hash(seeds: HashSeeds) -> Int { key.hash(seeds: seeds) & CollisionTests.mask }
}
