// The changes between two lists, and the ranges of items that the lists have in common.

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

    /// No changes.
    @inlinable
    init() {}

    /// Whether there are no changes.
    @inlinable var isEmpty: Bool { deletes.isEmpty && inserts.isEmpty && moves.isEmpty }
}

/// Adjacent items of a new list that are adjacent in the old one.
@usableFromInline
struct MatchedRange: Sendable, BitwiseCopyable {
    /// The index of the first item in the old list.
    var old: Int32
    /// The index of the first item in the new list.
    var new: Int32
    /// The number of items.
    @usableFromInline var length: Int32
    /// Whether the items are moved.
    var isMoved = false

    @usableFromInline
    init(old: Int, new: Int, length: Int) {
        self.old = Int32(truncatingIfNeeded: old)
        self.new = Int32(truncatingIfNeeded: new)
        self.length = Int32(truncatingIfNeeded: length)
    }

    /// Returns the new index of the item at an index in the old list, or `nil` if it is not in the
    /// range.
    @inline(__always)
    func newIndex(of index: Int32) -> Int32? {
        index >= old && index < old + length ? index - old + new : nil
    }

    /// Returns the items that are also in a range of a subsequent change, or `nil` if there are none.
    func followed(by next: MatchedRange) -> MatchedRange? {
        let from = max(new, next.old)
        let to = min(new + length, next.old + next.length)
        guard from < to else { return nil }
        var part = self
        part.old += from - new
        part.new = next.new + from - next.old
        part.length = to - from
        return part
    }
}

extension [MatchedRange] {
    /// Whether the old indices ascend.
    var isInOrder: Bool { zip(self, dropFirst()).allSatisfy { $0.old < $1.old } }

    /// Appends a range, or extends the last one if the range continues it in both lists.
    mutating func append(joining range: MatchedRange) {
        if let last, last.old + last.length == range.old, last.new + last.length == range.new {
            self[count - 1].length += range.length
        } else {
            append(range)
        }
    }
}
