// Configures cells for items that the identifiers of a list stand for.

/// The configuration of cells of one type for items of one type.
///
/// The items need not be identifiers. A cell provider finds the item of an identifier, and requests a
/// cell configured for the item:
///
/// ```swift
/// let row = CellRegistration<Row, Recipe> { row, _, recipe in row.title = recipe.title }
/// dataSource = DiffableDataSource(view: list) { list, indexPath, id in
///     list.dequeueConfiguredReusableCell(using: row, for: indexPath, item: recipes[id])
/// }
/// ```
public struct CellRegistration<Cell: ReusableCell, Item> {
    /// Configures a cell for the item at an index path.
    public typealias Handler = (_ cell: inout Cell, _ indexPath: IndexPath, _ item: Item) -> Void

    /// Configures a cell, which may have been configured for another item before.
    public let handler: Handler

    /// Creates a registration.
    public init(handler: @escaping Handler) { self.handler = handler }
}

extension DiffableListView {
    /// Returns a cell that a registration has configured for an item; without an item, an empty cell.
    ///
    /// The cell is the result of ``reusableCell(_:for:)``, or a new cell if that returns `nil`.
    public func dequeueConfiguredReusableCell<RegisteredCell, Item>(
        using registration: CellRegistration<RegisteredCell, Item>, for indexPath: IndexPath,
        item: Item?
    ) -> RegisteredCell {
        guard let item else { return RegisteredCell() }
        var cell = reusableCell(RegisteredCell.self, for: indexPath) ?? RegisteredCell()
        registration.handler(&cell, indexPath, item)
        return cell
    }

    /// Returns `nil`.
    public func reusableCell<ReusedCell: ReusableCell>(
        _ type: ReusedCell.Type, for indexPath: IndexPath
    ) -> ReusedCell? { nil }
}
