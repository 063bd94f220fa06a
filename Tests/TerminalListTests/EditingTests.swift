// Tests of items that the user deletes by a key, and of a data source under UIKit's names in a terminal.
import TerminalList
import Testing
import UIKitNames

/// Titles for two sections of letters; all rows but `x` can be deleted.
private final class Letters: UITableViewDiffableDataSource<String, String> {
    override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int)
        -> String?
    { sectionIdentifier(for: section).map { "Section \($0)" } }
    override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        itemIdentifier(for: indexPath) != "x"
    }
    override func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {
        guard editingStyle == .delete, let item = itemIdentifier(for: indexPath) else { return }
        var snapshot = snapshot()
        snapshot.deleteItems([item])
        apply(snapshot, animatingDifferences: false)
    }
}

@MainActor @Suite struct EditingTests {
    private let view = TerminalListView<String, String>(
        columns: [ListColumn("Name", minimum: 9, ideal: 9)])
    private let letters: Letters

    init() {
        letters = Letters(tableView: view) { _, _, item in ListCell([.init(item)]) }
        view.header = ListHeader("Letters")
        letters.apply(
            NSDiffableDataSourceSnapshot([("S", ["a", "b"]), ("T", ["x"])]),
            animatingDifferences: false)
        draw()
    }

    @discardableResult
    private func draw() -> String {
        view.frame(size: FrameSize(columns: 60, rows: 12), now: .now).text
    }

    private var items: [String] { letters.snapshot().itemIdentifiers }

    @Test func `the titles are the headers of the sections`() {
        #expect(draw().contains("Section S") && draw().contains("Section T"))
    }

    @Test func `a key deletes the selected item if the data source allows it`() {
        view.select("a")
        _ = view.handle(.delete)
        #expect(items == ["b", "x"])
        view.select("x")
        _ = view.handle(.delete)
        #expect(items == ["b", "x"])
    }

    @Test func `the hints show the key while items can be deleted`() {
        #expect(draw().contains("delete"))
        letters.base.editingHandlers.canDeleteItem = nil
        _ = view.handle(.down)
        #expect(!draw().contains("delete"))
        view.select("a")
        _ = view.handle(.delete)
        #expect(items == ["a", "b", "x"])
    }
}
