// A function of no actor that makes a registration.
import UIKitNames

private func plainRegistration<Cell: UICollectionViewCell, Item>(
    _ configure: @escaping (Cell, Item) -> Void
) -> UICollectionView.CellRegistration<Cell, Item> {
    UICollectionView.CellRegistration<Cell, Item> { cell, _, item in configure(cell, item) }
}
