// Items of any types.
import UIKitNames

@MainActor private final class AnyController {
    var dataSource: UICollectionViewDiffableDataSource<Int, AnyHashable>!
    func show(_ items: [AnyHashable]) {
        var snapshot = NSDiffableDataSourceSnapshot<Int, AnyHashable>()
        snapshot.appendSections([0])
        snapshot.appendItems(items, toSection: 0)
        dataSource.apply(snapshot)
    }
}
