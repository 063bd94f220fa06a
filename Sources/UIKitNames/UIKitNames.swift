// The names that UIKit has for the values of DiffCore.

// Like UIKit, the module brings along what a file that imports it alone needs.
@_exported public import DiffCore
@_exported public import Foundation

/// The state of a list at one moment.
public typealias NSDiffableDataSourceSnapshot = DiffableDataSourceSnapshot
/// The state of a section whose items form an outline.
public typealias NSDiffableDataSourceSectionSnapshot = DiffableDataSourceSectionSnapshot
/// A change of a list by the user.
public typealias NSDiffableDataSourceTransaction = DiffableDataSourceTransaction
/// The part of such a change in one section.
public typealias NSDiffableDataSourceSectionTransaction = DiffableDataSourceSectionTransaction

extension DiffableListView {
    /// The configuration of cells of one type for items of one type.
    public typealias CellRegistration<RegisteredCell: ReusableCell & AnyObject, Item> =
        UICellRegistration<RegisteredCell, Item>

    /// Returns a cell that a registration has configured for an item; without an item, an empty cell.
    ///
    /// - Complexity: That of the registration's handler, and of the view's `reusableCell(_:for:)`.
    @MainActor @preconcurrency
    public func dequeueConfiguredReusableCell<RegisteredCell: ReusableCell & AnyObject, Item>(
        using registration: CellRegistration<RegisteredCell, Item>, for indexPath: IndexPath,
        item: Item?
    ) -> RegisteredCell {
        let path = DiffCore.IndexPath(indexPath)
        guard let item else { return RegisteredCell() }
        let cell = reusableCell(RegisteredCell.self, for: path) ?? RegisteredCell()
        registration.handler(cell, indexPath, item)
        return cell
    }
}
