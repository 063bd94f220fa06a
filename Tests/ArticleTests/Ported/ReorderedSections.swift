// A store by section that follows what the user moves.
import UIKitNames

private final class BoardController: UIViewController {
    private nonisolated enum Column: Int, CaseIterable { case open, closed }
    private var store: [Column: [UUID]] = [:]
    private var dataSource: UICollectionViewDiffableDataSource<Column, UUID>!
    func enableReordering() {
        dataSource.reorderingHandlers.canReorderItem = { [weak self] id in
            self?.store[.closed]?.contains(id) == false
        }
        dataSource.reorderingHandlers.didReorder = { [weak self] transaction in
            guard let self else { return }
            for section in transaction.sectionTransactions {
                self.store[section.sectionIdentifier] = section.finalSnapshot.items
            }
        }
    }
}
