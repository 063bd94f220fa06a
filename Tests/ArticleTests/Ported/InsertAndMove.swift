// A history with insertions and moves.
import UIKitNames

private func visit(_ site: String, in source: UITableViewDiffableDataSource<Int, String>) {
    var snapshot = source.snapshot()
    if let first = snapshot.itemIdentifiers(inSection: 0).first, first != site {
        if snapshot.indexOfItem(site) == nil {
            snapshot.insertItems([site], beforeItem: first)
        } else {
            snapshot.moveItem(site, beforeItem: first)
        }
    }
    snapshot.reloadSections([0])
    source.defaultRowAnimation = UITableView.RowAnimation.top
    source.apply(snapshot)
}
