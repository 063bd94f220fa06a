// Both data sources under one protocol.
import UIKitNames

protocol SnapshotApplying: AnyObject {
    associatedtype S: Hashable & Sendable
    associatedtype I: Hashable & Sendable
    func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<S, I>, animatingDifferences: Bool,
        completion: (() -> Void)?)
    func snapshot() -> NSDiffableDataSourceSnapshot<S, I>
}
extension UITableViewDiffableDataSource: SnapshotApplying {
    typealias S = SectionIdentifierType
    typealias I = ItemIdentifierType
}
extension UICollectionViewDiffableDataSource: SnapshotApplying {
    typealias S = SectionIdentifierType
    typealias I = ItemIdentifierType
}
