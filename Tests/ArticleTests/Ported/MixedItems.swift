// Items of several types behind AnyHashable, cast in the provider.
import UIKitNames

nonisolated private struct Promotion: Hashable, Sendable { let text: String }
nonisolated private struct Product: Hashable, Sendable { let number: Int }

private final class StoreController: UIViewController {
    private var dataSource: UICollectionViewDiffableDataSource<Int, AnyHashable>?
    func configure(_ view: UICollectionView) {
        dataSource = .init(collectionView: view) { view, indexPath, item in
            switch item.base {
            case let promotion as Promotion:
                let cell =
                    view.dequeueReusableCell(withReuseIdentifier: "promotion", for: indexPath)
                    as? UICollectionViewListCell
                cell?.label.text = promotion.text
                return cell
            case is Product:
                return view.dequeueReusableCell(withReuseIdentifier: "product", for: indexPath)
            default: return nil
            }
        }
        var snapshot = NSDiffableDataSourceSnapshot<Int, AnyHashable>()
        snapshot.appendSections([0, 1])
        snapshot.appendItems([Promotion(text: "new")], toSection: 0)
        snapshot.appendItems((0..<3).map { Product(number: $0) }, toSection: 1)
        dataSource?.apply(snapshot)
    }
}
