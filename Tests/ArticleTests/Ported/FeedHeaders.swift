// Feeds with a header from a supplementary provider.
import UIKitNames

private final class FeedsController: UIViewController {
    var collectionView: UICollectionView!
    lazy var dataSource = makeDataSource()
    private let queue: [UUID] = []
    func makeDataSource() -> UICollectionViewDiffableDataSource<Int, UUID> {
        let dataSource = UICollectionViewDiffableDataSource<Int, UUID>(
            collectionView: collectionView,
            cellProvider: { [weak self] view, path, id in self?.configure(view, path, id) })
        dataSource.supplementaryViewProvider = { view, kind, path in
            let header =
                view.dequeueReusableSupplementaryView(
                    ofKind: kind, withReuseIdentifier: "header", for: path) as? TitleView
            header?.label.text = "Section \(path.section)"
            return header
        }
        return dataSource
    }
    private func configure(_ view: UICollectionView, _ path: IndexPath, _ id: UUID)
        -> UICollectionViewCell?
    { view.dequeueReusableCell(withReuseIdentifier: "feed", for: path) }
}
