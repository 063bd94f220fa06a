// Matches the items of a new list with the items of an old one.

/// The sections of two lists, and their correspondence.
@usableFromInline
struct SectionMap {
    private let old: SectionBounds
    private let new: SectionBounds
    /// The old index of each new section, or -1; `nil` if the sections are the same.
    private let origins: [Int]?

    /// Maps sections by the ranges of sections that both lists have in common; `nil` if all are.
    @usableFromInline
    init(old: SectionBounds, new: SectionBounds, matched: [MatchedRange]?) {
        self.old = old
        self.new = new
        origins = matched.map { ranges in
            var origins = [Int](repeating: -1, count: new.count)
            for range in ranges {
                for offset in 0..<range.length {
                    origins[Int(range.new + offset)] = Int(range.old + offset)
                }
            }
            return origins
        }
    }

    /// Returns the indices of a section's items in the new list and in the old list.
    func ranges(of section: Int) -> (new: Range<Int>, old: Range<Int>) {
        let origin = origins?[section] ?? section
        return (new.range(of: section), origin < 0 ? 0..<0 : old.range(of: origin))
    }

    /// The number of sections in the new list.
    var newCount: Int { new.count }
}

/// The result of comparing two lists.
@usableFromInline
struct Matching: Sendable {
    @usableFromInline let changes: ListChanges
    /// The ranges that both lists have in common, by their new indices.
    @usableFromInline let ranges: [MatchedRange]
    /// The table of the new list, if making it took little time; else `nil`.
    @usableFromInline let table: SlotTable?
}

/// Compares two lists of any type.
///
/// - Parameters:
///   - new: The new list.
///   - old: The old list, of distinct items.
///   - table: The table of the old list, if there is one.
///   - sections: The sections of both lists.
///   - type: The type of the items.
/// - Returns: `nil` if an item of the new list is repeated.
@usableFromInline
func match<Item: Hashable>(
    _ new: BorrowedIdentifiers, with old: BorrowedIdentifiers, table: SlotTable?,
    sections: SectionMap, type: Item.Type
) -> Matching? {
    let oldTable = table ?? SlotTable(capacity: old.count, type: type)
    if table == nil { _ = oldTable.insert(0..<old.count, of: old, type: type) }
    return switch oldTable.kind {
    case .word: Matcher<WordKey>(new, old, oldTable).match(sections)
    case .twoWords: Matcher<TwoWordKey>(new, old, oldTable).match(sections)
    case .text: Matcher<HashableKey<String>>(new, old, oldTable).match(sections)
    case .hashable: Matcher<HashableKey<Item>>(new, old, oldTable).match(sections)
    }
}

/// Matches the items of two lists, section by section.
///
/// The common prefix and suffix of a section are compared without look-ups. Between them, one look-up
/// finds an item in the old list, and the items after it are compared one by one as long as they are
/// the same in both lists.
private struct Matcher<K: Key & ~Copyable>: ~Copyable {
    private let old: KeyBuffer<K>
    private let new: KeyBuffer<K>
    /// The table of the old list.
    private let table: SlotTable
    /// The indices in the old list that have been matched.
    private let matched: IndexBitSet
    private var matchedCount = 0
    private var changes = ListChanges()
    private var ranges: [MatchedRange] = []

    init(_ new: BorrowedIdentifiers, _ old: BorrowedIdentifiers, _ table: SlotTable) {
        self.old = KeyBuffer(old)
        self.new = KeyBuffer(new)
        self.table = table
        matched = IndexBitSet(bound: old.count)
        ranges.reserveCapacity(4)
    }

    /// Returns the result, or `nil` if an item of the new list is repeated.
    consuming func match(_ sections: SectionMap) -> Matching? {
        for section in 0..<sections.newCount {
            guard match(sections.ranges(of: section)) else { return nil }
        }
        return finish()
    }

    /// Matches a section; returns `false` if an item is matched for the second time.
    @inline(__always)
    private mutating func match(_ section: (new: Range<Int>, old: Range<Int>)) -> Bool {
        var (to, from) = section
        var limit = min(from.count, to.count)
        let prefix = old.commonCount(from.lowerBound, with: new, to.lowerBound, limit: limit)
        limit -= prefix
        let suffix = old.commonCount(
            from.upperBound, with: new, to.upperBound, limit: limit, backwards: true)
        guard
            append(.init(old: from.lowerBound, new: to.lowerBound, length: prefix))
        else { return false }
        from = from.lowerBound + prefix..<from.upperBound - suffix
        to = to.lowerBound + prefix..<to.upperBound - suffix
        return matchRest(to, with: from)
            && append(.init(old: from.upperBound, new: to.upperBound, length: suffix))
    }

    /// Matches the items of a section that are in no common prefix or suffix.
    @inline(__always)
    private mutating func matchRest(_ rest: Range<Int>, with origin: Range<Int>) -> Bool {
        let first = ranges.count
        var index = rest.lowerBound
        while index < rest.upperBound {
            let from = table.index(ofKeyAt: index, of: new, in: old)
            if from < 0 {
                changes.inserts.append(Int32(truncatingIfNeeded: index))
                index &+= 1
                continue
            }
            var range = MatchedRange(old: from, new: index, length: 1)
            // Most neighbours of a moved item differ, and a slow `==` would only confirm it. But where two
            // items were neighbours whose bytes differ, the next ones may be.
            let isContinuation = ranges.last?.isContinued(by: range) == true
            index &+= 1
            if !origin.contains(from) {
                range.isMoved = true
            } else if from + 1 < origin.upperBound, index < rest.upperBound,
                isContinuation
                    ? old.isSame(at: from + 1, as: new, at: index)
                    : old.hasSameBytes(at: from + 1, as: new, at: index)
            {
                let limit = min(origin.upperBound - from - 1, rest.upperBound - index)
                let length = old.commonCount(from + 1, with: new, index, limit: limit)
                range.length += Int32(truncatingIfNeeded: length)
                index &+= length
            }
            guard append(range) else { return false }
        }
        markMinimalMoves(in: &ranges, from: first)
        return true
    }

    /// Appends a range; returns `false` if one of its items has been matched before.
    @inline(__always)
    private mutating func append(_ range: MatchedRange) -> Bool {
        guard range.length > 0 else { return true }
        ranges.append(range)
        matchedCount &+= Int(range.length)
        return matched.insert(Int(range.old)..<Int(range.old &+ range.length))
    }

    /// Returns the changes, or `nil` if an inserted item is repeated.
    ///
    /// A repetition of a matched item was found when it was appended, so that only the inserted items
    /// are checked for repetitions here.
    @inline(__always)
    private consuming func finish() -> Matching? {
        let inserts = changes.inserts
        var newTable: SlotTable?
        if inserts.count > 1 {
            let added = SlotTable(capacity: inserts.count, bound: new.count, kind: table.kind)
            guard added.insert(inserts.lazy.map { Int($0) }, of: new) == nil else { return nil }
            if inserts.count == new.count { newTable = added }
        }
        changes.deletes = matched.missing(count: old.count - matchedCount)
        for range in ranges where range.isMoved {
            for offset in 0..<range.length {
                changes.moves.append(.init(from: range.old &+ offset, to: range.new &+ offset))
            }
        }
        newTable = newTable ?? table.successor(kept: ranges, added: inserts, count: new.count)
        // Words are hashed in less time than the slots are changed.
        if newTable == nil, !table.kind.isBitwise, inserts.isEmpty, changes.deletes.isEmpty {
            newTable = table.reordered(ranges)
        }
        if newTable?.hasManyStrays == true {
            newTable?.insertStrays(of: new)
            if newTable?.hasManyStrays == true { newTable = nil }
        }
        return Matching(changes: changes, ranges: ranges, table: newTable)
    }
}
