// A table's data source without snapshots.
import UIKitNames

private final class LinesDataSource: NSObject, UITableViewDataSource {
    private let lines = ["a", "b"]
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        lines.count
    }
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath)
        -> UITableViewCell
    {
        let cell = tableView.dequeueReusableCell(withIdentifier: "line", for: indexPath)
        (cell as? TextTableCell)?.textLabel?.text = lines[indexPath.row]
        return cell
    }
}
