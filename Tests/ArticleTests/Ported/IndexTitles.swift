// The letters beside a table.
import UIKitNames

private final class LettersDataSource: UITableViewDiffableDataSource<Character, String> {
    override func sectionIndexTitles(for tableView: UITableView) -> [String]? {
        snapshot().sectionIdentifiers.map { String($0) }
    }
    override func tableView(
        _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
    ) -> Int {
        snapshot().sectionIdentifiers.firstIndex { String($0) == title } ?? index
    }
}
