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
    /// The list before the change.
    public let initialSnapshot:
        DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>
    /// The list after the change.
    public let finalSnapshot: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>
    /// The changes of all items, regardless of their sections.
    public let difference: CollectionDifference<ItemIdentifierType>
    /// The changes of each section whose items changed, in the order of the final snapshot.
    public let sectionTransactions:
        [DiffableDataSourceSectionTransaction<SectionIdentifierType, ItemIdentifierType>]

    /// Creates the transaction from two lists and the outlines of their sections.
    init(
        from initial: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        _ initialOutlines: SectionOutlines<SectionIdentifierType, ItemIdentifierType>,
        to final: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        _ finalOutlines: SectionOutlines<SectionIdentifierType, ItemIdentifierType>
    ) {
        var (initialOutlines, finalOutlines) = (initialOutlines, finalOutlines)
        initialSnapshot = initial
        finalSnapshot = final
        difference = final.itemIdentifiers.difference(from: initial.itemIdentifiers)
            .inferringMoves()
        sectionTransactions = final.sectionIdentifiers.compactMap { section in
            let before = initialOutlines.outline(of: section, in: initial)
            let after = finalOutlines.outline(of: section, in: final)
            let difference = after.items.difference(from: before.items).inferringMoves()
            guard !difference.isEmpty else { return nil }
            return DiffableDataSourceSectionTransaction(
                sectionIdentifier: section, initialSnapshot: before, finalSnapshot: after,
                difference: difference)
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
    /// The changes of the section's items, hidden ones included.
    public let difference: CollectionDifference<ItemIdentifierType>
}
