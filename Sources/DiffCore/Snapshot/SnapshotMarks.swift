// Which sections and items of a snapshot are to be shown anew.

/// The sections and items that a snapshot marks, each kind in the order of marking.
struct SnapshotMarks<Section, Item>: Sendable
where Section: Hashable & Sendable, Item: Hashable & Sendable {
    private(set) var reloadedSections = MarkList<Section>()
    private(set) var reloadedItems = MarkList<Item>()
    private(set) var reconfiguredItems = MarkList<Item>()

    /// Whether anything is marked.
    var areAny: Bool {
        !(reloadedSections.identifiers.isEmpty && reloadedItems.identifiers.isEmpty
            && reconfiguredItems.identifiers.isEmpty)
    }

    /// Marks sections as reloaded.
    mutating func reload(sections: [Section]) { reloadedSections.add(sections) }

    /// Marks items as reloaded.
    mutating func reload(items: [Item]) { reloadedItems.add(items) }

    /// Marks items as reconfigured.
    mutating func reconfigure(items: [Item]) { reconfiguredItems.add(items) }

    /// Drops the marks of sections and items that are deleted.
    mutating func forget(sections: [Section], items: [Item]) {
        reloadedSections.remove(sections)
        reloadedItems.remove(items)
        reconfiguredItems.remove(items)
    }
}

extension SnapshotMarks: Equatable {}

/// Marked identifiers, each once, in the order of marking; equal whatever that order.
struct MarkList<Identifier: Hashable & Sendable>: Sendable, Equatable {
    private(set) var identifiers: [Identifier] = []
    private var members: Set<Identifier> = []

    /// Marks identifiers that are not marked yet.
    mutating func add(_ added: [Identifier]) {
        for identifier in added where members.insert(identifier).inserted {
            identifiers.append(identifier)
        }
    }

    /// Unmarks identifiers.
    mutating func remove(_ removed: [Identifier]) {
        guard !identifiers.isEmpty else { return }
        let before = members.count
        members.subtract(removed)
        guard members.count < before else { return }
        identifiers.removeAll { !members.contains($0) }
    }

    static func == (left: MarkList, right: MarkList) -> Bool { left.members == right.members }
}
