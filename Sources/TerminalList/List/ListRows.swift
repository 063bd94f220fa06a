// Lays out and draws the rows of a list by the snapshots of its data source.
import DiffCore

/// The rows of a list: the latest snapshot with recent changes, laid out once per frame rather than per change.
final class ListRows<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    var selectionDidChange: ((Item?) -> Void)?
    /// The rows, the scroll position and the selection, as of the last frame or key.
    var viewport = RowViewport<Section, Item>() {
        didSet {
            let item = viewport.selectedItem
            if item != oldValue.selectedItem { selectionDidChange?(item) }
        }
    }
    var changes: RowChanges<Item>
    let editor = RowEditor<Section, Item>()

    private var content: ListContent<Section, Item, ListCell, String>?
    private var snapshot = DiffableDataSourceSnapshot<Section, Item>()
    /// Whether the rows are to be laid out again.
    private var isStale = false
    /// The cells on the screen, which departed rows go on showing.
    private(set) var drawnCells: [Item: ListCell] = [:]

    init(timing: ListTiming) { changes = RowChanges(timing: timing) }

    func attach(_ content: ListContent<Section, Item, ListCell, String>) {
        // Two data sources would show each other's items. fatalError, because its message is kept
        // in optimised builds.
        if self.content != nil { fatalError("attach(_:): the view has a data source already") }
        self.content = content
        editor.dataSource = content.dataSource
        isStale = true
    }

    /// Applies a difference; departed rows stay for a while if it is marked.
    func apply(
        _ difference: SnapshotDifference<Section, Item>,
        to snapshot: DiffableDataSourceSnapshot<Section, Item>, isMarked: Bool
    ) {
        self.snapshot = snapshot
        let reloaded = difference.reloadedSections.flatMap {
            snapshot.itemIdentifiers(inSection: $0.section)
        }
        let replaced = changes.apply(
            difference, reloading: reloaded, isMarked: isMarked && !editor.isDisclosing,
            drawn: drawnCells)
        viewport.replaceSelection(replaced)
        isStale = true
    }

    /// Shows a snapshot without marks and departed rows.
    func reload(_ snapshot: DiffableDataSourceSnapshot<Section, Item>) {
        self.snapshot = snapshot
        drawnCells = [:]
        change { $0.removeAll() }
    }

    /// Changes marks and departed rows.
    func change(_ body: (inout RowChanges<Item>) -> Void) {
        body(&changes)
        isStale = true
    }

    /// Lays the rows out again after changes, in O(changes + sections + departed rows).
    func update() {
        guard isStale else { return }
        // The title provider and `selectionDidChange` may cause new changes.
        let (snapshot, changes) = (snapshot, changes)
        isStale = false
        self.changes.rowsWereLaidOut()
        let titles = snapshot.sectionIdentifiers.enumerated().map { content?.header($0, $1) }
        editor.update(snapshot.sectionIdentifiers)
        viewport.update(to: snapshot, changes, titles: titles)
    }

    /// Removes departed rows that have expired, and lays the rows out for a number of lines; returns when the next row
    /// expires.
    func update(at now: ContinuousClock.Instant, height: Int, rowHeight: Int)
        -> ContinuousClock.Instant?
    {
        let (rowsExpired, nextExpiry) = changes.advance(to: now)
        isStale = isStale || rowsExpired
        viewport.height = max(1, height)
        viewport.rowHeight = max(1, min(rowHeight, 2))
        update()
        viewport.revealSelection()
        return nextExpiry
    }

    /// Draws the visible rows; returns when the next mark changes.
    func draw(
        _ painter: RowPainter, at now: ContinuousClock.Instant, in frame: inout Frame
    ) -> ContinuousClock.Instant? {
        drawnCells = [:]
        var deadline: ContinuousClock.Instant?
        let room = painter.layout.rows
        var line = room.lowerBound
        for index in viewport.visible {
            let row = viewport.rows[index]
            let lines = line..<min(line + viewport.height(of: index), room.upperBound)
            line = lines.upperBound
            let isSelected = index == viewport.selectedRow
            if isSelected { frame.cursorRow = lines.lowerBound }
            guard let item = row.item else {
                painter.drawSection(row.title ?? "", row: lines.lowerBound, in: &frame)
                continue
            }
            let present = row.path.map { cell(of: item, at: $0) }
            if let present { drawnCells[item] = present }
            guard let cell = present ?? changes.departedCell(of: item) else { continue }
            let mark = changes.mark(of: item, at: now)
            if let until = mark?.until { deadline = min(deadline ?? until, until) }
            painter.draw(cell, mark, isSelected: isSelected, lines: lines, in: &frame)
        }
        if let line = editor.dropLine { painter.drawDropTarget(row: line, in: &frame) }
        return deadline
    }

    private func cell(of item: Item, at path: IndexPath) -> ListCell {
        var cell = content?.cell(path, item) ?? ListCell([])
        cell.outline = cell.outline ?? editor.position(of: item)
        return cell
    }

    /// Expands or collapses an item, or selects another one instead.
    func disclose(_ item: Item, _ action: KeyAction) {
        if let next = editor.disclose(item, action) { viewport.select(next) }
    }
}
