// Compares the items of two lists, and makes the table of the new one out of the old one's.

/// Two lists that are to be compared.
@usableFromInline
struct ListComparison: ~Copyable {
    private let old: LentIdentifiers
    private let new: LentIdentifiers
    private let table: SlotTable?
    private let bounds: Bounds

    /// Two lent lists, and the table of the old one.
    @usableFromInline
    init(old: LentIdentifiers, table: SlotTable?, new: LentIdentifiers, bounds: consuming Bounds) {
        self.old = old
        self.new = new
        self.table = table
        self.bounds = bounds
    }

    /// The changes, if it is known that no item comes twice in the new list.
    @usableFromInline
    consuming func changes<Item: Hashable>(kind: KeyKind, type: Item.Type) -> ItemChanges {
        switch kind {
        case .word: findChanges(KeyList<WordKey>(old), KeyList(new), table, bounds)
        case .twoWords: findChanges(KeyList<TwoWordKey>(old), KeyList(new), table, bounds)
        case .text: findChanges(KeyList<HashableKey<String>>(old), KeyList(new), table, bounds)
        case .hashable: changesOfHashables(type: type)
        }
    }

    /// Apart from the others, which need not know the type in order to begin.
    @inline(never)
    private consuming func changesOfHashables<Item: Hashable>(type: Item.Type) -> ItemChanges {
        findChanges(KeyList<HashableKey<Item>>(old), KeyList(new), table, bounds)
    }

    /// The changes and the new list's table, or `nil` if an item comes twice in it.
    ///
    /// Without a table of the old list there is no answer either.
    @usableFromInline
    consuming func checkedChanges<Item: Hashable>(
        kind: KeyKind, type: Item.Type
    ) -> (ItemChanges, SlotTable)? {
        guard let table else { return nil }
        return switch kind {
        case .word: findCheckedChanges(KeyList<WordKey>(old), KeyList(new), table, bounds)
        case .twoWords: findCheckedChanges(KeyList<TwoWordKey>(old), KeyList(new), table, bounds)
        case .text:
            findCheckedChanges(KeyList<HashableKey<String>>(old), KeyList(new), table, bounds)
        case .hashable: checkedChangesOfHashables(type: type, table)
        }
    }

    @inline(never)
    private consuming func checkedChangesOfHashables<Item: Hashable>(
        type: Item.Type, _ table: SlotTable
    ) -> (ItemChanges, SlotTable)? {
        findCheckedChanges(KeyList<HashableKey<Item>>(old), KeyList(new), table, bounds)
    }
}

/// The changes between two lists of different items.
private func findChanges<K: Key>(
    _ old: KeyList<K>, _ new: KeyList<K>, _ table: SlotTable?, _ bounds: consuming Bounds
) -> ItemChanges {
    let frame = Frame(old: old, new: new, bounds: bounds)
    if let changes = frame.changesOfOneRest { return changes }
    if let move = frame.oneMove(from: old, to: new) { return move.changes }
    let seeds = HashSeeds.ofProcess
    let table = table ?? restTable(of: old, frame: frame, seeds: seeds)
    var matcher = Matcher(frame, keepsRuns: false)
    let areDifferent = matcher.match(old: old, new: new, table: table, seeds: seeds)
    assert(areDifferent)
    return matcher.changes
}

/// A table of those old items alone that are not at the same end of the same section.
private func restTable<K: Key>(of old: KeyList<K>, frame: borrowing Frame, seeds: HashSeeds)
    -> SlotTable
{
    var table = SlotTable(roomFor: frame.oldRest)
    for rest in frame.oldRests {
        let repeated = table.insert(rest, of: old, seeds: seeds)
        assert(repeated == nil)
    }
    return table
}

/// The changes between two lists, and the table of the new one, unless an item comes twice in it.
private func findCheckedChanges<K: Key>(
    _ old: KeyList<K>, _ new: KeyList<K>, _ table: SlotTable, _ bounds: consuming Bounds
) -> (ItemChanges, SlotTable)? {
    let frame = Frame(old: old, new: new, bounds: bounds)
    let seeds = HashSeeds.ofProcess
    if let changes = frame.changesOfOneRest {
        // What came is entered into the table, where it is found if it is there already.
        let newTable = table.follow(
            changes, along: frame.endRuns, from: old, to: new, seeds: seeds)
        return newTable.map { (changes, $0) }
    }
    if let move = frame.oneMove(from: old, to: new) {
        let newTable = table.follow(
            move.changes, along: frame.endRuns + move.runs, from: old, to: new, seeds: seeds)
        return newTable.map { (move.changes, $0) }
    }
    var matcher = Matcher(frame, keepsRuns: true)
    guard matcher.match(old: old, new: new, table: table, seeds: seeds) else { return nil }
    let changes = matcher.changes
    let newTable = table.follow(
        changes, along: matcher.allRuns, from: old, to: new, seeds: seeds)
    return newTable.map { (changes, $0) }
}

extension SlotTable {
    /// The most items that are taken out and entered one by one.
    private static var mostChanges: Int { 64 }

    /// The table of a new list, made from this one of the old list where that is less work.
    ///
    /// - Returns: `nil` if an item comes twice in the new list.
    fileprivate func follow<K: Key>(
        _ changes: ItemChanges, along runs: [Run], from old: KeyList<K>, to new: KeyList<K>,
        seeds: HashSeeds
    ) -> SlotTable? {
        guard suits(new.count),
            changes.deletes.count + changes.inserts.count <= SlotTable.mostChanges,
            let steps = SlotTable.steps(along: runs)
        else {
            var table = SlotTable(roomFor: new.count)
            return table.insert(0..<new.count, of: new, seeds: seeds) == nil ? table : nil
        }
        var table = self
        if changes.deletes.isEmpty {
            table = shifted(steps)
        } else {
            for place in changes.deletes { table.remove(Int(place), of: old, seeds: seeds) }
            table.shift(steps)
        }
        for place in changes.inserts {
            let place = Int(place)
            guard table.insert(place..<place + 1, of: new, seeds: seeds) == nil else { return nil }
        }
        return table
    }

    /// How the places change along runs, unless that takes more steps than can be made at once.
    private static func steps(along runs: [Run]) -> [Step]? {
        guard runs.count <= 4 * mostSteps else { return nil }
        var steps: [Step] = []
        var offset = 0
        for run in runs.sorted(by: { $0.old < $1.old }) {
            guard run.length > 0 else { return nil }
            let next = Int(run.new - run.old)
            guard next != offset else { continue }
            guard steps.count < mostSteps else { return nil }
            steps.append(Step(start: Int(run.old), offset: next - offset))
            offset = next
        }
        return steps
    }
}
