// A protocol of the main actor that both data sources meet.
import UIKitNames

@MainActor protocol AsyncApplying<Group, Entry> {
    associatedtype Group: Hashable & Sendable
    associatedtype Entry: Hashable & Sendable
    func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<Group, Entry>, animatingDifferences: Bool) async
}
extension UITableViewDiffableDataSource: AsyncApplying {}
extension UICollectionViewDiffableDataSource: AsyncApplying {}
@MainActor private func clear(_ source: some AsyncApplying<Int, String>) async {
    await source.apply(.init(), animatingDifferences: false)
}
