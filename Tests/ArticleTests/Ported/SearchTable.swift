// A table with a state of its own that reloads.
import UIKitNames

private final class SearchTable: UITableView {
    private var reloads = 0
    var placeholder: String? { didSet { reloadData() } }
    override func reloadData() {
        super.reloadData()
        reloads += 1
    }
}
