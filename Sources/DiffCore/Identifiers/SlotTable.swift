// A hash table of the indices of an array's elements.

/// An open-addressing hash table of the indices of an array of distinct identifiers.
///
/// A slot is 4 bytes: 0 if it is empty, or an index plus 1 and, in the remaining bits, a part of the
/// identifier's hash, so that identifiers that only share a slot are seldom compared. Collisions
/// are resolved by linear probing. At most two of five slots are taken, so that an identifier
/// costs 10 to 20 bytes.
///
/// When the array changes, its slots may keep the old indices, which `shifts` maps to the new ones:
/// see ``updated(kept:added:in:oldCount:seeds:)``.
@usableFromInline
struct SlotTable: Sendable {
    /// The indices of identifiers when the slots were filled.
    private var slots: [Int32]
    /// The number of slots that are not 0.
    private var taken = 0
    /// The ranges of identifiers that remain since the slots were filled, by their indices in the
    /// slots, followed by those without slots; empty if the array has not changed.
    private var shifts: [MatchedRange] = []
    /// The bits of a slot that hold an index plus 1.
    private let indexBits: Int32

    /// The slot of a removed identifier, which others may follow. No tag has its sign.
    private static let removed: Int32 = .min

    /// Creates a table with room for a number of identifiers.
    @usableFromInline
    init(capacity: Int) {
        precondition(capacity < 1 << 29, "a list cannot hold 2^29 identifiers")
        slots = [Int32](repeating: 0, count: SlotTable.slotCount(for: capacity))
        // The table has more slots than the list has indices while it has room.
        indexBits = Int32(truncatingIfNeeded: slots.count - 1)
    }

    /// Whether identifiers can be added at the end of a list that then has `count` of them.
    @usableFromInline
    func canGrow(to count: Int, by added: Int) -> Bool {
        shifts.isEmpty && hasRoom(for: added, of: count)
    }

    /// Whether there is room for more identifiers, and the table is not far too large.
    private func hasRoom(for added: Int, of count: Int) -> Bool {
        (taken + added) * 5 <= slots.count * 2
            && slots.count <= 2 * SlotTable.slotCount(for: count)
    }

    private static func slotCount(for count: Int) -> Int {
        let minimum = max(8, (count * 5 + 1) / 2)
        return 1 << (Int.bitWidth - (minimum - 1).leadingZeroBitCount)
    }

    private var mask: Int { slots.count - 1 }

    private func tag(ofHash hash: Int) -> Int32 {
        Int32(truncatingIfNeeded: hash) & .max & ~indexBits
    }
}

// MARK: Look-ups

extension SlotTable {
    /// Returns the index in `keys`, the table's list, of a key of another list, or -1.
    @inline(__always)
    func index<Keys: HashableBuffer>(
        ofKeyAt position: Int, of others: Keys, in keys: Keys, seeds: HashSeeds
    ) -> Int {
        index(
            ofKeyAt: position, of: others, in: keys,
            hash: others.hash(at: position, seeds: seeds))
    }

    /// Finds the indices in `keys`, the table's list, of a range of another list, or -1.
    ///
    /// All slots are read before the keys that they refer to, so that the processor waits for
    /// memory once for all of them.
    ///
    /// - Parameters:
    ///   - range: The range to look up.
    ///   - others: The list that it is a range of.
    ///   - keys: The list that the table is of.
    ///   - seeds: The seeds of the hashes.
    ///   - hashes: Memory for as many numbers.
    ///   - indices: Receives the indices, from 0 on.
    @inline(__always)
    func findIndices<Keys: HashableBuffer>(
        ofKeysAt range: Range<Int>, of others: Keys, in keys: Keys,
        seeds: HashSeeds, hashes: borrowing Scratch<UInt32>, into indices: borrowing Scratch<Int32>
    ) {
        for offset in 0..<range.count {
            let hash = others.hash(at: range.lowerBound &+ offset, seeds: seeds)
            hashes[offset] = UInt32(truncatingIfNeeded: hash)
            indices[offset] = slots[hash & mask]
        }
        let isUnchanged = shifts.isEmpty
        for offset in 0..<range.count {
            let position = range.lowerBound &+ offset
            let hash = Int(hashes[offset])
            let slot = indices[offset]
            var index = Int(slot & indexBits) &- 1
            let isFound =
                isUnchanged
                && (slot == 0
                    || slot & ~indexBits == tag(ofHash: hash)
                        && keys.isSame(at: index, as: others, at: position))
            if !isFound {
                index = self.index(ofKeyAt: position, of: others, in: keys, hash: hash)
            }
            indices[offset] = Int32(truncatingIfNeeded: index)
        }
    }

    /// Returns the index of a key by at least the lower half of its hash, or -1.
    @inline(__always)
    private func index<Keys: HashableBuffer>(
        ofKeyAt position: Int, of others: Keys, in keys: Keys, hash: Int
    ) -> Int {
        let tag = tag(ofHash: hash)
        var number = hash & mask
        while slots[number] != 0 {
            if slots[number] & ~indexBits == tag {
                let index = index(inSlot: slots[number])
                if index >= 0, keys.isSame(at: index, as: others, at: position) { return index }
            }
            number = (number &+ 1) & mask
        }
        return shifts.isEmpty ? -1 : indexWithoutSlot(ofKeyAt: position, of: others, in: keys)
    }

    /// Returns the present index of the identifier in a slot, or a negative number if it was removed.
    @inline(__always)
    private func index(inSlot slot: Int32) -> Int {
        let index = Int(slot & indexBits) &- 1
        return shifts.isEmpty ? index : shifted(index)
    }

    private func shifted(_ index: Int) -> Int {
        var low = 0
        var high = shifts.count
        while low < high {
            let middle = (low &+ high) / 2
            if shifts[middle].old <= index { low = middle &+ 1 } else { high = middle }
        }
        guard low > 0, index < shifts[low &- 1].oldEnd else { return -1 }
        return index &- Int(shifts[low &- 1].old) &+ Int(shifts[low &- 1].new)
    }

    private func indexWithoutSlot<Keys: HashableBuffer>(
        ofKeyAt position: Int, of others: Keys, in keys: Keys
    ) -> Int {
        // In this order, `updated` notices when a new identifier repeats an earlier one.
        for range in shifts where range.isNew {
            for index in Int(range.new)..<range.newEnd
            where keys.isSame(at: index, as: others, at: position) {
                return index
            }
        }
        return -1
    }
}

// MARK: Changes

extension SlotTable {
    /// Adds the keys in a range of the table's list.
    ///
    /// - Precondition: The list has not changed since the slots were filled.
    /// - Returns: The index of the first key that is in the table already, where it stopped, or `nil`.
    @inline(__always)
    mutating func insert<Keys: HashableBuffer>(
        _ range: Range<Int>, of keys: Keys, seeds: HashSeeds
    ) -> Int? {
        assert(shifts.isEmpty)
        let mask = mask
        for index in range {
            let hash = keys.hash(at: index, seeds: seeds)
            let tag = tag(ofHash: hash)
            var number = hash & mask
            while slots[number] != 0 {
                if slots[number] & ~indexBits == tag,
                    keys.isSame(at: Int(slots[number] & indexBits) &- 1, as: keys, at: index)
                {
                    return index
                }
                number = (number &+ 1) & mask
            }
            assert(index < indexBits)
            slots[number] = tag | Int32(truncatingIfNeeded: index &+ 1)
            taken &+= 1
        }
        return nil
    }

    /// Returns the table of a changed list.
    ///
    /// A list that is filled again at every event mostly changes by one item. Look-ups then map the
    /// indices in the slots through the changes since these were filled; only when there are
    /// many changes are the slots filled again.
    ///
    /// - Parameters:
    ///   - kept: The ranges of the old list that are in the new one.
    ///   - added: The indices of all other identifiers in the new list, ascending.
    ///   - new: The new list.
    ///   - oldCount: The number of identifiers in the old list.
    ///   - seeds: The seeds of the hashes.
    /// - Returns: `nil` if an added identifier is repeated.
    func updated<K: Key & ~Copyable>(
        kept: [MatchedRange], added: [Int32], in new: KeyBuffer<K>, oldCount: Int,
        seeds: HashSeeds
    ) -> SlotTable? {
        let hasRoom = hasRoom(for: added.count, of: new.count)
        if hasRoom, let combined = combinedRanges(shifts, kept, added: added) {
            var table = self
            table.shifts = combined
            for index in added {
                let found = table.index(ofKeyAt: Int(index), of: new, in: new, seeds: seeds)
                guard found == index else { return nil }
            }
            return table
        }
        // Bitwise identifiers are hashed in less time than their slots are refilled.
        if hasRoom, !K.isBitwise, added.count * 2 <= new.count {
            return refilled(kept: kept, added: added, in: new, oldCount: oldCount, seeds: seeds)
        }
        var table = SlotTable(capacity: new.count)
        return table.insert(0..<new.count, of: new, seeds: seeds) == nil ? table : nil
    }

    /// Returns the table of a changed list with the present indices in its slots.
    private func refilled<Keys: HashableBuffer>(
        kept: [MatchedRange], added: [Int32], in new: Keys, oldCount: Int,
        seeds: HashSeeds
    ) -> SlotTable? {
        // The new index plus 1 of each old index, and then of each index in the slots.
        var targets = [Int32](repeating: SlotTable.removed, count: oldCount)
        for range in kept {
            for offset in 0..<Int32(truncatingIfNeeded: range.count) {
                targets[Int(range.old &+ offset &* range.step)] = range.new &+ offset &+ 1
            }
        }
        var slotTargets = targets
        if !shifts.isEmpty {
            slotTargets = Array(
                repeating: SlotTable.removed, count: shifts.map(\.oldEnd).max() ?? 0)
            for range in shifts where !range.isNew {
                for offset in 0..<range.count {
                    slotTargets[Int(range.old) + offset] = targets[Int(range.new) + offset]
                }
            }
        }
        var table = self
        table.shifts = []
        table.slots = slots.map { slot in
            guard slot > 0 else { return slot }
            let index = Int(slot & indexBits) &- 1
            let target = index < slotTargets.count ? slotTargets[index] : SlotTable.removed
            return target == SlotTable.removed ? target : slot & ~indexBits | target
        }
        let withoutSlots = shifts.filter(\.isNew).flatMap { Int($0.new)..<$0.newEnd }
        let keptWithoutSlots = withoutSlots.map { targets[$0] }.filter { $0 > 0 }.map { $0 - 1 }
        for index in (keptWithoutSlots + added).map({ Int($0) })
        where table.insert(index..<index + 1, of: new, seeds: seeds) != nil {
            return nil
        }
        return table
    }
}

// MARK: Identifiers of any type

// These methods are called by code that is compiled for the identifiers' type, and choose the form of
// the keys, for which this module has compiled code.
extension SlotTable {
    /// Returns the index of an identifier in the table's list, or -1.
    @usableFromInline
    func index<Identifier: Hashable>(
        of identifier: BorrowedIdentifiers, in list: BorrowedIdentifiers, kind: KeyKind,
        type: Identifier.Type
    ) -> Int {
        func index<K: Key & ~Copyable>(as key: K.Type) -> Int {
            self.index(
                ofKeyAt: 0, of: KeyBuffer<K>(identifier), in: KeyBuffer(list), seeds: .ofProcess)
        }
        return switch kind {
        case .word: index(as: WordKey.self)
        case .twoWords: index(as: TwoWordKey.self)
        case .text: index(as: HashableKey<String>.self)
        case .hashable: index(as: HashableKey<Identifier>.self)
        }
    }

    /// Adds a range of the table's list, and returns the index of the first repeated identifier.
    @usableFromInline
    mutating func insert<Identifier: Hashable>(
        _ range: Range<Int>, of list: BorrowedIdentifiers, kind: KeyKind, type: Identifier.Type
    ) -> Int? {
        switch kind {
        case .word: insert(range, of: KeyBuffer<WordKey>(list), seeds: .ofProcess)
        case .twoWords: insert(range, of: KeyBuffer<TwoWordKey>(list), seeds: .ofProcess)
        case .text: insert(range, of: KeyBuffer<HashableKey<String>>(list), seeds: .ofProcess)
        case .hashable:
            insert(range, of: KeyBuffer<HashableKey<Identifier>>(list), seeds: .ofProcess)
        }
    }

    /// Returns the table of a changed list, or `nil` if an added identifier is repeated.
    @usableFromInline
    func updated<Identifier: Hashable>(
        kept: [MatchedRange], added: [Int32], in list: BorrowedIdentifiers, oldCount: Int,
        kind: KeyKind, type: Identifier.Type
    ) -> SlotTable? {
        func updated<K: Key & ~Copyable>(as key: K.Type) -> SlotTable? {
            self.updated(
                kept: kept, added: added, in: KeyBuffer<K>(list), oldCount: oldCount,
                seeds: .ofProcess)
        }
        return switch kind {
        case .word: updated(as: WordKey.self)
        case .twoWords: updated(as: TwoWordKey.self)
        case .text: updated(as: HashableKey<String>.self)
        case .hashable: updated(as: HashableKey<Identifier>.self)
        }
    }
}
