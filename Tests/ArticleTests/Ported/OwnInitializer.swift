// A subclass with an initializer of its own.
import UIKitNames

private final class MenuDataSource: UITableViewDiffableDataSource<Int, String> {
    private let titles: [String]
    init(tableView: UITableView, titles: [String]) {
        self.titles = titles
        super.init(tableView: tableView) { tableView, indexPath, item in
            let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
            (cell as? TextTableCell)?.textLabel?.text = item
            return cell
        }
        var snapshot = NSDiffableDataSourceSnapshot<Int, String>()
        snapshot.appendSections([0])
        snapshot.appendItems(titles)
        apply(snapshot, animatingDifferences: false)
    }
}
