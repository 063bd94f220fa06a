// Marks sections and items of a snapshot as reloaded or reconfigured.

extension DiffableDataSourceSnapshot {
    /// The sections that are marked as reloaded, in the order of marking; O(1).
    @preconcurrency
    @inlinable public var reloadedSectionIdentifiers: [SectionIdentifierType] {
        marks?.reloadedSections.elements ?? []
    }

    /// The items that are marked as reloaded, in the order of marking; O(1).
    @preconcurrency
    @inlinable public var reloadedItemIdentifiers: [ItemIdentifierType] {
        marks?.reloadedItems.elements ?? []
    }

    /// The items that are marked as reconfigured, in the order of marking; O(1).
    @preconcurrency
    @inlinable public var reconfiguredItemIdentifiers: [ItemIdentifierType] {
        marks?.reconfiguredItems.elements ?? []
    }

    /// Marks sections whose header and rows are replaced when the snapshot is applied.
    ///
    /// - Precondition: All of them are in the snapshot.
    /// - Complexity: Amortised O(*k*) for *k* sections.
    @preconcurrency
    @inlinable
    public mutating func reloadSections(
        _ identifiers: [SectionIdentifierType], file: StaticString = #fileID, line: UInt = #line
    ) {
        for identifier in identifiers {
            _ = index(ofSection: identifier, for: Call("reloadSections(_:)", file, line))
        }
        marks = marks ?? SnapshotMarks()
        marks?.reloadedSections.add(identifiers)
    }

    /// Marks items whose rows are replaced when the snapshot is applied.
    ///
    /// - Precondition: All of them are in the snapshot. If 32 or more items were appended since it was
    ///   queried, an absent one may be found only when the snapshot is queried, compared or applied.
    /// - Complexity: Amortised O(*k*) for *k* items.
    @preconcurrency
    @inlinable
    public mutating func reloadItems(
        _ identifiers: [ItemIdentifierType], file: StaticString = #fileID, line: UInt = #line
    ) {
        expectItems(identifiers, for: Call("reloadItems(_:)", file, line))
        marks?.reloadedItems.add(identifiers)
    }

    /// Marks items whose rows stay but get new content when the snapshot is applied.
    ///
    /// Use this for items whose content has changed under the same identifier.
    ///
    /// - Precondition: All of them are in the snapshot. If 32 or more items were appended since it was
    ///   queried, an absent one may be found only when the snapshot is queried, compared or applied.
    /// - Complexity: Amortised O(*k*) for *k* items.
    @preconcurrency
    @inlinable
    public mutating func reconfigureItems(
        _ identifiers: [ItemIdentifierType], file: StaticString = #fileID, line: UInt = #line
    ) {
        expectItems(identifiers, for: Call("reconfigureItems(_:)", file, line))
        marks?.reconfiguredItems.add(identifiers)
    }

    /// Stops the program unless the items are present. Among many pending items, the check is deferred
    /// until they are indexed.
    @inlinable
    mutating func expectItems(_ identifiers: [ItemIdentifierType], for call: Call) {
        marks = marks ?? SnapshotMarks()
        items.access { $0.expect(identifiers, for: call) }
    }
}
