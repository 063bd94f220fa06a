// A subclass with closures that edit.
import UIKitNames

private final class EditingDataSource<S: Hashable & Sendable, I: Hashable & Sendable>:
    UITableViewDiffableDataSource<S, I>
{
    var canEditRow: ((IndexPath) -> Bool)?
    var commitEditing: ((UITableViewCell.EditingStyle, IndexPath) -> Void)?
    var canMove: ((IndexPath) -> Bool)?
    var move: ((IndexPath, IndexPath) -> Void)?
    override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        canEditRow?(indexPath) ?? false
    }
    override func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) { commitEditing?(editingStyle, indexPath) }
    override func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
        canMove?(indexPath) ?? false
    }
    override func tableView(
        _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {
        super.tableView(tableView, moveRowAt: sourceIndexPath, to: destinationIndexPath)
        move?(sourceIndexPath, destinationIndexPath)
    }
}
