// The classes of UIKit beside lists that the ported files name.
import UIKitNames

@preconcurrency @MainActor open class UIViewController {
    /// Creates a controller.
    public init() {}
    open func viewDidLoad() {}
}
class UILabel { var text: String? }
class UICollectionViewListCell: UICollectionViewCell {
    let label = UILabel()
    var accessories: [String] = []
}
class TextTableCell: UITableViewCell { let textLabel: UILabel? = UILabel() }
class TitleView: UICollectionReusableView { let label = UILabel() }
