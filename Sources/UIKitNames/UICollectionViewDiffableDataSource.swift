// UIKit's data source of collection views, by way of DiffCore's.

public import DiffCore
public import Foundation

/// A data source for a collection view, under the names of UIKit.
///
/// It may be subclassed, and what UIKit declares open can be overridden: the view asks the overrides.
@MainActor @preconcurrency
open class UICollectionViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>:
    ListSurfaceDataSource<SectionIdentifierType, ItemIdentifierType>, UICollectionViewDataSource
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// Makes the cell of an item at an index path.
    public typealias CellProvider = (
        _ collectionView: UICollectionView, _ indexPath: IndexPath,
        _ itemIdentifier: ItemIdentifierType
    ) -> UICollectionViewCell?
    /// Makes a header, a footer or another view beside the cells.
    public typealias SupplementaryViewProvider = (
        _ collectionView: UICollectionView, _ elementKind: String, _ indexPath: IndexPath
    ) -> UICollectionReusableView?

    /// The provider of headers, footers and other views beside the cells.
    public final var supplementaryViewProvider: SupplementaryViewProvider?

    /// Creates a data source without sections for a view; O(1).
    ///
    /// - Precondition: The view has no diffable data source yet.
    public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {
        super.init(surface: collectionView) { [unowned collectionView] in
            cellProvider(collectionView, $0, $1)
        }
        collectionView.dataSource = self
    }

    /// Creates a data source without sections for a view of DiffCore; O(1).
    ///
    /// - Precondition: The view has no data source yet.
    public init<View: DiffableListView>(
        collectionView: View,
        cellProvider: @escaping (View, IndexPath, ItemIdentifierType) -> View.Cell?
    )
    where
        View.SectionIdentifierType == SectionIdentifierType,
        View.ItemIdentifierType == ItemIdentifierType
    { super.init(view: collectionView, cellProvider: cellProvider) }

    // MARK: Answers to the view

    /// Returns the number of sections; O(1).
    open func numberOfSections(in collectionView: UICollectionView) -> Int { numberOfSections }

    /// Returns the number of items in a section; O(1).
    open func collectionView(
        _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int { numberOfItems(inSection: section) }

    /// Returns the cell of an item, or an empty cell if the provider returns `nil`.
    ///
    /// - Complexity: That of the provider, and of looking up the item.
    open func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        cell(at: indexPath) as? UICollectionViewCell ?? UICollectionViewCell()
    }

    /// Returns a header, a footer or another view beside the cells, or an empty one if there is no provider or it
    /// returns `nil`.
    ///
    /// - Complexity: That of the provider.
    open func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) -> UICollectionReusableView {
        supplementaryViewProvider?(collectionView, kind, indexPath) ?? AbsentView()
    }

    /// Returns whether the user may move an item; by default, what the reordering handlers answer; O(1).
    open func collectionView(
        _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
    ) -> Bool { canMoveItem(at: indexPath) }

    /// Moves an item on behalf of the user; by default, as the reordering handlers allow.
    ///
    /// - Complexity: That of `DiffableDataSource.reorder(_:to:)`.
    open func collectionView(
        _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) { moveItem(at: sourceIndexPath, to: destinationIndexPath) }
}
