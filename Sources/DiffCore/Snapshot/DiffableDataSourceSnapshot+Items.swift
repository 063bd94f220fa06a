// Adding, removing and moving the items of a snapshot.

extension DiffableDataSourceSnapshot {
    /// Appends items to a section, or to the last section if none is named.
    ///
    /// Items that are in the snapshot already are moved.
    ///
    /// - Precondition: There is such a section, and no item comes twice in `identifiers`. Of many
    ///   items in a snapshot that has only been appended to, this is looked at when the snapshot is
    ///   applied, compared or asked for a place, or goes out of use; in debug builds here and now.
    /// - Complexity: O(*k*) for *k* new items in the last section, or in a snapshot that has only
    ///   been appended to; otherwise O(*n* + *k*).
    @inlinable
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
        if canFill(with: identifiers) {
            unshare()
            storage.filling.append(identifiers, toSection: section)
        } else {
            let gap = layout.bounds[section + 1]
            layout.put(identifiers, at: gap, inSection: section, for: operation)
        }
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
        if storage.marks != nil { marks.forget(sections: [], items: identifiers) }
        let places = layout.places(of: identifiers)
        layout.remove(at: places)
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

// MARK: Filling

extension DiffableDataSourceSnapshot {
    /// Whether items can be kept as they are appended: if nobody has asked for a place yet, and they
    /// are many, or not the first.
    @inlinable
    func canFill(with identifiers: [ItemIdentifierType]) -> Bool {
        guard storage.isFilling,
            identifiers.count >= Filling<ItemIdentifierType>.leastCount
                || !storage.filling.isEmpty
        else { return false }
        assert(areDifferent(identifiers))
        return true
    }

    /// Stops debug builds at the call itself; others find out later.
    @inlinable
    func areDifferent(_ identifiers: [ItemIdentifierType]) -> Bool {
        if let repeated = UniqueList.firstRepeated(in: identifiers) {
            misuse("appendItems(_:toSection:)", "the call names item \(repeated) twice")
        }
        return true
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
        let section = layout.section(at: place)
        layout.put(
            identifiers, at: after ? place + 1 : place, inSection: section, for: operation)
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
        let section = layout.section(at: place)
        layout.put(
            [identifier], at: after ? place + 1 : place, inSection: section, for: operation)
    }
}
