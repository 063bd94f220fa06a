// A provider with all of its types.
import UIKitNames

private func annotated(_ view: UICollectionView) -> UICollectionViewDiffableDataSource<Int, String>
{
    UICollectionViewDiffableDataSource<Int, String>(collectionView: view) {
        (collectionView: UICollectionView, indexPath: IndexPath, item: String)
            -> UICollectionViewCell? in
        let cell =
            collectionView.dequeueReusableCell(withReuseIdentifier: "c", for: indexPath)
            as? UICollectionViewListCell
        cell?.label.text = item
        return cell
    }
}
