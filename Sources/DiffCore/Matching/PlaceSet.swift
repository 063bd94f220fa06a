// A set of places in a list, one bit each.

/// A set of numbers below a bound.
struct PlaceSet: ~Copyable {
    private let words: Scratch<UInt64>
    private let bound: Int

    /// An empty set of numbers below a bound.
    init(below bound: Int) {
        self.bound = bound
        words = Scratch(repeating: 0, count: (bound + 63) >> 6)
    }

    /// Adds a number, and says whether it was not there.
    @inline(__always)
    func insert(_ place: Int) -> Bool {
        let bit = 1 &<< UInt64(truncatingIfNeeded: place & 63)
        let word = words[place &>> 6]
        words[place &>> 6] = word | bit
        return word & bit == 0
    }

    /// Adds a range, and says whether none of it was there.
    func insert(_ range: Range<Int>) -> Bool {
        var place = range.lowerBound
        var wasThere: UInt64 = 0
        while place < range.upperBound {
            let low = place & 63
            let count = min(64 &- low, range.upperBound &- place)
            let bits = (~0 as UInt64 &>> UInt64(64 &- count)) &<< UInt64(low)
            wasThere |= words[place &>> 6] & bits
            words[place &>> 6] |= bits
            place &+= count
        }
        return wasThere == 0
    }

    /// The numbers below the bound that are not in the set, ascending.
    ///
    /// `count` says how many these are.
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
