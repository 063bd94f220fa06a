// Which sections and items of a snapshot are to be shown anew.

/// The sections and items that a snapshot marks, each kind in the order of marking.
@usableFromInline
struct SnapshotMarks<Section, Item>: Sendable
where Section: Hashable & Sendable, Item: Hashable & Sendable {
    @usableFromInline var reloadedSections = MarkList<Section>()
    @usableFromInline var reloadedItems = MarkList<Item>()
    @usableFromInline var reconfiguredItems = MarkList<Item>()

    /// No marks.
    @inlinable
    init() {}

    /// Marks sections as reloaded.
    @inlinable
    mutating func reload(sections: [Section]) { reloadedSections.add(sections) }

    /// Marks items as reloaded.
    @inlinable
    mutating func reload(items: [Item]) { reloadedItems.add(items) }

    /// Marks items as reconfigured.
    @inlinable
    mutating func reconfigure(items: [Item]) { reconfiguredItems.add(items) }

    /// Drops the marks of sections and items that are deleted.
    @inlinable
    mutating func forget(sections: [Section], items: [Item]) {
        reloadedSections.remove(sections)
        reloadedItems.remove(items)
        reconfiguredItems.remove(items)
    }
}

extension SnapshotMarks: Equatable {}

/// Marked identifiers, each once, in the order of marking; equal whatever that order.
@usableFromInline
struct MarkList<Identifier: Hashable & Sendable>: Sendable, Equatable {
    @usableFromInline var identifiers: [Identifier] = []
    @usableFromInline var members: Set<Identifier> = []

    /// No marks.
    @inlinable
    init() {}

    /// Marks identifiers that are not marked yet.
    @inlinable
    mutating func add(_ added: [Identifier]) {
        for identifier in added where members.insert(identifier).inserted {
            identifiers.append(identifier)
        }
    }

    /// Unmarks identifiers.
    @inlinable
    mutating func remove(_ removed: [Identifier]) {
        guard !identifiers.isEmpty else { return }
        let before = members.count
        members.subtract(removed)
        guard members.count < before else { return }
        identifiers.removeAll { !members.contains($0) }
    }

    @inlinable
    static func == (left: MarkList, right: MarkList) -> Bool { left.members == right.members }
}

/// Where the marked sections and items of a snapshot stand, ascending.
@usableFromInline
struct MarkedPlaces: Sendable {
    @usableFromInline var reloadedSections: [Int32] = []
    @usableFromInline var reloadedItems: [Int32] = []
    @usableFromInline var reconfiguredItems: [Int32] = []

    /// No places.
    @inlinable
    init() {}

    /// Whether there are none.
    @inlinable var isEmpty: Bool {
        reloadedSections.isEmpty && reloadedItems.isEmpty && reconfiguredItems.isEmpty
    }
}
