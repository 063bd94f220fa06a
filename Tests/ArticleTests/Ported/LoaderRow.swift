// A row that loads more, and snapshots compared by their identifiers.
import UIKitNames

private nonisolated enum StatusItem: Hashable { case status(id: String), bottomLoader }
private func append(
    _ ids: [String], to dataSource: UITableViewDiffableDataSource<Int, StatusItem>
) {
    let old = dataSource.snapshot()
    var new = NSDiffableDataSourceSnapshot<Int, StatusItem>()
    new.appendSections([0])
    new.appendItems(ids.map { .status(id: $0) }, toSection: 0)
    new.appendItems([.bottomLoader], toSection: 0)
    guard new.itemIdentifiers != old.itemIdentifiers else { return }
    dataSource.apply(new, animatingDifferences: false, completion: nil)
}
