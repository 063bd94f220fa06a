// Items that hold objects.
import UIKitNames

nonisolated final class CellController: Hashable {
    let id = UUID()
    var action: () -> Void = {}
    static func == (left: CellController, right: CellController) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
@MainActor final class ObjectList {
    private lazy var dataSource: UITableViewDiffableDataSource<Int, CellController> = {
        .init(tableView: UITableView()) { table, path, controller in
            controller.action()
            return table.dequeueReusableCell(withIdentifier: "x", for: path)
        }
    }()
    func display(_ sections: [CellController]...) {
        var snapshot = NSDiffableDataSourceSnapshot<Int, CellController>()
        for (section, controllers) in sections.enumerated() {
            snapshot.appendSections([section])
            snapshot.appendItems(controllers, toSection: section)
        }
        dataSource.apply(snapshot)
    }
}
