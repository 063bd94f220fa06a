// A protocol from before concurrency over both data sources.
import UIKitNames

@preconcurrency protocol SnapshotSource: AnyObject {
    associatedtype Group: Hashable & Sendable
    associatedtype Entry: Hashable & Sendable
    @MainActor func snapshot() -> NSDiffableDataSourceSnapshot<Group, Entry>
    @MainActor func itemIdentifier(for indexPath: IndexPath) -> Entry?
}
extension UITableViewDiffableDataSource: SnapshotSource {}
extension UICollectionViewDiffableDataSource: SnapshotSource {}
extension SnapshotSource {
    @MainActor var isEmpty: Bool { snapshot().numberOfItems == 0 }
}
