// A shuffle that appends what is there.
import UIKitNames

private func shuffle(_ source: UICollectionViewDiffableDataSource<Int, Int>) {
    var snapshot = source.snapshot()
    snapshot.appendItems(snapshot.itemIdentifiers.shuffled(), toSection: 0)
    source.apply(snapshot)
}
