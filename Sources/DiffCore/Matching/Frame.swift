// How the sections of two lists correspond, and which items both have at either end of them.

/// Where the sections of two lists begin, and which correspond.
@usableFromInline
struct Bounds {
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
struct Frame {
    private let bounds: Bounds
    /// For each new section, how many items at its start and its end stand so in its old self.
    private(set) var ends: [(start: Int, end: Int)] = []
    /// How many items of the old list are not at the same end of the same section.
    private(set) var oldRest: Int
    /// How many items of the new list are not.
    private(set) var newRest: Int

    /// The sections of two lists, with the ends of each compared.
    @inline(__always)
    init<K: Key>(old: KeyList<K>, new: KeyList<K>, bounds: Bounds) {
        self.bounds = bounds
        oldRest = old.count
        newRest = new.count
        ends.reserveCapacity(bounds.homes.count)
        for (section, home) in bounds.homes.enumerated() {
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
    }

    /// Where each section's items begin, and where the last one's end, in the old list.
    var oldBounds: [Int] { bounds.old }

    /// The same in the new list.
    var newBounds: [Int] { bounds.new }

    /// The old number of each new section, or -1.
    var homes: [Int] { bounds.homes }

    /// The items of a new section that are not at the same end of its old self.
    func newRest(ofSection section: Int) -> Range<Int> {
        newBounds[section] + ends[section].start..<newBounds[section + 1] - ends[section].end
    }

    /// The items of a new section's old self that are not at the same end of it.
    func oldRest(ofSection section: Int) -> Range<Int> {
        let home = homes[section]
        guard home >= 0 else { return 0..<0 }
        return oldBounds[home] + ends[section].start..<oldBounds[home + 1] - ends[section].end
    }

    /// The items of the old list that are not at the same end of the same section.
    var oldRests: [Range<Int>] {
        var rests = oldBounds.indices.dropLast().map { oldBounds[$0]..<oldBounds[$0 + 1] }
        for (section, home) in homes.enumerated() where home >= 0 {
            rests[home] = oldRest(ofSection: section)
        }
        return rests
    }

    /// The stretches at the ends of sections that are the same in both lists.
    var endRuns: [Run] {
        var runs: [Run] = []
        for (section, home) in homes.enumerated() where home >= 0 {
            let (start, end) = ends[section]
            if start > 0 {
                runs.append(Run(old: oldBounds[home], new: newBounds[section], length: start))
            }
            if end > 0 {
                runs.append(
                    Run(
                        old: oldBounds[home + 1] - end, new: newBounds[section + 1] - end,
                        length: end))
            }
        }
        return runs
    }
}
