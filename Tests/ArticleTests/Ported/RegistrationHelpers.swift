// Functions that make a registration from a closure.
import UIKitNames

@MainActor private func registration<Cell: UICollectionViewCell, Item>(
    _ configure: @escaping (Cell, Item) -> Void
) -> UICollectionView.CellRegistration<Cell, Item> {
    .init { cell, _, item in configure(cell, item) }
}
@MainActor private func registration<Cell: UICollectionViewCell, Item>(
    handler: @escaping (Cell, IndexPath, Item) -> Void
) -> UICollectionView.CellRegistration<Cell, Item> {
    UICollectionView.CellRegistration(handler: handler)
}
@MainActor private func rows()
    -> UICollectionView.CellRegistration<
        UICollectionViewListCell, String
    >
{
    registration { (cell: UICollectionViewListCell, text: String) in cell.label.text = text }
}
