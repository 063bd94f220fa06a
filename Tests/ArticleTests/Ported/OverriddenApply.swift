// A base class of lists whose `apply` counts.
import UIKitNames

private class StatefulDataSource<S: Hashable & Sendable, I: Hashable & Sendable>:
    UITableViewDiffableDataSource<S, I>
{
    weak var delegate: (any StatefulDelegate)?
    override func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<S, I>, animatingDifferences: Bool = true,
        completion: (() -> Void)? = nil
    ) {
        super.apply(snapshot, animatingDifferences: animatingDifferences) { [weak self] in
            self?.delegate?.changed(isEmpty: snapshot.numberOfItems == 0)
            completion?()
        }
    }
}
private protocol StatefulDelegate: AnyObject { func changed(isEmpty: Bool) }
private final class TeamList: StatefulDataSource<String, Int> {
    override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int)
        -> String?
    { snapshot().numberOfSections > 1 ? snapshot().sectionIdentifiers[section] : nil }
}
