// Overrides of both forms of `apply`.
import UIKitNames

private final class ObservedDataSource<Section: Hashable & Sendable, Item: Hashable & Sendable>:
    UICollectionViewDiffableDataSource<Section, Item>
{
    var didApply: ((Int) -> Void)?
    override func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<Section, Item>,
        animatingDifferences: Bool = true, completion: (() -> Void)? = nil
    ) {
        super.apply(snapshot, animatingDifferences: animatingDifferences) { [weak self] in
            completion?()
            self?.didApply?(snapshot.numberOfItems)
        }
    }
    override func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<Section, Item>, animatingDifferences: Bool = true
    ) async {
        await super.apply(snapshot, animatingDifferences: animatingDifferences)
        didApply?(snapshot.numberOfItems)
    }
}
