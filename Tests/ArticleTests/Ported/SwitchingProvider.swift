// An enum of items, each with its registration.
import UIKitNames

private final class SettingsListController: UIViewController {
    private nonisolated enum Item: Hashable {
        case toggle(String, Bool)
        case link(URL)
    }
    private var dataSource: UICollectionViewDiffableDataSource<Int, Item>!
    func configure(_ collectionView: UICollectionView) {
        let toggle = UICollectionView.CellRegistration<UICollectionViewListCell, (String, Bool)> {
            cell, _, value in
            cell.label.text = value.0
            cell.accessories = value.1 ? ["checkmark"] : []
        }
        let link = UICollectionView.CellRegistration<UICollectionViewListCell, URL> {
            cell, _, url in cell.label.text = url.absoluteString
        }
        dataSource = UICollectionViewDiffableDataSource<Int, Item>(
            collectionView: collectionView
        ) { view, indexPath, item -> UICollectionViewCell? in
            switch item {
            case .toggle(let name, let isOn):
                view.dequeueConfiguredReusableCell(
                    using: toggle, for: indexPath, item: (name, isOn))
            case .link(let url):
                view.dequeueConfiguredReusableCell(using: link, for: indexPath, item: url)
            }
        }
    }
}
