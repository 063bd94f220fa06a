// The items that stay when others are moved, and the index sets of the matcher.
import TestSupport
import Testing

@testable import DiffCore

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
        let stays = heaviestIncreasingSubsequence(of: ranges)
        let kept = ranges.indices.filter { stays[$0] }.map { ranges[$0] }
        #expect(kept.map(\.old) == kept.map(\.old).sorted())
        let indices = ranges.flatMap { range in (0..<range.count).map { Int(range.old) + $0 } }
        let movedCount = indices.count - kept.reduce(0) { $0 + $1.count }
        #expect(movedCount == leastMovesByTable(indices))
    }

    @Test(arguments: [1, 64, 65, 4_096, 5_000, 300_000])
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
