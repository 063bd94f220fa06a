// A refresh that cancels the one before.
import UIKitNames

private final class NewsController: UIViewController {
    private var dataSource: UITableViewDiffableDataSource<Int, Int>!
    private var refresh: Task<Void, any Error>?
    func reload(_ fetch: @escaping @Sendable () async throws -> [Int]) {
        refresh?.cancel()
        refresh = Task { [weak self] in
            let items = try await fetch()
            try Task.checkCancellation()
            guard let self else { return }
            var snapshot = NSDiffableDataSourceSnapshot<Int, Int>()
            snapshot.appendSections([0])
            snapshot.appendItems(items)
            await self.dataSource.apply(snapshot, animatingDifferences: true)
        }
    }
}
