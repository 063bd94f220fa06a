// The views that providers name: base classes for the views of a toolkit.

public import DiffCore
public import Foundation

/// A collection view: subclass it for your toolkit, as ``ListSurface`` describes.
open class UICollectionView: ListSurface {
    /// The configuration of cells of one type for items of one type.
    public typealias CellRegistration<Cell: UICollectionViewCell, Item> =
        UICellRegistration<Cell, Item>
    /// The configuration of headers, footers and other views beside the cells.
    public typealias SupplementaryRegistration<Supplementary: UICollectionReusableView> =
        UIKitNames.SupplementaryRegistration<Supplementary>

    /// The kind of a section's header.
    public static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"
    /// The kind of a section's footer.
    public static let elementKindSectionFooter = "UICollectionElementKindSectionFooter"

    private var cells: [String: UICollectionReusableView.Type] = [:]

    /// Returns the number of items in a section.
    public final func numberOfItems(inSection section: Int) -> Int { numberOfItems(in: section) }

    /// Returns the cell of an item, as its data source makes it now.
    public final func cell(at indexPath: IndexPath) -> UICollectionViewCell? {
        source?.cell(indexPath) as? UICollectionViewCell
    }

    /// Returns a view beside the cells, or `nil` if the data source has no provider of such views.
    public final func supplementaryView(
        ofKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView? { source?.supplementaryView(kind, indexPath) }

    /// Sets the class of the cells with a reuse identifier.
    open func register(
        _ cellClass: UICollectionViewCell.Type, forCellWithReuseIdentifier identifier: String
    ) { cells[identifier] = cellClass }

    /// Sets the class of the views of a kind with a reuse identifier.
    open func register(
        _ viewClass: UICollectionReusableView.Type,
        forSupplementaryViewOfKind elementKind: String, withReuseIdentifier identifier: String
    ) { cells["\(elementKind) \(identifier)"] = viewClass }

    /// Returns a cell of the registered class.
    open func dequeueReusableCell(
        withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionViewCell {
        let type = cells[identifier] ?? UICollectionViewCell.self
        return reusableCell(ofType: type, at: indexPath) as? UICollectionViewCell
            ?? type.init() as? UICollectionViewCell ?? UICollectionViewCell()
    }

    /// Returns a view of the registered class.
    open func dequeueReusableSupplementaryView(
        ofKind elementKind: String, withReuseIdentifier identifier: String,
        for indexPath: IndexPath
    ) -> UICollectionReusableView {
        (cells["\(elementKind) \(identifier)"] ?? UICollectionReusableView.self).init()
    }

    /// Returns a cell that a registration has configured for an item; without an item, an empty cell.
    open func dequeueConfiguredReusableCell<Cell: UICollectionViewCell, Item>(
        using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
    ) -> Cell {
        guard let item else { return Cell() }
        let cell = reusableCell(ofType: Cell.self, at: indexPath) as? Cell ?? Cell()
        registration.handler(cell, indexPath, item)
        return cell
    }

    /// Returns a view that a registration has configured.
    open func dequeueConfiguredReusableSupplementary<Supplementary>(
        using registration: SupplementaryRegistration<Supplementary>, for indexPath: IndexPath
    ) -> Supplementary {
        let view = Supplementary()
        registration.handler(view, registration.elementKind, indexPath)
        return view
    }
}

/// A table view: subclass it for your toolkit, as ``ListSurface`` describes.
open class UITableView: ListSurface {
    /// The animation of rows.
    public typealias RowAnimation = DiffCore.RowAnimation

    private var cells: [String: UITableViewCell.Type] = [:]

    /// Returns the number of rows in a section.
    public final func numberOfRows(inSection section: Int) -> Int { numberOfItems(in: section) }

    /// Returns the cell of a row, as its data source makes it now.
    public final func cell(at indexPath: IndexPath) -> UITableViewCell? {
        source?.cell(indexPath) as? UITableViewCell
    }

    /// Returns the title above a section, or `nil`.
    public final func titleForHeader(inSection section: Int) -> String? {
        source?.title(true, section)
    }

    /// Returns the title below a section, or `nil`.
    public final func titleForFooter(inSection section: Int) -> String? {
        source?.title(false, section)
    }

    /// Sets the class of the cells with a reuse identifier.
    open func register(
        _ cellClass: UITableViewCell.Type, forCellReuseIdentifier identifier: String
    ) { cells[identifier] = cellClass }

    /// Returns a cell of the registered class.
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath)
        -> UITableViewCell
    {
        let type = cells[identifier] ?? UITableViewCell.self
        return reusableCell(ofType: type, at: indexPath) as? UITableViewCell ?? type.init()
    }

    /// Returns a cell of the registered class, or `nil` without one.
    open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
        cells[identifier].map { $0.init() }
    }
}
