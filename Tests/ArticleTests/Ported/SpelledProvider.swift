// Initializers whose providers are spelled out.
import UIKitNames

private final class TransactionsDataSource: UITableViewDiffableDataSource<Int, String> {
    override init(
        tableView: UITableView,
        cellProvider: @escaping (UITableView, IndexPath, String) -> UITableViewCell?
    ) {
        super.init(tableView: tableView, cellProvider: cellProvider)
        defaultRowAnimation = .top
    }
}
private final class CardsDataSource: UICollectionViewDiffableDataSource<Int, String> {
    convenience init(
        view: UICollectionView,
        provider: @escaping (UICollectionView, IndexPath, String) -> UICollectionViewCell?,
        header: @escaping (UICollectionView, String, IndexPath) -> UICollectionReusableView?
    ) {
        self.init(collectionView: view, cellProvider: provider)
        supplementaryViewProvider = header
    }
}
