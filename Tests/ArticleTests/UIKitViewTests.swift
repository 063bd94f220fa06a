// Views under UIKit's names: what a toolkit's subclass is asked to do, and what it asks for.
import Testing
import UIKitNames

private final class Cell: UIKitNames.UITableViewCell { var text = "" }
private final class Title: UICollectionReusableView { var text = "" }

private final class Table: UITableView {
    var rows: [[String]] = []
    var steps: [ListStep] = []

    private func text(_ path: DiffCore.IndexPath) -> String {
        (cell(at: IndexPath(path)) as? Cell)?.text ?? "?"
    }

    override func perform(_ steps: [ListStep], animation: RowAnimation) {
        self.steps = steps
        for step in steps {
            switch step {
            case .deleteItem(let path): rows[path.section].remove(at: path.item)
            case .insertSection(let index): rows.insert([], at: index)
            case .moveSection(let from, let to): rows.insert(rows.remove(at: from), at: to)
            case .insertItem(let path, let final):
                rows[path.section].insert(text(final), at: path.item)
            case .moveItem(let from, let to):
                let row = rows[from.section].remove(at: from.item)
                rows[to.section].insert(row, at: to.item)
            case .deleteSection(let index): rows.remove(at: index)
            case .reloadItem(let path), .reconfigureItem(let path):
                rows[path.section][path.item] = text(path)
            case .reloadSection(let index):
                rows[index] = rows[index].indices.map { text(.init(item: $0, section: index)) }
            }
        }
    }

    override func reloadData() {
        rows = (0..<numberOfSections).map { section in
            (0..<numberOfRows(inSection: section)).map { text(.init(item: $0, section: section)) }
        }
    }
}

private final class Names: UITableViewDiffableDataSource<String, Int> {
    private(set) var applied = 0

    override func apply(
        _ snapshot: Snapshot, animatingDifferences: Bool = true, completion: (() -> Void)? = nil
    ) {
        applied += 1
        super.apply(
            snapshot, animatingDifferences: animatingDifferences, completion: completion)
    }
    override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int)
        -> String?
    { sectionIdentifier(for: section) }
    override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        itemIdentifier(for: indexPath) != 1
    }
    override func tableView(
        _ tableView: UITableView, commit editingStyle: UIKitNames.UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {
        guard editingStyle == .delete, let item = itemIdentifier(for: indexPath) else { return }
        var snapshot = snapshot()
        snapshot.deleteItems([item])
        apply(snapshot)
    }
}

@Suite struct UIKitViewTests {
    private let table = Table()
    private let names: Names

    init() {
        table.register(Cell.self, forCellReuseIdentifier: "cell")
        names = Names(tableView: table) { table, path, item in
            let cell = table.dequeueReusableCell(withIdentifier: "cell", for: path)
            (cell as? Cell)?.text = "\(item) at \(path.row)"
            return cell
        }
        names.apply(NSDiffableDataSourceSnapshot([("a", [1, 2]), ("b", [3])]))
    }

    @Test func `the first snapshot reloads, and the next ones are steps`() {
        #expect(table.rows == [["1 at 0", "2 at 1"], ["3 at 0"]])
        #expect(table.steps.isEmpty)
        var snapshot = names.snapshot()
        snapshot.appendItems([2, 4], toSection: "b")
        snapshot.deleteItems([3])
        names.apply(snapshot)
        #expect(table.rows == [["1 at 0"], ["2 at 1", "4 at 1"]])
        #expect(table.steps.count == 3)
        #expect(names.applied == 2)
    }

    @Test func `the view asks the subclass for titles and for what may be deleted`() {
        #expect(table.titleForHeader(inSection: 1) == "b")
        #expect(table.titleForFooter(inSection: 1) == nil)
        #expect(!table.canEdit(at: IndexPath(row: 0, section: 0)))
        #expect(table.canEdit(at: IndexPath(row: 1, section: 0)))
        table.commit(.delete, at: IndexPath(row: 1, section: 0))
        #expect(names.snapshot().itemIdentifiers == [1, 3])
        #expect(table.rows == [["1 at 0"], ["3 at 0"]])
    }

    @Test func `the user moves rows as the handlers allow`() {
        let (last, first) = (IndexPath(row: 1, section: 0), IndexPath(row: 0, section: 0))
        #expect(!table.canMove(at: last))
        names.reorderingHandlers.canReorderItem = { $0 == 2 }
        #expect(table.canMove(at: last) && !table.canMove(at: first))
        table.move(at: last, to: first)
        #expect(names.snapshot().itemIdentifiers == [2, 1, 3])
    }

    @Test func `a collection view has headers and footers, and one class serves any identifiers`() {
        let view = UICollectionView()
        let other = UICollectionView()
        let footer = UICollectionView.SupplementaryRegistration<Title>(
            elementKind: UICollectionView.elementKindSectionFooter
        ) { title, kind, path in title.text = "\(path.section)" }
        let source = UICollectionViewDiffableDataSource<String, Int>(collectionView: view) {
            _, _, _ in UIKitNames.UICollectionViewCell()
        }
        let second = UICollectionViewDiffableDataSource<Int, String>(collectionView: other) {
            _, _, _ in nil
        }
        source.supplementaryViewProvider = { view, kind, path in
            kind == footer.elementKind
                ? view.dequeueConfiguredReusableSupplementary(using: footer, for: path) : nil
        }
        source.apply(NSDiffableDataSourceSnapshot([("a", [1]), ("b", [2, 3])]))
        second.apply(NSDiffableDataSourceSnapshot([(7, ["x"])]))
        let path = IndexPath(item: 0, section: 1)
        let title = view.supplementaryView(ofKind: footer.elementKind, at: path) as? Title
        #expect(title?.text == "1")
        #expect(view.supplementaryView(ofKind: "other", at: path) == nil)
        #expect(view.numberOfItems(inSection: 1) == 2 && other.numberOfSections == 1)
        #expect(view.cell(at: path) != nil)
        #expect(other.cell(at: IndexPath(item: 0, section: 0)) == nil)
    }
}
