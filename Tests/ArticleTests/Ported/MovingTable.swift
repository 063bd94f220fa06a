// A table whose rows are moved by overrides, and applied again.
import UIKitNames

private final class QueueDataSource: UITableViewDiffableDataSource<Int, String> {
    var moved: (([String]) -> Void)?
    override func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
        true
    }
    override func tableView(
        _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {
        guard sourceIndexPath != destinationIndexPath,
            let source = itemIdentifier(for: sourceIndexPath)
        else { return }
        var snapshot = snapshot()
        if let destination = itemIdentifier(for: destinationIndexPath) {
            if destinationIndexPath > sourceIndexPath {
                snapshot.moveItem(source, afterItem: destination)
            } else {
                snapshot.moveItem(source, beforeItem: destination)
            }
        }
        apply(snapshot, animatingDifferences: false)
        moved?(snapshot.itemIdentifiers)
    }
}
