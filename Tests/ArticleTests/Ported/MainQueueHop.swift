// Completions of other queues that hop to the main queue.
import UIKitNames

private final class DownloadsController: UIViewController {
    private var dataSource: UICollectionViewDiffableDataSource<Int, Int>!
    func downloaded(_ items: [Int]) {
        DispatchQueue.global().async {
            let sorted = items.sorted()
            DispatchQueue.main.async { self.show(sorted) }
        }
        Task { @MainActor in self.show(items) }
    }
    private func show(_ items: [Int]) {
        var snapshot = dataSource.snapshot()
        snapshot.appendItems(items.filter { snapshot.indexOfItem($0) == nil })
        dataSource.apply(snapshot)
    }
}
