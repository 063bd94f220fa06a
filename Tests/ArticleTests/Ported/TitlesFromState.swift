// Titles from what the data source stores.
import UIKitNames

private final class CitiesDataSource: UITableViewDiffableDataSource<String, Int> {
    var names: [String: String] = [:]
    var showsCounts = true
    override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int)
        -> String?
    {
        guard let id = sectionIdentifier(for: section) else { return nil }
        let name = names[id] ?? id
        return showsCounts
            ? "\(name) (\(self.tableView(tableView, numberOfRowsInSection: section)))" : name
    }
}
