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

    init(old: Int, new: Int, length: Int) {
        self.old = Int32(truncatingIfNeeded: old)
        self.new = Int32(truncatingIfNeeded: new)
        self.length = Int32(truncatingIfNeeded: length)
    }

    /// Returns the new index of the item at an index of the old list, or `nil` if the range does
    /// not contain the item.
    @inline(__always)
    func newIndex(of index: Int32) -> Int32? {
        index >= old && index < old + length ? index - old + new : nil
    }

    /// Whether a range begins where this one ends, in both lists.
    @inline(__always)
    func isContinued(by range: MatchedRange) -> Bool {
        old &+ length == range.old && new &+ length == range.new
    }

    /// Returns the items of this range that a range of a subsequent change contains too, by their
    /// indices before both changes and after both; `nil` if there are none.
    func followed(by next: MatchedRange) -> MatchedRange? {
        let from = max(new, next.old)
        let to = min(new &+ length, next.old &+ next.length)
        guard from < to else { return nil }
        var part = self
        part.old &+= from &- new
        part.new = next.new &+ from &- next.old
        part.length = to &- from
        return part
    }
}

extension [MatchedRange] {
    /// Returns the index of the last range that begins before or at an old index, or -1.
    ///
    /// - Precondition: The old indices ascend.
    @inline(__always)
    func index(beforeOrAt old: Int32) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) / 2
            if self[middle].old <= old { low = middle &+ 1 } else { high = middle }
        }
        return low &- 1
    }

    /// Whether the old indices ascend.
    var isInOrder: Bool { zip(self, dropFirst()).allSatisfy { $0.old < $1.old } }

    /// Returns the ranges of the items that a subsequent change keeps too, in the order of these
    /// ranges.
    ///
    /// - Precondition: The old indices of `next` ascend.
    func followed(by next: [MatchedRange]) -> [MatchedRange] {
        var parts: [MatchedRange] = []
        parts.reserveCapacity(count + next.count)
        for range in self {
            var number = Swift.max(0, next.index(beforeOrAt: range.new))
            let end = range.new &+ range.length
            while number < next.count, next[number].old < end {
                if let part = range.followed(by: next[number]) { parts.append(joining: part) }
                if next[number].old &+ next[number].length >= end { break }
                number &+= 1
            }
        }
        return parts
    }

    /// Divides the range that contains items on both sides of a new index, if there is one.
    mutating func cut(at index: Int32) {
        guard let number = firstIndex(where: { $0.new < index && index < $0.new &+ $0.length })
        else { return }
        var rest = self[number]
        let count = index &- rest.new
        rest.old &+= count
        rest.new &+= count
        rest.length &-= count
        self[number].length = count
        insert(rest, at: number + 1)
    }

    /// Appends a range, or extends the last one if the range continues it in both lists.
    mutating func append(joining range: MatchedRange) {
        if let last, last.isContinued(by: range) {
            self[count - 1].length &+= range.length
        } else {
            append(range)
        }
    }
}
