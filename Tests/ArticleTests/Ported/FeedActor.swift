// An actor that makes snapshots for a controller.
import UIKitNames

private actor Feed {
    private var posts: [UUID] = []
    func add(_ post: UUID) { posts.insert(post, at: 0) }
    func snapshot() -> NSDiffableDataSourceSnapshot<Int, UUID> {
        var snapshot = NSDiffableDataSourceSnapshot<Int, UUID>()
        snapshot.appendSections([0])
        snapshot.appendItems(posts)
        return snapshot
    }
}
private final class FeedActorController: UIViewController {
    private let feed = Feed()
    private var dataSource: UICollectionViewDiffableDataSource<Int, UUID>?
    func post() async {
        await feed.add(UUID())
        await dataSource?.apply(feed.snapshot())
    }
}
