// A generic subclass of the main actor with an initializer.
import UIKitNames

@MainActor
class SingleSectionDataSource<Item: Hashable & Sendable>:
    UICollectionViewDiffableDataSource<Int, Item>
{
    private let animates: Bool
    init(_ view: UICollectionView, animates: Bool = true, cellProvider: @escaping CellProvider) {
        self.animates = animates
        super.init(collectionView: view, cellProvider: cellProvider)
    }
    func show(_ items: [Item]) {
        var snapshot = NSDiffableDataSourceSnapshot<Int, Item>()
        snapshot.appendSections([0])
        snapshot.appendItems(items)
        apply(snapshot, animatingDifferences: animates)
    }
}
