// The difference between two snapshots.

extension DiffableDataSourceSnapshot {
    /// The changes that turn another snapshot into this one.
    ///
    /// Sections and items are matched by identifier. Each section moves as
    /// little as can be, and so does each item within its section; an item that
    /// changes its section is one move.
    ///
    /// - Complexity: O(*n*) for *n* items in both, and O(*n* log *n*) where many move.
    public func difference(
        from other: DiffableDataSourceSnapshot
    ) -> SnapshotDifference<SectionIdentifierType, ItemIdentifierType> {
        var difference = SnapshotDifference<SectionIdentifierType, ItemIdentifierType>()
        let homes = sections.elements.map { other.sections.index(of: $0) ?? -1 }
        noteSections(from: other, homes: homes, in: &difference)
        difference.items = itemChanges(from: other.layout, homes: homes)
        difference.old = other.listing
        difference.new = listing
        noteMarks(in: &difference)
        return difference
    }

    private typealias Difference = SnapshotDifference<SectionIdentifierType, ItemIdentifierType>

    private var listing: Listing<SectionIdentifierType, ItemIdentifierType> {
        let layout = layout
        return Listing(
            sections: sections.elements, items: layout.items.elements, bounds: layout.bounds)
    }

    /// Finds the changes of items, and with them whether one comes twice in a new filling.
    private func itemChanges(
        from old: Layout<ItemIdentifierType>, homes: [Int]
    ) -> ItemChanges {
        if let filling, !filling.isLaidOut, old.items.table != nil {
            let draft = filling.draft
            let comparison = ListComparison(
                old: old, newItems: draft.items, newBounds: draft.bounds, homes: homes)
            if let (changes, table) = comparison.checkedChanges() {
                let items = UniqueList(draft.items, table: table)
                filling.adopt(Layout(items: items, bounds: draft.bounds))
                return changes
            }
        }
        let layout = layout
        return ListComparison(
            old: old, newItems: layout.items.elements, newBounds: layout.bounds, homes: homes
        ).changes()
    }

    private func noteSections(
        from other: DiffableDataSourceSnapshot, homes: [Int], in difference: inout Difference
    ) {
        let stayed = PlaceSet(below: other.sections.count)
        var runs: [Run] = []
        for (index, home) in homes.enumerated() {
            if home >= 0 {
                _ = stayed.insert(home..<home + 1)
                runs.append(Run(old: home, new: index, length: 1))
            } else {
                let section = sections.elements[index]
                difference.insertedSections.append(.init(section: section, index: index))
            }
        }
        for index in stayed.missing(count: other.sections.count - runs.count) {
            let index = Int(index)
            difference.deletedSections.append(
                .init(section: other.sections.elements[index], index: index))
        }
        var moves: [ItemChanges.Move] = []
        appendLeastMoves(of: runs, to: &moves)
        difference.movedSections = moves.map { move in
            let to = Int(move.to)
            return .init(section: sections.elements[to], from: Int(move.from), to: to)
        }
    }

    private func noteMarks(in difference: inout Difference) {
        guard marks.areAny else { return }
        difference.reloadedSections = marks.reloadedSections.identifiers.compactMap { section in
            sections.index(of: section).map { .init(section: section, index: $0) }
        }.sorted { $0.index < $1.index }
        difference.reloaded = places(of: marks.reloadedItems.identifiers)
        difference.reconfigured = places(of: marks.reconfiguredItems.identifiers)
    }

    private func places(of items: [ItemIdentifierType]) -> [Int32] {
        layout.places(of: items).map { Int32(truncatingIfNeeded: $0) }
    }
}
