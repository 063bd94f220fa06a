// A view whose data source is assigned, though the initializer has done so.
import UIKitNames

private final class NotesController: UIViewController {
    private let tableView = UITableView()
    private let collectionView = UICollectionView()
    private var notes: UITableViewDiffableDataSource<Int, Int>!
    private var tags: UICollectionViewDiffableDataSource<Int, String>!
    override func viewDidLoad() {
        super.viewDidLoad()
        notes = UITableViewDiffableDataSource(tableView: tableView) { _, _, _ in
            UITableViewCell()
        }
        tableView.dataSource = notes
        tags = UICollectionViewDiffableDataSource(collectionView: collectionView) { _, _, _ in
            UICollectionViewCell()
        }
        collectionView.dataSource = tags
    }
}
