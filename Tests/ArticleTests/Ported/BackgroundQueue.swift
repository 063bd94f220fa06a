// Snapshots that are applied on a queue of their own.
import UIKitNames

private final class QueuedUpdates {
    private let queue = DispatchQueue(label: "updates")
    private var dataSource: UICollectionViewDiffableDataSource<Int, String>!
    func update(_ items: [String]) {
        queue.sync {
            var snapshot = NSDiffableDataSourceSnapshot<Int, String>()
            snapshot.appendSections([0])
            snapshot.appendItems(items)
            dataSource.apply(snapshot, animatingDifferences: true)
        }
    }
}
