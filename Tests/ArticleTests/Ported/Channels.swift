// Channels that are reloaded by index path.
import UIKitNames

private func reload(_ path: IndexPath, _ source: UICollectionViewDiffableDataSource<Int, String>) {
    guard let id = source.itemIdentifier(for: path), source.indexPath(for: id) == path else {
        return
    }
    var snapshot = source.snapshot()
    snapshot.reloadItems([id])
    source.applySnapshotUsingReloadData(snapshot, completion: { print("reloaded") })
}
