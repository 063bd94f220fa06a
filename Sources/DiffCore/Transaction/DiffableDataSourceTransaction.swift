// What a reordering changed: the lists before and after it, and what lies between.

/// A change of a list that the user made: the lists before and after, and the changes between.
///
/// A data source hands one to its ``DiffableDataSource/reorderingHandlers``, so
/// that the data behind the list can follow.
public struct DiffableDataSourceTransaction<SectionIdentifierType, ItemIdentifierType>: Sendable
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// The list before.
    public let initialSnapshot:
        DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>
    /// The list after.
    public let finalSnapshot: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>
    /// The changes of the row of all items.
    public let difference: CollectionDifference<ItemIdentifierType>
    /// The changes of each section whose items changed, in the order of the list after.
    public let sectionTransactions:
        [DiffableDataSourceSectionTransaction<SectionIdentifierType, ItemIdentifierType>]

    /// The change between two lists.
    init(
        from initial: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        to final: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>
    ) {
        initialSnapshot = initial
        finalSnapshot = final
        difference = final.collectionDifference(from: initial)
        sectionTransactions = final.sectionIdentifiers.compactMap { section in
            let difference = final.collectionDifference(from: initial, inSection: section)
            guard !difference.isEmpty else { return nil }
            return DiffableDataSourceSectionTransaction(
                sectionIdentifier: section, initialSnapshot: initial.outline(ofSection: section),
                finalSnapshot: final.outline(ofSection: section), difference: difference)
        }
    }
}

/// The part of a ``DiffableDataSourceTransaction`` that is in one section.
public struct DiffableDataSourceSectionTransaction<SectionIdentifierType, ItemIdentifierType>:
    Sendable
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// The section.
    public let sectionIdentifier: SectionIdentifierType
    /// The section before.
    public let initialSnapshot: DiffableDataSourceSectionSnapshot<ItemIdentifierType>
    /// The section after.
    public let finalSnapshot: DiffableDataSourceSectionSnapshot<ItemIdentifierType>
    /// The changes of the section's items.
    public let difference: CollectionDifference<ItemIdentifierType>
}

extension DiffableDataSourceSnapshot {
    /// The items of a section as an outline of root items; empty if there is no such section.
    func outline(
        ofSection section: SectionIdentifierType
    ) -> DiffableDataSourceSectionSnapshot<ItemIdentifierType> {
        var outline = DiffableDataSourceSectionSnapshot<ItemIdentifierType>()
        if sections.contains(section) { outline.append(itemIdentifiers(inSection: section)) }
        return outline
    }
}
