// A registration whose handler is a method.
import UIKitNames

private final class InvokerController: UIViewController {
    private let view = UICollectionView()
    private lazy var registration = UICollectionView.CellRegistration(handler: configure)
    private func configure(_ cell: UICollectionViewListCell, at path: IndexPath, item: String) {
        cell.label.text = item
    }
    func cell(_ path: IndexPath) -> UICollectionViewCell {
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: "a")
    }
}
