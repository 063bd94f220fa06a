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

/// The sections and items that a snapshot marks, in the order of marking; equal in any order.
@usableFromInline
struct SnapshotMarks<Section, Item>: Sendable, Equatable
where Section: Hashable & Sendable, Item: Hashable & Sendable {
    @usableFromInline var reloadedSections = UniqueArray<Section>()
    @usableFromInline var reloadedItems = UniqueArray<Item>()
    @usableFromInline var reconfiguredItems = UniqueArray<Item>()

    /// No marks.
    @inlinable
    init() {}

    /// Whether there are no marks.
    @inlinable var isEmpty: Bool {
        reloadedSections.count + reloadedItems.count + reconfiguredItems.count == 0
    }

    /// Removes the marks of deleted sections and items.
    @usableFromInline
    mutating func remove(sections: [Section] = [], items: [Item]) {
        reloadedSections.remove(sections)
        reloadedItems.remove(items)
        reconfiguredItems.remove(items)
    }

    @usableFromInline
    static func == (left: SnapshotMarks, right: SnapshotMarks) -> Bool {
        Set(left.reloadedSections.elements) == Set(right.reloadedSections.elements)
            && Set(left.reloadedItems.elements) == Set(right.reloadedItems.elements)
            && Set(left.reconfiguredItems.elements) == Set(right.reconfiguredItems.elements)
    }
}

// Here, because the compiler synthesises a conformance only in the file of the type.
extension SnapshotMarks: Encodable where Section: Encodable, Item: Encodable {}
extension SnapshotMarks: Decodable where Section: Decodable, Item: Decodable {}

extension UniqueArray {
    /// Appends the identifiers that are not in the array.
    @inlinable
    mutating func add(_ added: [Element]) {
        if count == 0, let array = UniqueArray(checking: added) { return self = array }
        let absent = zip(added, indices(of: added)).filter { $1 < 0 }.map(\.0)
        if UniqueArray.firstRepeated(in: absent) == nil { return insert(absent, at: count) }
        for element in absent where !contains(element) { insert([element], at: count) }
    }

    /// Removes identifiers; absent ones are ignored.
    @usableFromInline
    mutating func remove(_ removed: [Element]) {
        remove(in: ranges(of: removed))
    }
}
