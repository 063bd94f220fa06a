// The laws of differences, for small, random and long snapshots.
import DiffCore
import TestSupport
import Testing

@Suite struct DifferenceLawTests {
    /// An ordinary run tries every seventh pair.
    @Test(arguments: SmallWorld.olds)
    func `differences of all pairs of small snapshots keep the laws`(old: NumberSnapshot) {
        for (number, new) in SmallWorld.news(after: old).enumerated()
        where triesAllSeeds || number.isMultiple(of: 7) {
            let broken = brokenLaw(from: old, to: new, leastMoves: leastMovesByTrying)
            if broken != nil { #expect(broken == nil, "\(old.sketch) to \(new.sketch)") }
        }
    }

    @Test func `the small snapshots are complete`() {
        #expect(SmallWorld.olds.count == 21)
        #expect(SmallWorld.olds.map { SmallWorld.news(after: $0).count }.reduce(0, +) == 83_846)
    }

    /// The seed alone determines the two snapshots.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func `differences of random snapshots keep the laws`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let old = NumberSnapshot.random(items: 60, sections: 5, using: &generator)
        let new = NumberSnapshot.random(items: 60, sections: 5, using: &generator)
        #expect(brokenLaw(from: old, to: new, leastMoves: leastMovesByTable) == nil)
        let edited = old.edited(edits: 8, using: &generator)
        #expect(brokenLaw(from: old, to: edited, leastMoves: leastMovesByTable) == nil)
    }

    @Test(arguments: [500, 2_000, 10_000])
    func `differences of long lists keep the laws`(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        let old = NumberSnapshot.random(items: count, sections: 3, using: &generator)
        for edits in [1, 10, count / 20] {
            let new = old.edited(edits: edits, using: &generator)
            #expect(brokenLaw(from: old, to: new, leastMoves: leastMovesFast) == nil)
        }
        let shuffled = NumberSnapshot.random(items: count, sections: 3, using: &generator)
        #expect(brokenLaw(from: old, to: shuffled, leastMoves: leastMovesFast) == nil)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `the fast and the simple count of moves are equal`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let numbers = (0..<Int.random(in: 0...300, using: &generator)).shuffled(using: &generator)
        #expect(leastMovesFast(numbers) == leastMovesByTable(numbers))
    }
}

/// The smallest number of moves, by patience sorting; tested against the simple count.
func leastMovesFast(_ numbers: [Int]) -> Int {
    var ends: [Int] = []
    for number in numbers {
        let index = ends.partitioningIndex { $0 >= number }
        if index == ends.count { ends.append(number) } else { ends[index] = number }
    }
    return numbers.count - ends.count
}

extension [Int] {
    fileprivate func partitioningIndex(where belongs: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
