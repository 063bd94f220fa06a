// To and from the standard library's differences of collections.

extension SnapshotDifference {
    /// The changes of the row of all items, whatever sections they are in.
    ///
    /// An item that moves is a removal and an insertion that know of each other.
    /// Items of a section that moves do move here, since the row has no sections.
    ///
    /// - Complexity: That of ``DiffableDataSourceSnapshot/difference(from:)``.
    public var collectionDifference: CollectionDifference<ItemIdentifierType> {
        DiffCore.collectionDifference(from: old.items, to: new.items)
    }

    /// The changes of the items of one section; empty if neither list has it.
    ///
    /// - Complexity: That of ``DiffableDataSourceSnapshot/difference(from:)``.
    public func collectionDifference(
        inSection section: SectionIdentifierType
    ) -> CollectionDifference<ItemIdentifierType> {
        DiffCore.collectionDifference(
            from: old.items(inSection: section), to: new.items(inSection: section))
    }
}

extension DiffableDataSourceSnapshot {
    /// The snapshot with a collection's changes applied to the items of a section.
    ///
    /// - Precondition: The section is in the snapshot.
    /// - Returns: `nil` if the difference does not fit the section's items, as the
    ///   standard library's `applying(_:)` does.
    /// - Complexity: O(*n* + *c*) for *c* changes.
    public func applying(
        _ difference: CollectionDifference<ItemIdentifierType>,
        toSection section: SectionIdentifierType
    ) -> DiffableDataSourceSnapshot? {
        let items = itemIdentifiers(inSection: section)
        guard let changed = items.applying(difference) else { return nil }
        var result = self
        let kept = Set(changed)
        result.deleteItems(items.filter { !kept.contains($0) })
        result.appendItems(changed, toSection: section)
        return result
    }
}

extension Listing {
    /// The items of a section, none if there is no such section.
    fileprivate func items(inSection section: Section) -> [Item] {
        guard let number = sections.firstIndex(of: section) else { return [] }
        return Array(items[bounds[number]..<bounds[number + 1]])
    }
}

/// The changes between two rows of different identifiers, moves told as such.
private func collectionDifference<Item: Hashable & Sendable>(
    from old: [Item], to new: [Item]
) -> CollectionDifference<Item> {
    let changes = lend(old) { oldItems in
        lend(new) { newItems in
            ListComparison(
                old: oldItems, table: nil, new: newItems,
                bounds: Bounds(old: [0, old.count], new: [0, new.count], homes: [0])
            ).changes(kind: KeyKind(of: Item.self), type: Item.self)
        }
    }
    var all: [CollectionDifference<Item>.Change] = []
    for place in changes.deletes.map({ Int($0) }) {
        all.append(.remove(offset: place, element: old[place], associatedWith: nil))
    }
    for place in changes.inserts.map({ Int($0) }) {
        all.append(.insert(offset: place, element: new[place], associatedWith: nil))
    }
    for move in changes.moves {
        let (from, to) = (Int(move.from), Int(move.to))
        all.append(.remove(offset: from, element: old[from], associatedWith: to))
        all.append(.insert(offset: to, element: new[to], associatedWith: from))
    }
    guard let difference = CollectionDifference(all) else {
        // Every place is named once on either side, and moves name each other.
        fatalError("the changes of a list are not a collection's difference")
    }
    return difference
}
