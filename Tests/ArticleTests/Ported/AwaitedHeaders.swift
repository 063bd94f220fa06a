// An annotated provider, a header, and await.
import UIKitNames

private final class GamesController: UIViewController {
    private var dataSource: UICollectionViewDiffableDataSource<String, Int>!
    func configure(_ view: UICollectionView) async {
        dataSource = .init(collectionView: view) {
            (view: UICollectionView, path: IndexPath, id: Int) -> UICollectionViewCell? in
            view.dequeueReusableCell(withReuseIdentifier: "game", for: path)
        }
        dataSource.supplementaryViewProvider = {
            [unowned self] (view: UICollectionView, kind: String, path: IndexPath)
                -> UICollectionReusableView? in
            let header =
                view.dequeueReusableSupplementaryView(
                    ofKind: UICollectionView.elementKindSectionHeader, withReuseIdentifier: "h",
                    for: path) as? TitleView
            header?.label.text = self.dataSource.snapshot().sectionIdentifiers[path.section]
            return header
        }
        await dataSource.apply(.init())
    }
}
