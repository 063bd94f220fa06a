// A cell with the initializers of a table's cell.
import UIKitNames

private final class StyledCell: UITableViewCell {
    private let detail: UILabel
    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
        detail = UILabel()
        super.init(style: .subtitle, reuseIdentifier: reuseIdentifier)
    }
    required init?(coder: NSCoder) { nil }
}
@MainActor private func styled(_ table: UITableView) -> UITableViewCell? {
    table.register(StyledCell.self, forCellReuseIdentifier: "styled")
    return table.dequeueReusableCell(withIdentifier: "styled") as? StyledCell
}
