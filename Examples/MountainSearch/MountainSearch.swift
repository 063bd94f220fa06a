// Mountain search: what is typed narrows a list, and each letter applies a new snapshot.
import DiffCore
import Glibc
import TerminalList

/// A list of mountains, and the text that narrows it.
///
/// Nothing here works out which rows come or go. Every query builds a snapshot of all that it
/// finds, from nothing, and applies it: the data source finds the difference, and the list shows
/// it. A selected mountain stays selected as long as it is found.
@MainActor final class MountainSearch {
    /// The list has one section, which needs no more than a name.
    enum Section { case main }

    let view: TerminalListView<Section, Mountain.ID>
    private let dataSource: DiffableDataSource<Section, Mountain.ID>
    private(set) var filter = ""

    init() {
        // What is found is to be read at once, so nothing that has left stays in its way.
        let timing = ListTiming(
            emphasis: .milliseconds(500), arrival: .zero, departure: .zero)
        view = TerminalListView(
            columns: [
                ListColumn("Mountain", minimum: 16, ideal: 24, rank: 2),
                ListColumn("Height", minimum: 7, ideal: 7, rank: 1, alignment: .trailing),
                ListColumn("Where", minimum: 8, ideal: 24, weight: 1),
            ], timing: timing)

        // The snapshot holds identifiers alone; what a row shows is looked up when it is drawn.
        dataSource = DiffableDataSource(view: view) { _, _, id in
            guard let mountain = Mountain.named[id] else { return ListCell([]) }
            return ListCell([
                .init(mountain.name), .init("\(mountain.height) m"), .init(mountain.place),
            ])
        }
        view.keys = .typing(adding: [
            KeyBinding(typing: "narrow the list", hint: "search") { [unowned self] in
                search(filter + String($0))
            },
            KeyBinding([.backspace], "take a letter back") { [unowned self] in
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

    /// Shows the mountains whose name holds a text, in the order of the alphabet.
    func performQuery(with filter: String, animated: Bool = true) {
        let mountains = Mountain.all.filter { $0.contains(filter) }.sorted { $0.name < $1.name }

        var snapshot = DiffableDataSourceSnapshot<Section, Mountain.ID>()
        snapshot.appendSections([.main])
        snapshot.appendItems(mountains.map(\.id))
        dataSource.apply(snapshot, animatingDifferences: animated)

        view.header = ListHeader(
            "Mountains: \(filter)_", status: "\(mountains.count) of \(Mountain.all.count)")
        view.emptyMessage = ["No mountain here has “\(filter)” in its name.", "Esc shows all."]
    }

    /// Shows the list until it is left; the status to exit with.
    func run() async -> Int32 { await view.run() }
}

/// A mountain. Its name identifies it: no two in the table share one.
struct Mountain: Identifiable, Sendable {
    let name: String
    let height: Int
    let place: String

    var id: String { name }

    func contains(_ filter: String) -> Bool {
        filter.isEmpty || name.lowercased().contains(filter.lowercased())
    }

    static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}

@main @MainActor enum Program {
    static func main() async { exit(await MountainSearch().run()) }
}
