// A change of a list by the user.

/// A change of a list by the user: the lists before and after it, and the difference.
///
/// A data source passes one to its ``DiffableDataSource/reorderingHandlers``, so
/// that the underlying data can be updated.
public struct DiffableDataSourceTransaction<SectionIdentifierType, ItemIdentifierType>: Sendable
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// The type of the transaction's part in one section.
    public typealias SectionTransaction = DiffableDataSourceSectionTransaction<
        SectionIdentifierType, ItemIdentifierType
    >

    /// The list before the change.
    public let initialSnapshot:
        DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>
    /// The list after the change.
    public let finalSnapshot: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>

    private let initialOutlines: SectionOutlines<SectionIdentifierType, ItemIdentifierType>
    private let finalOutlines: SectionOutlines<SectionIdentifierType, ItemIdentifierType>

    /// Creates the transaction from two lists and the outlines of their sections.
    init(
        from initial: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        _ initialOutlines: SectionOutlines<SectionIdentifierType, ItemIdentifierType>,
        to final: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        _ finalOutlines: SectionOutlines<SectionIdentifierType, ItemIdentifierType>
    ) {
        initialSnapshot = initial
        finalSnapshot = final
        self.initialOutlines = initialOutlines
        self.finalOutlines = finalOutlines
    }

    /// The changes of all items, regardless of their sections, with the fewest moves; computed at every
    /// access.
    ///
    /// - Complexity: O(*n*) for *n* items.
    public var difference: CollectionDifference<ItemIdentifierType> {
        initialSnapshot.withItems { $0.items }.difference(to: finalSnapshot.itemIdentifiers)
    }

    /// The changes of each section whose items changed, in the order of the final snapshot; computed at
    /// every access.
    ///
    /// - Complexity: O(*n*) for *n* items, those hidden in outlines included.
    public var sectionTransactions: [SectionTransaction] {
        var (initialOutlines, finalOutlines) = (initialOutlines, finalOutlines)
        return finalSnapshot.sectionIdentifiers.compactMap { section in
            let before = initialOutlines.outline(of: section, in: initialSnapshot)
            let after = finalOutlines.outline(of: section, in: finalSnapshot)
            guard before.items != after.items else { return nil }
            return SectionTransaction(
                sectionIdentifier: section, initialSnapshot: before, finalSnapshot: after)
        }
    }
}

/// The part of a ``DiffableDataSourceTransaction`` in one section.
public struct DiffableDataSourceSectionTransaction<SectionIdentifierType, ItemIdentifierType>:
    Sendable
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// The section.
    public let sectionIdentifier: SectionIdentifierType
    /// The outline of the section before the change, with its hidden items.
    public let initialSnapshot: DiffableDataSourceSectionSnapshot<ItemIdentifierType>
    /// The outline of the section after the change, with its hidden items.
    public let finalSnapshot: DiffableDataSourceSectionSnapshot<ItemIdentifierType>

    /// The changes of the section's items, hidden ones included, with the fewest moves; computed at
    /// every access.
    ///
    /// - Complexity: O(*n*) for *n* items of the section.
    public var difference: CollectionDifference<ItemIdentifierType> {
        initialSnapshot.ordered.list.difference(to: finalSnapshot.items)
    }
}

extension UniqueArray {
    /// Returns the changes that lead to an array of distinct identifiers, with the fewest moves.
    fileprivate func difference(to new: [Element]) -> CollectionDifference<Element> {
        let sections = SectionMap(
            old: SectionBounds(itemCount: count), new: SectionBounds(itemCount: new.count),
            matched: nil)
        guard let changes = matching(to: new, sections)?.changes else {
            preconditionFailure("the new array repeats an identifier")
        }
        typealias Change = CollectionDifference<Element>.Change
        func removal(of index: Int32, movedTo target: Int32? = nil) -> Change {
            .remove(
                offset: Int(index), element: elements[Int(index)],
                associatedWith: target.map { Int($0) })
        }
        func insertion(of index: Int32, movedFrom origin: Int32? = nil) -> Change {
            .insert(
                offset: Int(index), element: new[Int(index)],
                associatedWith: origin.map { Int($0) })
        }
        let all =
            changes.deletes.map { removal(of: $0) } + changes.inserts.map { insertion(of: $0) }
            + changes.moves.flatMap { move in
                [
                    removal(of: move.from, movedTo: move.to),
                    insertion(of: move.to, movedFrom: move.from),
                ]
            }
        guard let difference = CollectionDifference(all) else {
            preconditionFailure("changes contradict each other")
        }
        return difference
    }
}
