// Finds what two lists have in common in the same order, by walking along both.

/// A walk along the rests of a section and of its old self, from one stretch that both have to the
/// next one.
///
/// Where the lists differ, what is near is compared first, then what is further and further away.
/// This finds most of what stayed, not all: what it passes over is looked up afterwards. It costs
/// comparing alone, in the order in which the items lie in memory: each item some few times.
struct Walk<K: Key & ~Copyable>: ~Copyable {
    private let old: KeyList<K>
    private let new: KeyList<K>
    /// What lies ahead in the old list, beginning with an item that the new one does not have here.
    private var from: Range<Int>
    /// What lies ahead in the new list.
    private var to: Range<Int>
    /// How many more items may be compared in the search for what is the same.
    private var allowance: Int

    /// A walk along two ranges whose first items differ.
    init(from: Range<Int>, of old: KeyList<K>, to: Range<Int>, of new: KeyList<K>) {
        self.old = old
        self.new = new
        self.from = from
        self.to = to
        allowance = from.count + to.count
    }

    /// The next stretch that both lists have, if it is found, as a run that reads forwards.
    mutating func next() -> Run? {
        guard !from.isEmpty, !to.isEmpty, let run = nearMeeting() ?? farMeeting() else {
            return nil
        }
        from = run.oldEnd..<from.upperBound
        to = run.newEnd..<to.upperBound
        allowance += run.count
        return run
    }

    /// The nearest stretch, if it begins a few items further on in both lists.
    private func nearMeeting() -> Run? {
        for reach in 1...4 {
            if let run = meeting(reach, reach) { return run }
            for step in 0..<reach {
                if let run = meeting(reach, step) ?? meeting(step, reach) { return run }
            }
        }
        return nil
    }

    /// The stretch that begins so many items further on, if there is one.
    @inline(__always)
    private func meeting(_ oldSteps: Int, _ newSteps: Int) -> Run? {
        guard oldSteps < from.count, newSteps < to.count else { return nil }
        let (place, newPlace) = (from.lowerBound + oldSteps, to.lowerBound + newSteps)
        guard old.hasSameBytes(at: place, as: new, at: newPlace) else { return nil }
        return Run(old: place, new: newPlace, length: length(at: place, newPlace))
    }

    @inline(__always)
    private func length(at place: Int, _ newPlace: Int) -> Int {
        old.shortOrLongRun(
            at: place, with: new, at: newPlace,
            limit: min(from.upperBound - place, to.upperBound - newPlace))
    }

    /// A stretch that begins further on in either list, or in both.
    ///
    /// The reach doubles: behind what came or went, the next item of one list is found in the other;
    /// behind what was replaced or mixed, an item that lies far enough ahead.
    private mutating func farMeeting() -> Run? {
        var reach = 8
        var oldSeen = from.lowerBound
        var newSeen = to.lowerBound
        while reach < max(from.count, to.count) {
            let oldEnd = min(from.upperBound, from.lowerBound + 4 * reach)
            let newEnd = min(to.upperBound, to.lowerBound + 4 * reach)
            guard allowance > 0 else { return nil }
            if let place = seek(new, at: to.lowerBound, in: old, oldSeen..<oldEnd),
                let run = worth(Run(old: place, new: to.lowerBound, length: 0))
            {
                return run
            }
            if let place = seek(old, at: from.lowerBound, in: new, newSeen..<newEnd),
                let run = worth(Run(old: from.lowerBound, new: place, length: 0))
            {
                return run
            }
            (oldSeen, newSeen) = (oldEnd, newEnd)
            let ahead = from.lowerBound + reach
            let middle = min(to.upperBound, to.lowerBound + 2 * reach)
            if ahead < from.upperBound,
                let place = seek(old, at: ahead, in: new, to.lowerBound..<middle)
            {
                let back = old.commonRun(
                    before: ahead, with: new, before: place,
                    limit: min(reach, place - to.lowerBound))
                if let run = worth(Run(old: ahead - back, new: place - back, length: 0)) {
                    return run
                }
            }
            reach *= 2
        }
        return nil
    }

    /// Looks for an item of one list in a range of the other.
    private mutating func seek(
        _ list: KeyList<K>, at place: Int, in other: KeyList<K>, _ range: Range<Int>
    ) -> Int? {
        let found = other.firstPlace(in: range, withBytesOf: list, at: place)
        allowance -= (found ?? range.upperBound) - range.lowerBound
        return found
    }

    /// The run from two places on, unless so short for its distance that it has only been moved.
    private func worth(_ start: Run) -> Run? {
        var run = start
        let length = length(at: Int(run.old), Int(run.new))
        let distance = max(Int(run.old) - from.lowerBound, Int(run.new) - to.lowerBound)
        guard length >= 4, length * 8 >= distance else { return nil }
        run.length = Int32(truncatingIfNeeded: length)
        return run
    }
}
