// A subclass that states its actor.
import UIKitNames

@MainActor private final class DraftsDataSource: UITableViewDiffableDataSource<Int, UUID> {
    private var titles: [UUID: String] = [:]
    private(set) var isEditing = false
    func setEditing(_ editing: Bool) { isEditing = editing }
    func rename(_ id: UUID, to title: String) {
        titles[id] = title
        var snapshot = snapshot()
        snapshot.reconfigureItems([id])
        apply(snapshot, animatingDifferences: false)
    }
    override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        isEditing && itemIdentifier(for: indexPath) != nil
    }
}
