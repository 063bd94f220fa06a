// A subclass without members.
import UIKitNames

private final class LibraryDataSource: UICollectionViewDiffableDataSource<Int, UUID> {}
private func library(_ view: UICollectionView) -> LibraryDataSource {
    LibraryDataSource(collectionView: view) { _, _, _ in nil }
}
