// The requirements of a view that a data source updates.

/// A list view that a ``DiffableDataSource`` updates.
public protocol DiffableListView: AnyObject {
    /// The type of section identifiers.
    associatedtype SectionIdentifierType: Hashable & Sendable
    /// The type of item identifiers.
    associatedtype ItemIdentifierType: Hashable & Sendable
    /// The content of a row.
    associatedtype Cell
    /// The content of a section's header; `Never` in views without headers.
    associatedtype Header

    /// Sets the source of cells and headers; called once, when the data source is created.
    ///
    /// A view has a single data source, and stops the program if it is given another one.
    func attach(
        _ content: ListContent<SectionIdentifierType, ItemIdentifierType, Cell, Header>)

    /// Updates the view by a difference that leads to `snapshot`.
    func performBatchUpdates(
        _ difference: SnapshotDifference<SectionIdentifierType, ItemIdentifierType>,
        to snapshot: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        animation: RowAnimation)

    /// Replaces everything that the view shows by `snapshot`.
    func reloadData(
        to snapshot: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>)
}

/// The source of a view's cells and headers.
public struct ListContent<SectionIdentifierType, ItemIdentifierType, Cell, Header>
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// Makes the cell of an item at an index path.
    public let cell: (IndexPath, ItemIdentifierType) -> Cell

    /// Makes the header of a section with an index, or returns `nil` for no header.
    public let header: (Int, SectionIdentifierType) -> Header?

    /// Creates a source from two closures.
    @inlinable
    public init(
        cell: @escaping (IndexPath, ItemIdentifierType) -> Cell,
        header: @escaping (Int, SectionIdentifierType) -> Header?
    ) {
        self.cell = cell
        self.header = header
    }
}

/// The way in which a view shows that rows are inserted, deleted and changed.
public enum RowAnimation: Hashable, Sendable {
    /// Changed rows are highlighted for a moment, and deleted ones fade away.
    case fade
    /// The view shows the new rows without a trace of the change.
    case none
}
