// Groups that are replaced as a whole.
import UIKitNames

private func show(
    _ groups: [(String, [Int])], in dataSource: UITableViewDiffableDataSource<String, Int>
) {
    var snapshot = dataSource.snapshot()
    snapshot.deleteAllItems()
    for (name, members) in groups where !members.isEmpty {
        snapshot.appendSections([name])
        snapshot.appendItems(members, toSection: name)
    }
    dataSource.apply(snapshot, animatingDifferences: false)
}
