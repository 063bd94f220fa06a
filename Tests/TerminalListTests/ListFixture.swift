// A list of names with a data source and a clock set by the test.
import DiffCore
import TerminalList

/// A view, its data source, and the time at which it is drawn.
final class ListFixture {
    let view: TerminalListView<String, String>
    private let source: DiffableDataSource<String, String>
    private(set) var now = ContinuousClock.now
    private let requested = Requested()

    /// The items whose cells were requested.
    private final class Requested {
        var items: [String] = []
    }

    static let columns = [
        ListColumn("Name", minimum: 10, ideal: 20, maximum: 40, rank: 3),
        ListColumn("Address", minimum: 9, ideal: 15, maximum: .max, rank: 2),
        ListColumn("Services", minimum: 8, ideal: 16, rank: 1),
        ListColumn("Since", minimum: 5, ideal: 5, alignment: .trailing),
    ]

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - keys: The key bindings.
    ///   - title: Returns the title of a section; `nil` for none.
    init(keys: KeyTable = .standard(), title: @escaping (String) -> String? = { _ in nil }) {
        view = TerminalListView(columns: Self.columns, keys: keys)
        let requested = requested
        source = DiffableDataSource(view: view) { _, path, item in
            requested.items.append(item)
            return ListCell([
                .init(item), .init("10.0.\(path.section).\(path.item)"), "ssh, http", "12:00",
            ])
        } headerProvider: { _, _, section in
            title(section)
        }
        view.header = ListHeader("names on eth0", status: "all well")
        view.emptyMessage = ["Nothing is here.", "Start something on another machine."]
    }

    /// Allows the user to move every item.
    func allowMoves() {
        source.reorderingHandlers.canReorderItem = { _ in true }
    }

    /// The animation of changes.
    var rowAnimation: RowAnimation {
        get { source.defaultRowAnimation }
        set { source.defaultRowAnimation = newValue }
    }

    /// Shows sections with their items, and reconfigures those in `changed`.
    func show(
        _ sections: KeyValuePairs<String, [String]>, changed: [String] = [],
        animating: Bool = true
    ) {
        var snapshot = DiffableDataSourceSnapshot<String, String>()
        for (section, items) in sections {
            snapshot.appendSections([section])
            snapshot.appendItems(items, toSection: section)
        }
        snapshot.reconfigureItems(changed)
        show(snapshot, animating: animating)
    }

    /// Shows items in one section.
    func show(_ items: [String], changed: [String] = [], animating: Bool = true) {
        show(["all": items], changed: changed, animating: animating)
    }

    func show(_ snapshot: DiffableDataSourceSnapshot<String, String>, animating: Bool = true) {
        source.apply(snapshot, animatingDifferences: animating)
    }

    func reload(_ items: [String]) {
        var snapshot = DiffableDataSourceSnapshot<String, String>()
        snapshot.appendSections(["all"])
        snapshot.appendItems(items)
        source.applySnapshotUsingReloadData(snapshot)
    }

    func wait(_ seconds: Double) { now += .seconds(seconds) }

    /// Draws the view and records the requested cells.
    @discardableResult
    func draw(_ columns: Int = 80, _ rows: Int = 24) -> Frame {
        view.frame(size: FrameSize(columns: columns, rows: rows), now: now)
    }

    /// The lines of the list alone, without header and footer, without spaces at their ends.
    func lines(_ columns: Int = 80, _ rows: Int = 24) -> [String] {
        let lines = draw(columns, rows).text.split(
            separator: "\n", omittingEmptySubsequences: false)
        return lines[2..<(rows - 1)].filter { !$0.isEmpty }.map(String.init)
    }

    /// The signs and the name of each line of the list: `">+ nas"`.
    func names(_ columns: Int = 80, _ rows: Int = 24) -> [String] {
        lines(columns, rows).map { line in
            let start = line.prefix(3)
            return String(start) + line.dropFirst(3).prefix { $0 != " " }
        }
    }

    func press(_ keys: Key...) { for key in keys { _ = view.handle(key) } }

    /// Returns and forgets the items whose cells were requested since the last call.
    func removeRequested() -> [String] {
        defer { requested.items = [] }
        return requested.items
    }

    /// Names in a fixed order: `row000`, `row001` and so on.
    static func names(_ range: Range<Int>) -> [String] {
        range.map { number in
            let digits = String(number)
            return "row" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        }
    }
}
