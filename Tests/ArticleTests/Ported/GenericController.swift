// An open generic controller.
import UIKitNames

open class ListController<Section: Hashable, Item: Hashable>: UIViewController {
    open var dataSource: UITableViewDiffableDataSource<Section, Item>!
    open func update(_ sections: [Section], items: (Section) -> [Item]) {
        var snapshot = NSDiffableDataSourceSnapshot<Section, Item>()
        snapshot.appendSections(sections)
        for section in sections { snapshot.appendItems(items(section), toSection: section) }
        dataSource.apply(snapshot, animatingDifferences: true)
    }
}
