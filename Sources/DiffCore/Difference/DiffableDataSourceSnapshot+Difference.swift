// Computes the difference between two snapshots, and applies a difference to a snapshot.

extension DiffableDataSourceSnapshot {
    /// Returns the changes that turn another snapshot into this one.
    ///
    /// Sections and items are matched by identifier. The number of moves is the
    /// smallest possible, of sections and of the items within each section; an item
    /// that changes its section is one move.
    ///
    /// - Complexity: O(*n*) for *n* items in both snapshots.
    @inlinable
    public func difference(
        from other: DiffableDataSourceSnapshot
    ) -> SnapshotDifference<SectionIdentifierType, ItemIdentifierType> {
        let origins = origins(in: other)
        return SnapshotDifference(
            .init(
                from: other.storage, to: storage,
                sections: sectionChanges(origins: origins, oldCount: other.sections.count),
                items: itemChanges(from: other.storage.index, origins: origins)))
    }

    /// Returns the old index of each section, or -1; `nil` if the sections are the same.
    @inlinable
    func origins(in other: DiffableDataSourceSnapshot) -> [Int]? {
        guard sections != other.sections else { return nil }
        return sections.elements.map { other.sections.index(of: $0) ?? -1 }
    }

    /// Returns the changes of the items, and indexes pending items along the way.
    ///
    /// The indices are passed by reference, as copying their arrays would count references.
    @inlinable
    func itemChanges(
        from old: ItemIndex<ItemIdentifierType>, origins: [Int]?
    ) -> ListChanges {
        if storage.isPending, let table = old.items.items.table {
            let (items, bounds) = storage.pending.concatenated(sectionCount: sections.count)
            let found = compare(items, bounds, to: old, origins: origins) { comparison in
                comparison.changesAndTable(
                    oldTable: table, kind: old.items.items.kind, type: ItemIdentifierType.self)
            }
            // Without a result an item is repeated, which indexing handles.
            if let (changes, table) = found {
                let indexed = SectionedItems(
                    items: UniqueArray(items, table: table), bounds: bounds)
                storage.pending.expectMarkedItems(in: indexed)
                storage.setItems(indexed)
                return changes
            }
        }
        let new = storage.index
        return compare(new.items.items.elements, new.items.bounds, to: old, origins: origins) {
            comparison in
            comparison.changes(
                oldTable: old.items.items.table, kind: old.items.items.kind,
                type: ItemIdentifierType.self)
        }
    }

    @inlinable
    func compare<Result>(
        _ items: [ItemIdentifierType], _ bounds: [Int],
        to old: ItemIndex<ItemIdentifierType>, origins: [Int]?,
        _ body: (consuming ListComparison) -> Result
    ) -> Result {
        withBorrowedIdentifiers(old.items.items.elements) { oldItems in
            withBorrowedIdentifiers(items) { newItems in
                body(
                    ListComparison(
                        old: oldItems, new: newItems,
                        bounds: SectionBounds(old: old.items.bounds, new: bounds, origins: origins))
                )
            }
        }
    }
}

// MARK: Applying

extension DiffableDataSourceSnapshot {
    /// Returns the snapshot that results from applying a difference.
    ///
    /// ```swift
    /// before.applying(after.difference(from: before)) == after
    /// ```
    ///
    /// - Precondition: The difference was made from a snapshot with the same sections and items.
    /// - Complexity: O(*n*) for *n* items in both snapshots.
    public func applying(
        _ difference: SnapshotDifference<SectionIdentifierType, ItemIdentifierType>
    ) -> DiffableDataSourceSnapshot {
        expectOrigin(of: difference)
        let removedSections = Set(
            difference.deletedSections.map(\.section) + difference.movedSections.map(\.section))
        let removedItems = Set(
            difference.deletedItems.map(\.item) + difference.movedItems.map(\.item))
        let added = Dictionary(
            grouping: difference.insertedItems.map { ($0.item, $0.position.indexPath) }
                + difference.movedItems.map { ($0.item, $0.to.indexPath) }
        ) { $0.1.section }
        var result = DiffableDataSourceSnapshot()
        result.appendSections(
            merge(
                difference.insertedSections.map { ($0.section, $0.index) }
                    + difference.movedSections.map { ($0.section, $0.to) },
                into: sectionIdentifiers.filter { !removedSections.contains($0) }))
        for (index, section) in result.sectionIdentifiers.enumerated() {
            let old = sections.contains(section) ? itemIdentifiers(inSection: section) : []
            result.appendItems(
                merge(
                    (added[index] ?? []).map { ($0.0, $0.1.item) },
                    into: old.filter { !removedItems.contains($0) }),
                toSection: section)
        }
        result.reloadSections(difference.reloadedSections.map(\.section))
        result.reloadItems(difference.reloadedItems.map(\.item))
        result.reconfigureItems(difference.reconfiguredItems.map(\.item))
        return result
    }

    /// Stops the program unless a difference was made from a snapshot with the same items.
    private func expectOrigin(
        of difference: SnapshotDifference<SectionIdentifierType, ItemIdentifierType>
    ) {
        let origin = DiffableDataSourceSnapshot(difference.storage.old)
        guard sections != origin.sections || items != origin.items else { return }
        let (own, other) = (sectionIdentifiers, origin.sectionIdentifiers)
        let matching = zip(own, other).prefix {
            $0 == $1 && itemIdentifiers(inSection: $0) == origin.itemIdentifiers(inSection: $0)
        }
        let section = own.dropFirst(matching.count).first ?? other[matching.count]
        misuse(
            "applying(_:)",
            "the difference was not made from this snapshot: section \(section) differs")
    }
}

/// Inserts elements at their final indices into the remaining elements.
private func merge<Element>(
    _ added: [(element: Element, index: Int)], into remaining: [Element]
) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(added.count + remaining.count)
    var rest = remaining[...]
    for (element, index) in added.sorted(by: { $0.index < $1.index }) {
        let gap = index - result.count
        result += rest.prefix(gap)
        rest = rest.dropFirst(gap)
        result.append(element)
    }
    return result + rest
}
