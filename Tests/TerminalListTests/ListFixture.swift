// A list of names, driven by a data source and a clock that the test moves.
import DiffCore
import TerminalList

/// A view, the data source that drives it, and the time by which it is drawn.
final class ListFixture {
    let view: TerminalListView<String, String>
    private let source: DiffableDataSource<String, String>
    private(set) var now = ContinuousClock.now
    private let asked = Asked()

    /// The items whose cells were asked for.
    private final class Asked {
        var items: [String] = []
    }

    static let columns = [
        ListColumn("Name", minimum: 10, ideal: 20, maximum: 40, weight: 2, rank: 3),
        ListColumn("Address", minimum: 9, ideal: 15, weight: 1, rank: 2),
        ListColumn("Services", minimum: 8, ideal: 16, weight: 1, rank: 1),
        ListColumn("Since", minimum: 5, ideal: 5, alignment: .trailing),
    ]

    /// An empty list.
    ///
    /// - Parameters:
    ///   - keys: Which key does what.
    ///   - title: The title of a section; without one it has no header.
    init(keys: KeyTable = .standard(), title: @escaping (String) -> String? = { _ in nil }) {
        view = TerminalListView(columns: Self.columns, keys: keys)
        let asked = asked
        source = DiffableDataSource(view: view) { _, path, item in
            asked.items.append(item)
            return ListCell([
                .init(item), .init("10.0.\(path.section).\(path.item)"), "ssh, http", "12:00",
            ])
        } headerProvider: { _, _, section in
            title(section)
        }
        view.header = ListHeader("names on eth0", status: "all well")
        view.emptyMessage = ["Nobody is here.", "Start something on another machine."]
    }

    /// How changes are shown.
    var rowAnimation: RowAnimation {
        get { source.defaultRowAnimation }
        set { source.defaultRowAnimation = newValue }
    }

    /// Shows sections with their items; those in `changed` are shown anew.
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

    /// Draws the view; what it asks for goes to ``takeAsked()``.
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

    /// The items whose cells were asked for since the last call.
    func takeAsked() -> [String] {
        defer { asked.items = [] }
        return asked.items
    }

    /// Names in a fixed order: `row000`, `row001` and so on.
    static func names(_ range: Range<Int>) -> [String] {
        range.map { number in
            let digits = String(number)
            return "row" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        }
    }
}
