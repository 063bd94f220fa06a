// What a view must be able to do so that a data source can drive it.

/// A list that a ``DiffableDataSource`` drives.
public protocol DiffableListView: AnyObject {
    /// Identifies a section.
    associatedtype SectionIdentifierType: Hashable & Sendable
    /// Identifies an item.
    associatedtype ItemIdentifierType: Hashable & Sendable
    /// What a row is drawn from.
    associatedtype Cell

    /// Tells where the cells come from; called once, when the data source is made.
    func attach(
        _ content: ListContent<SectionIdentifierType, ItemIdentifierType, Cell>)

    /// Tells that the snapshot is now `snapshot`, and what changed.
    func performBatchUpdates(
        _ difference: SnapshotDifference<SectionIdentifierType, ItemIdentifierType>,
        to snapshot: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        animatingDifferences: Bool)

    /// Tells that the snapshot is now `snapshot`, and nothing that was shown before still counts.
    func reloadData(
        to snapshot: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>)
}

/// Where a view gets its cells.
public struct ListContent<SectionIdentifierType, ItemIdentifierType, Cell>
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// Makes the cell of an item that stands at a place.
    public let cell: (IndexPath, ItemIdentifierType) -> Cell

    /// Cells that `cell` makes.
    @inlinable
    public init(cell: @escaping (IndexPath, ItemIdentifierType) -> Cell) { self.cell = cell }
}
