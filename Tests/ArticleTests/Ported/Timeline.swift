// A timeline that reloads what is visible and scrolls on completion.
import UIKitNames

private final class TimelineController: UIViewController {
    nonisolated enum Section: Hashable { case articles }
    private var dataSource: UITableViewDiffableDataSource<Section, UUID>!
    func reload(_ ids: [UUID], completion: @escaping () -> Void) {
        var snapshot = NSDiffableDataSourceSnapshot<Section, UUID>()
        snapshot.appendSections([.articles])
        snapshot.appendItems(ids, toSection: .articles)
        snapshot.reloadItems(ids)
        dataSource.apply(snapshot, animatingDifferences: false) { completion() }
    }
}
