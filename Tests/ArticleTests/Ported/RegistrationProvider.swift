// Registrations that are providers.
import UIKitNames

extension UICollectionView.CellRegistration {
    @MainActor var cellProvider: (UICollectionView, IndexPath, Item) -> Cell {
        { collectionView, indexPath, item in
            collectionView.dequeueConfiguredReusableCell(using: self, for: indexPath, item: item)
        }
    }
}
@MainActor private func source(_ view: UICollectionView)
    -> UICollectionViewDiffableDataSource<Int, String>
{
    let registration = UICollectionView.CellRegistration<UICollectionViewListCell, String> {
        cell, _, text in cell.label.text = text
    }
    return .init(collectionView: view, cellProvider: registration.cellProvider)
}
