// A list view that performs batch updates row by row, as a collection view does.
import DiffCore

/// A view that performs batch updates and checks their consistency.
final class RecordingView: DiffableListView {
    typealias Snapshot = DiffableDataSourceSnapshot<String, String>

    private(set) var content: ListContent<String, String, String, String>?
    /// The sections with their cells.
    private(set) var rows: [(section: String, cells: [String])] = []
    /// The headers of the sections.
    var headers: [String?] {
        rows.enumerated().map { number, section in content?.header(number, section.section) }
    }
    private(set) var log: [String] = []
    /// A closure that the next update calls.
    var duringUpdate: (() -> Void)?

    func attach(_ content: ListContent<String, String, String, String>) {
        precondition(self.content == nil, "the view has a data source already")
        self.content = content
    }

    func performBatchUpdates(
        _ difference: SnapshotDifference<String, String>, to snapshot: Snapshot,
        animation: RowAnimation
    ) {
        log.append("update \(snapshot.text)\(animation == .none ? ", still" : "")")
        callDuringUpdate()
        perform(difference, to: snapshot)
    }

    func reloadData(to snapshot: Snapshot) {
        log.append("reload \(snapshot.text)")
        callDuringUpdate()
        rows = snapshot.sectionIdentifiers.enumerated().map { number, section in
            let items = snapshot.itemIdentifiers(inSection: section)
            return (section, items.enumerated().map { cell($1, at: $0, in: number) })
        }
    }

    private func callDuringUpdate() {
        let action = duringUpdate
        duringUpdate = nil
        action?()
    }

    /// Adds a line to the log.
    func note(_ line: String) { log.append(line) }

    private func cell(_ item: String, at index: Int, in section: Int) -> String {
        content?.cell(IndexPath(item: index, section: section), item) ?? "empty"
    }

    /// Keeps the cells of old rows; inserted and marked items get new ones.
    private func perform(_ difference: SnapshotDifference<String, String>, to snapshot: Snapshot) {
        let moved = Dictionary(
            uniqueKeysWithValues: difference.movedItems.map { ($0.item, $0.from.indexPath) })
        let gone = Set(difference.deletedItems.map(\.position.indexPath)).union(moved.values)
        let fresh = Set(
            (difference.insertedItems + difference.reloadedItems + difference.reconfiguredItems)
                .map(\.item))
        var waiting = Dictionary(
            uniqueKeysWithValues: rows.enumerated().map { number, section in
                let stayed = section.cells.enumerated().filter {
                    !gone.contains(IndexPath(item: $0.offset, section: number))
                }
                return (section.section, stayed.map(\.element)[...])
            })
        let old = rows
        rows = snapshot.sectionIdentifiers.enumerated().map { number, section in
            let items = snapshot.itemIdentifiers(inSection: section)
            let cells = items.enumerated().map { index, item in
                if let from = moved[item], !fresh.contains(item) {
                    return old[from.section].cells[from.item]
                }
                let stays =
                    moved[item] == nil && !difference.insertedItems.contains { $0.item == item }
                let carried = stays ? waiting[section]?.popFirst() : nil
                if let carried, !fresh.contains(item) { return carried }
                return cell(item, at: index, in: number)
            }
            return (section, cells)
        }
    }
}
