// Cells that an override changes after the provider.
import UIKitNames

private final class StripedDataSource: UITableViewDiffableDataSource<Int, String> {
    var isDimmed = false
    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath)
        -> UITableViewCell
    {
        let cell = super.tableView(tableView, cellForRowAt: indexPath)
        (cell as? TextTableCell)?.textLabel?.isDimmed = isDimmed || indexPath.row % 2 == 1
        return cell
    }
}
