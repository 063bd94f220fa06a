// One apply without an animation.
import UIKitNames

private func show(_ ids: [Int], first: Bool, _ source: UITableViewDiffableDataSource<Int, Int>) {
    let old = source.defaultRowAnimation
    source.defaultRowAnimation = .none
    var snapshot = NSDiffableDataSourceSnapshot<Int, Int>()
    snapshot.appendSections([0])
    snapshot.appendItems(ids)
    source.apply(snapshot, animatingDifferences: !first) { [weak source] in
        source?.defaultRowAnimation = old
    }
}
