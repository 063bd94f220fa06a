// A transcript whose last line changes.
import UIKitNames

private func update(_ id: UUID, in source: UITableViewDiffableDataSource<Int, UUID>) {
    var snapshot = source.snapshot()
    guard snapshot.indexOfItem(id) != nil else { return }
    snapshot.reconfigureItems([id])
    source.apply(snapshot, animatingDifferences: false)
}
