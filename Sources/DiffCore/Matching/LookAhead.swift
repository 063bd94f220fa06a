// Items of a new list that are looked up in an old one at once.

/// The old places of some items, which were looked up together.
///
/// The processor waits for all of their slots together, and then for all of their identifiers.
struct LookAhead<K: Key & ~Copyable>: ~Copyable {
    /// The items, by their new places.
    private var range = 0..<0
    /// Their old places, or -1.
    private let places: Scratch<Int32>
    private let hashes: Scratch<UInt32>
    /// A table of the old list's bytes, if most items have the same bytes in both lists.
    private var tableOfBytes: SlotTable?
    /// How many items have been looked up.
    private var lookedUp = 0

    /// How many items are looked up at once.
    private static var reach: Int { 64 }

    init() {
        places = Scratch(unset: LookAhead.reach)
        hashes = Scratch(unset: LookAhead.reach)
    }

    /// The old place of an item, or -1; `nil` if it has not been looked up.
    @inline(__always)
    func oldPlace(ofItemAt place: Int) -> Int? {
        range.contains(place) ? Int(places[place &- range.lowerBound]) : nil
    }

    /// The old place of the first of the items, or -1.
    var oldPlaceOfFirst: Int { Int(places[0]) }

    /// Whether most of the items are not in the old list.
    var areMostlyNew: Bool { (0..<range.count).count { places[$0] < 0 } > range.count / 2 }

    /// Looks up as many of some items as are in reach.
    @inline(never)
    mutating func lookUp(
        _ items: Range<Int>, of new: KeyList<K>, in old: KeyList<K>, table: SlotTable,
        seeds: HashSeeds
    ) {
        range = items.prefix(LookAhead.reach)
        if let tableOfBytes {
            lookUp(of: new, in: old, tableOfBytes: tableOfBytes, table: table, seeds: seeds)
            return
        }
        table.findPlaces(
            ofKeysAt: range, of: new, in: old, seeds: seeds, hashes: hashes, into: places)
        lookedUp += range.count
        if !K.isBitwise, isWorthATableOfBytes(old, left: items.count), haveSameBytes(new, old) {
            makeTableOfBytes(of: old, seeds: seeds)
        }
    }
}

// MARK: Bytes instead of hashes

// A string's hash takes longer than all else of a look-up. Where a list has been put in another
// order, its strings are the same in memory, as short ones are anyway.
extension LookAhead where K: ~Copyable {
    /// Whether so much had to be looked up, and so much is left, that a table of all bytes costs less:
    /// of what is left, most may be in stretches that need no look-up.
    private func isWorthATableOfBytes(_ old: KeyList<K>, left: Int) -> Bool {
        lookedUp > old.count / 16 && left >= old.count / 2
    }

    /// Whether most of the items have the same bytes in both lists.
    private func haveSameBytes(_ new: KeyList<K>, _ old: KeyList<K>) -> Bool {
        let (oldBytes, newBytes) = (old.bytes, new.bytes)
        let sameCount = range.count { place in
            let from = Int(places[place - range.lowerBound])
            return from >= 0 && oldBytes.isSame(at: from, as: newBytes, at: place)
        }
        return sameCount >= range.count / 2
    }

    private mutating func makeTableOfBytes(of old: KeyList<K>, seeds: HashSeeds) {
        var table = SlotTable(roomFor: old.count)
        let repeated = table.insert(0..<old.count, of: old.bytes, seeds: seeds)
        assert(repeated == nil)
        tableOfBytes = table
    }

    /// Looks the items up by their bytes, and only what these do not find by its hash.
    private func lookUp(
        of new: KeyList<K>, in old: KeyList<K>, tableOfBytes: SlotTable, table: SlotTable,
        seeds: HashSeeds
    ) {
        tableOfBytes.findPlaces(
            ofKeysAt: range, of: new.bytes, in: old.bytes, seeds: seeds, hashes: hashes,
            into: places)
        for (offset, place) in range.enumerated() where places[offset] < 0 {
            let found = table.place(ofKeyAt: place, of: new, in: old, seeds: seeds)
            places[offset] = Int32(truncatingIfNeeded: found)
        }
    }
}
