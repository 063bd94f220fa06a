// A set of places that finds the next one above any place in a few steps.

/// A set of numbers below a bound: a bit for each, and two levels of bits above
/// that say which words below are not empty.
struct OrderedPlaces: ~Copyable {
    private let bits: Scratch<UInt64>
    private let words: Scratch<UInt64>
    private let blocks: Scratch<UInt64>

    /// An empty set of numbers below a bound.
    init(below bound: Int) {
        let wordCount = (bound + 63) >> 6
        let blockCount = (wordCount + 63) >> 6
        bits = Scratch(repeating: 0, count: wordCount)
        words = Scratch(repeating: 0, count: blockCount)
        blocks = Scratch(repeating: 0, count: (blockCount + 63) >> 6)
    }

    /// Adds a number.
    @inline(__always)
    func insert(_ place: Int) {
        bits[place >> 6] |= bit(place)
        words[place >> 12] |= bit(place >> 6)
        blocks[place >> 18] |= bit(place >> 12)
    }

    /// Takes out a number that is in the set.
    @inline(__always)
    func remove(_ place: Int) {
        bits[place >> 6] &= ~bit(place)
        guard bits[place >> 6] == 0 else { return }
        words[place >> 12] &= ~bit(place >> 6)
        guard words[place >> 12] == 0 else { return }
        blocks[place >> 18] &= ~bit(place >> 12)
    }

    /// The smallest number in the set above one that is not in it.
    ///
    /// - Precondition: There is one.
    @inline(__always)
    func first(after place: Int) -> Int {
        let near = bits[place >> 6] & above(place)
        if near != 0 { return place & ~63 | near.trailingZeroBitCount }
        var word = place >> 6
        var inBlock = words[word >> 6] & above(word)
        if inBlock == 0 {
            var block = word >> 6
            var top = block >> 6
            var inTop = blocks[top] & above(block)
            while inTop == 0 {
                top += 1
                inTop = blocks[top]
            }
            block = top << 6 | inTop.trailingZeroBitCount
            inBlock = words[block]
            word = block << 6
        }
        word = word & ~63 | inBlock.trailingZeroBitCount
        return word << 6 | bits[word].trailingZeroBitCount
    }

    @inline(__always)
    private func bit(_ place: Int) -> UInt64 { 1 &<< UInt64(place & 63) }

    @inline(__always)
    private func below(_ place: Int) -> UInt64 { bit(place) &- 1 }

    /// The bits above a place; none if it is the last of its word.
    @inline(__always)
    private func above(_ place: Int) -> UInt64 { ~below(place) &- bit(place) }
}
