// Differences of every kind of identifier: one word, two words, strings, and other types.
import DiffCore
import Synchronization
import TestSupport
import Testing

@Suite struct IdentifierKindTests {
    /// The seed alone determines the two snapshots.
    @Test(arguments: seeds(60))
    func `differences of every kind of identifier keep the laws`(seed: UInt64) {
        #expect(brokenLaw(seed: seed) { $0 } == nil)
        #expect(brokenLaw(seed: seed) { PairID(high: UInt64($0 % 3), low: UInt64($0)) } == nil)
        #expect(
            brokenLaw(seed: seed) { "peer \($0) with a name that is not stored in line" } == nil)
        #expect(brokenLaw(seed: seed) { Loose(name: "\($0)", rank: $0) } == nil)
        #expect(brokenLaw(seed: seed) { UInt8($0) } == nil)
        #expect(brokenLaw(seed: seed) { Row($0) } == nil)
        #expect(brokenLaw(seed: seed) { Padded(flag: $0.isMultiple(of: 2), number: $0) } == nil)
    }

    /// The reordered names share memory with the old ones, have separate buffers, or are equal with
    /// other bytes, so that they are found by their bytes or by their hashes.
    @Test(arguments: [0, 40, 60, 95, 100], [3, 7, 1_000])
    func `equal strings match whether or not they share memory`(percentShared: Int, spelled: Int) {
        var generator = SeededGenerator(seed: UInt64(percentShared))
        func name(_ number: Int, accent: String) -> String {
            "peer \(number) of a caf\(accent), too long to be stored in line"
        }
        let names = (0..<700).map { name($0, accent: "\u{e9}") }
        let numbers = Array(0..<600)
        let newNumbers = Array(50..<650).shuffled(using: &generator)
        let newNames = newNumbers.map { number in
            Int.random(in: 0..<100, using: &generator) < percentShared
                ? names[number]
                : name(number, accent: number.isMultiple(of: spelled) ? "e\u{301}" : "\u{e9}")
        }
        let expected = oneSection(of: newNumbers).difference(from: oneSection(of: numbers))
        let moved = movedCount(from: numbers.map { names[$0] }, to: newNames)
        #expect(moved == expected.movedItems.count)
    }

    @Test func `reordered items of any size match`() {
        var generator = SeededGenerator(seed: 5)
        let numbers = Array(0..<600)
        let newNumbers = Array(50..<650).shuffled(using: &generator)
        let expected = oneSection(of: newNumbers).difference(from: oneSection(of: numbers))
            .movedItems.count
        #expect(movedCount(from: numbers.map(Row.init), to: newNumbers.map(Row.init)) == expected)
        #expect(
            movedCount(
                from: numbers.map { UInt16($0) }, to: newNumbers.map { UInt16($0) }) == expected)
        #expect(
            movedCount(
                from: numbers.map { Padded(flag: $0.isMultiple(of: 3), number: $0) },
                to: newNumbers.map { Padded(flag: $0.isMultiple(of: 3), number: $0) }) == expected)
    }

    /// The number of moves where 50 items are inserted and 50 deleted; -1 if the difference is wrong.
    private func movedCount<Identifier: Hashable & Sendable>(
        from items: [Identifier], to newItems: [Identifier]
    ) -> Int {
        let before = oneSection(of: items)
        let after = oneSection(of: newItems)
        let difference = after.difference(from: before)
        guard before.replaying(difference) == after, difference.insertedItems.count == 50,
            difference.deletedItems.count == 50
        else { return -1 }
        return difference.movedItems.count
    }

    @Test func `identifiers that differ in their padding alone are compared as memory`() {
        let before = (0..<1_000).map(Trailing.init)
        var after = before
        unsafe after.withUnsafeMutableBytes { bytes in
            for number in before.indices { unsafe bytes[16 * number + 12] ^= 255 }
        }
        let (old, new) = (oneSection(of: before), oneSection(of: after))
        #expect(old.numberOfItems == before.count)
        comparisonCount.store(0, ordering: .relaxed)
        let difference = new.difference(from: old)
        #expect(comparisonCount.load(ordering: .relaxed) == 0)
        #expect(difference.isEmpty)
    }

    private func oneSection<Identifier: Hashable & Sendable>(
        of items: [Identifier]
    ) -> DiffableDataSourceSnapshot<Int, Identifier> {
        var snapshot = DiffableDataSourceSnapshot<Int, Identifier>()
        snapshot.appendSections([0])
        snapshot.appendItems(items)
        return snapshot
    }

    /// Fills a new snapshot after each step, as a list that follows events does.
    private func brokenLaw<Identifier: Hashable & Sendable>(
        seed: UInt64, identifier: (Int) -> Identifier
    ) -> String? {
        var generator = SeededGenerator(seed: seed)
        var numbers = NumberSnapshot.random(items: 200, sections: 3, using: &generator)
        var before = renamed(numbers, identifier)
        for edits in [0, 1, 2, 5, 15] {
            numbers = numbers.edited(edits: edits, fresh: 200 + edits, using: &generator)
            let after = renamed(numbers, identifier)
            if let broken = DiffCoreTests.brokenLaw(
                from: before, to: after, leastMoves: leastMovesByTable)
            {
                return "\(broken) after \(edits) edits"
            }
            for (index, number) in numbers.itemIdentifiers.enumerated()
            where after.indexOfItem(identifier(number)) != index {
                return "a wrong index after \(edits) edits"
            }
            before = after
        }
        return nil
    }

    private func renamed<Identifier: Hashable & Sendable>(
        _ numbers: NumberSnapshot, _ identifier: (Int) -> Identifier
    ) -> DiffableDataSourceSnapshot<Int, Identifier> {
        var snapshot = DiffableDataSourceSnapshot<Int, Identifier>()
        for section in numbers.sectionIdentifiers {
            snapshot.appendSections([section])
            snapshot.appendItems(
                numbers.itemIdentifiers(inSection: section).map(identifier), toSection: section)
        }
        return snapshot
    }
}

/// An identifier of two words without padding.
private struct PairID: BitwiseIdentifier {
    let high: UInt64
    let low: UInt64
}

/// An identifier whose equality ignores some of its bytes.
private struct Loose: Hashable, Sendable {
    let name: String
    let rank: Int

    static func == (left: Loose, right: Loose) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// An identifier of 25 bytes, not all of which are used in every case.
private enum Row: Hashable, Sendable {
    case header(Int)
    case peer(PairID)
    case service(PairID, Int)

    init(_ number: Int) {
        let identifier = PairID(high: UInt64(number), low: 7)
        switch number % 3 {
        case 0: self = .header(number)
        case 1: self = .peer(identifier)
        default: self = .service(identifier, number)
        }
    }
}

private let comparisonCount = Atomic<Int>(0)

/// An identifier with seven bytes of padding at its end, which counts its comparisons.
private struct Trailing: Hashable, Sendable {
    let number: Int
    let flag: Bool

    init(_ number: Int) { (self.number, flag) = (number, number.isMultiple(of: 3)) }

    static func == (left: Trailing, right: Trailing) -> Bool {
        comparisonCount.add(1, ordering: .relaxed)
        return left.number == right.number && left.flag == right.flag
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// An identifier with seven bytes of padding.
private struct Padded: Hashable, Sendable {
    let flag: Bool
    let number: Int
}
