// The sections and items of a snapshot that are marked.

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
