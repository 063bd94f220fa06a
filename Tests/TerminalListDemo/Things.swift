// Invented rows, some with hostile names.
import DiffCore
import TerminalList

/// Invented rows of a list.
@MainActor final class Things {
    private typealias Snapshot = DiffableDataSourceSnapshot<Int, Int>

    private let view: TerminalListView<Int, Int>
    private let source: DiffableDataSource<Int, Int>
    private let changes = Changes()
    private var items: [Int]
    private var next: Int

    /// The number of changes of each thing.
    private final class Changes {
        var counts: [Int: Int] = [:]
    }

    private static let names = [
        "Printer", "Küche", "プリンター", "nas", "👨‍👩‍👧 home", "tv\u{1b}]0;owned\u{7}",
        "e\u{301}clair", "\u{202e}gnp.exe",
    ]

    init(view: TerminalListView<Int, Int>, count: Int) {
        self.view = view
        items = Array(0..<count)
        next = count
        let changes = changes
        source = DiffableDataSource(view: view) { _, _, item in
            return ListCell([
                .init(Self.name(of: item)), .init("10.0.\(item / 256).\(item % 256)"), "thing",
                .init(String(changes.counts[item] ?? 0)),
            ])
        }
        source.reorderingHandlers.canReorderItem = { _ in true }
        source.reorderingHandlers.didReorder = { [unowned self] transaction in
            items = transaction.finalSnapshot.itemIdentifiers
        }
        apply(animating: false)
    }

    static func name(of item: Int) -> String { names[item % names.count] + " \(item)" }

    var count: Int { items.count }

    func add(at index: Int) {
        items.insert(next, at: min(index, items.count))
        next += 1
        apply()
    }

    func delete() {
        guard let index = items.firstIndex(where: { $0 == view.selectedItem }) else { return }
        items.remove(at: index)
        apply()
    }

    func update() {
        guard let item = view.selectedItem, items.contains(item) else { return }
        changes.counts[item, default: 0] += 1
        apply(changed: item)
    }

    private func apply(changed: Int? = nil, animating: Bool = true) {
        var snapshot = Snapshot()
        snapshot.appendSections([0])
        snapshot.appendItems(items)
        if let changed { snapshot.reconfigureItems([changed]) }
        source.apply(snapshot, animatingDifferences: animating)
        view.header = ListHeader("Invented things", status: "\(items.count) rows")
    }
}
