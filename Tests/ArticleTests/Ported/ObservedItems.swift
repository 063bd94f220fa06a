// A lazy data source in a closure, and items that apply themselves.
import UIKitNames

private final class TodoController: UIViewController {
    let tableView = UITableView()
    private lazy var dataSource: UITableViewDiffableDataSource<Int, String> = {
        let source = UITableViewDiffableDataSource<Int, String>(tableView: tableView) {
            [unowned self] tableView, indexPath, item in
            let cell = tableView.dequeueReusableCell(withIdentifier: "todo", for: indexPath)
            (cell as? TextTableCell)?.textLabel?.text = self.done.contains(item) ? "✓" : item
            return cell
        }
        source.defaultRowAnimation = .fade
        return source
    }()
    var done: Set<String> = [] {
        didSet {
            var snapshot = dataSource.snapshot()
            let changed = done.symmetricDifference(oldValue)
            snapshot.reconfigureItems(snapshot.itemIdentifiers.filter(changed.contains))
            dataSource.apply(snapshot)
        }
    }
}
