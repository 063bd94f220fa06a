// Marking sections and items of a snapshot that are to be shown anew.

extension DiffableDataSourceSnapshot {
    /// The sections that are marked as reloaded, in the order of marking.
    public var reloadedSectionIdentifiers: [SectionIdentifierType] {
        marks.reloadedSections.identifiers
    }

    /// The items that are marked as reloaded, in the order of marking.
    public var reloadedItemIdentifiers: [ItemIdentifierType] { marks.reloadedItems.identifiers }

    /// The items that are marked as reconfigured, in the order of marking.
    public var reconfiguredItemIdentifiers: [ItemIdentifierType] {
        marks.reconfiguredItems.identifiers
    }

    /// Marks sections whose header and rows are to be made anew when the snapshot is applied.
    ///
    /// - Precondition: All of them are in the snapshot.
    /// - Complexity: O(*k*) for *k* sections.
    @inlinable
    public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {
        for identifier in identifiers {
            _ = number(ofSection: identifier, for: "reloadSections(_:)")
        }
        marks.reload(sections: identifiers)
    }

    /// Marks items whose rows are to be made anew when the snapshot is applied.
    ///
    /// - Precondition: All of them are in the snapshot.
    /// - Complexity: O(*k*) for *k* items.
    @inlinable
    public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
        expect(identifiers, for: "reloadItems(_:)")
        marks.reload(items: identifiers)
    }

    /// Marks items whose rows stay but are to be filled anew when the snapshot is applied.
    ///
    /// This is what an item wants whose identifier is the same and whose content
    /// has changed.
    ///
    /// - Precondition: All of them are in the snapshot.
    /// - Complexity: O(*k*) for *k* items.
    @inlinable
    public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
        expect(identifiers, for: "reconfigureItems(_:)")
        marks.reconfigure(items: identifiers)
    }

    /// Stops the program unless items are there; in a snapshot that is being filled, later.
    @inlinable
    mutating func expect(_ identifiers: [ItemIdentifierType], for operation: String) {
        if !storage.filling.isEmpty, storage.isFilling {
            unshare()
            return storage.filling.expect(identifiers, for: operation)
        }
        for identifier in identifiers { _ = place(ofItem: identifier, for: operation) }
    }

    /// The same sections and items with no marks, and without the arrays of several calls.
    @inlinable
    var unmarked: DiffableDataSourceSnapshot {
        if storage.marks == nil, storage.filling.chunks.count <= 1 { return self }
        return DiffableDataSourceSnapshot(
            Storage(sections: storage.sections, layout: storage.laidOut.layout))
    }
}
