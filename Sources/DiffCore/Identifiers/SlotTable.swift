// Where each identifier of an array stands: an open-addressing table of places.

/// A hash table over an array of different identifiers, which holds their places alone.
///
/// A slot is 4 bytes: 0, or a place and 1. Slots are searched one behind the
/// other from where the hash points to; at most a third of them is taken.
@usableFromInline
struct SlotTable: Sendable {
    private var slots: [Int32]
    private var mask: Int { slots.count - 1 }

    /// A table with room for a number of identifiers.
    @usableFromInline
    init(roomFor count: Int) {
        precondition(count < 1 << 30, "a list cannot hold more than 2^30 identifiers")
        slots = [Int32](repeating: 0, count: SlotTable.slotCount(for: count))
    }

    /// Whether this table has room for a number of identifiers, and is not far too large for it.
    @usableFromInline
    func suits(_ count: Int) -> Bool {
        count * 3 <= slots.count && slots.count <= 4 * SlotTable.slotCount(for: count)
    }

    private static func slotCount(for count: Int) -> Int {
        let least = max(8, count * 3)
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

    /// A change of the places from some place on, on top of the changes before.
    @usableFromInline
    struct Step {
        /// The first place that changes, as it was before any step.
        var start: Int
        /// What is added.
        var offset: Int

        /// A change from some place on.
        @usableFromInline
        init(start: Int, offset: Int) {
            self.start = start
            self.offset = offset
        }
    }

    /// The number of steps that can be taken at once.
    @usableFromInline
    static let mostSteps = 4

    /// Changes the places, all steps in one pass.
    ///
    /// - Precondition: There are at most `mostSteps`.
    @usableFromInline
    mutating func shift(_ steps: [Step]) {
        // Nothing stands that far, so a step that is not there does nothing.
        let none = Step(start: Int(Int32.max) - 1, offset: 0)
        let all = steps + repeatElement(none, count: SlotTable.mostSteps - steps.count)
        let starts = all.map { Int32(truncatingIfNeeded: $0.start + 1) }
        let offsets = all.map { Int32(truncatingIfNeeded: $0.offset) }
        let (start0, start1, start2, start3) = (starts[0], starts[1], starts[2], starts[3])
        let (offset0, offset1, offset2, offset3) = (offsets[0], offsets[1], offsets[2], offsets[3])
        // Loops over plain memory, without branches: the compiler takes many slots at a time.
        unsafe slots.withUnsafeMutableBufferPointer { slots in
            switch steps.count {
            case 0: break
            case 1:
                for slot in 0..<slots.count {
                    let entry = unsafe slots[slot]
                    unsafe slots[slot] = entry &+ (entry >= start0 ? offset0 : 0)
                }
            default:
                for slot in 0..<slots.count {
                    let entry = unsafe slots[slot]
                    let low = (entry >= start0 ? offset0 : 0) &+ (entry >= start1 ? offset1 : 0)
                    let high = (entry >= start2 ? offset2 : 0) &+ (entry >= start3 ? offset3 : 0)
                    unsafe slots[slot] = entry &+ low &+ high
                }
            }
        }
    }
}
