// Followers that are applied with await.
import UIKitNames

private final class FollowersController: UIViewController {
    var dataSource: UICollectionViewDiffableDataSource<Int, String>!
    func load(_ names: [String]) async {
        var snapshot = NSDiffableDataSourceSnapshot<Int, String>()
        snapshot.appendSections([0])
        snapshot.appendItems(names)
        await dataSource.apply(snapshot, animatingDifferences: true)
        await dataSource.applySnapshotUsingReloadData(snapshot)
    }
    func reload(_ names: [String]) { Task { await load(names) } }
}
