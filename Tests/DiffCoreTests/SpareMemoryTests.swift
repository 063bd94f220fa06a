// Differences that are found at the same time: each has working memory of its own.
import TestSupport
import Testing

@testable import DiffCore

@Suite struct SpareMemoryTests {
    /// More at once than there are blocks to keep.
    @Test func `differences that are found at the same time do not disturb each other`() async {
        await withTaskGroup(of: Bool.self) { group in
            for seed in 0..<24 as Range<UInt64> {
                group.addTask {
                    var generator = SeededGenerator(seed: seed)
                    let items = Array(0..<4_000)
                    let before = snapshot(of: items)
                    let after = snapshot(of: items.shuffled(using: &generator))
                    return before.applying(after.difference(from: before)) == after
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test func `a block belongs to one row at a time`() {
        let count = SpareMemory.blockSize / 8
        let rows = (UInt64(0)..<20).map { Row(repeating: $0, count: count) }
        for (number, row) in rows.enumerated() {
            #expect((0..<count).allSatisfy { row.values[$0] == UInt64(number) })
        }
    }
}

/// A row that many of can be kept in an array.
private final class Row {
    let values: Scratch<UInt64>

    init(repeating value: UInt64, count: Int) { values = Scratch(repeating: value, count: count) }
}

private func snapshot(of items: [Int]) -> NumberSnapshot {
    var snapshot = NumberSnapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(items)
    return snapshot
}
