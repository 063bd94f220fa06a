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
        MainActor.preconditionIsolated()
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

/// Answers that differ from those of the snapshot in each method.
private final class OverridingTableSource: UITableViewDiffableDataSource<String, Int> {
    private(set) var changes: [String] = []

    override func numberOfSections(in tableView: UITableView) -> Int {
        super.numberOfSections(in: tableView) + 1
    }
    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        super.tableView(tableView, numberOfRowsInSection: section) + 1
    }
    override func tableView(
        _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UIKitNames.UITableViewCell {
        let cell = Cell()
        cell.text = "\(indexPath.row)"
        return cell
    }
    override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int)
        -> String?
    { "header \(section)" }
    override func tableView(_ tableView: UITableView, titleForFooterInSection section: Int)
        -> String?
    { "footer \(section)" }
    override func sectionIndexTitles(for tableView: UITableView) -> [String]? { ["A"] }
    override func tableView(
        _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
    ) -> Int { index + 1 }
    override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        true
    }
    override func tableView(
        _ tableView: UITableView, commit editingStyle: UIKitNames.UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) { changes.append("\(editingStyle) \(indexPath.row)") }
    override func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
        true
    }
    override func tableView(
        _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) { changes.append("move \(sourceIndexPath.row) to \(destinationIndexPath.row)") }
}

private final class FramedCell: UIKitNames.UICollectionViewCell {
    private(set) var isPrepared = false
    override init(frame: CGRect) {
        super.init(frame: frame)
        isPrepared = true
    }
    required init?(coder: NSCoder) { nil }
}

private final class StyledCell: UIKitNames.UITableViewCell {
    private(set) var isPrepared = false
    override init(style: CellStyle, reuseIdentifier: String?) {
        super.init(style: style, reuseIdentifier: reuseIdentifier)
        isPrepared = true
    }
    required init?(coder: NSCoder) { nil }
}

private final class ItemCell: UIKitNames.UICollectionViewCell {}

/// Answers that differ from those of the snapshot in each method.
private final class OverridingCollectionSource: UICollectionViewDiffableDataSource<String, Int> {
    private(set) var changes: [String] = []

    override func numberOfSections(in collectionView: UICollectionView) -> Int {
        super.numberOfSections(in: collectionView) + 1
    }
    override func collectionView(
        _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int { super.collectionView(collectionView, numberOfItemsInSection: section) + 1 }
    override func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UIKitNames.UICollectionViewCell { ItemCell() }
    override func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) -> UICollectionReusableView {
        let title = Title()
        title.text = "\(kind) \(indexPath.item)"
        return title
    }
    override func collectionView(
        _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
    ) -> Bool { true }
    override func collectionView(
        _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) { changes.append("move \(sourceIndexPath.item) to \(destinationIndexPath.item)") }
}

/// A data source without snapshots, with the required methods only.
private final class Lines: NSObject, UITableViewDataSource {
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 2 }
    func tableView(
        _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UIKitNames.UITableViewCell {
        let cell = Cell()
        cell.text = "line \(indexPath.row)"
        return cell
    }
}

@MainActor @Suite struct UIKitViewTests {
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
        withExtendedLifetime((source, second)) {}
    }

    @Test func `an item without a cell has an empty cell, and a view without a provider no header`()
    {
        let view = UICollectionView()
        let source = UICollectionViewDiffableDataSource<Int, String>(collectionView: view) {
            _, _, _ in nil
        }
        source.apply(NSDiffableDataSourceSnapshot([(7, ["x"])]))
        let path = IndexPath(item: 0, section: 0)
        #expect(view.cell(at: path).map { type(of: $0) } == UIKitNames.UICollectionViewCell.self)
        let kind = UICollectionView.elementKindSectionHeader
        #expect(view.supplementaryView(ofKind: kind, at: path) == nil)
        withExtendedLifetime(source) {}
    }

    @Test func `a cell is created by the initializer that its class overrides`() {
        let (view, table) = (UICollectionView(), UITableView())
        view.register(FramedCell.self, forCellWithReuseIdentifier: "cell")
        table.register(StyledCell.self, forCellReuseIdentifier: "cell")
        let path = IndexPath(item: 0, section: 0)
        let framed = view.dequeueReusableCell(withReuseIdentifier: "cell", for: path)
        let registration = UICollectionView.CellRegistration<FramedCell, Int> { _, _, _ in }
        let registered = view.dequeueConfiguredReusableCell(using: registration, for: path, item: 1)
        let styled = table.dequeueReusableCell(withIdentifier: "cell")
        #expect((framed as? FramedCell)?.isPrepared == true && registered.isPrepared)
        #expect((styled as? StyledCell)?.isPrepared == true)
    }

    @Test func `a view does not retain its data source, and is empty without one`() {
        let view = UITableView()
        var source: UITableViewDiffableDataSource? = UITableViewDiffableDataSource<Int, Int>(
            tableView: view
        ) { _, _, _ in nil }
        source?.apply(NSDiffableDataSourceSnapshot([(0, [1])]))
        #expect(view.numberOfSections == 1)
        source = nil
        #expect(view.dataSource == nil && view.numberOfSections == 0)
    }

    @Test func `a table asks the overrides of its data source`() {
        let table = UITableView()
        let source = OverridingTableSource(tableView: table) { _, _, _ in nil }
        source.apply(NSDiffableDataSourceSnapshot([("a", [1, 2])]))
        let (path, target) = (IndexPath(row: 1, section: 0), IndexPath(row: 0, section: 0))
        #expect(table.numberOfSections == 2)
        #expect(table.numberOfRows(inSection: 0) == 3)
        #expect((table.cell(at: path) as? Cell)?.text == "1")
        #expect(table.titleForHeader(inSection: 4) == "header 4")
        #expect(table.titleForFooter(inSection: 4) == "footer 4")
        #expect(table.sectionIndexTitles == ["A"])
        #expect(table.section(forSectionIndexTitle: "A", at: 8) == 9)
        #expect(table.canEdit(at: path) && table.canMove(at: path))
        table.commit(.insert, at: path)
        table.move(at: path, to: target)
        #expect(source.changes == ["insert 1", "move 1 to 0"])
    }

    @Test func `a collection view asks the overrides of its data source`() {
        let view = UICollectionView()
        let source = OverridingCollectionSource(collectionView: view) { _, _, _ in nil }
        source.apply(NSDiffableDataSourceSnapshot([("a", [1, 2])]))
        let (path, target) = (IndexPath(item: 1, section: 0), IndexPath(item: 0, section: 0))
        #expect(view.numberOfSections == 2)
        #expect(view.numberOfItems(inSection: 0) == 3)
        #expect(view.cell(at: path) is ItemCell)
        #expect((view.supplementaryView(ofKind: "k", at: path) as? Title)?.text == "k 1")
        #expect(view.canMove(at: path))
        view.move(at: path, to: target)
        #expect(source.changes == ["move 1 to 0"])
    }

    @Test func `a view asks a data source without snapshots`() {
        let table = UITableView()
        let lines = Lines()
        table.dataSource = lines
        #expect(table.numberOfSections == 1 && table.numberOfRows(inSection: 0) == 2)
        #expect((table.cell(at: IndexPath(row: 1, section: 0)) as? Cell)?.text == "line 1")
        #expect(table.titleForHeader(inSection: 0) == nil && table.sectionIndexTitles == nil)
        #expect(!table.canEdit(at: IndexPath(row: 0, section: 0)))
        withExtendedLifetime(lines) {}
    }

    @Test func `an awaited apply of another task updates the view on the main actor`() async {
        let names = names
        await Task.detached {
            await names.apply(NSDiffableDataSourceSnapshot([("c", [7])]))
            await names.applySnapshotUsingReloadData(NSDiffableDataSourceSnapshot([("c", [8])]))
        }.value
        #expect(table.rows == [["8 at 0"]])
    }

    @Test(arguments: BackgroundCall.allCases)
    func `a call of another queue stops the program`(call: BackgroundCall) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [call] in
            let view = await UITableView()
            let source = await UITableViewDiffableDataSource<Int, Int>(tableView: view) {
                _, _, _ in nil
            }
            let onMainActor: @MainActor () -> Void = { call.make(of: source) }
            // The compiler refuses the call in Swift 6, and does not in Swift 5.
            let anywhere = unsafe unsafeBitCast(onMainActor, to: (() -> Void).self)
            anywhere()
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("\(call.rawValue) must be called on the main queue"), "\(message)")
    }
}

/// The methods that update a view and can be called without await.
enum BackgroundCall: String, CaseIterable, Codable {
    case apply = "apply(_:animatingDifferences:completion:)"
    case reload = "applySnapshotUsingReloadData(_:completion:)"
    case outline = "apply(_:to:animatingDifferences:completion:)"

    @MainActor
    func make(of source: UITableViewDiffableDataSource<Int, Int>) {
        switch self {
        case .apply: source.apply(.init())
        case .reload: source.applySnapshotUsingReloadData(.init())
        case .outline: source.apply(.init(), to: 0)
        }
    }
}
