// A range of items that two lists have in common.

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
