// What a difference holds: the places of the changes that were found, or changes that were told.

/// Changes between two lists.
@usableFromInline
final class DifferenceStorage<Section: Hashable & Sendable, Item: Hashable & Sendable>: Sendable {
    @usableFromInline let old: SnapshotStorage<Section, Item>
    @usableFromInline let new: SnapshotStorage<Section, Item>
    @usableFromInline let sections: ItemChanges
    @usableFromInline let items: ItemChanges
    /// The places in the newer list of what is marked, ascending.
    @usableFromInline let marks: MarkedPlaces
    /// The changes if they were told instead of found; then the lists above are empty.
    @usableFromInline let told: ToldChanges<Section, Item>?

    /// The changes between two lists, by their places.
    @inlinable
    init(
        from old: SnapshotStorage<Section, Item>, to new: SnapshotStorage<Section, Item>,
        sections: ItemChanges, items: ItemChanges, marks: MarkedPlaces
    ) {
        self.old = old
        self.new = new
        self.sections = sections
        self.items = items
        self.marks = marks
        told = nil
    }

    /// Changes between lists that are not known.
    init(told: ToldChanges<Section, Item>) {
        old = SnapshotStorage()
        new = old
        sections = ItemChanges()
        items = ItemChanges()
        marks = MarkedPlaces()
        self.told = told
    }

    /// Whether there are none.
    @inlinable
    var isEmpty: Bool { told?.isEmpty ?? (sections.isEmpty && items.isEmpty && marks.isEmpty) }

    /// The changes that lead back; marks do not.
    var inverse: DifferenceStorage {
        if let told { return DifferenceStorage(told: told.inverse) }
        return DifferenceStorage(
            from: new, to: old, sections: sections.inverse, items: items.inverse,
            marks: MarkedPlaces())
    }
}
