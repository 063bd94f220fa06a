// What views by index path have in common, whatever identifiers their data sources have.

public import DiffCore
public import Foundation

/// A view whose data source may have identifiers of any types: the base class of ``UICollectionView`` and
/// ``UITableView``.
///
/// Subclass one of those for your toolkit, and override ``perform(_:animation:)`` and
/// ``reloadData()``. Steps have DiffCore's index paths. A view gets the number of rows and the cells from its
/// methods, which ask the data source, as UIKit does. The view does not retain the data source.
///
/// ```swift
/// final class ListBox: UITableView {
///     private var rows: [[UITableViewCell?]] = []
///
///     override func reloadData() {
///         rows = (0..<numberOfSections).map { section in
///             (0..<numberOfRows(inSection: section)).map { cell(at: IndexPath(row: $0, section: section)) }
///         }
///     }
/// }
/// ```
@MainActor @preconcurrency
open class ListSurface: NSObject {
    /// The view of DiffCore's data source that updates this view.
    final weak var adapter: AnyObject?

    /// Creates a view without a data source; O(1).
    public override init() {}

    /// Performs the steps of a difference; the default reloads.
    open func perform(_ steps: [ListStep], animation: RowAnimation) { reloadData() }

    /// Shows everything again; the default does nothing.
    open func reloadData() {}

    /// Returns a cell that can be configured for a row, or `nil` for a new one; the default returns `nil`.
    ///
    /// Call `prepareForReuse()` of a cell that another row has shown.
    open func reusableCell(ofType type: AnyClass, at indexPath: IndexPath) -> AnyObject? { nil }

    /// The number of sections.
    public var numberOfSections: Int { 0 }
    /// Returns whether the user may delete a row.
    public func canEdit(at indexPath: IndexPath) -> Bool { false }
    /// Changes a row on behalf of the user.
    public func commit(_ style: UITableViewCell.EditingStyle, at indexPath: IndexPath) {}
    /// Returns whether the user may move a row.
    public func canMove(at indexPath: IndexPath) -> Bool { false }
    /// Moves a row on behalf of the user.
    public func move(at indexPath: IndexPath, to target: IndexPath) {}
}
