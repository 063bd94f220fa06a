// A subclass that overrides the initializer, and has titles.
import UIKitNames

private final class SettingsDataSource: UITableViewDiffableDataSource<String, Int> {
    override init(tableView: UITableView, cellProvider: @escaping CellProvider) {
        super.init(tableView: tableView, cellProvider: cellProvider)
    }
    override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int)
        -> String?
    {
        guard let identifier = sectionIdentifier(for: section) else { return nil }
        return identifier.uppercased()
    }
    override func tableView(_ tableView: UITableView, titleForFooterInSection section: Int)
        -> String?
    { snapshot().sectionIdentifiers[section] }
}
