// Registrations of tuples and of nothing, and section transactions of a reordering.
import UIKitNames

private typealias Row = (title: String, level: Int)
private func register(_ dataSource: UICollectionViewDiffableDataSource<Int, String>) {
    let rows = UICollectionView.CellRegistration<UICollectionViewListCell, Row> { cell, _, row in
        cell.label.text = row.title
    }
    let adds = UICollectionView.CellRegistration<UICollectionViewListCell, Void> { cell, _, _ in
        cell.label.text = "add"
    }
    _ = { (view: UICollectionView, path: IndexPath, isRow: Bool) -> UICollectionViewCell in
        let count = dataSource.collectionView(view, numberOfItemsInSection: path.section)
        return isRow
            ? view.dequeueConfiguredReusableCell(
                using: rows, for: path, item: (title: "\(count)", level: 0))
            : view.dequeueConfiguredReusableCell(using: adds, for: path, item: ())
    }
    dataSource.reorderingHandlers.canReorderItem = { _ in true }
    dataSource.reorderingHandlers.didReorder = { transaction in
        for section in transaction.sectionTransactions {
            for change in section.difference { print(change) }
            print(section.sectionIdentifier, section.finalSnapshot.items)
        }
    }
}
