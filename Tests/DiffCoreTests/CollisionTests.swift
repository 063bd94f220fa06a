// Identifiers that a stranger chose to collide: harmless, as nobody knows the seeds.
import Synchronization
import TestSupport
import Testing

@testable import DiffCore

/// Costs are counted in comparisons of keys, of which every step of a search makes one.
@Suite(.serialized) struct CollisionTests {
    private static let count = 300
    /// That of a table for as many.
    private static let mask = 1_023

    /// Seeds that are the same in every process, as a hash without seeds has them.
    private static let known = HashSeeds(first: 0, second: 1)

    /// Words that a stranger who knows the seeds tried until enough fell into the same slot.
    private static let words = Array(
        (0...).lazy.map { CountingKey(key: WordKey(word: $0)) }
            .filter { $0.hash(seeds: known) & mask == 0 }.prefix(count))

    /// The same of 16 bytes, such as a UUID.
    private static let pairs = Array(
        (0...).lazy.map { CountingKey(key: TwoWordKey(first: $0, second: 7)) }
            .filter { $0.hash(seeds: known) & mask == 0 }.prefix(count))

    @Test func `where the seeds are known, a stranger makes every search a long one`() {
        // Each entry, and each look-up, passes all those that were entered before.
        let expected = Self.count * (Self.count - 1) / 2
        #expect(comparisons(entering: Self.words, seeds: Self.known) == expected)
        #expect(comparisons(entering: Self.pairs, seeds: Self.known) == expected)
        #expect(comparisons(findingAllOf: Self.words, seeds: Self.known) == expected + Self.count)
        #expect(comparisons(findingAllOf: Self.pairs, seeds: Self.known) == expected + Self.count)
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
        #expect(comparisons(entering: Self.words, seeds: seeds) < 2 * Self.count)
        #expect(comparisons(entering: Self.pairs, seeds: seeds) < 2 * Self.count)
        #expect(comparisons(findingAllOf: Self.words, seeds: seeds) < 3 * Self.count)
        #expect(comparisons(findingAllOf: Self.pairs, seeds: seeds) < 3 * Self.count)
    }

    private func comparisons<K: Key & Sendable>(entering keys: [CountingKey<K>], seeds: HashSeeds)
        -> Int
    {
        counting { _ = table(of: keys, seeds: seeds) }
    }

    private func comparisons<K: Key & Sendable>(
        findingAllOf keys: [CountingKey<K>], seeds: HashSeeds
    ) -> Int {
        let table = table(of: keys, seeds: seeds)
        return counting {
            lend(keys) { lent in
                let list = KeyList<CountingKey<K>>(lent)
                for (place, key) in keys.enumerated() {
                    #expect(table.place(of: key, in: list, seeds: seeds) == place)
                }
            }
        }
    }

    private func table<K: Key & Sendable>(of keys: [CountingKey<K>], seeds: HashSeeds) -> SlotTable
    {
        var table = SlotTable(roomFor: keys.count)
        let repeated = lend(keys) { lent in
            table.insert(keys.indices, of: KeyList<CountingKey<K>>(lent), seeds: seeds)
        }
        #expect(repeated == nil)
        return table
    }

    private func counting(_ action: () -> Void) -> Int {
        comparisonCount.store(0, ordering: .relaxed)
        action()
        return comparisonCount.load(ordering: .relaxed)
    }
}

private let comparisonCount = Atomic<Int>(0)

/// A key that counts how often it is compared.
private struct CountingKey<Base: Key & Sendable>: Key, Sendable {
    let key: Base

    static var isBitwise: Bool { Base.isBitwise }

    func hash(seeds: HashSeeds) -> Int { key.hash(seeds: seeds) }

    static func == (left: CountingKey, right: CountingKey) -> Bool {
        comparisonCount.add(1, ordering: .relaxed)
        return left.key == right.key
    }
}
