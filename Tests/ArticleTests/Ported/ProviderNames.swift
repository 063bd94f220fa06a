// Providers under the names of their types.
import UIKitNames

private final class ChatController: UIViewController {
    typealias DataSource = UICollectionViewDiffableDataSource<String, UUID>
    let provider: DataSource.CellProvider = { view, path, _ in
        view.dequeueReusableCell(withReuseIdentifier: "c", for: path)
    }
    let supplementary: DataSource.SupplementaryViewProvider = { view, kind, path in
        view.dequeueReusableSupplementaryView(
            ofKind: kind, withReuseIdentifier: "h", for: path)
    }
    func make(_ view: UICollectionView) -> DataSource {
        let dataSource = DataSource(collectionView: view, cellProvider: provider)
        dataSource.supplementaryViewProvider = supplementary
        return dataSource
    }
}
