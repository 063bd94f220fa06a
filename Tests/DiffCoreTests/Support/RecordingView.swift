// A list view that follows batch updates row by row, as a collection view would.
import DiffCore

/// Keeps rows by carrying out the batches it is told, and looks whether they fit.
final class RecordingView: DiffableListView {
    typealias Snapshot = DiffableDataSourceSnapshot<String, String>

    private(set) var content: ListContent<String, String, String, String>?
    /// The sections with their rows; a row is the cell that the provider made.
    private(set) var rows: [(section: String, cells: [String])] = []
    /// The headers that the provider makes for the sections.
    var headers: [String?] {
        rows.enumerated().map { number, section in content?.header(number, section.section) }
    }
    private(set) var log: [String] = []
    /// Run in the middle of the next update.
    var duringUpdate: (() -> Void)?

    func attach(_ content: ListContent<String, String, String, String>) { self.content = content }

    func performBatchUpdates(
        _ difference: SnapshotDifference<String, String>, to snapshot: Snapshot,
        animation: RowAnimation
    ) {
        log.append("update \(snapshot.text)\(animation == .none ? ", still" : "")")
        let action = duringUpdate
        duringUpdate = nil
        action?()
        perform(difference, to: snapshot)
    }

    func reloadData(to snapshot: Snapshot) {
        log.append("reload \(snapshot.text)")
        rows = snapshot.sectionIdentifiers.enumerated().map { number, section in
            let items = snapshot.itemIdentifiers(inSection: section)
            return (section, items.enumerated().map { cell($1, at: $0, in: number) })
        }
    }

    /// Adds a line to the log.
    func note(_ line: String) { log.append(line) }

    private func cell(_ item: String, at place: Int, in section: Int) -> String {
        content?.cell(IndexPath(item: place, section: section), item) ?? "unattached"
    }

    /// Old rows are carried over by place; only what comes or is marked gets a new cell.
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
            let cells = items.enumerated().map { place, item in
                if let from = moved[item], !fresh.contains(item) {
                    return old[from.section].cells[from.item]
                }
                let stays =
                    moved[item] == nil && !difference.insertedItems.contains { $0.item == item }
                let carried = stays ? waiting[section]?.popFirst() : nil
                if let carried, !fresh.contains(item) { return carried }
                return cell(item, at: place, in: number)
            }
            return (section, cells)
        }
    }
}
