// A reusable view that is configured, and its registration.
import UIKitNames

private final class BadgeView: UICollectionReusableView {
    static let elementKind = "badge"
    private let label = UILabel()
    func configure(count: Int) { label.text = count == 0 ? nil : "\(count)" }
}
private final class BadgeController: UIViewController {
    private var counts: [Int: Int] = [:]
    private var dataSource: UICollectionViewDiffableDataSource<Int, Int>?
    func configure(_ collectionView: UICollectionView) {
        let badges = UICollectionView.SupplementaryRegistration<BadgeView>(
            elementKind: BadgeView.elementKind
        ) { [weak self] badge, _, indexPath in
            guard let id = self?.dataSource?.itemIdentifier(for: indexPath) else { return }
            badge.configure(count: self?.counts[id] ?? 0)
        }
        dataSource?.supplementaryViewProvider = { view, _, indexPath in
            view.dequeueConfiguredReusableSupplementary(using: badges, for: indexPath)
        }
    }
}
