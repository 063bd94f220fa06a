// What is selected, as long as it is there.
import UIKitNames

private final class SelectionController: UIViewController {
    private var dataSource: UITableViewDiffableDataSource<Int, Int>!
    private var selected: IndexPath?
    func update(_ items: [Int]) {
        let kept = selected.flatMap { dataSource.itemIdentifier(for: $0) }
        var snapshot = NSDiffableDataSourceSnapshot<Int, Int>()
        snapshot.appendSections([0])
        snapshot.appendItems(items)
        dataSource.apply(snapshot, animatingDifferences: true) { [weak self] in
            guard let self else { return }
            self.selected = kept.flatMap { self.dataSource.indexPath(for: $0) }
        }
    }
}
