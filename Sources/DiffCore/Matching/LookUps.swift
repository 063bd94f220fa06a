// Where the items of a new list stand in an old one: one by one, or many at once.

/// Looks the items of a new list up in the table of an old one.
///
/// Where items that stood together still do, one look-up serves all of them. Where one item after
/// the other turns out to stand alone, many are looked up at once: the processor then
/// waits for all of their slots together, and then for all of their identifiers.
struct LookUps<K: Key & ~Copyable>: ~Copyable {
    private let old: KeyList<K>
    private let new: KeyList<K>
    private let table: SlotTable
    private let seeds: HashSeeds
    /// The items that were looked up at once, by their new places.
    private var ahead = 0..<0
    /// Their old places, or -1.
    private let places: Scratch<Int32>
    private let firstSlots: Scratch<Int32>
    /// How many look-ups in a row have been worth to be made with others.
    private var singles = 0
    /// A table of the old list's bytes, if most items have the same bytes in both lists.
    private var tableOfBytes: SlotTable?
    /// Whether that has been seen to.
    private var knowsBytes = K.isBitwise

    /// How many items are looked up at once, and after how many that stood alone.
    private static var reach: Int { 64 }
    private static var patience: Int { 8 }

    init(of new: KeyList<K>, in old: KeyList<K>, table: SlotTable, seeds: HashSeeds) {
        self.old = old
        self.new = new
        self.table = table
        self.seeds = seeds
        places = Scratch(unset: LookUps.reach)
        firstSlots = Scratch(unset: LookUps.reach)
    }

    /// The old place of an item, or -1; those behind it and before an end may be looked up with it.
    @inline(__always)
    mutating func oldPlace(ofItemAt place: Int, before end: Int) -> Int {
        if let known = knownOldPlace(ofItemAt: place) { return known }
        if singles > LookUps.patience {
            lookAhead(from: place, before: end)
            return Int(places[0])
        }
        let found = table.place(ofKeyAt: place, of: new, in: old, seeds: seeds)
        singles = found < 0 && !newWaits ? 0 : singles &+ 1
        return found
    }

    /// Looks as many items up at once as there are before an end and in reach.
    @inline(never)
    private mutating func lookAhead(from place: Int, before end: Int) {
        ahead = place..<min(place + LookUps.reach, end)
        if tableOfBytes == nil {
            table.findPlaces(
                ofKeysAt: ahead, of: new, in: old, seeds: seeds, firstSlots: firstSlots,
                into: places)
            if !knowsBytes { considerBytes(leftToLookUp: end - place) }
        } else {
            findPlacesByBytes()
        }
        let newCount = (0..<ahead.count).count { places[$0] < 0 }
        if newCount > ahead.count / 2, !newWaits { singles = 0 }
    }

    /// Whether an item that is new waits for memory other than its slot, which is mostly empty: if it
    /// is more than its bytes, its hash does.
    private var newWaits: Bool { !K.isBitwise }

    /// The old place of an item if it has been looked up.
    @inline(__always)
    private func knownOldPlace(ofItemAt place: Int) -> Int? {
        ahead.contains(place) ? Int(places[place &- ahead.lowerBound]) : nil
    }

    /// How far both lists are the same from two places on, below zero if the old one is read
    /// backwards.
    @inline(__always)
    mutating func extent(
        from: Int, in home: Range<Int>, to: Int, in rest: Range<Int>
    ) -> Int {
        guard to + 1 < rest.upperBound else { return 1 }
        if let next = knownOldPlace(ofItemAt: to &+ 1), next != from &+ 1, next != from &- 1 {
            return 1
        }
        if from + 1 < home.upperBound, old.isSame(at: from + 1, as: new, at: to + 1) {
            singles = 0
            return 2
                + old.shortOrLongRun(
                    at: from + 2, with: new, at: to + 2,
                    limit: min(home.upperBound - from, rest.upperBound - to) - 2)
        }
        guard from > home.lowerBound, old.isSame(at: from - 1, as: new, at: to + 1) else {
            return 1
        }
        singles = 0
        let limit = min(from - home.lowerBound + 1, rest.upperBound - to)
        var length = 2
        while length < limit, old.isSame(at: from - length, as: new, at: to + length) {
            length += 1
        }
        return -length
    }
}

// MARK: Bytes instead of hashes

// A string's hash takes longer than all else of a look-up. Where a list has been put in another
// order, its strings are the same in memory, as short ones are anyway.
extension LookUps where K: ~Copyable {
    /// Makes a table of the old list's bytes if most of what was just found has the same bytes, and
    /// enough is left to be looked up.
    private mutating func considerBytes(leftToLookUp left: Int) {
        knowsBytes = true
        guard left >= old.count / 2, let oldWords = old.asTwoWords else { return }
        var sameCount = 0
        for (offset, place) in ahead.enumerated() where places[offset] >= 0 {
            if old.hasSameBytes(at: Int(places[offset]), as: new, at: place) { sameCount += 1 }
        }
        guard sameCount >= ahead.count / 2 else { return }
        var table = SlotTable(roomFor: old.count)
        let repeated = table.insert(0..<old.count, of: oldWords, seeds: seeds)
        assert(repeated == nil)
        tableOfBytes = table
    }

    /// Looks up what is ahead by its bytes, and only what these do not find by its hash.
    private func findPlacesByBytes() {
        guard let tableOfBytes, let oldWords = old.asTwoWords, let newWords = new.asTwoWords else {
            return
        }
        tableOfBytes.findPlaces(
            ofKeysAt: ahead, of: newWords, in: oldWords, seeds: seeds, firstSlots: firstSlots,
            into: places)
        for (offset, place) in ahead.enumerated() where places[offset] < 0 {
            let found = table.place(ofKeyAt: place, of: new, in: old, seeds: seeds)
            places[offset] = Int32(truncatingIfNeeded: found)
        }
    }
}
