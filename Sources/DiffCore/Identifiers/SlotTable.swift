// Where each identifier of an array stands: an open-addressing table of places.

/// A hash table over an array of different identifiers, which holds their places alone.
///
/// A slot is 4 bytes: 0, or a place and 1, and in the bits above that a tag, which is a part of the
/// identifier's hash: identifiers that only share a slot are seldom compared. Slots are
/// searched one behind the other from where the hash points to; at most two of five are taken,
/// so that an identifier costs 10 to 20 bytes.
///
/// When the array changes, the slots stay as they are at first, and `runs` say where the identifiers
/// have gone to: see ``following(_:added:in:oldCount:seeds:)``.
@usableFromInline
struct SlotTable: Sendable {
    /// The places of identifiers in the array as it was when the slots were filled.
    private var slots: [Int32]
    /// How many slots are not 0.
    private var taken = 0
    /// Where those stretches of identifiers stand now that are still there, by their places in the
    /// slots, and behind them what has no slot; empty if nothing has changed.
    private var runs: [Run] = []

    /// What a slot holds whose identifier is gone: others may be behind it. No tag has its sign.
    private static let gone: Int32 = .min

    private var mask: Int { slots.count - 1 }
    /// The bits of a slot that are a place and 1.
    private let placeBits: Int32

    private func tag(ofHash hash: Int) -> Int32 {
        Int32(truncatingIfNeeded: hash) & .max & ~placeBits
    }

    /// A table with room for a number of identifiers, which are all of a list, or some of a longer
    /// one.
    @usableFromInline
    init(roomFor count: Int, ofListOf listCount: Int = 0) {
        precondition(max(count, listCount) < 1 << 29, "a list cannot hold 2^29 identifiers")
        slots = [Int32](repeating: 0, count: SlotTable.slotCount(for: count))
        // A table of all has more slots than the list will have places as long as it suits.
        let places = max(slots.count, listCount + 1)
        placeBits = Int32(
            truncatingIfNeeded: (1 << (Int.bitWidth - (places - 1).leadingZeroBitCount)) - 1)
    }

    /// Whether identifiers can be entered at the end of a list that will have `count` of them.
    @usableFromInline
    func canGrow(to count: Int, by added: Int) -> Bool {
        runs.isEmpty && suits(count, added: added)
    }

    /// Whether this table has room for more identifiers, and is not far too large for all of them.
    private func suits(_ count: Int, added: Int) -> Bool {
        (taken + added) * 5 <= slots.count * 2
            && slots.count <= 2 * SlotTable.slotCount(for: count)
    }

    private static func slotCount(for count: Int) -> Int {
        let least = max(8, (count * 5 + 1) / 2)
        return 1 << (Int.bitWidth - (least - 1).leadingZeroBitCount)
    }
}

// MARK: Look-ups

extension SlotTable {
    /// The place of a key in the list that the table is of, or -1.
    ///
    /// `wanted` is where the key stands in another list, `others`.
    @inline(__always)
    func place<List: HashedList>(
        ofKeyAt wanted: Int, of others: List, in keys: List, seeds: HashSeeds
    ) -> Int {
        place(ofKeyAt: wanted, of: others, in: keys, hash: others.hash(at: wanted, seeds: seeds))
    }

    /// Finds the places of many keys in the list that the table is of, or -1.
    ///
    /// First all of their slots are read, and then all keys that these point to: no read waits for
    /// another.
    ///
    /// - Parameters:
    ///   - range: Where the keys stand in another list.
    ///   - others: That list.
    ///   - keys: The list that the table is of.
    ///   - seeds: The seeds of the hashes.
    ///   - hashes: Room for as many numbers.
    ///   - places: Gets the places, from 0 on.
    @inline(__always)
    func findPlaces<List: HashedList>(
        ofKeysAt range: Range<Int>, of others: List, in keys: List, seeds: HashSeeds,
        hashes: borrowing Scratch<UInt32>, into places: borrowing Scratch<Int32>
    ) {
        for offset in 0..<range.count {
            let hash = others.hash(at: range.lowerBound &+ offset, seeds: seeds)
            hashes[offset] = UInt32(truncatingIfNeeded: hash)
            places[offset] = slots[hash & mask]
        }
        let isUnchanged = runs.isEmpty
        for offset in 0..<range.count {
            let wanted = range.lowerBound &+ offset
            let hash = Int(hashes[offset])
            let entry = places[offset]
            var place = Int(entry & placeBits) &- 1
            let isSettled =
                isUnchanged
                && (entry == 0
                    || entry & ~placeBits == tag(ofHash: hash)
                        && keys.isSame(at: place, as: others, at: wanted))
            if !isSettled {
                place = self.place(ofKeyAt: wanted, of: others, in: keys, hash: hash)
            }
            places[offset] = Int32(truncatingIfNeeded: place)
        }
    }

    /// The place of a key of which at least the lower half of the hash is known, or -1.
    @inline(__always)
    private func place<List: HashedList>(
        ofKeyAt wanted: Int, of others: List, in keys: List, hash: Int
    ) -> Int {
        let tag = tag(ofHash: hash)
        var slot = hash & mask
        while slots[slot] != 0 {
            if slots[slot] & ~placeBits == tag {
                let place = place(ofEntry: slots[slot])
                if place >= 0, keys.isSame(at: place, as: others, at: wanted) { return place }
            }
            slot = (slot &+ 1) & mask
        }
        return runs.isEmpty ? -1 : placeWithoutSlot(ofKeyAt: wanted, of: others, in: keys)
    }

    /// Where the identifier of a slot stands now; below zero if it is gone since.
    @inline(__always)
    private func place(ofEntry entry: Int32) -> Int {
        let place = Int(entry & placeBits) &- 1
        return runs.isEmpty ? place : self.place(after: place)
    }

    private func place(after place: Int) -> Int {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low &+ high) / 2
            if runs[middle].old <= place { low = middle &+ 1 } else { high = middle }
        }
        guard low > 0, place < runs[low &- 1].oldEnd else { return -1 }
        return place &- Int(runs[low &- 1].old) &+ Int(runs[low &- 1].new)
    }

    private func placeWithoutSlot<List: HashedList>(
        ofKeyAt wanted: Int, of others: List, in keys: List
    ) -> Int {
        // In this order a double of what came before is not overlooked: see `following`.
        for run in runs where run.isNew {
            for place in Int(run.new)..<run.newEnd
            where keys.isSame(at: place, as: others, at: wanted) {
                return place
            }
        }
        return -1
    }
}

// MARK: Changes

extension SlotTable {
    /// Enters the keys of a range of places.
    ///
    /// - Precondition: The list has not changed since the slots were filled, or is ``settled``.
    /// - Returns: The place of a key that is in the table already, at which it stopped, or `nil`.
    @inline(__always)
    mutating func insert<List: HashedList>(
        _ range: Range<Int>, of keys: List, seeds: HashSeeds
    ) -> Int? {
        assert(runs.isEmpty)
        let mask = mask
        for place in range {
            let hash = keys.hash(at: place, seeds: seeds)
            let tag = tag(ofHash: hash)
            var slot = hash & mask
            while slots[slot] != 0 {
                if slots[slot] & ~placeBits == tag,
                    keys.isSame(at: Int(slots[slot] & placeBits) &- 1, as: keys, at: place)
                {
                    return place
                }
                slot = (slot &+ 1) & mask
            }
            assert(place < placeBits)
            slots[slot] = tag | Int32(truncatingIfNeeded: place &+ 1)
            taken &+= 1
        }
        return nil
    }

    /// The table of what the list has become.
    ///
    /// A list that is shown anew at every event mostly changes by one item. Its places are then
    /// added up from the changes since the slots were filled, which takes no time in advance; only
    /// when these have become many are the slots filled anew.
    ///
    /// - Parameters:
    ///   - kept: The stretches of the old list that are in the new one.
    ///   - added: The places of all others in the new list, ascending.
    ///   - new: The new list.
    ///   - oldCount: How many identifiers were in the old list.
    ///   - seeds: The seeds of the hashes.
    /// - Returns: `nil` if one of those added is in the new list elsewhere.
    func following<List: HashedList>(
        _ kept: [Run], added: [Int32], in new: List, oldCount: Int,
        seeds: HashSeeds
    ) -> SlotTable? {
        guard suits(new.count, added: added.count), added.count * 2 <= new.count else {
            var table = SlotTable(roomFor: new.count)
            return table.insert(0..<new.count, of: new, seeds: seeds) == nil ? table : nil
        }
        if let runs = joined(runs, kept, added: added) {
            var table = self
            table.runs = runs
            for place in added {
                let found = table.place(
                    ofKeyAt: Int(place), of: new, in: new, seeds: seeds)
                guard found == place else { return nil }
            }
            return table
        }
        return settled(kept, added: added, in: new, oldCount: oldCount, seeds: seeds)
    }

    /// The table of what the list has become, with a slot for every identifier.
    private func settled<List: HashedList>(
        _ kept: [Run], added: [Int32], in new: List, oldCount: Int, seeds: HashSeeds
    ) -> SlotTable? {
        let moved = Scratch(repeating: SlotTable.gone, count: oldCount)
        for run in kept {
            for offset in 0..<Int32(truncatingIfNeeded: run.count) {
                moved[Int(run.old &+ offset &* run.step)] = run.new &+ offset &+ 1
            }
        }
        var table = self
        table.runs = []
        table.slots = filledSlots(moved)
        let placesWithoutSlot = runs.filter(\.isNew).flatMap { Int($0.new)..<$0.newEnd }
        let keptWithoutSlot = placesWithoutSlot.map { moved[$0] }.filter { $0 > 0 }.map { $0 - 1 }
        for place in (keptWithoutSlot + added).map({ Int($0) })
        where table.insert(place..<place + 1, of: new, seeds: seeds) != nil {
            return nil
        }
        return table
    }

    /// The slots with what the places up to now have moved to.
    private func filledSlots(_ moved: borrowing Scratch<Int32>) -> [Int32] {
        guard !runs.isEmpty else {
            return slots.map { entry in
                entry > 0 ? self.entry(entry, movedTo: moved[Int(entry & placeBits) &- 1]) : entry
            }
        }
        let movedSinceFilled = Scratch(
            repeating: SlotTable.gone, count: runs.map(\.oldEnd).max() ?? 0)
        for run in runs where !run.isNew {
            let (old, new) = (Int(run.old), Int(run.new))
            for offset in 0..<run.count { movedSinceFilled[old &+ offset] = moved[new &+ offset] }
        }
        return slots.map { entry in
            guard entry > 0 else { return entry }
            let place = Int(entry & placeBits) &- 1
            guard place < movedSinceFilled.count else { return SlotTable.gone }
            return self.entry(entry, movedTo: movedSinceFilled[place])
        }
    }

    /// What a slot holds when its identifier has moved: to a place and 1, or away.
    private func entry(_ entry: Int32, movedTo placeAndOne: Int32) -> Int32 {
        placeAndOne == SlotTable.gone ? placeAndOne : entry & ~placeBits | placeAndOne
    }
}
