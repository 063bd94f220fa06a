// `apply` with await, by hand.
import UIKitNames

extension UITableViewDiffableDataSource {
    func applyAndWait(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>
    ) async {
        await withCheckedContinuation { continuation in
            apply(snapshot, animatingDifferences: true) { continuation.resume() }
        }
    }
}
