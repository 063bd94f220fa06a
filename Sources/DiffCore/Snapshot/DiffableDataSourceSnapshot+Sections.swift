// Adding, removing and moving whole sections of a snapshot.

extension DiffableDataSourceSnapshot {
    /// Appends sections, empty, behind the others.
    ///
    /// - Precondition: No identifier comes twice or is in the snapshot already.
    /// - Complexity: O(*k*) for *k* new sections.
    @inlinable
    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
        insert(identifiers, at: sections.count, for: "appendSections(_:)")
    }

    /// Inserts sections, empty, in front of another.
    ///
    /// - Precondition: `toIdentifier` is in the snapshot; none of `identifiers` is, nor comes twice.
    /// - Complexity: O(*s* + *k*) for *k* new sections among *s*.
    public mutating func insertSections(
        _ identifiers: [SectionIdentifierType], beforeSection toIdentifier: SectionIdentifierType
    ) {
        let operation = "insertSections(_:beforeSection:)"
        insert(identifiers, at: number(ofSection: toIdentifier, for: operation), for: operation)
    }

    /// Inserts sections, empty, behind another.
    ///
    /// - Precondition: `toIdentifier` is in the snapshot; none of `identifiers` is, nor comes twice.
    /// - Complexity: O(*s* + *k*) for *k* new sections among *s*.
    public mutating func insertSections(
        _ identifiers: [SectionIdentifierType], afterSection toIdentifier: SectionIdentifierType
    ) {
        let operation = "insertSections(_:afterSection:)"
        insert(identifiers, at: number(ofSection: toIdentifier, for: operation) + 1, for: operation)
    }

    /// Deletes sections with all of their items; those that are absent are passed over.
    ///
    /// - Complexity: O(*n* + *s*) for *n* items in *s* sections.
    public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) {
        let doomed = Set(identifiers.compactMap { sections.index(of: $0) }).sorted()
        guard !doomed.isEmpty else { return }
        let doomedItems = doomed.flatMap { layout.range(ofSection: $0) }
        if storage.marks != nil {
            marks.forget(
                sections: doomed.map { sections.elements[$0] },
                items: doomedItems.map { layout.items.elements[$0] })
        }
        var counts = layout.counts
        for number in doomed.reversed() { counts.remove(at: number) }
        layout.items.remove(at: doomedItems)
        sections.remove(at: doomed)
        layout.setCounts(counts)
    }

    /// Moves a section with its items in front of another.
    ///
    /// - Precondition: Both are in the snapshot, and they are not the same.
    /// - Complexity: O(*n* + *s*) for *n* items in *s* sections.
    public mutating func moveSection(
        _ identifier: SectionIdentifierType, beforeSection toIdentifier: SectionIdentifierType
    ) {
        move(identifier, to: toIdentifier, after: false, for: "moveSection(_:beforeSection:)")
    }

    /// Moves a section with its items behind another.
    ///
    /// - Precondition: Both are in the snapshot, and they are not the same.
    /// - Complexity: O(*n* + *s*) for *n* items in *s* sections.
    public mutating func moveSection(
        _ identifier: SectionIdentifierType, afterSection toIdentifier: SectionIdentifierType
    ) {
        move(identifier, to: toIdentifier, after: true, for: "moveSection(_:afterSection:)")
    }
}

extension DiffableDataSourceSnapshot {
    @inlinable
    mutating func insert(
        _ identifiers: [SectionIdentifierType], at gap: Int, for operation: String
    ) {
        if let repeated = UniqueList.firstRepeated(in: identifiers) {
            misuse(operation, "the call names section \(repeated) twice")
        }
        for identifier in identifiers where sections.contains(identifier) {
            misuse(operation, "there is a section \(identifier) already")
        }
        if gap == sections.count, storage.isFilling {
            sections.insert(identifiers, at: gap)
        } else {
            layout.insertSections(identifiers.count, at: gap)
            sections.insert(identifiers, at: gap)
        }
    }

    private mutating func move(
        _ identifier: SectionIdentifierType, to anchor: SectionIdentifierType, after: Bool,
        for operation: String
    ) {
        let from = number(ofSection: identifier, for: operation)
        var gap = number(ofSection: anchor, for: operation) + (after ? 1 : 0)
        guard identifier != anchor else {
            misuse(operation, "section \(identifier) cannot be moved relative to itself")
        }
        if gap > from { gap -= 1 }
        guard gap != from else { return }
        var counts = layout.counts
        let range = layout.range(ofSection: from)
        let moved = Array(layout.items.elements[range])
        counts.insert(counts.remove(at: from), at: gap)
        layout.items.remove(at: Array(range))
        sections.remove(at: [from])
        layout.setCounts(counts)
        sections.insert([identifier], at: gap)
        let gapOfItems = layout.bounds[gap]
        layout.items.insert(moved, at: gapOfItems)
    }
}
