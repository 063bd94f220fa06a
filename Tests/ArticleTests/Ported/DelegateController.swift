// A controller that is the delegate of its table, and reads the data source there.
import UIKitNames

private final class InboxController: UIViewController, UITableViewDelegate {
    private lazy var dataSource = makeDataSource()
    private let tableView = UITableView()
    private func makeDataSource() -> UITableViewDiffableDataSource<Int, UUID> {
        .init(tableView: tableView) { tableView, indexPath, _ in
            tableView.dequeueReusableCell(withIdentifier: "mail", for: indexPath)
        }
    }
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        guard let id = dataSource.itemIdentifier(for: indexPath) else { return }
        open(id)
    }
    private func open(_ id: UUID) {}
}
