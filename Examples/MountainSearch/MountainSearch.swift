// Mountain search: each typed letter applies a new snapshot, which narrows the list.
import DiffCore
import Glibc
import TerminalList

/// A list of mountains, and the text that narrows it.
///
/// No code computes which rows to insert or delete. Each query fills a new snapshot with its matches
/// and applies it: the data source computes the difference, and the list marks with `-` what leaves
/// and with `+` what arrives. A selected mountain stays selected while it matches.
@MainActor final class MountainSearch {
    /// The only section.
    enum Section { case main }

    let view: TerminalListView<Section, Mountain>
    private let dataSource: DiffableDataSource<Section, Mountain>
    private(set) var filter = ""

    init() {
        // Departed rows are between the matches, so they disappear after a moment.
        let timing = ListTiming(
            emphasis: .milliseconds(700), arrival: .zero, departure: .milliseconds(700))
        view = TerminalListView(
            columns: [
                ListColumn("Mountain", minimum: 16, ideal: 24, rank: 2),
                ListColumn("Height", minimum: 7, ideal: 7, rank: 1, alignment: .trailing),
                ListColumn("Where", minimum: 8, ideal: 24, maximum: .max),
            ], timing: timing)

        // An item is the mountain itself, so the cell needs no look-up.
        dataSource = DiffableDataSource(view: view) { _, _, mountain in
            ListCell([
                .init(mountain.name), .init("\(mountain.height) m"), .init(mountain.place),
            ])
        }
        view.keys = .typing(adding: [
            KeyBinding(typing: "narrow the list", hint: "search") { [unowned self] in
                search(filter + String($0))
            },
            KeyBinding([.backspace], "delete a letter") { [unowned self] in
                search(String(filter.dropLast()))
            },
            KeyBinding([.escape], "show all mountains", hint: "all") { [unowned self] in
                search("")
            },
        ])
        performQuery(with: filter, animated: false)
    }

    private func search(_ text: String) {
        filter = text
        performQuery(with: text)
    }

    /// Shows the mountains whose name contains a text, alphabetically.
    func performQuery(with filter: String, animated: Bool = true) {
        let mountains = Mountain.filtered(with: filter)

        var snapshot = DiffableDataSourceSnapshot<Section, Mountain>()
        snapshot.appendSections([.main])
        snapshot.appendItems(mountains)
        dataSource.apply(snapshot, animatingDifferences: animated)

        view.header = ListHeader(
            "Mountains: \(filter)_", status: "\(mountains.count) of \(Mountain.all.count)")
        view.emptyMessage = ["No mountain here has “\(filter)” in its name.", "Esc shows all."]
    }

    /// Shows the list until the user quits; returns the exit status.
    func run() async -> Int32 { await view.run() }
}

@main @MainActor enum Program {
    static func main() async { exit(await MountainSearch().run()) }
}
