// Albums that take the items after a change.
import UIKitNames

private func albums(
    _ source: UICollectionViewDiffableDataSource<String, Int>, save: @escaping ([Int]) -> Void
) {
    var handlers = UICollectionViewDiffableDataSource<String, Int>.ReorderingHandlers()
    handlers.canReorderItem = { _ in true }
    handlers.didReorder = { save($0.finalSnapshot.itemIdentifiers) }
    source.reorderingHandlers = handlers
}
