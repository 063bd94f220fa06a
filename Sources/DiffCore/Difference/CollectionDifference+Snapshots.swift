// To and from the standard library's differences of collections.

extension DiffableDataSourceSnapshot {
    /// The changes of the row of all items, whatever sections they are in.
    ///
    /// An item that moves is a removal and an insertion that know of each other.
    /// Items of a section that moves do move here, since the row has no sections.
    ///
    /// - Complexity: That of ``difference(from:)``.
    public func collectionDifference(
        from other: DiffableDataSourceSnapshot
    ) -> CollectionDifference<ItemIdentifierType> {
        DiffCore.collectionDifference(from: other.itemIdentifiers, to: itemIdentifiers)
    }

    /// The changes of the items of one section; in a snapshot without it, it counts as empty.
    ///
    /// - Complexity: That of ``difference(from:)``.
    public func collectionDifference(
        from other: DiffableDataSourceSnapshot, inSection section: SectionIdentifierType
    ) -> CollectionDifference<ItemIdentifierType> {
        DiffCore.collectionDifference(
            from: other.knownItems(inSection: section), to: knownItems(inSection: section))
    }

    /// The items of a section, none if there is no such section.
    private func knownItems(inSection section: SectionIdentifierType) -> [ItemIdentifierType] {
        sections.contains(section) ? itemIdentifiers(inSection: section) : []
    }

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

/// The changes between two rows of different identifiers, moves told as such.
private func collectionDifference<Item: Hashable & Sendable>(
    from old: [Item], to new: [Item]
) -> CollectionDifference<Item> {
    let changes = lend(old) { oldItems in
        lend(new) { newItems in
            ListComparison(
                old: oldItems, new: newItems,
                bounds: Bounds(old: [0, old.count], new: [0, new.count], homes: nil)
            ).changes(by: nil, kind: KeyKind(of: Item.self), type: Item.self)
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
