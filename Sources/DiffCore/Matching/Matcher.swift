// Finds the items of a new list in an old one: what came, what went, what stands elsewhere.

/// Matches two lists, section by section.
///
/// Four steps: `Frame` finds what is the same at the ends of each section; a `Walk`
/// finds what stands in the same order between them; the matcher looks the rest up,
/// one look-up for each run of items that stayed together; and `leastMoves` decides
/// which of these runs stay.
struct Matcher: ~Copyable {
    private let frame: Frame
    /// What of the old list has been found in the new one.
    private let found: PlaceSet
    private(set) var changes = ItemChanges()
    /// The places of what came, as far as they have been found.
    private let inserts: Scratch<Int32>
    private var insertCount = 0
    /// The runs that were found within the section in hand, by their new places.
    private var runs: [Run] = []
    /// All stretches that are in both lists, if asked for.
    private(set) var allRuns: [Run] = []
    private let keepsRuns: Bool

    /// A matcher for two lists whose sections have been compared.
    ///
    /// `keepsRuns` says whether `allRuns` is wanted.
    init(_ frame: consuming Frame, keepsRuns: Bool) {
        self.keepsRuns = keepsRuns
        found = PlaceSet(below: frame.bounds.old[frame.bounds.old.count - 1])
        inserts = Scratch(unset: frame.newRest)
        if keepsRuns { allRuns = frame.commonRuns }
        self.frame = frame
    }

    /// Finds the changes, and says whether all new items are different.
    ///
    /// The table is one of the old list, in which at least its rest is.
    @inline(__always)
    mutating func match<K: Key>(
        old: KeyList<K>, new: KeyList<K>, table: SlotTable, seeds: HashSeeds
    ) -> Bool {
        markCommonRuns()
        var matched = 0
        for section in 0..<frame.sectionCount {
            guard
                let count = match(
                    section, old: old, new: new, table: table, seeds: seeds)
            else { return false }
            matched += count
        }
        changes.deletes = found.missing(count: frame.oldRest - matched)
        changes.inserts = inserts.prefix(insertCount)
        return true
    }

    /// Says of what has been found without a look-up that it has been.
    private func markCommonRuns() {
        frame.forEachCommonRun { _ = found.insert(Int($0.old)..<$0.oldEnd) }
    }

    /// Looks the rest of one section up, and says how many were found, unless one came twice.
    @inline(__always)
    private mutating func match<K: Key>(
        _ section: Int, old: KeyList<K>, new: KeyList<K>, table: SlotTable, seeds: HashSeeds
    ) -> Int? {
        let rest = frame.newRest(ofSection: section)
        let home = frame.oldRest(ofSection: section)
        let firstMove = changes.moves.count
        runs.removeAll(keepingCapacity: true)
        var matched = 0
        var place = rest.lowerBound
        for meeting in frame.meetings(ofSection: section) {
            guard
                let count = match(
                    place..<Int(meeting.new), home: home, old: old, new: new, table: table,
                    seeds: seeds)
            else { return nil }
            matched += count
            runs.append(meeting)
            place = meeting.newEnd
        }
        guard
            let count = match(
                place..<rest.upperBound, home: home, old: old, new: new, table: table, seeds: seeds)
        else { return nil }
        let crossing = changes.moves.count - firstMove
        appendLeastMoves(of: runs, to: &changes.moves)
        if crossing > 0, changes.moves.count > firstMove + crossing {
            changes.moves[firstMove...].sort { $0.to < $1.to }
        }
        return matched + count
    }

    /// Looks a range of new places up that no walk has found, and says how many of them were found.
    @inline(__always)
    private mutating func match<K: Key>(
        _ rest: Range<Int>, home: Range<Int>, old: KeyList<K>, new: KeyList<K>, table: SlotTable,
        seeds: HashSeeds
    ) -> Int? {
        var matched = 0
        var place = rest.lowerBound
        while place < rest.upperBound {
            let from = table.place(of: new[place], in: old, seeds: seeds)
            if from < 0 {
                inserts[insertCount] = Int32(truncatingIfNeeded: place)
                insertCount += 1
                place += 1
                continue
            }
            var run = Run(old: from, new: place, length: 1)
            if home.contains(from) {
                run.length = Int32(
                    truncatingIfNeeded: extent(
                        from: from, in: home, of: old, to: place, in: rest, of: new))
                runs.append(run)
            } else {
                changes.moves.append(.init(from: run.old, to: run.new))
            }
            let low = run.length < 0 ? from + 1 - run.count : from
            guard found.insert(low..<low + run.count) else { return nil }
            if keepsRuns { allRuns.append(run) }
            matched += run.count
            place += run.count
        }
        return matched
    }

    /// How far two lists are the same from two places on, below zero if one is read backwards.
    @inline(__always)
    private func extent<K: Key>(
        from: Int, in home: Range<Int>, of old: KeyList<K>,
        to: Int, in rest: Range<Int>, of new: KeyList<K>
    ) -> Int {
        guard to + 1 < rest.upperBound else { return 1 }
        let next = new[to + 1]
        if from + 1 < home.upperBound, old[from + 1] == next {
            return 2
                + old.shortOrLongRun(
                    at: from + 2, with: new, at: to + 2,
                    limit: min(home.upperBound - from, rest.upperBound - to) - 2)
        }
        guard from > home.lowerBound, old[from - 1] == next else { return 1 }
        let limit = min(from - home.lowerBound + 1, rest.upperBound - to)
        var length = 2
        while length < limit, old[from - length] == new[to + length] { length += 1 }
        return -length
    }
}
