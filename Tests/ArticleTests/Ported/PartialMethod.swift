// A provider that is a method.
import UIKitNames

private final class PaymentsController: UIViewController {
    private let tableView = UITableView()
    private lazy var dataSource = UITableViewDiffableDataSource<Int, String>(
        tableView: tableView, cellProvider: cell(in:at:for:))
    private func cell(in table: UITableView, at path: IndexPath, for item: String)
        -> UITableViewCell?
    { table.dequeueReusableCell(withIdentifier: item) }
}
