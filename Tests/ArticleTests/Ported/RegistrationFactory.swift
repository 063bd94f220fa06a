// Functions that make registrations.
import UIKitNames

@MainActor private enum Registrations {
    static func row() -> UICollectionView.CellRegistration<UICollectionViewListCell, String> {
        .init { cell, indexPath, text in cell.label.text = "\(indexPath.item) \(text)" }
    }
    static func title() -> UICollectionView.SupplementaryRegistration<TitleView> {
        .init(elementKind: UICollectionView.elementKindSectionHeader) { view, _, indexPath in
            view.label.text = "Section \(indexPath.section)"
        }
    }
}
private final class ShelvesController: UIViewController {
    private let row = Registrations.row()
    private let title = Registrations.title()
    func dataSource(_ view: UICollectionView) -> UICollectionViewDiffableDataSource<Int, String> {
        let source = UICollectionViewDiffableDataSource<Int, String>(collectionView: view) {
            [row] view, indexPath, item in
            view.dequeueConfiguredReusableCell(using: row, for: indexPath, item: item)
        }
        source.supplementaryViewProvider = { [title] view, _, indexPath in
            view.dequeueConfiguredReusableSupplementary(using: title, for: indexPath)
        }
        return source
    }
}
