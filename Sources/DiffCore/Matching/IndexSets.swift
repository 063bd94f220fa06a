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

/// A set of indices below a bound that finds the nearest member on either side of an index.
///
/// Each level of bits says which words of the level below are not 0.
struct OrderedIndexSet: ~Copyable {
    /// The words of all levels, the lowest first.
    private let words: Scratch<UInt64>
    /// The index of each level's first word; five levels suffice for 2^30 indices.
    private let starts: InlineArray<5, Int>
    private let levelCount: Int

    /// An empty set.
    init(bound: Int) {
        var starts = InlineArray<5, Int>(repeating: 0)
        var (count, total, level) = (bound, 0, 0)
        repeat {
            count = (count + 63) >> 6
            starts[level] = total
            total += count
            level += 1
        } while count > 1
        self.starts = starts
        levelCount = level
        words = Scratch(repeating: 0, count: total)
    }

    /// Inserts an index.
    @inline(__always)
    func insert(_ index: Int) {
        var index = index
        for level in 0..<levelCount {
            let word = words[starts[level] &+ index >> 6]
            words[starts[level] &+ index >> 6] = word | bit(index)
            if word != 0 { return }
            index >>= 6
        }
    }

    /// Removes a member.
    @inline(__always)
    func remove(_ index: Int) {
        var index = index
        for level in 0..<levelCount {
            let word = words[starts[level] &+ index >> 6] & ~bit(index)
            words[starts[level] &+ index >> 6] = word
            if word != 0 { return }
            index >>= 6
        }
    }

    /// Returns the smallest member above an index below the bound.
    @inline(__always)
    func first(after index: Int) -> Int? {
        nearest(index, of: { ~(bit($0) &- 1) &- bit($0) }, choosing: { $0.trailingZeroBitCount })
    }

    /// Returns the greatest member below an index below the bound.
    @inline(__always)
    func last(before index: Int) -> Int? {
        nearest(index, of: { bit($0) &- 1 }, choosing: { 63 &- $0.leadingZeroBitCount })
    }

    /// Returns the nearest member on the side of an index that a mask of its word selects.
    @inline(__always)
    private func nearest(
        _ index: Int, of mask: (Int) -> UInt64, choosing choose: (UInt64) -> Int
    ) -> Int? {
        var index = index
        for level in 0..<levelCount {
            let word = words[starts[level] &+ index >> 6] & mask(index)
            guard word == 0 else {
                var found = index & ~63 | choose(word)
                var below = level
                while below > 0 {
                    below &-= 1
                    found = found << 6 | choose(words[starts[below] &+ found])
                }
                return found
            }
            index >>= 6
        }
        return nil
    }

    @inline(__always)
    private func bit(_ index: Int) -> UInt64 { 1 &<< UInt64(index & 63) }
}

/// A fixed number of plain values that a single owner changes, without the uniqueness checks of an
/// array.
///
/// - Note: `@safe` because debug builds assert that every access is within `count`, every value is set
///   before it is read, and the memory lives as long as its only owner.
@safe
struct Scratch<Value: BitwiseCopyable>: ~Copyable {
    private let base: UnsafeMutablePointer<Value>
    let count: Int

    /// Memory filled with a value.
    init(repeating value: Value, count: Int) {
        self.init(unset: count)
        unsafe base.initialize(repeating: value, count: count)
    }

    /// Memory whose values are set before they are read.
    init(unset count: Int) {
        self.count = count
        unsafe base = .allocate(capacity: count)
    }

    deinit { unsafe base.deallocate() }

    subscript(index: Int) -> Value {
        @inline(__always) get {
            assert(index >= 0 && index < count)
            return unsafe base[index]
        }
        @inline(__always) nonmutating set {
            assert(index >= 0 && index < count)
            unsafe base[index] = newValue
        }
    }
}
