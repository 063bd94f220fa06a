// A collection that makes its own data source.
import UIKitNames

private final class PlaylistView: UICollectionView {
    private typealias Source = UICollectionViewDiffableDataSource<String, Int>
    private lazy var source: Source = {
        Source(collectionView: self) { view, path, _ in
            view.dequeueReusableCell(withReuseIdentifier: "song", for: path)
        }
    }()
    var songs: [Int] = [] {
        didSet {
            guard songs != oldValue else { return }
            var snapshot = source.snapshot()
            snapshot.deleteAllItems()
            snapshot.appendSections(["songs"])
            snapshot.appendItems(songs)
            source.apply(snapshot, animatingDifferences: !oldValue.isEmpty)
        }
    }
}
