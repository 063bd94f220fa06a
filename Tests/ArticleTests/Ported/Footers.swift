// Settings with headers and footers.
import UIKitNames

private func settings(_ source: UICollectionViewDiffableDataSource<Int, String>) {
    let footer = UICollectionView.SupplementaryRegistration<TitleView>(
        elementKind: UICollectionView.elementKindSectionFooter
    ) { view, _, path in view.label.text = "\(path.section)" }
    source.supplementaryViewProvider = { view, kind, path in
        kind == UICollectionView.elementKindSectionFooter
            ? view.dequeueConfiguredReusableSupplementary(using: footer, for: path) : nil
    }
}
