// A factory with registrations of cells and of headers.
import UIKitNames

private enum DirectoryFactory {
    static func makeDataSource(collectionView: UICollectionView)
        -> UICollectionViewDiffableDataSource<String, Int>
    {
        let cells = UICollectionView.CellRegistration<UICollectionViewListCell, Int> {
            cell, indexPath, number in
            cell.label.text = "\(number) at \(indexPath.row)"
        }
        let headers = UICollectionView.SupplementaryRegistration<TitleView>(
            elementKind: UICollectionView.elementKindSectionHeader
        ) { view, kind, indexPath in
            view.label.text = "\(kind) \(indexPath.section)"
        }
        let dataSource = UICollectionViewDiffableDataSource<String, Int>(
            collectionView: collectionView
        ) { collectionView, indexPath, item in
            collectionView.dequeueConfiguredReusableCell(using: cells, for: indexPath, item: item)
        }
        dataSource.supplementaryViewProvider = { collectionView, kind, indexPath in
            collectionView.dequeueConfiguredReusableSupplementary(using: headers, for: indexPath)
        }
        return dataSource
    }
}
