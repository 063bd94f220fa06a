// Ranges of items that two lists have in common, and the changes between the lists.

/// Adjacent items of a new list that are adjacent in the old one, in the same or in reverse order.
@usableFromInline
struct MatchedRange: Sendable, BitwiseCopyable {
    /// The index of the first item in the old list.
    var old: Int32
    /// The index of the first item in the new list.
    var new: Int32
    /// The number of items; negative if their order is reversed.
    @usableFromInline var length: Int32

    @usableFromInline
    init(old: Int, new: Int, length: Int) {
        self.old = Int32(truncatingIfNeeded: old)
        self.new = Int32(truncatingIfNeeded: new)
        self.length = Int32(truncatingIfNeeded: length)
    }

    /// The number of items.
    var count: Int { Int(abs(length)) }

    /// The step from the old index of an item to that of the next.
    var step: Int32 { length < 0 ? -1 : 1 }

    /// The lowest index of its items in the old list.
    var lowestOld: Int32 { length < 0 ? old + length + 1 : old }

    /// The index after the last item in the new list.
    var newEnd: Int { Int(new) + count }
}

/// The inserted, deleted and moved elements of a list, by index.
@usableFromInline
struct ListChanges: Sendable {
    /// The move of an element.
    @usableFromInline
    struct Move: Sendable, BitwiseCopyable {
        /// The index in the old list.
        @usableFromInline var from: Int32
        /// The index in the new list.
        @usableFromInline var to: Int32
    }

    /// The indices of deleted elements in the old list, ascending.
    @usableFromInline var deletes: [Int32] = []
    /// The indices of inserted elements in the new list, ascending.
    @usableFromInline var inserts: [Int32] = []
    /// The moves, by ascending index in the new list.
    @usableFromInline var moves: [Move] = []

    /// Whether there are no changes.
    @inlinable var isEmpty: Bool { deletes.isEmpty && inserts.isEmpty && moves.isEmpty }
}

// MARK: Combining

extension MatchedRange {
    /// The old index of items that are not in the old list, greater than all others.
    private static let absent = Int32.max

    /// An item that is in the new list only.
    fileprivate init(inserted new: Int32) {
        old = MatchedRange.absent
        self.new = new
        length = 1
    }

    /// Whether the items are in the new list only.
    var isNew: Bool { old == MatchedRange.absent }

    /// The index after the last item in the old list, if the order is not reversed.
    var oldEnd: Int { isNew ? 0 : Int(old) + count }

    /// Returns the items that are also in a range of a subsequent change, or `nil` if there are none.
    fileprivate func followed(by next: MatchedRange) -> MatchedRange? {
        let from = max(new, next.old)
        let to = min(newEnd, next.oldEnd)
        guard Int(from) < to else { return nil }
        var part = self
        if !isNew { part.old += from - new }
        part.new = next.new + from - next.old
        part.length = Int32(to) - from
        return part
    }
}

extension [MatchedRange] {
    /// Appends a range, or extends the last one if the range continues it in both lists.
    fileprivate mutating func append(joining range: MatchedRange) {
        if let last, last.newEnd == range.new,
            last.isNew ? range.isNew : last.oldEnd == range.old
        {
            self[count - 1].length += range.length
        } else {
            append(range)
        }
    }

    /// Whether no order is reversed and the old indices ascend.
    var isInOrder: Bool {
        var last: Int32 = -1
        for range in self {
            guard range.length > 0, range.old > last else { return false }
            last = range.old
        }
        return true
    }
}

/// The maximum number of ranges among which a look-up chooses.
private let maximumRangeCount = 64
/// The maximum number of inserted items that a look-up compares one by one.
private let maximumInsertedCount = 16

/// Combines two successive changes of a list.
///
/// - Parameters:
///   - first: The ranges of the earlier change by their old indices; empty if there was none.
///   - second: The ranges of the later change.
///   - added: The indices of the items that the later change inserted, ascending.
/// - Returns: The ranges of both by their old indices, followed by inserted items; `nil` if they are
///   too many for fast look-ups.
func combinedRanges(
    _ first: [MatchedRange], _ second: [MatchedRange], added: [Int32]
) -> [MatchedRange]? {
    guard second.count <= maximumRangeCount, second.allSatisfy({ $0.length > 0 }) else {
        return nil
    }
    let second = second.isInOrder ? second : second.sorted { $0.old < $1.old }
    var ranges: [MatchedRange] = []
    ranges.reserveCapacity(min(first.count + second.count + added.count, maximumRangeCount))
    if first.isEmpty {
        for range in second { ranges.append(joining: range) }
    } else {
        for range in first {
            for next in second {
                if let part = range.followed(by: next) { ranges.append(joining: part) }
            }
        }
    }
    for index in added { ranges.append(joining: MatchedRange(inserted: index)) }
    let insertedCount = ranges.reduce(0) { $0 + ($1.isNew ? $1.count : 0) }
    return ranges.count <= maximumRangeCount && insertedCount <= maximumInsertedCount ? ranges : nil
}
