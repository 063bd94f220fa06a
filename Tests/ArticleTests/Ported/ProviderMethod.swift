// A provider from a method.
import UIKitNames

private final class OrdersController: UIViewController {
    private lazy var dataSource = UITableViewDiffableDataSource<Int, String>(
        tableView: tableView, cellProvider: makeCellProvider())
    private let tableView = UITableView()
    private func makeCellProvider() -> UITableViewDiffableDataSource<Int, String>.CellProvider {
        return { [weak self] tableView, indexPath, _ in
            guard self != nil else { return UITableViewCell() }
            return tableView.dequeueReusableCell(withIdentifier: "order", for: indexPath)
        }
    }
}
