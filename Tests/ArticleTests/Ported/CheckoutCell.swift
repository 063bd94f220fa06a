// A cell whose properties show themselves, and its registered class.
import UIKitNames

private final class CheckoutCell: UITableViewCell {
    static let reuseIdentifier = "checkout"
    private let label = UILabel()
    var price: Int = 0 { didSet { updateLabel() } }
    override func prepareForReuse() {
        super.prepareForReuse()
        price = 0
    }
    private func updateLabel() { label.text = "\(price) €" }
}
private final class CheckoutController: UIViewController {
    private let tableView = UITableView()
    private var dataSource: UITableViewDiffableDataSource<Int, Int>!
    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(
            CheckoutCell.self, forCellReuseIdentifier: CheckoutCell.reuseIdentifier)
        dataSource = UITableViewDiffableDataSource(tableView: tableView) { table, path, price in
            guard
                let cell = table.dequeueReusableCell(
                    withIdentifier: CheckoutCell.reuseIdentifier, for: path) as? CheckoutCell
            else { return nil }
            cell.price = price
            return cell
        }
    }
}
