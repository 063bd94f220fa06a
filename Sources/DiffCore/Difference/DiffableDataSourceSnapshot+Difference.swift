// The difference between two snapshots.

extension DiffableDataSourceSnapshot {
    /// The changes that turn another snapshot into this one.
    ///
    /// Sections and items are matched by identifier. Each section moves as
    /// little as can be, and so does each item within its section; an item that
    /// changes its section is one move.
    ///
    /// - Complexity: O(*n*) for *n* items in both, and O(*n* log *n*) where many move.
    @inlinable
    public func difference(
        from other: DiffableDataSourceSnapshot
    ) -> SnapshotDifference<SectionIdentifierType, ItemIdentifierType> {
        let homes = homes(in: other)
        let (items, new) = itemChanges(from: other.storage.laidOut, homes: homes)
        return SnapshotDifference(
            DifferenceStorage(
                from: other.storage, to: storage,
                sections: sectionChanges(homes: homes, oldCount: other.sections.count),
                items: items, marks: markedPlaces(in: new)))
    }

    /// The number in another snapshot of each section, or -1; `nil` if the sections are the same.
    @inlinable
    func homes(in other: DiffableDataSourceSnapshot) -> [Int]? {
        guard storage.sections.elements != other.storage.sections.elements else { return nil }
        return sections.elements.map { other.sections.index(of: $0) ?? -1 }
    }

    /// Finds the changes of items, and with them whether one comes twice in a new filling.
    @inlinable
    func itemChanges(
        from old: LaidOut<ItemIdentifierType>, homes: [Int]?
    ) -> (ItemChanges, LaidOut<ItemIdentifierType>) {
        if storage.isFilling, let table = old.layout.items.table {
            let draft = storage.filling.draft(sectionCount: storage.sections.count)
            let found = compare(draft.items, draft.bounds, to: old, homes: homes) { comparison in
                comparison.checkedChanges(
                    by: table, kind: old.layout.items.kind, type: ItemIdentifierType.self)
            }
            if let (changes, table) = found {
                let items = UniqueList(draft.items, table: table)
                let layout = Layout(items: items, bounds: draft.bounds)
                storage.filling.check(layout)
                return (changes, storage.keep(layout))
            }
        }
        let new = storage.laidOut
        let changes = compare(new.layout.items.elements, new.layout.bounds, to: old, homes: homes) {
            comparison in
            comparison.changes(
                by: old.layout.items.table, kind: old.layout.items.kind,
                type: ItemIdentifierType.self)
        }
        return (changes, new)
    }

    @inlinable
    func compare<Result>(
        _ items: [ItemIdentifierType], _ bounds: [Int], to old: LaidOut<ItemIdentifierType>,
        homes: [Int]?, _ body: (consuming ListComparison) -> Result
    ) -> Result {
        lend(old.layout.items.elements) { oldItems in
            lend(items) { newItems in
                body(
                    ListComparison(
                        old: oldItems, new: newItems,
                        bounds: Bounds(old: old.layout.bounds, new: bounds, homes: homes)))
            }
        }
    }

    @inlinable
    func markedPlaces(in laidOut: LaidOut<ItemIdentifierType>) -> MarkedPlaces {
        var places = MarkedPlaces()
        guard let marks = storage.marks else { return places }
        places.reloadedSections = marks.reloadedSections.identifiers.compactMap {
            sections.index(of: $0).map { Int32(truncatingIfNeeded: $0) }
        }.sorted()
        places.reloadedItems = laidOut.layout.places(of: marks.reloadedItems.identifiers).map {
            Int32(truncatingIfNeeded: $0)
        }
        places.reconfiguredItems = laidOut.layout.places(of: marks.reconfiguredItems.identifiers)
            .map {
                Int32(truncatingIfNeeded: $0)
            }
        return places
    }
}
