// Cells that are registered and dequeued by their types.
import UIKitNames

extension UITableView {
    func register<Cell: UITableViewCell>(_ type: Cell.Type) {
        register(type, forCellReuseIdentifier: String(describing: type))
    }
    func dequeue<Cell: UITableViewCell>(_ type: Cell.Type, for indexPath: IndexPath) -> Cell? {
        dequeueReusableCell(withIdentifier: String(describing: type), for: indexPath) as? Cell
    }
}
extension UICollectionView {
    func dequeue<Cell: UICollectionViewCell>(_ type: Cell.Type = Cell.self, for path: IndexPath)
        -> Cell?
    {
        dequeueReusableCell(withReuseIdentifier: "\(type)", for: path) as? Cell
    }
}
