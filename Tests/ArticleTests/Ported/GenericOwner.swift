// A generic list that owns its data source.
import UIKitNames

@MainActor
final class ListPresenter<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    typealias DataSource = UICollectionViewDiffableDataSource<Section, Item>
    typealias Snapshot = NSDiffableDataSourceSnapshot<Section, Item>
    private let dataSource: DataSource
    private var pending: [Snapshot] = []
    init(_ view: UICollectionView, provider: @escaping DataSource.CellProvider) {
        dataSource = DataSource(collectionView: view, cellProvider: provider)
    }
    func present(_ changes: (inout Snapshot) -> Void, completion: @escaping () -> Void = {}) {
        var snapshot = dataSource.snapshot()
        changes(&snapshot)
        pending.append(snapshot)
        dataSource.apply(snapshot, animatingDifferences: true) { [weak self] in
            self?.pending.removeFirst()
            completion()
        }
    }
}
