// What stays where it is: both searches for it, and the set that one of them uses.
import TestSupport
import Testing
@testable import DiffCore

@Suite struct LeastMovesTests {
    /// A failure names its seed, and the seed alone decides the places.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func `a longest rise rises and is as long as can be`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bound = [5, 60, 700, 5_000][Int(seed % 4)]
        let count = Int.random(in: 1...min(bound, 400), using: &generator)
        let places = Array((0..<bound).shuffled(using: &generator).prefix(count))
        let row = Scratch<Int32>(repeating: 0, count: count)
        for number in 0..<count { row[number] = Int32(places[number]) }
        let stays = longestRise(of: row).prefix(count)
        let kept = zip(places, stays).filter(\.1).map(\.0)
        #expect(kept == kept.sorted())
        #expect(count - kept.count == leastMovesByTable(places))
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `the runs that stay hold as many items as can stay`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var old = 0
        var runs: [Run] = []
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
            let length = Int.random(in: 1...9, using: &generator)
            runs.append(Run(old: old, new: 0, length: length))
            old += length
        }
        runs.shuffle(using: &generator)
        var row = GrowingRow<Run>()
        for run in runs { row.append(run) }
        let stays = heaviestRise(of: row).prefix(runs.count)
        let kept = zip(runs, stays).filter(\.1).map(\.0)
        #expect(kept.map(\.old) == kept.map(\.old).sorted())
        let places = runs.flatMap { run in (0..<run.count).map { Int(run.old) + $0 } }
        let moved = places.count - kept.reduce(0) { $0 + $1.count }
        #expect(moved == leastMovesByTable(places))
    }

    @Test(arguments: [1, 64, 65, 4_096, 5_000, 300_000])
    func `an ordered set knows the next above every place`(bound: Int) {
        var generator = SeededGenerator(seed: UInt64(bound))
        let places = OrderedPlaces(below: bound)
        var model: Set<Int> = []
        for _ in 0..<300 {
            let place = Int.random(in: 0..<bound, using: &generator)
            if model.contains(place) {
                places.remove(place)
                model.remove(place)
            } else {
                if let above = model.filter({ $0 > place }).min() {
                    let found = places.first(after: place)
                    #expect(found == above)
                }
                places.insert(place)
                model.insert(place)
            }
        }
    }

    @Test(arguments: [0, 1, 63, 64, 65, 130])
    func `a set of places knows what is missing`(bound: Int) {
        for range in [0..<0, 0..<bound / 2, bound / 3..<bound] {
            let places = PlaceSet(below: bound)
            let isNew = places.insert(range)
            let isNewAgain = places.insert(range)
            #expect(isNew)
            #expect(isNewAgain == range.isEmpty)
            let missing = (0..<bound).filter { !range.contains($0) }
            let found = places.missing(count: missing.count)
            #expect(found == missing.map(Int32.init))
        }
    }
}
