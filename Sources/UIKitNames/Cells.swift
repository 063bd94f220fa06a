// The cells that providers make, and their configuration.

public import DiffCore
public import Foundation

/// A view beside the cells of a collection view, such as a header.
@MainActor @preconcurrency
open class UICollectionReusableView: NSObject, @MainActor ReusableCell {
    /// Creates an empty view, which does not keep the frame: a toolkit places its views itself; O(1).
    public init(frame: CGRect) {}

    /// Creates an empty view and decodes nothing; O(1).
    public required init?(coder: NSCoder) {}

    /// Creates an empty view by ``init(frame:)``; O(1).
    public required override convenience init() { self.init(frame: .zero) }

    /// Removes what the cell shows; a toolkit's view calls it before the cell is configured for another row.
    ///
    /// The default does nothing.
    open func prepareForReuse() {}
}

/// A cell of a collection view.
@MainActor @preconcurrency
open class UICollectionViewCell: UICollectionReusableView {}

/// A cell of a table view.
@MainActor @preconcurrency
open class UITableViewCell: NSObject, @MainActor ReusableCell {
    /// The change of a row that the user asks for.
    public enum EditingStyle: Int, Sendable {
        /// No change.
        case none
        /// The row is to be deleted.
        case delete
        /// A row is to be inserted.
        case insert
    }

    /// The arrangement of a cell's texts.
    public enum CellStyle: Int, Sendable {
        /// One text.
        case `default`
        /// Two texts, of which the second is at the right.
        case value1
        /// Two texts, of which the first is small.
        case value2
        /// Two texts, of which the second is below.
        case subtitle
    }

    /// Creates an empty cell, which does not keep its arguments; O(1).
    public init(style: CellStyle, reuseIdentifier: String?) {}

    /// Creates an empty cell and decodes nothing; O(1).
    public required init?(coder: NSCoder) {}

    /// Creates an empty cell by ``init(style:reuseIdentifier:)``; O(1).
    public required override convenience init() {
        self.init(style: .default, reuseIdentifier: nil)
    }

    /// Removes what the cell shows; a toolkit's view calls it before the cell is configured for another row.
    ///
    /// The default does nothing.
    open func prepareForReuse() {}
}

/// The configuration of cells of one type, which are objects, for items of one type.
public struct UICellRegistration<Cell: AnyObject, Item>: Sendable {
    /// Configures a cell for the item at an index path, on the main actor, so that a registration can be sent.
    public typealias Handler =
        @MainActor (_ cell: Cell, _ indexPath: IndexPath, _ item: Item) -> Void

    /// Configures a cell, which may have been configured for another item before.
    public let handler: Handler

    /// Creates a registration; O(1).
    @preconcurrency public init(handler: @escaping Handler) { self.handler = handler }
}

/// The configuration of headers, footers and other views beside the cells.
public struct SupplementaryRegistration<Supplementary: UICollectionReusableView>: Sendable {
    /// Configures a view of a kind at an index path, on the main actor, so that a registration can be sent.
    public typealias Handler =
        @MainActor (
            _ supplementaryView: Supplementary, _ elementKind: String, _ indexPath: IndexPath
        ) -> Void

    /// The kind of the views.
    public let elementKind: String
    /// Configures a view.
    public let handler: Handler

    /// Creates a registration; O(1).
    @preconcurrency public init(elementKind: String, handler: @escaping Handler) {
        (self.elementKind, self.handler) = (elementKind, handler)
    }
}
