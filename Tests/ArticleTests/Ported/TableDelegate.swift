// A data source that is its table's delegate as well.
import UIKitNames

private final class ContactsDataSource: UITableViewDiffableDataSource<Int, String>,
    UITableViewDelegate
{
    var onSelect: ((String) -> Void)?
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        guard let contact = itemIdentifier(for: indexPath) else { return }
        onSelect?(contact)
    }
}
