// An override of `apply` that changes the state of its object.
import UIKitNames

private final class LoggedDataSource: UICollectionViewDiffableDataSource<Int, String> {
    private var applies = 0
    private var last: Date?
    override func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<Int, String>, animatingDifferences: Bool = true,
        completion: (() -> Void)? = nil
    ) {
        applies += 1
        last = Date()
        super.apply(
            snapshot, animatingDifferences: animatingDifferences && applies > 1,
            completion: completion)
    }
}
