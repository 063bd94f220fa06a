// Where each identifier of an array stands: an open-addressing table of places.

/// A hash table over an array of different identifiers, which holds their places alone.
///
/// A slot is 4 bytes: 0, or a place and 1. Slots are searched one behind the
/// other from where the hash points to; at most two of five are taken,
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

    /// What a slot holds whose identifier is gone: others may be behind it.
    private static let gone: Int32 = -1

    private var mask: Int { slots.count - 1 }

    /// A table with room for a number of identifiers.
    @usableFromInline
    init(roomFor count: Int) {
        precondition(count < 1 << 30, "a list cannot hold more than 2^30 identifiers")
        slots = [Int32](repeating: 0, count: SlotTable.slotCount(for: count))
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
    func place<K: Key & ~Copyable>(
        ofKeyAt wanted: Int, of others: KeyList<K>, in keys: KeyList<K>, seeds: HashSeeds
    ) -> Int {
        place(
            ofKeyAt: wanted, of: others, in: keys,
            from: others.hash(at: wanted, seeds: seeds) & mask)
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
    ///   - firstSlots: Room for as many numbers.
    ///   - places: Gets the places, from 0 on.
    @inline(__always)
    func findPlaces<K: Key & ~Copyable>(
        ofKeysAt range: Range<Int>, of others: KeyList<K>, in keys: KeyList<K>, seeds: HashSeeds,
        firstSlots: borrowing Scratch<Int32>, into places: borrowing Scratch<Int32>
    ) {
        let mask = mask
        for offset in 0..<range.count {
            let slot = others.hash(at: range.lowerBound &+ offset, seeds: seeds) & mask
            firstSlots[offset] = Int32(truncatingIfNeeded: slot)
            places[offset] = slots[slot]
        }
        let isUnchanged = runs.isEmpty
        for offset in 0..<range.count {
            let wanted = range.lowerBound &+ offset
            var place = Int(places[offset]) &- 1
            let isSettled =
                isUnchanged
                && (place == -1 || place >= 0 && keys.isSame(at: place, as: others, at: wanted))
            if !isSettled {
                place = self.place(
                    ofKeyAt: wanted, of: others, in: keys, from: Int(firstSlots[offset]))
            }
            places[offset] = Int32(truncatingIfNeeded: place)
        }
    }

    /// The place of a key whose slot is behind a given one, if not that itself, or -1.
    @inline(__always)
    private func place<K: Key & ~Copyable>(
        ofKeyAt wanted: Int, of others: KeyList<K>, in keys: KeyList<K>, from slot: Int
    ) -> Int {
        var slot = slot
        while slots[slot] != 0 {
            let place = place(ofEntry: slots[slot])
            if place >= 0, keys.isSame(at: place, as: others, at: wanted) { return place }
            slot = (slot &+ 1) & mask
        }
        return runs.isEmpty ? -1 : placeWithoutSlot(ofKeyAt: wanted, of: others, in: keys)
    }

    /// Where the identifier of a slot stands now; below zero if it is gone.
    @inline(__always)
    private func place(ofEntry entry: Int32) -> Int {
        let place = Int(entry) &- 1
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

    private func placeWithoutSlot<K: Key & ~Copyable>(
        ofKeyAt wanted: Int, of others: KeyList<K>, in keys: KeyList<K>
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
    mutating func insert<K: Key & ~Copyable>(
        _ range: Range<Int>, of keys: KeyList<K>, seeds: HashSeeds
    ) -> Int? {
        assert(runs.isEmpty)
        let mask = mask
        for place in range {
            var slot = keys.hash(at: place, seeds: seeds) & mask
            while slots[slot] != 0 {
                let other = Int(slots[slot]) &- 1
                if other >= 0, keys.isSame(at: other, as: keys, at: place) { return place }
                slot = (slot &+ 1) & mask
            }
            slots[slot] = Int32(truncatingIfNeeded: place &+ 1)
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
    func following<K: Key & ~Copyable>(
        _ kept: [Run], added: [Int32], in new: KeyList<K>, oldCount: Int,
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
    private func settled<K: Key & ~Copyable>(
        _ kept: [Run], added: [Int32], in new: KeyList<K>, oldCount: Int, seeds: HashSeeds
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
        let keptWithoutSlot = placesWithoutSlot.map { moved[$0] &- 1 }.filter { $0 >= 0 }
        for place in (keptWithoutSlot + added).map({ Int($0) })
        where table.insert(place..<place + 1, of: new, seeds: seeds) != nil {
            return nil
        }
        return table
    }

    /// The slots with the entries that the places up to now have moved to.
    private func filledSlots(_ moved: borrowing Scratch<Int32>) -> [Int32] {
        guard !runs.isEmpty else {
            return slots.map { $0 > 0 ? moved[Int($0) &- 1] : $0 }
        }
        let entries = Scratch(repeating: SlotTable.gone, count: runs.map(\.oldEnd).max() ?? 0)
        for run in runs where !run.isNew {
            let (old, new) = (Int(run.old), Int(run.new))
            for offset in 0..<run.count { entries[old &+ offset] = moved[new &+ offset] }
        }
        return slots.map { entry in
            guard entry > 0 else { return entry }
            return entry <= entries.count ? entries[Int(entry) &- 1] : SlotTable.gone
        }
    }
}
