// Sets of list indices as bits, and working memory for plain values.

/// A set of indices below a bound.
struct IndexBitSet: ~Copyable {
    private let words: Scratch<UInt64>
    private let bound: Int

    /// An empty set.
    init(bound: Int) {
        self.bound = bound
        words = Scratch(repeating: 0, count: (bound + 63) >> 6)
    }

    /// Inserts a range, and returns whether all of it was absent.
    @inline(__always)
    func insert(_ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        var present: UInt64 = 0
        while index < range.upperBound {
            let low = index & 63
            let count = min(64 &- low, range.upperBound &- index)
            let bits = (~0 as UInt64 &>> UInt64(64 &- count)) &<< UInt64(low)
            present |= words[index &>> 6] & bits
            words[index &>> 6] |= bits
            index &+= count
        }
        return present == 0
    }

    /// Returns the indices below the bound that are not in the set, ascending, given their number.
    func missing(count: Int) -> [Int32] {
        guard count > 0 else { return [] }
        var missing: [Int32] = []
        missing.reserveCapacity(count)
        for number in 0..<words.count {
            var bits = ~words[number]
            if number == words.count - 1, bound & 63 != 0 {
                bits &= (1 &<< UInt64(bound & 63)) &- 1
            }
            while bits != 0 {
                missing.append(Int32(truncatingIfNeeded: number << 6 + bits.trailingZeroBitCount))
                bits &= bits &- 1
            }
        }
        assert(missing.count == count)
        return missing
    }
}

/// A set of indices below a bound, with fast search for the nearest member on either side of an
/// index.
///
/// A bit of each level tells whether a word of the level below is not 0.
struct OrderedIndexSet: ~Copyable {
    private let bits: Scratch<UInt64>
    private let words: Scratch<UInt64>
    private let blocks: Scratch<UInt64>

    /// An empty set.
    init(bound: Int) {
        let wordCount = (bound + 63) >> 6
        let blockCount = (wordCount + 63) >> 6
        bits = Scratch(repeating: 0, count: wordCount)
        words = Scratch(repeating: 0, count: blockCount)
        blocks = Scratch(repeating: 0, count: (blockCount + 63) >> 6)
    }

    /// Inserts an index.
    @inline(__always)
    func insert(_ index: Int) {
        bits[index >> 6] |= bit(index)
        words[index >> 12] |= bit(index >> 6)
        blocks[index >> 18] |= bit(index >> 12)
    }

    /// Removes a member.
    @inline(__always)
    func remove(_ index: Int) {
        bits[index >> 6] &= ~bit(index)
        guard bits[index >> 6] == 0 else { return }
        words[index >> 12] &= ~bit(index >> 6)
        guard words[index >> 12] == 0 else { return }
        blocks[index >> 18] &= ~bit(index >> 12)
    }

    /// Returns the smallest member above an index below the bound.
    @inline(__always)
    func first(after index: Int) -> Int? {
        if let near = lowest(bits[index >> 6] & above(index), in: index >> 6) { return near }
        var word = index >> 6
        if let next = lowest(words[word >> 6] & above(word), in: word >> 6) {
            return lowest(bits[next], in: next)
        }
        word >>= 6
        var top = word >> 6
        var found = lowest(blocks[top] & above(word), in: top)
        while found == nil, top + 1 < blocks.count {
            top += 1
            found = lowest(blocks[top], in: top)
        }
        guard let found, let next = lowest(words[found], in: found) else { return nil }
        return lowest(bits[next], in: next)
    }

    /// Returns the greatest member below an index below the bound.
    @inline(__always)
    func last(before index: Int) -> Int? {
        if let near = highest(bits[index >> 6] & below(index), in: index >> 6) { return near }
        var word = index >> 6
        if let next = highest(words[word >> 6] & below(word), in: word >> 6) {
            return highest(bits[next], in: next)
        }
        word >>= 6
        var top = word >> 6
        var found = highest(blocks[top] & below(word), in: top)
        while found == nil, top > 0 {
            top -= 1
            found = highest(blocks[top], in: top)
        }
        guard let found, let next = highest(words[found], in: found) else { return nil }
        return highest(bits[next], in: next)
    }

    @inline(__always)
    private func bit(_ index: Int) -> UInt64 { 1 &<< UInt64(index & 63) }

    @inline(__always)
    private func below(_ index: Int) -> UInt64 { bit(index) &- 1 }

    @inline(__always)
    private func above(_ index: Int) -> UInt64 { ~below(index) &- bit(index) }

    @inline(__always)
    private func lowest(_ word: UInt64, in number: Int) -> Int? {
        word == 0 ? nil : number << 6 | word.trailingZeroBitCount
    }

    @inline(__always)
    private func highest(_ word: UInt64, in number: Int) -> Int? {
        word == 0 ? nil : number << 6 | (63 - word.leadingZeroBitCount)
    }
}
