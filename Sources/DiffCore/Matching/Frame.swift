// How the sections of two lists correspond, and which items both have at either end of them.

/// Where the sections of two lists begin, and which correspond.
@usableFromInline
struct Bounds: ~Copyable {
    /// Where each section's items begin, and where the last one's end, in the old list.
    let old: [Int]
    /// The same in the new list.
    let new: [Int]
    /// The old number of each new section, or -1.
    let homes: [Int]

    /// Bounds of two lists, and how their sections correspond.
    @usableFromInline
    init(old: [Int], new: [Int], homes: [Int]) {
        self.old = old
        self.new = new
        self.homes = homes
    }
}

/// The sections of two lists, each new one with its old place and with what is the same at its ends.
///
/// It is not copied, nor are its arrays, since counting references would take longer than most of
/// what is done with them.
struct Frame: ~Copyable {
    let bounds: Bounds
    /// For each new section, how many items at its start and its end stand so in its old self.
    private(set) var ends: [(start: Int, end: Int)] = []
    /// How many items of the old list are not at the same end of the same section.
    private(set) var oldRest: Int
    /// How many items of the new list are not.
    private(set) var newRest: Int

    /// The sections of two lists, with the ends of each compared.
    @inline(__always)
    init<K: Key>(old: KeyList<K>, new: KeyList<K>, bounds: consuming Bounds) {
        oldRest = old.count
        newRest = new.count
        ends.reserveCapacity(bounds.homes.count)
        for section in 0..<bounds.homes.count {
            let home = bounds.homes[section]
            guard home >= 0 else {
                ends.append((0, 0))
                continue
            }
            let (from, to) = (bounds.old[home], bounds.new[section])
            let limit = min(bounds.old[home + 1] - from, bounds.new[section + 1] - to)
            let start = old.commonRun(at: from, with: new, at: to, limit: limit)
            let end = old.commonRun(
                before: bounds.old[home + 1], with: new, before: bounds.new[section + 1],
                limit: limit - start)
            ends.append((start, end))
            oldRest -= start + end
            newRest -= start + end
        }
        self.bounds = bounds
    }

    /// How many sections the new list has.
    var sectionCount: Int { bounds.homes.count }

    /// The items of a new section that are not at the same end of its old self.
    func newRest(ofSection section: Int) -> Range<Int> {
        bounds.new[section] + ends[section].start..<bounds.new[section + 1] - ends[section].end
    }

    /// The items of a new section's old self that are not at the same end of it.
    func oldRest(ofSection section: Int) -> Range<Int> {
        let home = bounds.homes[section]
        guard home >= 0 else { return 0..<0 }
        return bounds.old[home] + ends[section].start..<bounds.old[home + 1] - ends[section].end
    }

    /// The items of the old list that are not at the same end of the same section.
    var oldRests: [Range<Int>] {
        var rests = bounds.old.indices.dropLast().map { bounds.old[$0]..<bounds.old[$0 + 1] }
        for section in 0..<sectionCount where bounds.homes[section] >= 0 {
            rests[bounds.homes[section]] = oldRest(ofSection: section)
        }
        return rests
    }

    /// The changes if one of the rests is empty: then all of the other one came, or went.
    var changesOfOneRest: ItemChanges? {
        var changes = ItemChanges()
        if oldRest == 0 {
            changes.inserts.reserveCapacity(newRest)
            for section in 0..<sectionCount {
                for place in newRest(ofSection: section) {
                    changes.inserts.append(Int32(truncatingIfNeeded: place))
                }
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

    /// The stretches at the ends of sections that are the same in both lists.
    var endRuns: [Run] {
        var runs: [Run] = []
        for section in 0..<sectionCount where bounds.homes[section] >= 0 {
            let home = bounds.homes[section]
            let (start, end) = ends[section]
            if start > 0 {
                runs.append(Run(old: bounds.old[home], new: bounds.new[section], length: start))
            }
            if end > 0 {
                runs.append(
                    Run(
                        old: bounds.old[home + 1] - end, new: bounds.new[section + 1] - end,
                        length: end))
            }
        }
        return runs
    }
}
