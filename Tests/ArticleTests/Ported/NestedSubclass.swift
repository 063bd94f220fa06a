// A subclass in the controller that uses it.
import UIKitNames

private final class IconController: UIViewController {
    nonisolated enum Section: String { case light, dark }
    private final class DataSource: UITableViewDiffableDataSource<Section, String> {
        override func tableView(
            _ tableView: UITableView, titleForHeaderInSection section: Int
        ) -> String? { snapshot().sectionIdentifiers[section].rawValue }
        override func sectionIndexTitles(for tableView: UITableView) -> [String]? {
            snapshot().sectionIdentifiers.map(\.rawValue)
        }
    }
    private var dataSource: DataSource?
    func load(_ tableView: UITableView) {
        dataSource = DataSource(tableView: tableView) { tableView, indexPath, name in
            tableView.dequeueReusableCell(withIdentifier: name, for: indexPath)
        }
    }
}
