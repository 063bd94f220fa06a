// A hash table of the indices of an array's elements.

/// An open-addressing hash table of the indices of an array of distinct identifiers.
///
/// A slot is 4 bytes: 0 if it is empty, or an index plus 1 and, in the remaining bits, a part of the
/// identifier's hash, so that identifiers that only share a slot are seldom compared. Collisions
/// are resolved by linear probing. At most two of five slots are taken, so that an identifier
/// costs 10 to 20 bytes.
///
/// A list that is filled again at every event mostly changes by one item. Its table shares the slots of
/// the list before: the indices in them are mapped through the changes since the slots were filled.
@usableFromInline
final class SlotTable {
    /// The indices of identifiers when the slots were filled.
    private var slots: [Int32]
    /// The number of slots that are not 0.
    private var taken = 0
    /// The ranges of identifiers that have stayed since the slots were filled, by their indices in the
    /// slots; empty if the array has not changed.
    private var shifts: [MatchedRange]
    /// The indices of the identifiers that are not in the slots.
    private var strays: [Int32]
    /// The bits of a slot that hold an index plus 1.
    private let indexBits: Int32
    let kind: KeyKind
    private let seeds: HashSeeds

    /// The maximum number of ranges through which indices are mapped.
    @usableFromInline static let maximumShiftCount = 256
    /// The maximum number of identifiers without slots, which are compared one by one.
    private static let maximumStrayCount = 64

    /// Creates a table with room for a number of identifiers.
    ///
    /// - Parameters:
    ///   - capacity: The number of identifiers.
    ///   - bound: The length of the array, if the table holds only some of its elements.
    ///   - kind: The kind of the identifiers.
    ///   - seeds: The seeds of the hashes.
    init(capacity: Int, bound: Int = 0, kind: KeyKind, seeds: HashSeeds = .ofProcess) {
        precondition(capacity < 1 << 29, "a list cannot hold 2^29 identifiers")
        slots = [Int32](repeating: 0, count: SlotTable.slotCount(for: capacity))
        // The table has more slots than the list has indices while it has room.
        let indexCount = max(slots.count, SlotTable.slotCount(for: bound))
        indexBits = Int32(truncatingIfNeeded: indexCount - 1)
        self.kind = kind
        self.seeds = seeds
        shifts = []
        strays = []
    }

    /// Creates a table with room for a number of identifiers of a type.
    @usableFromInline
    convenience init<Identifier: Hashable>(capacity: Int, type: Identifier.Type) {
        self.init(capacity: capacity, kind: KeyKind(of: type))
    }

    /// Creates a table with the slots of another one.
    private init(_ table: SlotTable, shifts: [MatchedRange], strays: [Int32]) {
        slots = table.slots
        taken = table.taken
        indexBits = table.indexBits
        kind = table.kind
        seeds = table.seeds
        self.shifts = shifts
        self.strays = strays
    }

    /// A copy that can be changed.
    @usableFromInline var copy: SlotTable { SlotTable(self, shifts: shifts, strays: strays) }

    private static func slotCount(for count: Int) -> Int {
        let minimum = max(8, (count * 5 + 1) / 2)
        return 1 << (Int.bitWidth - (minimum - 1).leadingZeroBitCount)
    }

    private var mask: Int { slots.count - 1 }

    @inline(__always)
    private func tag(ofHash hash: Int) -> Int32 {
        Int32(truncatingIfNeeded: hash) & .max & ~indexBits
    }
}

// MARK: Look-ups

extension SlotTable {
    /// Returns the index in `keys`, the table's list, of a key of another list, or -1.
    @inline(__always)
    func index<K: Key & ~Copyable>(
        ofKeyAt position: Int, of others: KeyBuffer<K>, in keys: KeyBuffer<K>
    ) -> Int {
        let hash = others.hash(at: position, seeds: seeds)
        let tag = tag(ofHash: hash)
        var number = hash & mask
        while slots[number] != 0 {
            if slots[number] & ~indexBits == tag {
                let index = index(inSlot: slots[number])
                if index >= 0, keys.isSame(at: index, as: others, at: position) { return index }
            }
            number = (number &+ 1) & mask
        }
        for stray in strays where keys.isSame(at: Int(stray), as: others, at: position) {
            return Int(stray)
        }
        return -1
    }

    /// Returns the present index of the identifier in a slot, or -1 if it was removed.
    @inline(__always)
    private func index(inSlot slot: Int32) -> Int {
        let index = slot & indexBits &- 1
        return Int(shifts.isEmpty ? index : shifted(index))
    }

    private func shifted(_ index: Int32) -> Int32 {
        let number = shifts.index(beforeOrAt: index)
        return number < 0 ? -1 : shifts[number].newIndex(of: index) ?? -1
    }

    /// Returns the index of an identifier of any type in the table's list, or -1.
    @usableFromInline
    func index<Identifier: Hashable>(
        of identifier: BorrowedIdentifiers, in list: BorrowedIdentifiers, type: Identifier.Type
    ) -> Int {
        switch kind {
        case .word: index(ofKeyAt: 0, of: KeyBuffer<WordKey>(identifier), in: KeyBuffer(list))
        case .twoWords:
            index(ofKeyAt: 0, of: KeyBuffer<TwoWordKey>(identifier), in: KeyBuffer(list))
        case .text:
            index(ofKeyAt: 0, of: KeyBuffer<HashableKey<String>>(identifier), in: KeyBuffer(list))
        case .hashable:
            index(
                ofKeyAt: 0, of: KeyBuffer<HashableKey<Identifier>>(identifier), in: KeyBuffer(list))
        }
    }

    /// Returns the index in the table's list of each identifier of another list of the same type, or -1.
    @usableFromInline
    func indices<Identifier: Hashable>(
        of identifiers: BorrowedIdentifiers, in list: BorrowedIdentifiers, type: Identifier.Type
    ) -> [Int] {
        func indices<K: Key & ~Copyable>(_: K.Type) -> [Int] {
            let (others, keys) = (KeyBuffer<K>(identifiers), KeyBuffer<K>(list))
            return (0..<others.count).map { index(ofKeyAt: $0, of: others, in: keys) }
        }
        return switch kind {
        case .word: indices(WordKey.self)
        case .twoWords: indices(TwoWordKey.self)
        case .text: indices(HashableKey<String>.self)
        case .hashable: indices(HashableKey<Identifier>.self)
        }
    }
}

// MARK: Changes

extension SlotTable {
    /// Adds the keys at indices of the table's list.
    ///
    /// - Precondition: The list has not changed since the slots were filled.
    /// - Returns: The index of the first key that is in the table already, or `nil`; keys after it are
    ///   not added.
    @inline(__always)
    func insert<K: Key & ~Copyable>(
        _ indices: some Sequence<Int>, of keys: KeyBuffer<K>
    ) -> Int? {
        assert(isCurrent)
        let mask = mask
        var slots: [Int32] = []
        swap(&slots, &self.slots)
        defer { swap(&slots, &self.slots) }
        for index in indices {
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

    /// Adds a range of a list of any type, and returns the index of the first repeated identifier.
    @usableFromInline
    func insert<Identifier: Hashable>(
        _ range: Range<Int>, of list: BorrowedIdentifiers, type: Identifier.Type
    ) -> Int? {
        switch kind {
        case .word: insert(range, of: KeyBuffer<WordKey>(list))
        case .twoWords: insert(range, of: KeyBuffer<TwoWordKey>(list))
        case .text: insert(range, of: KeyBuffer<HashableKey<String>>(list))
        case .hashable: insert(range, of: KeyBuffer<HashableKey<Identifier>>(list))
        }
    }

    /// Whether the slots hold the present index of every identifier, so that others can be added.
    @usableFromInline var isCurrent: Bool { shifts.isEmpty && strays.isEmpty }

    /// Whether there are slots for more identifiers.
    @usableFromInline
    func hasRoom(for added: Int) -> Bool { (taken + added) * 5 <= slots.count * 2 }

    /// Whether the table has at most twice the slots that a new table of `count` identifiers would
    /// have.
    private func fits(_ count: Int) -> Bool {
        slots.count <= 2 * SlotTable.slotCount(for: count)
    }

    /// Makes a table of a list that replaces this one with the same slots.
    ///
    /// - Parameters:
    ///   - kept: The ranges of the list that are in the changed one.
    ///   - added: The indices of all other identifiers in the changed list.
    ///   - count: The number of identifiers in the changed list.
    /// - Returns: The table, which may have many strays, or `nil` if a new one is made in less time or has
    ///   faster look-ups.
    @usableFromInline
    func successor(kept: [MatchedRange], added: [Int32], count: Int) -> SlotTable? {
        guard kept.count <= SlotTable.maximumShiftCount, fits(count) else { return nil }
        // Copying the slots for many identifiers at once takes less time than hashing the whole list.
        let limit = SlotTable.maximumStrayCount
        guard strays.count + added.count <= (added.count > limit ? count / 8 : limit) else {
            return nil
        }
        var strays = added
        for stray in self.strays {
            for range in kept {
                if let index = range.newIndex(of: stray) { strays.append(index) }
            }
        }
        let kept = kept.isInOrder ? kept : kept.sorted { $0.old < $1.old }
        let shifts = self.shifts.isEmpty ? kept : self.shifts.followed(by: kept)
        guard (1...SlotTable.maximumShiftCount).contains(shifts.count) else { return nil }
        return SlotTable(self, shifts: shifts, strays: strays)
    }
}

extension SlotTable {
    /// Makes a table of a list with the same identifiers in another order, without hashing them.
    ///
    /// - Parameter ranges: The ranges of this list, which contain all identifiers, with their new indices.
    /// - Returns: The table, or `nil` if this list has changed since the slots were filled.
    func reordered(_ ranges: [MatchedRange]) -> SlotTable? {
        guard isCurrent else { return nil }
        let newIndices = Scratch<Int32>(unset: taken)
        for range in ranges {
            for offset in 0..<range.length {
                newIndices[Int(range.old &+ offset)] = range.new &+ offset
            }
        }
        let table = SlotTable(self, shifts: [], strays: [])
        var slots: [Int32] = []
        swap(&slots, &table.slots)
        for number in slots.indices where slots[number] != 0 {
            let index = newIndices[Int(slots[number] & indexBits &- 1)]
            slots[number] = slots[number] & ~indexBits | (index &+ 1)
        }
        swap(&slots, &table.slots)
        return table
    }
}

// MARK: Edits

extension SlotTable {
    /// Updates the indices after identifiers were inserted at a range.
    @usableFromInline
    func followInsertion(at range: Range<Int>) {
        let (start, count) = (Int32(range.lowerBound), Int32(range.count))
        changeIndices(cutAt: [start]) { $0 < start ? $0 : $0 &+ count }
        strays += range.lazy.map { Int32($0) }
    }

    /// Whether too many identifiers have no slots.
    @usableFromInline var hasManyStrays: Bool { strays.count > SlotTable.maximumStrayCount }

    /// Adds the identifiers without slots, if there is room, under indices that follow all others in the
    /// slots.
    ///
    /// - Complexity: O(*k* log *k*) for *k* identifiers, apart from copying slots that are shared.
    func insertStrays<K: Key & ~Copyable>(of keys: KeyBuffer<K>) {
        let added = strays.sorted()
        guard hasRoom(for: added.count) else { return }
        var ranges = shifts
        for (number, stray) in added.enumerated() {
            ranges.append(joining: .init(old: taken + number, new: Int(stray), length: 1))
        }
        guard ranges.count <= SlotTable.maximumShiftCount else { return }
        let mask = mask
        var slots: [Int32] = []
        swap(&slots, &self.slots)
        defer { swap(&slots, &self.slots) }
        for stray in added {
            let hash = keys.hash(at: Int(stray), seeds: seeds)
            var number = hash & mask
            while slots[number] != 0 { number = (number &+ 1) & mask }
            taken &+= 1
            assert(taken <= indexBits)
            slots[number] = tag(ofHash: hash) | Int32(truncatingIfNeeded: taken)
        }
        shifts = ranges
        strays = []
    }

    /// Adds the identifiers without slots, if there is room, given the list of any type.
    @usableFromInline
    func insertStrays<Identifier: Hashable>(of list: BorrowedIdentifiers, type: Identifier.Type) {
        switch kind {
        case .word: insertStrays(of: KeyBuffer<WordKey>(list))
        case .twoWords: insertStrays(of: KeyBuffer<TwoWordKey>(list))
        case .text: insertStrays(of: KeyBuffer<HashableKey<String>>(list))
        case .hashable: insertStrays(of: KeyBuffer<HashableKey<Identifier>>(list))
        }
    }

    /// Updates the indices after the identifiers in a range were removed.
    @usableFromInline
    func followRemoval(of range: Range<Int>) {
        let (start, end) = (Int32(range.lowerBound), Int32(range.upperBound))
        changeIndices(cutAt: [start, end]) {
            $0 < start ? $0 : $0 < end ? nil : $0 &- (end &- start)
        }
    }

    /// Updates the indices after two adjacent blocks of identifiers were exchanged.
    @usableFromInline
    func followExchange(of first: Range<Int>, with second: Range<Int>) {
        let (start, middle) = (Int32(first.lowerBound), Int32(second.lowerBound))
        let end = Int32(second.upperBound)
        changeIndices(cutAt: [start, middle, end]) {
            $0 < start || $0 >= end
                ? $0 : $0 < middle ? $0 &+ (end &- middle) : $0 &- (middle &- start)
        }
    }

    /// Whether look-ups in a list of `count` identifiers are still fast.
    @usableFromInline
    func isUsable(for count: Int) -> Bool {
        (1...SlotTable.maximumShiftCount).contains(shifts.count) && !hasManyStrays && fits(count)
    }

    /// Changes the indices of all identifiers; removes identifiers without a new index.
    ///
    /// - Parameters:
    ///   - cuts: The indices at which identifiers that were adjacent may be separated.
    ///   - newIndex: Returns the new index of the identifier at an index.
    @inline(__always)
    private func changeIndices(cutAt cuts: [Int32], _ newIndex: (Int32) -> Int32?) {
        // Changed in place.
        var ranges: [MatchedRange] = []
        swap(&ranges, &shifts)
        if ranges.isEmpty { ranges.append(MatchedRange(old: 0, new: 0, length: taken)) }
        for cut in cuts { ranges.cut(at: cut) }
        var count = 0
        for number in ranges.indices {
            guard let index = newIndex(ranges[number].new) else { continue }
            ranges[number].new = index
            if count > 0, ranges[count &- 1].isContinued(by: ranges[number]) {
                ranges[count &- 1].length &+= ranges[number].length
            } else {
                ranges[count] = ranges[number]
                count &+= 1
            }
        }
        ranges.removeLast(ranges.count - count)
        swap(&ranges, &shifts)
        strays = strays.compactMap(newIndex)
    }
}

// @unchecked: a table changes only while a single array refers to it.
extension SlotTable: @unchecked Sendable {}
