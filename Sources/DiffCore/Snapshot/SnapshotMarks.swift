// Remembers the sections and items that a snapshot marks as reloaded or reconfigured.

/// The sections and items that a snapshot marks.
@usableFromInline
struct SnapshotMarks<Section, Item>: Sendable, Equatable
where Section: Hashable & Sendable, Item: Hashable & Sendable {
    @usableFromInline var reloadedSections = MarkedIdentifiers<Section>()
    @usableFromInline var reloadedItems = MarkedIdentifiers<Item>()
    @usableFromInline var reconfiguredItems = MarkedIdentifiers<Item>()

    /// No marks.
    @inlinable
    init() {}

    /// Whether there are no marks.
    @inlinable var isEmpty: Bool {
        reloadedSections.identifiers.isEmpty && reloadedItems.identifiers.isEmpty
            && reconfiguredItems.identifiers.isEmpty
    }

    /// Removes the marks of deleted sections and items.
    @inlinable
    mutating func remove(sections: [Section] = [], items: [Item]) {
        reloadedSections.remove(sections)
        reloadedItems.remove(items)
        reconfiguredItems.remove(items)
    }
}

/// Distinct identifiers in the order in which they were marked; equal in any order.
@usableFromInline
struct MarkedIdentifiers<Identifier: Hashable & Sendable>: Sendable, Equatable {
    @usableFromInline var identifiers: [Identifier] = []
    @usableFromInline var members: Set<Identifier> = []

    /// No identifiers.
    @inlinable
    init() {}

    /// Adds the identifiers that are not marked yet.
    @inlinable
    mutating func add(_ added: [Identifier]) {
        for identifier in added where members.insert(identifier).inserted {
            identifiers.append(identifier)
        }
    }

    /// Removes identifiers.
    @inlinable
    mutating func remove(_ removed: [Identifier]) {
        guard !identifiers.isEmpty else { return }
        let count = members.count
        members.subtract(removed)
        guard members.count < count else { return }
        identifiers.removeAll { !members.contains($0) }
    }

    @inlinable
    static func == (left: MarkedIdentifiers, right: MarkedIdentifiers) -> Bool {
        left.members == right.members
    }
}
