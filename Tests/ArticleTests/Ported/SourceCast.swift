// A data source behind a base class, and cast back.
import UIKitNames

private class PanelController: UIViewController {
    var dataSource: UITableViewDiffableDataSource<Int, String>?
    let tableView = UITableView()
}
private final class SwitchableDataSource: UITableViewDiffableDataSource<Int, String> {
    var isOn = false
}
private final class SwitchController: PanelController {
    override func viewDidLoad() {
        super.viewDidLoad()
        let source = SwitchableDataSource(tableView: tableView) { _, _, _ in UITableViewCell() }
        dataSource = source
        (dataSource as? SwitchableDataSource)?.isOn = true
        let other = tableView.dataSource as? SwitchableDataSource
        other?.isOn.toggle()
    }
}
