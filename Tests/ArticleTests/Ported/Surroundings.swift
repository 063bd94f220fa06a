// The classes and protocols of UIKit beside lists that the ported files name.
import UIKitNames

@preconcurrency @MainActor open class UIViewController: NSObject {
    /// Creates a controller.
    public override init() {}
    open func viewDidLoad() {}
    nonisolated deinit {}
}
@preconcurrency @MainActor class UILabel: NSObject {
    var text: String?
    var isDimmed = false
}
class UICollectionViewListCell: UICollectionViewCell {
    let label = UILabel()
    var accessories: [String] = []
}
class TextTableCell: UITableViewCell { let textLabel: UILabel? = UILabel() }
class TitleView: UICollectionReusableView { let label = UILabel() }

@preconcurrency @MainActor protocol UITableViewDelegate: NSObjectProtocol {
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
}
@preconcurrency @MainActor protocol UICollectionViewDataSourcePrefetching: NSObjectProtocol {
    func collectionView(
        _ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath])
    func collectionView(
        _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}
