// Adding, removing and moving the items of a snapshot.

extension DiffableDataSourceSnapshot {
    /// Appends items to a section, or to the last section if none is named.
    ///
    /// Items that are in the snapshot already are moved.
    ///
    /// - Precondition: There is such a section, and no item comes twice in `identifiers`.
    /// - Complexity: O(*k*) for *k* new items in the last section, otherwise O(*n* + *k*).
    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType],
        toSection sectionIdentifier: SectionIdentifierType? = nil
    ) {
        let operation = "appendItems(_:toSection:)"
        let section: Int
        if let sectionIdentifier {
            section = number(ofSection: sectionIdentifier, for: operation)
        } else {
            guard sections.count > 0 else {
                misuse(operation, "there are no sections; append one first")
            }
            section = sections.count - 1
        }
        put(identifiers, at: bounds[section + 1], inSectionAt: section, for: operation)
    }

    /// Inserts items in front of another; those that are in the snapshot already are moved.
    ///
    /// - Precondition: `beforeIdentifier` is in the snapshot and not among `identifiers`, of which
    ///   none comes twice.
    /// - Complexity: O(*n* + *k*) for *k* items inserted among *n*.
    public mutating func insertItems(
        _ identifiers: [ItemIdentifierType], beforeItem beforeIdentifier: ItemIdentifierType
    ) {
        insert(identifiers, at: beforeIdentifier, after: false, for: "insertItems(_:beforeItem:)")
    }

    /// Inserts items behind another; those that are in the snapshot already are moved.
    ///
    /// - Precondition: `afterIdentifier` is in the snapshot and not among `identifiers`, of which
    ///   none comes twice.
    /// - Complexity: O(*n* + *k*) for *k* items inserted among *n*.
    public mutating func insertItems(
        _ identifiers: [ItemIdentifierType], afterItem afterIdentifier: ItemIdentifierType
    ) {
        insert(identifiers, at: afterIdentifier, after: true, for: "insertItems(_:afterItem:)")
    }

    /// Deletes items; those that are absent are passed over. Sections stay, also when empty.
    ///
    /// - Complexity: O(*n* + *k* log *k*) for *k* items deleted of *n*.
    public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
        marks.forget(sections: [], items: identifiers)
        remove(at: places(of: identifiers))
    }

    /// Deletes all items, and all sections with them.
    public mutating func deleteAllItems() { self = DiffableDataSourceSnapshot() }

    /// Moves an item in front of another, which may stand in another section.
    ///
    /// - Precondition: Both are in the snapshot, and they are not the same.
    /// - Complexity: O(*n*).
    public mutating func moveItem(
        _ identifier: ItemIdentifierType, beforeItem toIdentifier: ItemIdentifierType
    ) {
        move(identifier, to: toIdentifier, after: false, for: "moveItem(_:beforeItem:)")
    }

    /// Moves an item behind another, which may stand in another section.
    ///
    /// - Precondition: Both are in the snapshot, and they are not the same.
    /// - Complexity: O(*n*).
    public mutating func moveItem(
        _ identifier: ItemIdentifierType, afterItem toIdentifier: ItemIdentifierType
    ) {
        move(identifier, to: toIdentifier, after: true, for: "moveItem(_:afterItem:)")
    }
}

extension DiffableDataSourceSnapshot {
    private mutating func insert(
        _ identifiers: [ItemIdentifierType], at anchor: ItemIdentifierType, after: Bool,
        for operation: String
    ) {
        let place = place(ofItem: anchor, for: operation)
        guard !identifiers.contains(anchor) else {
            misuse(operation, "item \(anchor) is both inserted and the place to insert at")
        }
        put(
            identifiers, at: after ? place + 1 : place, inSectionAt: section(at: place),
            for: operation)
    }

    private mutating func move(
        _ identifier: ItemIdentifierType, to anchor: ItemIdentifierType, after: Bool,
        for operation: String
    ) {
        _ = place(ofItem: identifier, for: operation)
        let place = place(ofItem: anchor, for: operation)
        guard identifier != anchor else {
            misuse(operation, "item \(identifier) cannot be moved relative to itself")
        }
        put(
            [identifier], at: after ? place + 1 : place, inSectionAt: section(at: place),
            for: operation)
    }

    /// Puts items at a gap between the items, which belongs to one section; present ones move.
    private mutating func put(
        _ identifiers: [ItemIdentifierType], at gap: Int, inSectionAt section: Int,
        for operation: String
    ) {
        var seen = Set<ItemIdentifierType>(minimumCapacity: identifiers.count)
        for identifier in identifiers where !seen.insert(identifier).inserted {
            misuse(operation, "the call names item \(identifier) twice")
        }
        let moved = places(of: identifiers)
        remove(at: moved)
        items.insert(identifiers, at: gap - moved.count { $0 < gap })
        for number in section + 1..<bounds.count { bounds[number] += identifiers.count }
    }

    /// The places of those items that are there, each once, ascending.
    private func places(of identifiers: [ItemIdentifierType]) -> [Int] {
        guard items.count > 0 else { return [] }
        var places = identifiers.compactMap { items.index(of: $0) }
        places.sort()
        var last = -1
        places.removeAll { place in
            defer { last = place }
            return place == last
        }
        return places
    }

    /// Removes the items at some places, which ascend, and draws the sections' bounds in.
    private mutating func remove(at places: [Int]) {
        guard !places.isEmpty else { return }
        items.remove(at: places)
        var gone = 0
        for number in bounds.indices {
            while gone < places.count, places[gone] < bounds[number] { gone += 1 }
            bounds[number] -= gone
        }
    }
}
