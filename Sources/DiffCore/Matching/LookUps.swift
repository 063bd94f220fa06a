// Where the items of a new list stand in an old one: one by one, or many at once.

/// Looks the items of a new list up in the table of an old one.
///
/// Where items that stood together still do, one look-up serves all of them. Where one item after
/// the other turns out to stand alone, many are looked up at once.
struct LookUps<K: Key & ~Copyable>: ~Copyable {
    private let old: KeyList<K>
    private let new: KeyList<K>
    private let table: SlotTable
    private let seeds: HashSeeds
    private var ahead = LookAhead<K>()
    /// How many look-ups in a row would have been better made with others.
    private var singles = 0

    /// How many single look-ups there are before others are made with them.
    private var patience: Int { 8 }

    /// Whether an item that is new waits for other memory than its slot, which is mostly empty: if it
    /// is more than its bytes, its hash does.
    private var newWaits: Bool { !K.isBitwise }

    init(of new: KeyList<K>, in old: KeyList<K>, table: SlotTable, seeds: HashSeeds) {
        self.old = old
        self.new = new
        self.table = table
        self.seeds = seeds
    }

    /// The old place of an item, or -1; those behind it and before an end may be looked up with it.
    @inline(__always)
    mutating func oldPlace(ofItemAt place: Int, before end: Int) -> Int {
        if let known = ahead.oldPlace(ofItemAt: place) { return known }
        if singles > patience {
            ahead.lookUp(place..<end, of: new, in: old, table: table, seeds: seeds)
            if ahead.areMostlyNew, !newWaits { singles = 0 }
            return ahead.oldPlaceOfFirst
        }
        let found = table.place(ofKeyAt: place, of: new, in: old, seeds: seeds)
        singles = found < 0 && !newWaits ? 0 : singles &+ 1
        return found
    }

    /// How far both lists are the same from two places on, below zero if the old one is read
    /// backwards.
    @inline(__always)
    mutating func extent(
        from: Int, in home: Range<Int>, to: Int, in rest: Range<Int>
    ) -> Int {
        guard to + 1 < rest.upperBound else { return 1 }
        if let next = ahead.oldPlace(ofItemAt: to &+ 1), next != from &+ 1, next != from &- 1 {
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
