// Finds the changes between two lists, and updates the hash table of the old list for the new one.

/// The comparison of two borrowed lists.
@usableFromInline
struct ListComparison: ~Copyable {
    private let old: BorrowedIdentifiers
    private let new: BorrowedIdentifiers
    private let bounds: SectionBounds

    @usableFromInline
    init(
        old: BorrowedIdentifiers, new: BorrowedIdentifiers, bounds: consuming SectionBounds
    ) {
        self.old = old
        self.new = new
        self.bounds = bounds
    }

    /// Returns the changes to a new list of distinct items, with the help of the old list's table.
    @usableFromInline
    consuming func changes<Item: Hashable>(
        oldTable: SlotTable?, kind: KeyKind, type: Item.Type
    ) -> ListChanges {
        switch kind {
        case .word: changes(as: WordKey.self, oldTable)
        case .twoWords: changes(as: TwoWordKey.self, oldTable)
        case .text: changes(as: HashableKey<String>.self, oldTable)
        case .hashable: changes(as: HashableKey<Item>.self, oldTable)
        }
    }

    /// Returns the changes and the new list's table, or `nil` if an item of the new list is repeated.
    @usableFromInline
    consuming func changesAndTable<Item: Hashable>(
        oldTable: SlotTable, kind: KeyKind, type: Item.Type
    ) -> (ListChanges, SlotTable)? {
        switch kind {
        case .word: changesAndTable(as: WordKey.self, oldTable)
        case .twoWords: changesAndTable(as: TwoWordKey.self, oldTable)
        case .text: changesAndTable(as: HashableKey<String>.self, oldTable)
        case .hashable: changesAndTable(as: HashableKey<Item>.self, oldTable)
        }
    }

    private consuming func changes<K: Key & ~Copyable>(
        as key: K.Type, _ oldTable: SlotTable?
    ) -> ListChanges {
        guard
            let (changes, _) = match(
                KeyBuffer<K>(old), KeyBuffer(new), oldTable, bounds, keepsRanges: false)
        else { misuse("difference(from:)", "an item is repeated") }
        return changes
    }

    private consuming func changesAndTable<K: Key & ~Copyable>(
        as key: K.Type, _ oldTable: SlotTable
    ) -> (ListChanges, SlotTable)? {
        let (oldKeys, newKeys) = (KeyBuffer<K>(old), KeyBuffer<K>(new))
        guard
            let (changes, ranges) = match(oldKeys, newKeys, oldTable, bounds, keepsRanges: true),
            let table = oldTable.updated(
                kept: ranges, added: changes.inserts, in: newKeys, oldCount: oldKeys.count,
                seeds: .ofProcess)
        else { return nil }
        return (changes, table)
    }
}

/// Returns the changes between two lists and, if wanted, the ranges that they have in common; `nil` if
/// such an item is repeated.
@inline(__always)
private func match<K: Key & ~Copyable>(
    _ old: KeyBuffer<K>, _ new: KeyBuffer<K>, _ oldTable: SlotTable?,
    _ bounds: consuming SectionBounds, keepsRanges: Bool
) -> (ListChanges, [MatchedRange])? {
    let ends = CommonEnds(old: old, new: new, bounds: bounds)
    if let changes = ends.onlyInsertsOrDeletes { return (changes, keepsRanges ? ends.ranges : []) }
    if let (item, others) = ends.singleMove(from: old, to: new) {
        var changes = ListChanges()
        changes.moves = [.init(from: item.old, to: item.new)]
        return (changes, keepsRanges ? ends.ranges + [item, others] : [])
    }
    var table = oldTable ?? SlotTable(capacity: old.count)
    if oldTable == nil { _ = table.insert(0..<old.count, of: old, seeds: .ofProcess) }
    var matcher = Matcher(ends, keepsRanges: keepsRanges)
    guard matcher.match(ItemLookup(of: new, in: old, table: table)) else { return nil }
    return (matcher.changes, matcher.ranges)
}

/// Returns the changes of the sections of a list.
///
/// - Parameters:
///   - origins: The old index of each new section, or -1; `nil` if the sections are the same.
///   - oldCount: The number of sections in the old list.
/// - Returns: The changes, by the indices of the sections.
@usableFromInline
func sectionChanges(origins: [Int]?, oldCount: Int) -> ListChanges {
    var changes = ListChanges()
    guard let origins else { return changes }
    let remaining = IndexBitSet(bound: oldCount)
    var ranges: [MatchedRange] = []
    for (index, origin) in origins.enumerated() {
        if origin >= 0 {
            _ = remaining.insert(origin)
            ranges.append(MatchedRange(old: origin, new: index, length: 1))
        } else {
            changes.inserts.append(Int32(truncatingIfNeeded: index))
        }
    }
    changes.deletes = remaining.missing(count: oldCount - ranges.count)
    appendMinimalMoves(of: ranges, to: &changes.moves)
    return changes
}
