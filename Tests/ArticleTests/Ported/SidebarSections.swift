// Section snapshots in two data sources of one controller.
import UIKitNames

private final class SidebarController: UIViewController {
    nonisolated enum Section: Int, CaseIterable { case tabs, accounts }
    nonisolated enum Item: Hashable { case tab(String), add }
    private var dataSource: UICollectionViewDiffableDataSource<Section, Item>!
    private var secondary: UICollectionViewDiffableDataSource<Int, String>!
    func fill(_ names: [String]) {
        var outline = NSDiffableDataSourceSectionSnapshot<Item>()
        outline.append(names.map(Item.tab))
        outline.append([.add])
        dataSource.apply(outline, to: .tabs, animatingDifferences: false)
        var second = NSDiffableDataSourceSectionSnapshot<String>()
        second.append(names, to: nil)
        second.expand(names)
        secondary.apply(second, to: 0)
    }
}
