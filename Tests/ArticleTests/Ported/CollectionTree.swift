// Collections as a tree, with a lazy registration.
import UIKitNames

private final class CollectionsHandler {
    private let dataSource: UICollectionViewDiffableDataSource<Int, String>
    private lazy var registration = UICollectionView.CellRegistration<
        UICollectionViewListCell, String
    > { cell, _, name in cell.label.text = name }
    init(_ view: UICollectionView) {
        dataSource = UICollectionViewDiffableDataSource(collectionView: view) { _, _, _ in nil }
    }
    func toggle(_ item: String) {
        var snapshot = dataSource.snapshot(for: 0)
        guard snapshot.contains(item) else { return }
        if snapshot.isExpanded(item) {
            snapshot.collapse([item])
        } else {
            snapshot.expand([item])
        }
        dataSource.apply(snapshot, to: 0, animatingDifferences: true)
    }
    func parent(of item: String) -> String? { dataSource.snapshot(for: 0).parent(of: item) }
}
