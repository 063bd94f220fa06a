// Matches the items of a new list with those of an old one.

/// Matches the items of two lists outside of their common ends, section by section.
///
/// Each look-up of an item serves all adjacent items that are adjacent in the old list too. Of the
/// matched ranges in a section, those stay that minimise the number of moved items.
struct Matcher: ~Copyable {
    private let ends: CommonEnds
    /// The indices in the old list that have been matched.
    private let matched: IndexBitSet
    private(set) var changes = ListChanges()
    /// The ranges that both lists have in common, if they are kept.
    private(set) var ranges: [MatchedRange] = []
    private let keepsRanges: Bool
    /// Whether a move from another section precedes one to a lower index.
    private var movesAreUnordered = false

    init(_ ends: consuming CommonEnds, keepsRanges: Bool) {
        self.keepsRanges = keepsRanges
        matched = IndexBitSet(bound: ends.bounds.old[ends.bounds.old.count - 1])
        let common = ends.ranges
        for range in common { _ = matched.insert(Int(range.old)..<range.oldEnd) }
        if keepsRanges { ranges = common }
        self.ends = ends
    }

    /// Finds the changes, and returns whether no matched item is repeated.
    @inline(__always)
    mutating func match<K: Key & ~Copyable>(_ lookup: consuming ItemLookup<K>) -> Bool {
        var matchedCount = 0
        for section in 0..<ends.sectionCount {
            guard let count = match(section, &lookup) else { return false }
            matchedCount += count
        }
        changes.deletes = matched.missing(count: ends.oldRestCount - matchedCount)
        if movesAreUnordered { changes.moves.sort { $0.to < $1.to } }
        return true
    }

    /// Matches the rest of a section, and returns the number of matched items, or `nil` if one of them
    /// is repeated.
    @inline(__always)
    private mutating func match<K: Key & ~Copyable>(
        _ section: Int, _ lookup: inout ItemLookup<K>
    ) -> Int? {
        let rest = ends.newRest(ofSection: section)
        let origin = ends.oldRest(ofSection: section)
        let firstMove = changes.moves.count
        var inSection: [MatchedRange] = []
        var count = 0
        var index = rest.lowerBound
        while index < rest.upperBound {
            let from = lookup.oldIndex(ofItemAt: index, before: rest.upperBound)
            if from < 0 {
                changes.inserts.append(Int32(truncatingIfNeeded: index))
                index += 1
                continue
            }
            var range = MatchedRange(old: from, new: index, length: 1)
            if origin.contains(from) {
                range.length = Int32(
                    truncatingIfNeeded: lookup.extent(
                        from: from, in: origin, to: index, in: rest))
                inSection.append(range)
            } else {
                changes.moves.append(.init(from: range.old, to: range.new))
            }
            guard markMatched(range) else { return nil }
            if keepsRanges { ranges.append(range) }
            count &+= range.count
            index &+= range.count
        }
        let lastCrossing = changes.moves.count
        appendMinimalMoves(of: inSection, to: &changes.moves)
        if lastCrossing > firstMove, changes.moves.count > lastCrossing { movesAreUnordered = true }
        return count
    }

    /// Marks a range as matched, and returns whether none of its items had been.
    @inline(__always)
    private func markMatched(_ range: MatchedRange) -> Bool {
        if range.length == 1 { return matched.insert(Int(range.old)) }
        let low = Int(range.lowestOld)
        return matched.insert(low..<low + range.count)
    }
}
