// The names that UIKit and AppKit have for the types of DiffCore, with their initializers.

// Like UIKit, the module brings along what a file that imports it alone needs.
@_exported public import DiffCore

#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif

/// A data source for a collection view of UIKit.
public typealias UICollectionViewDiffableDataSource = DiffableDataSource
/// A data source for a table view of UIKit.
public typealias UITableViewDiffableDataSource = DiffableDataSource
/// A data source for a collection view of AppKit.
public typealias NSCollectionViewDiffableDataSource = DiffableDataSource
/// A data source for a table view of AppKit.
public typealias NSTableViewDiffableDataSource = DiffableDataSource

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
    public typealias CellRegistration<RegisteredCell: ReusableCell, Item> =
        DiffCore.CellRegistration<RegisteredCell, Item>

    /// Returns a cell that a registration has configured for an item; without an item, an empty cell.
    public func dequeueConfiguredReusableCell<RegisteredCell, Item>(
        using registration: CellRegistration<RegisteredCell, Item>, for indexPath: IndexPath,
        item: Item?
    ) -> RegisteredCell {
        dequeueConfiguredReusableCell(
            using: registration, for: DiffCore.IndexPath(indexPath), item: item)
    }
}

extension DiffableDataSource {
    /// Creates a data source without sections for a collection view of UIKit.
    public convenience init<View: DiffableListView>(
        collectionView: View,
        cellProvider: @escaping (View, IndexPath, ItemIdentifierType) -> View.Cell?
    )
    where
        View.SectionIdentifierType == SectionIdentifierType,
        View.ItemIdentifierType == ItemIdentifierType
    {
        self.init(view: collectionView) { cellProvider($0, IndexPath($1), $2) }
    }

    /// Creates a data source without sections for a table view of UIKit.
    public convenience init<View: DiffableListView>(
        tableView: View,
        cellProvider: @escaping (View, IndexPath, ItemIdentifierType) -> View.Cell?
    )
    where
        View.SectionIdentifierType == SectionIdentifierType,
        View.ItemIdentifierType == ItemIdentifierType
    {
        self.init(collectionView: tableView, cellProvider: cellProvider)
    }

    /// Creates a data source without sections for a collection view of AppKit.
    @_disfavoredOverload  // A trailing closure is a cell provider.
    public convenience init<View: DiffableListView>(
        collectionView: View,
        itemProvider: @escaping (View, IndexPath, ItemIdentifierType) -> View.Cell?
    )
    where
        View.SectionIdentifierType == SectionIdentifierType,
        View.ItemIdentifierType == ItemIdentifierType
    {
        self.init(collectionView: collectionView, cellProvider: itemProvider)
    }

    /// Returns the item that the view shows at an index path, or `nil` if there is none; O(1).
    public func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? {
        itemIdentifier(for: DiffCore.IndexPath(indexPath))
    }

    /// Returns the index path of an item that the view shows, or `nil` if it does not.
    ///
    /// - Complexity: O(log *s*) for *s* sections.
    public func indexPath(for itemIdentifier: ItemIdentifierType) -> IndexPath? {
        let indexPath: DiffCore.IndexPath? = self.indexPath(for: itemIdentifier)
        return indexPath.map { IndexPath($0) }
    }
}
