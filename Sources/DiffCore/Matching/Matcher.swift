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
    private var moves = GrowingRow<ItemChanges.Move>()
    /// Whether moves across sections stand before others that lead to places before theirs.
    private var movesCross = false
    /// The runs that were found within the section in hand, by their new places.
    private var runs = GrowingRow<Run>()
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
    @inline(__always)
    mutating func match<K: Key & ~Copyable>(_ lookUps: consuming LookUps<K>) -> Bool {
        markCommonRuns()
        var matched = 0
        for section in 0..<frame.sectionCount {
            guard let count = match(section, &lookUps) else { return false }
            matched += count
        }
        changes.deletes = found.missing(count: frame.oldRest - matched)
        changes.inserts = inserts.prefix(insertCount)
        changes.moves = moves.array
        if movesCross { changes.moves.sort { $0.to < $1.to } }
        return true
    }

    /// Says of what has been found without a look-up that it has been.
    private func markCommonRuns() {
        frame.forEachCommonRun { _ = found.insert(Int($0.old)..<$0.oldEnd) }
    }

    /// Looks the rest of one section up, and says how many were found, unless one came twice.
    @inline(__always)
    private mutating func match<K: Key & ~Copyable>(_ section: Int, _ lookUps: inout LookUps<K>)
        -> Int?
    {
        let rest = frame.newRest(ofSection: section)
        let home = frame.oldRest(ofSection: section)
        let firstMove = moves.count
        runs.removeAll()
        var matched = 0
        var place = rest.lowerBound
        for meeting in frame.meetings(ofSection: section) {
            guard let count = match(place..<Int(meeting.new), home: home, &lookUps) else {
                return nil
            }
            matched += count
            runs.append(meeting)
            place = meeting.newEnd
        }
        guard let count = match(place..<rest.upperBound, home: home, &lookUps) else { return nil }
        let crossing = moves.count - firstMove
        appendLeastMoves(of: runs, to: &moves)
        if crossing > 0, moves.count > firstMove + crossing { movesCross = true }
        return matched + count
    }

    /// Looks a range of new places up that no walk has found, and says how many of them were found.
    @inline(__always)
    private mutating func match<K: Key & ~Copyable>(
        _ rest: Range<Int>, home: Range<Int>, _ lookUps: inout LookUps<K>
    ) -> Int? {
        var matched = 0
        var place = rest.lowerBound
        while place < rest.upperBound {
            let from = lookUps.oldPlace(ofItemAt: place, before: rest.upperBound)
            if from < 0 {
                inserts[insertCount] = Int32(truncatingIfNeeded: place)
                insertCount += 1
                place += 1
                continue
            }
            var run = Run(old: from, new: place, length: 1)
            if home.contains(from) {
                run.length = Int32(
                    truncatingIfNeeded: lookUps.extent(from: from, in: home, to: place, in: rest))
                runs.append(run)
            } else {
                moves.append(.init(from: run.old, to: run.new))
            }
            guard markFound(run) else { return nil }
            if keepsRuns { allRuns.append(run) }
            matched &+= run.count
            place &+= run.count
        }
        return matched
    }

    /// Notes that items have been found, and says whether none of them had been.
    @inline(__always)
    private func markFound(_ run: Run) -> Bool {
        if run.length == 1 { return found.insert(Int(run.old)) }
        let low = Int(run.lowestOld)
        return found.insert(low..<low + run.count)
    }
}
