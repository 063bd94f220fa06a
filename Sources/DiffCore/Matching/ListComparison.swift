// Compares the items of two lists, and makes the table of the new one out of the old one's.

/// Two lists that are to be compared.
@usableFromInline
struct ListComparison: ~Copyable {
    private let old: LentIdentifiers
    private let new: LentIdentifiers
    private let bounds: Bounds

    /// Two lent lists.
    @usableFromInline
    init(old: LentIdentifiers, new: LentIdentifiers, bounds: consuming Bounds) {
        self.old = old
        self.new = new
        self.bounds = bounds
    }

    /// The changes, if it is known that no item comes twice in the new list.
    ///
    /// The table is that of the old list, if there is one.
    @usableFromInline
    consuming func changes<Item: Hashable>(
        by table: SlotTable?, kind: KeyKind, type: Item.Type
    ) -> ItemChanges {
        switch kind {
        case .word: findChanges(KeyList<WordKey>(old), KeyList(new), table, bounds)
        case .twoWords: findChanges(KeyList<TwoWordKey>(old), KeyList(new), table, bounds)
        case .text: findChanges(KeyList<HashableKey<String>>(old), KeyList(new), table, bounds)
        case .hashable: changesOfHashables(by: table, type: type)
        }
    }

    /// Apart from the others, which need not know the type in order to begin.
    @inline(never)
    private consuming func changesOfHashables<Item: Hashable>(
        by table: SlotTable?, type: Item.Type
    ) -> ItemChanges {
        findChanges(KeyList<HashableKey<Item>>(old), KeyList(new), table, bounds)
    }

    /// The changes and the new list's table, or `nil` if an item comes twice in it.
    ///
    /// The table is that of the old list.
    @usableFromInline
    consuming func checkedChanges<Item: Hashable>(
        by table: SlotTable, kind: KeyKind, type: Item.Type
    ) -> (ItemChanges, SlotTable)? {
        switch kind {
        case .word: findCheckedChanges(KeyList<WordKey>(old), KeyList(new), table, bounds)
        case .twoWords: findCheckedChanges(KeyList<TwoWordKey>(old), KeyList(new), table, bounds)
        case .text:
            findCheckedChanges(KeyList<HashableKey<String>>(old), KeyList(new), table, bounds)
        case .hashable: checkedChangesOfHashables(by: table, type: type)
        }
    }

    @inline(never)
    private consuming func checkedChangesOfHashables<Item: Hashable>(
        by table: SlotTable, type: Item.Type
    ) -> (ItemChanges, SlotTable)? {
        findCheckedChanges(KeyList<HashableKey<Item>>(old), KeyList(new), table, bounds)
    }
}

/// The changes between two lists of different items.
private func findChanges<K: Key & ~Copyable>(
    _ old: KeyList<K>, _ new: KeyList<K>, _ table: SlotTable?, _ bounds: consuming Bounds
) -> ItemChanges {
    var frame = Frame(old: old, new: new, bounds: bounds)
    if let changes = frame.changesOfOneRest { return changes }
    if let move = frame.oneMove(from: old, to: new) { return move.changes }
    if table == nil || isWorthAWalk(old) {
        frame.walk(along: old, new)
        if let changes = frame.changesOfOneRest { return changes }
    }
    let seeds = HashSeeds.ofProcess
    let table = lookUpTable(of: old, table, frame: frame, seeds: seeds)
    var matcher = Matcher(frame, keepsRuns: false)
    let areDifferent = matcher.match(LookUps(of: new, in: old, table: table, seeds: seeds))
    assert(areDifferent)
    return matcher.changes
}

/// The changes between two lists, and the table of the new one, unless an item comes twice in it.
private func findCheckedChanges<K: Key & ~Copyable>(
    _ old: KeyList<K>, _ new: KeyList<K>, _ table: SlotTable, _ bounds: consuming Bounds
) -> (ItemChanges, SlotTable)? {
    let seeds = HashSeeds.ofProcess
    guard let (changes, runs) = changesAndRuns(old, new, table, bounds, seeds: seeds) else {
        return nil
    }
    let newTable = table.following(
        runs, added: changes.inserts, in: new, oldCount: old.count, seeds: seeds)
    return newTable.map { (changes, $0) }
}

/// The changes between two lists, and the stretches that both have, unless one of these comes twice.
@inline(__always)
private func changesAndRuns<K: Key & ~Copyable>(
    _ old: KeyList<K>, _ new: KeyList<K>, _ table: SlotTable, _ bounds: consuming Bounds,
    seeds: HashSeeds
) -> (ItemChanges, [Run])? {
    var frame = Frame(old: old, new: new, bounds: bounds)
    if let changes = frame.changesOfOneRest { return (changes, frame.commonRuns) }
    if let move = frame.oneMove(from: old, to: new) {
        return (move.changes, frame.commonRuns + move.runs)
    }
    if isWorthAWalk(old) {
        frame.walk(along: old, new)
        if let changes = frame.changesOfOneRest { return (changes, frame.commonRuns) }
    }
    let table = lookUpTable(of: old, table, frame: frame, seeds: seeds)
    var matcher = Matcher(frame, keepsRuns: true)
    let areDifferent = matcher.match(LookUps(of: new, in: old, table: table, seeds: seeds))
    guard areDifferent else { return nil }
    return (matcher.changes, matcher.allRuns)
}

/// Whether comparing on and on costs less than look-ups in the table of a list: if this is so long
/// that each look-up waits for memory.
private func isWorthAWalk<K: Key & ~Copyable>(_ list: KeyList<K>) -> Bool {
    K.isBitwise && list.count >= 32_768
}

/// The table in which the rest is looked up: that of the whole old list, or one of what is left of
/// it, where making this costs less than it saves.
private func lookUpTable<K: Key & ~Copyable>(
    of old: KeyList<K>, _ whole: SlotTable?, frame: borrowing Frame, seeds: HashSeeds
) -> SlotTable {
    let isShort = frame.oldRest <= old.count / 4 && frame.oldRest <= 2 * frame.newRest
    if let whole, !(isWorthAWalk(old) && isShort) { return whole }
    var table = SlotTable(roomFor: frame.oldRest, ofListOf: old.count)
    for rest in frame.oldRests {
        let repeated = table.insert(rest, of: old, seeds: seeds)
        assert(repeated == nil)
    }
    return table
}
