// The views that providers name, base classes for the views of a toolkit, and the methods by which they ask data sources.

public import DiffCore
public import Foundation

/// A collection view: subclass it for your toolkit, as ``ListSurface`` describes.
///
/// Members that ask the ``dataSource`` have the complexity of its methods.
@MainActor @preconcurrency
open class UICollectionView: ListSurface {
    /// The configuration of cells of one type for items of one type.
    public typealias CellRegistration<Cell: UICollectionViewCell, Item> =
        UICellRegistration<Cell, Item>
    /// The configuration of headers, footers and other views beside the cells.
    public typealias SupplementaryRegistration<Supplementary: UICollectionReusableView> =
        UIKitNames.SupplementaryRegistration<Supplementary>

    /// The kind of a section's header.
    public nonisolated static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"
    /// The kind of a section's footer.
    public nonisolated static let elementKindSectionFooter = "UICollectionElementKindSectionFooter"

    private var cells: [String: UICollectionReusableView.Type] = [:]

    /// The data source that the view asks, set by the initializer of a diffable data source.
    public final weak var dataSource: (any UICollectionViewDataSource)?

    /// The number of sections.
    public final override var numberOfSections: Int {
        dataSource?.numberOfSections(in: self) ?? 0
    }

    /// Returns the number of items in a section.
    public final func numberOfItems(inSection section: Int) -> Int {
        dataSource?.collectionView(self, numberOfItemsInSection: section) ?? 0
    }

    /// Returns the cell of an item, as its data source makes it now.
    public final func cell(at indexPath: IndexPath) -> UICollectionViewCell? {
        dataSource?.collectionView(self, cellForItemAt: indexPath)
    }

    /// Returns a view beside the cells, or `nil` if the data source makes none.
    public final func supplementaryView(
        ofKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView? {
        let view = dataSource?.collectionView(
            self, viewForSupplementaryElementOfKind: kind, at: indexPath)
        return view is AbsentView ? nil : view
    }

    /// Returns whether the user may move an item.
    public final override func canMove(at indexPath: IndexPath) -> Bool {
        dataSource?.collectionView(self, canMoveItemAt: indexPath) ?? false
    }

    /// Moves an item on behalf of the user.
    public final override func move(at indexPath: IndexPath, to target: IndexPath) {
        dataSource?.collectionView(self, moveItemAt: indexPath, to: target)
    }

    /// Sets the class of the cells with a reuse identifier; O(1).
    open func register(
        _ cellClass: UICollectionViewCell.Type, forCellWithReuseIdentifier identifier: String
    ) { cells[identifier] = cellClass }

    /// Sets the class of the views of a kind with a reuse identifier; O(1).
    open func register(
        _ viewClass: UICollectionReusableView.Type,
        forSupplementaryViewOfKind elementKind: String, withReuseIdentifier identifier: String
    ) { cells["\(elementKind) \(identifier)"] = viewClass }

    /// Returns a cell of the registered class.
    ///
    /// - Complexity: That of ``ListSurface/reusableCell(ofType:at:)``.
    open func dequeueReusableCell(
        withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionViewCell {
        let type = cells[identifier] ?? UICollectionViewCell.self
        return reusableCell(ofType: type, at: indexPath) as? UICollectionViewCell
            ?? type.init() as? UICollectionViewCell ?? UICollectionViewCell()
    }

    /// Returns a view of the registered class; O(1).
    open func dequeueReusableSupplementaryView(
        ofKind elementKind: String, withReuseIdentifier identifier: String,
        for indexPath: IndexPath
    ) -> UICollectionReusableView {
        (cells["\(elementKind) \(identifier)"] ?? UICollectionReusableView.self).init()
    }

    /// Returns a cell that a registration has configured for an item; without an item, an empty cell.
    ///
    /// - Complexity: That of the registration's handler, and of ``ListSurface/reusableCell(ofType:at:)``.
    open func dequeueConfiguredReusableCell<Cell: UICollectionViewCell, Item>(
        using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
    ) -> Cell {
        guard let item else { return Cell() }
        let cell = reusableCell(ofType: Cell.self, at: indexPath) as? Cell ?? Cell()
        registration.handler(cell, indexPath, item)
        return cell
    }

    /// Returns a view that a registration has configured.
    ///
    /// - Complexity: That of the registration's handler.
    open func dequeueConfiguredReusableSupplementary<Supplementary>(
        using registration: SupplementaryRegistration<Supplementary>, for indexPath: IndexPath
    ) -> Supplementary {
        let view = Supplementary()
        registration.handler(view, registration.elementKind, indexPath)
        return view
    }
}

/// A table view: subclass it for your toolkit, as ``ListSurface`` describes.
///
/// Members that ask the ``dataSource`` have the complexity of its methods.
@MainActor @preconcurrency
open class UITableView: ListSurface {
    /// The animation of rows.
    public typealias RowAnimation = DiffCore.RowAnimation

    private var cells: [String: UITableViewCell.Type] = [:]

    /// The data source that the view asks, set by the initializer of a diffable data source.
    public final weak var dataSource: (any UITableViewDataSource)?

    /// The number of sections.
    public final override var numberOfSections: Int {
        dataSource?.numberOfSections(in: self) ?? 0
    }

    /// Returns the number of rows in a section.
    public final func numberOfRows(inSection section: Int) -> Int {
        dataSource?.tableView(self, numberOfRowsInSection: section) ?? 0
    }

    /// Returns the cell of a row, as its data source makes it now.
    public final func cell(at indexPath: IndexPath) -> UITableViewCell? {
        dataSource?.tableView(self, cellForRowAt: indexPath)
    }

    /// Returns the title above a section, or `nil`.
    public final func titleForHeader(inSection section: Int) -> String? {
        dataSource?.tableView(self, titleForHeaderInSection: section)
    }

    /// Returns the title below a section, or `nil`.
    public final func titleForFooter(inSection section: Int) -> String? {
        dataSource?.tableView(self, titleForFooterInSection: section)
    }

    /// The titles of an index beside the table, or `nil` for no index.
    public final var sectionIndexTitles: [String]? { dataSource?.sectionIndexTitles(for: self) }

    /// Returns the section of a title of ``sectionIndexTitles``.
    public final func section(forSectionIndexTitle title: String, at index: Int) -> Int {
        dataSource?.tableView(self, sectionForSectionIndexTitle: title, at: index) ?? index
    }

    /// Returns whether the user may delete a row.
    public final override func canEdit(at indexPath: IndexPath) -> Bool {
        dataSource?.tableView(self, canEditRowAt: indexPath) ?? false
    }

    /// Changes a row on behalf of the user.
    public final override func commit(
        _ style: UITableViewCell.EditingStyle, at indexPath: IndexPath
    ) { dataSource?.tableView(self, commit: style, forRowAt: indexPath) }

    /// Returns whether the user may move a row.
    public final override func canMove(at indexPath: IndexPath) -> Bool {
        dataSource?.tableView(self, canMoveRowAt: indexPath) ?? false
    }

    /// Moves a row on behalf of the user.
    public final override func move(at indexPath: IndexPath, to target: IndexPath) {
        dataSource?.tableView(self, moveRowAt: indexPath, to: target)
    }

    /// Sets the class of the cells with a reuse identifier; O(1).
    open func register(
        _ cellClass: UITableViewCell.Type, forCellReuseIdentifier identifier: String
    ) { cells[identifier] = cellClass }

    /// Returns a cell of the registered class.
    ///
    /// - Complexity: That of ``ListSurface/reusableCell(ofType:at:)``.
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath)
        -> UITableViewCell
    {
        let type = cells[identifier] ?? UITableViewCell.self
        return reusableCell(ofType: type, at: indexPath) as? UITableViewCell ?? type.init()
    }

    /// Returns a cell of the registered class, or `nil` without one; O(1).
    open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
        cells[identifier].map { $0.init() }
    }
}

/// The methods by which a collection view asks its data source.
@MainActor @preconcurrency
public protocol UICollectionViewDataSource: NSObjectProtocol {
    /// Returns the number of sections.
    func numberOfSections(in collectionView: UICollectionView) -> Int
    /// Returns the number of items in a section.
    func collectionView(
        _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int
    /// Returns the cell of an item.
    func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell
    /// Returns a header, a footer or another view beside the cells.
    func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) -> UICollectionReusableView
    /// Returns whether the user may move an item.
    func collectionView(
        _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
    ) -> Bool
    /// Moves an item on behalf of the user.
    func collectionView(
        _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath)
}

extension UICollectionViewDataSource {
    /// Returns 1.
    public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
    /// Returns an empty view, which stands for none.
    public func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) -> UICollectionReusableView { AbsentView() }
    /// Returns `false`.
    public func collectionView(
        _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
    ) -> Bool { false }
    /// Does nothing.
    public func collectionView(
        _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {}
}

/// An empty view in the place of a view that a data source does not make.
final class AbsentView: UICollectionReusableView {}

/// The methods by which a table view asks its data source.
@MainActor @preconcurrency
public protocol UITableViewDataSource: NSObjectProtocol {
    /// Returns the number of sections.
    func numberOfSections(in tableView: UITableView) -> Int
    /// Returns the number of rows in a section.
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
    /// Returns the cell of a row.
    func tableView(
        _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell
    /// Returns the title above a section.
    func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
    /// Returns the title below a section.
    func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String?
    /// Returns whether the user may delete a row.
    func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool
    /// Changes a row on behalf of the user.
    func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath)
    /// Returns whether the user may move a row.
    func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool
    /// Moves a row on behalf of the user.
    func tableView(
        _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath)
    /// Returns the titles of an index beside the table.
    func sectionIndexTitles(for tableView: UITableView) -> [String]?
    /// Returns the section of a title of that index.
    func tableView(
        _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
    ) -> Int
}

extension UITableViewDataSource {
    /// Returns 1.
    public func numberOfSections(in tableView: UITableView) -> Int { 1 }
    /// Returns `nil`.
    public func tableView(
        _ tableView: UITableView, titleForHeaderInSection section: Int
    ) -> String? { nil }
    /// Returns `nil`.
    public func tableView(
        _ tableView: UITableView, titleForFooterInSection section: Int
    ) -> String? { nil }
    /// Returns `false`.
    public func tableView(
        _ tableView: UITableView, canEditRowAt indexPath: IndexPath
    ) -> Bool { false }
    /// Does nothing.
    public func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {}
    /// Returns `false`.
    public func tableView(
        _ tableView: UITableView, canMoveRowAt indexPath: IndexPath
    ) -> Bool { false }
    /// Does nothing.
    public func tableView(
        _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {}
    /// Returns `nil`.
    public func sectionIndexTitles(for tableView: UITableView) -> [String]? { nil }
    /// Returns the title's index.
    public func tableView(
        _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
    ) -> Int { index }
}
