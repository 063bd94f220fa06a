// A registration of the objects that identifiers stand for.
import UIKitNames

private struct Memo: Identifiable { let id: UUID; var text: String }
private func memos(_ view: UICollectionView, _ store: [UUID: Memo])
    -> UICollectionViewDiffableDataSource<Int, Memo.ID>
{
    let registration = UICollectionView.CellRegistration<UICollectionViewListCell, Memo> {
        cell, _, memo in
        cell.label.text = memo.text
    }
    return UICollectionViewDiffableDataSource(collectionView: view) { view, path, id in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: store[id])
    }
}
