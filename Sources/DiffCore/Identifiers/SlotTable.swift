// Where each identifier of an array stands: an open-addressing table of places.

/// A hash table over an array of different identifiers, which holds their places alone.
///
/// A slot is 4 bytes: 0, or a place and 1. Slots are searched one behind the
/// other from where the hash points to; at most two of five are taken,
/// so that an identifier costs 10 to 20 bytes.
@usableFromInline
struct SlotTable: Sendable {
    var slots: [Int32]
    private var mask: Int { slots.count - 1 }

    /// A table with room for a number of identifiers.
    @usableFromInline
    init(roomFor count: Int) {
        precondition(count < 1 << 30, "a list cannot hold more than 2^30 identifiers")
        slots = [Int32](repeating: 0, count: SlotTable.slotCount(for: count))
    }

    /// A table of these slots, whose number is a power of two.
    init(slots: [Int32]) { self.slots = slots }

    /// Whether this table has room for a number of identifiers, and is not far too large for it.
    @usableFromInline
    func suits(_ count: Int) -> Bool {
        count * 5 <= slots.count * 2 && slots.count <= 2 * SlotTable.slotCount(for: count)
    }

    private static func slotCount(for count: Int) -> Int {
        let least = max(8, (count * 5 + 1) / 2)
        return 1 << (Int.bitWidth - (least - 1).leadingZeroBitCount)
    }

    /// The place of a key in the list that the table is of, or -1.
    @inline(__always)
    func place<K: Key>(of key: K, in keys: KeyList<K>, seeds: HashSeeds) -> Int {
        var slot = key.hash(seeds: seeds) & mask
        while true {
            let entry = slots[slot]
            if entry == 0 { return -1 }
            let place = Int(entry) &- 1
            if keys[place] == key { return place }
            slot = (slot &+ 1) & mask
        }
    }

    /// Enters the keys of a range of places.
    ///
    /// - Returns: The place of a key that is in the table already, at which it stopped, or `nil`.
    @inline(__always)
    mutating func insert<K: Key>(
        _ range: Range<Int>, of keys: KeyList<K>, seeds: HashSeeds
    ) -> Int? {
        let mask = mask
        for place in range {
            let key = keys[place]
            var slot = key.hash(seeds: seeds) & mask
            while slots[slot] != 0 {
                if keys[Int(slots[slot]) &- 1] == key { return place }
                slot = (slot &+ 1) & mask
            }
            slots[slot] = Int32(truncatingIfNeeded: place &+ 1)
        }
        return nil
    }

    /// Takes the key at a place out, and closes the gap in the chain of slots.
    @inline(__always)
    mutating func remove<K: Key>(_ place: Int, of keys: KeyList<K>, seeds: HashSeeds) {
        let mask = mask
        var gap = keys[place].hash(seeds: seeds) & mask
        while Int(slots[gap]) != place &+ 1 { gap = (gap &+ 1) & mask }
        var slot = gap
        while true {
            slot = (slot &+ 1) & mask
            guard slots[slot] != 0 else { break }
            let wanted = keys[Int(slots[slot]) &- 1].hash(seeds: seeds) & mask
            // An entry may go back to the gap unless it would land in front of where it starts.
            if (slot &- wanted) & mask >= (slot &- gap) & mask {
                slots[gap] = slots[slot]
                gap = slot
            }
        }
        slots[gap] = 0
    }
}
