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

    /// Returns a cell that can be configured for the row at an index path: the row's own cell during a
    /// reconfiguration, otherwise the cell of a row that is no longer shown, or `nil` for a new cell.
    ///
    /// The default returns `nil`. The complexity is the view's.
    func reusableCell<ReusedCell: ReusableCell>(
        _ type: ReusedCell.Type, for indexPath: IndexPath
    ) -> ReusedCell?
}

extension DiffableListView {
    /// Returns `nil`; O(1).
    public func reusableCell<ReusedCell: ReusableCell>(
        _ type: ReusedCell.Type, for indexPath: IndexPath
    ) -> ReusedCell? { nil }
}

/// A cell that can be made without arguments.
public protocol ReusableCell {
    /// Creates an empty cell.
    init()
}

/// The source of a view's cells and headers, and its data source.
public struct ListContent<SectionIdentifierType, ItemIdentifierType, Cell, Header>
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// Makes the cell of an item at an index path, or returns `nil` for an empty row.
    public let cell: (IndexPath, ItemIdentifierType) -> Cell?

    /// Makes the header of a section with an index, or returns `nil` for no header.
    public let header: (Int, SectionIdentifierType) -> Header?

    /// The data source, through which the user moves items and folds outlines; `nil` when it is gone.
    public private(set) weak var dataSource:
        DiffableDataSource<SectionIdentifierType, ItemIdentifierType>?

    /// Creates a source from two closures, for a view that is tested without a data source.
    public init(
        cell: @escaping (IndexPath, ItemIdentifierType) -> Cell?,
        header: @escaping (Int, SectionIdentifierType) -> Header?,
        dataSource: DiffableDataSource<SectionIdentifierType, ItemIdentifierType>? = nil
    ) {
        self.cell = cell
        self.header = header
        self.dataSource = dataSource
    }
}

/// The way in which a view shows that rows are inserted, deleted and changed.
///
/// A view may replace an animation that it cannot perform by ``fade``; it never replaces ``none``.
public enum RowAnimation: Hashable, Sendable {
    /// The view chooses.
    case automatic
    /// Inserted rows come from the right, and deleted ones leave to the right.
    case right
    /// Inserted rows come from the left, and deleted ones leave to the left.
    case left
    /// Inserted rows come from above, and deleted ones leave upwards.
    case top
    /// Inserted rows come from below, and deleted ones leave downwards.
    case bottom
    /// Inserted rows open at their middle, and deleted ones close there.
    case middle
    /// Changed rows are highlighted for a moment, and deleted ones fade away.
    case fade
    /// The view shows the new rows without a trace of the change.
    case none
}
