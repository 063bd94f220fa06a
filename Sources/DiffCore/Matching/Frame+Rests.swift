// What has been found in both lists without a look-up, and what is left.

extension Frame {
    /// The items of the old list that are in no stretch found so far, ascending.
    var oldRests: [Range<Int>] {
        var rests: [Range<Int>] = []
        rests.reserveCapacity(bounds.old.count - 1 + meetings.count)
        let newNumbers = bounds.newNumbers
        for home in bounds.old.indices.dropLast() {
            let section = newNumbers?[home] ?? home
            guard section >= 0 else {
                rests.append(bounds.old[home]..<bounds.old[home + 1])
                continue
            }
            let stretches = meetings(ofSection: section).lazy.map { Int($0.old)..<$0.oldEnd }
            rests.append(gapsIn: oldRest(ofSection: section), between: stretches)
        }
        return rests
    }

    /// The items of the new list that are in no stretch found so far, ascending.
    private var newRests: [Range<Int>] {
        var rests: [Range<Int>] = []
        rests.reserveCapacity(sectionCount + meetings.count)
        for section in 0..<sectionCount {
            let stretches = meetings(ofSection: section).lazy.map { Int($0.new)..<$0.newEnd }
            rests.append(gapsIn: newRest(ofSection: section), between: stretches)
        }
        return rests
    }

    /// The changes if one of the rests is empty: then all of the other one came, or went.
    var changesOfOneRest: ItemChanges? {
        var changes = ItemChanges()
        if oldRest == 0 {
            changes.inserts.reserveCapacity(newRest)
            for rest in newRests {
                for place in rest { changes.inserts.append(Int32(truncatingIfNeeded: place)) }
            }
        } else if newRest == 0 {
            changes.deletes.reserveCapacity(oldRest)
            for rest in oldRests {
                for place in rest { changes.deletes.append(Int32(truncatingIfNeeded: place)) }
            }
        } else {
            return nil
        }
        return changes
    }

    /// The stretches that have been found in both lists so far, by their new places.
    var commonRuns: [Run] {
        var runs: [Run] = []
        forEachCommonRun { runs.append($0) }
        return runs
    }

    /// Calls a closure with each stretch that has been found in both lists so far, by their new
    /// places.
    @inline(__always)
    func forEachCommonRun(_ body: (Run) -> Void) {
        for section in 0..<sectionCount where bounds.home(of: section) >= 0 {
            let home = bounds.home(of: section)
            let (start, end) = ends(ofSection: section)
            if start > 0 {
                body(Run(old: bounds.old[home], new: bounds.new[section], length: start))
            }
            for run in meetings(ofSection: section) { body(run) }
            if end > 0 {
                body(
                    Run(
                        old: bounds.old[home + 1] - end, new: bounds.new[section + 1] - end,
                        length: end))
            }
        }
    }
}

extension [Range<Int>] {
    /// Adds what a range holds before, between and after stretches of it, which ascend.
    fileprivate mutating func append(
        gapsIn whole: Range<Int>, between stretches: some Sequence<Range<Int>>
    ) {
        var start = whole.lowerBound
        for stretch in stretches {
            append(start..<stretch.lowerBound)
            start = stretch.upperBound
        }
        append(start..<whole.upperBound)
    }
}
