// What a view must be able to do so that a data source can drive it.

/// A list that a ``DiffableDataSource`` drives.
public protocol DiffableListView: AnyObject {
    /// Identifies a section.
    associatedtype SectionIdentifierType: Hashable & Sendable
    /// Identifies an item.
    associatedtype ItemIdentifierType: Hashable & Sendable
    /// What a row is drawn from.
    associatedtype Cell
    /// What the header of a section is drawn from; `Never` in views without headers.
    associatedtype Header

    /// Tells where the cells and headers come from; called once, when the data source is made.
    func attach(
        _ content: ListContent<SectionIdentifierType, ItemIdentifierType, Cell, Header>)

    /// Tells that the snapshot is now `snapshot`, what changed, and how to show that.
    func performBatchUpdates(
        _ difference: SnapshotDifference<SectionIdentifierType, ItemIdentifierType>,
        to snapshot: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        animation: RowAnimation)

    /// Tells that the snapshot is now `snapshot`, and nothing that was shown before still counts.
    func reloadData(
        to snapshot: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>)
}

/// Where a view gets its cells and headers.
public struct ListContent<SectionIdentifierType, ItemIdentifierType, Cell, Header>
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// Makes the cell of an item that stands at a place.
    public let cell: (IndexPath, ItemIdentifierType) -> Cell

    /// Makes the header of a section, which comes with its number; `nil` is no header.
    public let header: (Int, SectionIdentifierType) -> Header?

    /// Cells that `cell` makes, and headers that `header` makes.
    @inlinable
    public init(
        cell: @escaping (IndexPath, ItemIdentifierType) -> Cell,
        header: @escaping (Int, SectionIdentifierType) -> Header?
    ) {
        self.cell = cell
        self.header = header
    }
}
