// What a walk along two lists finds without a look-up.
import TestSupport
import Testing
@testable import DiffCore

@Suite struct WalkTests {
    /// What a walk finds in two lists of one section, and how much of each it leaves.
    private func walk<Item: BitwiseIdentifier>(
        from old: [Item], to new: [Item]
    ) -> (meetings: [Run], oldRest: Int, newRest: Int) {
        lend(old) { oldItems in
            lend(new) { newItems in
                let (old, new) = (KeyList<WordKey>(oldItems), KeyList<WordKey>(newItems))
                let bounds = Bounds(old: [0, old.count], new: [0, new.count], homes: nil)
                var frame = Frame(old: old, new: new, bounds: bounds)
                frame.walk(along: old, new)
                return (frame.meetings, frame.oldRest, frame.newRest)
            }
        }
    }

    /// A failure names its seed, and the seed alone decides the lists.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func `what it finds is the same in both lists, in the same order`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let old = Array(0..<Int.random(in: 2...400, using: &generator))
        var new = old
        for number in 0..<Int.random(in: 1...30, using: &generator) {
            let place = Int.random(in: 0..<new.count, using: &generator)
            let gap = Int.random(in: 0..<new.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: new[place] = 1_000 + number
            case 1: new.insert(1_000 + number, at: place)
            case 2: new.insert(new.remove(at: place), at: gap)
            default: if new.count > 2 { new.remove(at: place) }
            }
        }
        let (meetings, _, _) = walk(from: old, to: new)
        var (oldEnd, newEnd) = (0, 0)
        for run in meetings {
            #expect(Int(run.old) >= oldEnd && Int(run.new) >= newEnd && run.length > 0)
            (oldEnd, newEnd) = (run.oldEnd, run.newEnd)
            #expect(old[Int(run.old)..<oldEnd] == new[Int(run.new)..<newEnd])
        }
    }

    /// A block that something happens to in a list of 4,000, and how much of both lists is then left.
    struct Block: CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout [Int]) -> Void
        let oldRest, newRest: Int
    }

    static let blocks = [
        Block(
            testDescription: "removed", change: { $0.removeSubrange(1_000..<1_900) },
            oldRest: 900, newRest: 0),
        Block(
            testDescription: "inserted",
            change: { $0.insert(contentsOf: 10_000..<10_900, at: 1_000) }, oldRest: 0,
            newRest: 900),
        Block(
            testDescription: "replaced by a shorter one",
            change: { $0.replaceSubrange(1_000..<1_900, with: 10_000..<10_700) }, oldRest: 900,
            newRest: 700),
        Block(
            testDescription: "reversed", change: { $0[1_000..<1_900].reverse() }, oldRest: 900,
            newRest: 900),
        Block(
            testDescription: "moved",
            change: {
                $0.removeSubrange(1_000..<1_900)
                $0.append(contentsOf: 1_000..<1_900)
            }, oldRest: 900,
            newRest: 900),
    ]

    @Test(arguments: blocks)
    func `it finds what is behind a block`(block: Block) {
        let old = Array(0..<4_000)
        var new = old
        block.change(&new)
        // Something else at either end, or the ends alone would be all there is to find.
        new.insert(-1, at: 100)
        new.insert(-2, at: new.count - 100)
        let (_, oldRest, newRest) = walk(from: old, to: new)
        #expect(oldRest == block.oldRest)
        #expect(newRest == block.newRest + 2)
    }

    @Test func `a list in quite another order is left to be looked up`() {
        var generator = SeededGenerator(seed: 1)
        let old = Array(0..<2_000)
        let (meetings, _, _) = walk(from: old, to: old.shuffled(using: &generator))
        #expect(meetings.count < 20)
    }
}
