// Items that arrive in a stream.
import UIKitNames

private final class ChatLogController: UIViewController {
    private var dataSource: UITableViewDiffableDataSource<String, String>?
    private var listening: Task<Void, Never>?
    func listen(to messages: AsyncStream<String>) {
        listening = Task { [weak self] in
            for await message in messages {
                guard let dataSource = self?.dataSource else { return }
                var snapshot = dataSource.snapshot()
                snapshot.appendItems([message], toSection: snapshot.sectionIdentifiers.last)
                await dataSource.apply(snapshot, animatingDifferences: true)
            }
        }
    }
    deinit { listening?.cancel() }
}
