// A table that is hidden while it has no rows.
import UIKitNames

private final class ResultsDataSource: UITableViewDiffableDataSource<Int, String> {
    var onEmpty: ((Bool) -> Void)?
    override func numberOfSections(in tableView: UITableView) -> Int {
        let count = super.numberOfSections(in: tableView)
        onEmpty?(count == 0)
        return count
    }
}
