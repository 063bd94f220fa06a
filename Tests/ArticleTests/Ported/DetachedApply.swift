// A snapshot that is made and applied in a detached task.
import UIKitNames

private final class LogController: UIViewController {
    private var dataSource: UITableViewDiffableDataSource<Int, String>!
    func load(_ text: String) {
        guard let dataSource else { return }
        Task.detached(priority: .utility) {
            var snapshot = NSDiffableDataSourceSnapshot<Int, String>()
            snapshot.appendSections([0])
            snapshot.appendItems(text.split(separator: "\n").map(String.init))
            await dataSource.apply(snapshot, animatingDifferences: false)
        }
    }
}
