// Headers that come from an override.
import UIKitNames

private final class MonthsDataSource: UICollectionViewDiffableDataSource<Int, Date> {
    override func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) -> UICollectionReusableView {
        guard kind == UICollectionView.elementKindSectionHeader,
            let header = collectionView.dequeueReusableSupplementaryView(
                ofKind: kind, withReuseIdentifier: "month", for: indexPath) as? TitleView
        else {
            return super.collectionView(
                collectionView, viewForSupplementaryElementOfKind: kind, at: indexPath)
        }
        header.label.text = sectionIdentifier(for: indexPath.section).map { "Month \($0)" }
        return header
    }
}
