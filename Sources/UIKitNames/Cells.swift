// The cells that providers make, and their configuration.

public import DiffCore
public import Foundation

/// A view beside the cells of a collection view, such as a header.
open class UICollectionReusableView: ReusableCell {
    /// Creates an empty view.
    public required init() {}
}

/// A cell of a collection view.
open class UICollectionViewCell: UICollectionReusableView {}

/// A cell of a table view.
open class UITableViewCell: ReusableCell {
    /// The change of a row that the user asks for.
    public enum EditingStyle: Int, Sendable {
        /// No change.
        case none
        /// The row is to be deleted.
        case delete
        /// A row is to be inserted.
        case insert
    }

    /// Creates an empty cell.
    public required init() {}
}

/// The configuration of cells of one type, which are objects, for items of one type.
public struct UICellRegistration<Cell: ReusableCell & AnyObject, Item> {
    /// Configures a cell for the item at an index path.
    public typealias Handler = (_ cell: Cell, _ indexPath: IndexPath, _ item: Item) -> Void

    /// Configures a cell, which may have been configured for another item before.
    public let handler: Handler

    /// Creates a registration.
    public init(handler: @escaping Handler) { self.handler = handler }
}

/// The configuration of headers, footers and other views beside the cells.
public struct SupplementaryRegistration<Supplementary: UICollectionReusableView> {
    /// Configures a view of a kind at an index path.
    public typealias Handler = (
        _ supplementaryView: Supplementary, _ elementKind: String, _ indexPath: IndexPath
    ) -> Void

    /// The kind of the views.
    public let elementKind: String
    /// Configures a view.
    public let handler: Handler

    /// Creates a registration.
    public init(elementKind: String, handler: @escaping Handler) {
        (self.elementKind, self.handler) = (elementKind, handler)
    }
}
