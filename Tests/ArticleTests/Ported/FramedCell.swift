// A cell with the initializers of a view that has a frame.
import UIKitNames

private final class FramedCell: UICollectionViewCell {
    private let label = UILabel()
    override init(frame: CGRect) {
        super.init(frame: frame)
        label.text = "\(frame.width)"
    }
    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }
}
