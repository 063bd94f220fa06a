// Computes the difference between two snapshots, and applies a difference to a snapshot.

extension DiffableDataSourceSnapshot {
    /// Returns the changes that turn another snapshot into this one.
    ///
    /// Sections and items are matched by identifier. The number of moves is the
    /// smallest possible, of sections and of the items within each section; an item
    /// that changes its section is one move.
    ///
    /// - Complexity: O(*n*) for *n* items in both snapshots.
    @inlinable
    public func difference(
        from other: DiffableDataSourceSnapshot
    ) -> SnapshotDifference<SectionIdentifierType, ItemIdentifierType> {
        var sectionMatching: Matching?
        if sections != other.sections {
            sectionMatching = other.sections.matching(
                to: sections.elements,
                SectionMap(
                    old: SectionBounds(itemCount: other.sections.count),
                    new: SectionBounds(itemCount: sections.count), matched: nil))
        }
        var (elements, bounds, isPending) = items.access {
            let content = $0.content
            return (content.items, content.bounds, !$0.pending.isEmpty)
        }
        var matching = other.matching(to: elements, bounds, sectionMatching)
        if matching == nil {
            // An item is repeated. Indexing stops the program if one call names the item twice; of two
            // calls, the later one moves the item.
            (elements, bounds) = withItems { ($0.items.elements, $0.bounds) }
            matching = other.matching(to: elements, bounds, sectionMatching)
        } else if isPending {
            items.access { $0.setContent(elements, bounds, table: matching?.table) }
        }
        return SnapshotDifference(
            .init(
                from: other, to: self, sections: sectionMatching?.changes ?? ListChanges(),
                items: matching?.changes ?? ListChanges()))
    }

    /// Returns the result of comparing a new list of items with this list, or `nil` if the new list
    /// repeats an item.
    @inlinable
    func matching(
        to new: [ItemIdentifierType], _ bounds: SectionBounds, _ sections: Matching?
    ) -> Matching? {
        withItems { old in
            old.items.prepare()
            return old.items.matching(
                to: new, SectionMap(old: old.bounds, new: bounds, matched: sections?.ranges))
        }
    }
}

extension UniqueArray {
    /// Returns the result of comparing a new list with this list, or `nil` if the new list repeats an
    /// item.
    @inlinable
    func matching(to new: [Element], _ sections: SectionMap) -> Matching? {
        withBorrowedIdentifiers(elements) { old in
            withBorrowedIdentifiers(new) { new in
                match(new, with: old, table: table, sections: sections, type: Element.self)
            }
        }
    }
}

// MARK: Applying

extension DiffableDataSourceSnapshot {
    /// Returns the snapshot that results from applying a difference.
    ///
    /// ```swift
    /// before.applying(after.difference(from: before)) == after
    /// ```
    ///
    /// - Precondition: The difference was made from a snapshot with the same sections and items.
    /// - Complexity: O(*n*) for *n* items in both snapshots.
    public func applying(
        _ difference: SnapshotDifference<SectionIdentifierType, ItemIdentifierType>
    ) -> DiffableDataSourceSnapshot {
        let origin = difference.storage.old
        guard !hasSameItems(as: origin) else { return difference.storage.new }
        let (own, other) = (sectionIdentifiers, origin.sectionIdentifiers)
        let matching = zip(own, other).prefix {
            $0 == $1 && itemIdentifiers(inSection: $0) == origin.itemIdentifiers(inSection: $0)
        }
        let section = own.dropFirst(matching.count).first ?? other[matching.count]
        misuse(
            "applying(_:)",
            "the difference was not made from this snapshot: section \(section) differs")
    }
}
