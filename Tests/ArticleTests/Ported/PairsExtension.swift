// An extension that applies pairs.
import UIKitNames

extension UICollectionViewDiffableDataSource {
    func apply(_ sections: [(SectionIdentifierType, [ItemIdentifierType])]) {
        var snapshot = NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>()
        for (section, items) in sections {
            snapshot.appendSections([section])
            snapshot.appendItems(items, toSection: section)
        }
        apply(snapshot)
    }
}
