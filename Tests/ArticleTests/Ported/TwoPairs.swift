// One class of view for several pairs of identifiers.
import UIKitNames

private func pair(_ view: UICollectionView, _ other: UICollectionView) -> (
    UICollectionViewDiffableDataSource<Int, String>,
    UICollectionViewDiffableDataSource<String, UUID>
) {
    (
        UICollectionViewDiffableDataSource(collectionView: view) { _, _, _ in nil },
        UICollectionViewDiffableDataSource(collectionView: other) { _, _, _ in nil }
    )
}
