// A collection's subclass that overrides the initializer.
import UIKitNames

private final class ScreenshotsDataSource: UICollectionViewDiffableDataSource<Int, UUID> {
    override init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {
        super.init(collectionView: collectionView, cellProvider: cellProvider)
        supplementaryViewProvider = { [weak self] view, kind, path in
            guard self?.sectionIdentifier(for: path.section) != nil else { return nil }
            return view.dequeueReusableSupplementaryView(
                ofKind: kind, withReuseIdentifier: "title", for: path)
        }
    }
}
