// Scrolls the rows and moves the selection, and keeps both stable while rows change.
import DiffCore

/// The rows of a list, the scroll position and the selection.
struct RowViewport<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    /// The rows as of the last update.
    private(set) var rows = RowMap<Section, Item>()
    /// The selected item, present or departed, and its row.
    private(set) var selectedItem: Item?
    private(set) var selectedRow: Int?
    /// Whether the selected row went when no other remained, so that the next row that comes is selected.
    private var isSelectionLost = false
    /// The first visible row.
    private(set) var top = 0
    /// The number of lines of the screen, and of the row of an item; a header has one line.
    var height = 1
    var rowHeight = 1

    /// The visible rows: the rows that fit as a whole, and at least one row.
    var visible: Range<Int> { top..<top + countFitting(from: top, step: 1) }

    /// Returns the number of lines of a row.
    func height(of row: Int) -> Int { rowHeight == 1 || rows[row].title != nil ? 1 : rowHeight }

    /// Returns the number of rows that fit on the screen, from a row downwards or upwards.
    private func countFitting(from start: Int, step: Int) -> Int {
        var (row, lines) = (start, 0)
        while rows.indices.contains(row), row == start || lines + height(of: row) <= height {
            lines += height(of: row)
            row += step
        }
        return abs(row - start)
    }

    /// Returns the topmost scroll position at which a row is visible.
    private func top(showing row: Int) -> Int { row + 1 - countFitting(from: row, step: -1) }

    /// The range of visible items, `3-9 of 20`; empty if all rows are visible.
    var positionText: String {
        guard visible.count < rows.count else { return "" }
        let last = rows.itemsAbove(visible.upperBound)
        return "\(min(rows.itemsAbove(top) + 1, last))-\(last) of \(rows.itemCount)"
    }

    /// Returns the row at a visible line, from zero.
    func row(atLine line: Int) -> ListRow<Section, Item>? {
        var end = 0
        for row in visible {
            end += height(of: row)
            if line >= 0, line < end { return rows[row] }
        }
        return nil
    }

    /// Whether an item has a row, and has not departed.
    func isPresent(_ item: Item) -> Bool { rows.index(of: item).map { rows[$0].isPresent } == true }

    /// Updates the rows to a snapshot after some changes; `titles` are the titles of its sections.
    mutating func update(
        to snapshot: DiffableDataSourceSnapshot<Section, Item>, _ changes: RowChanges<Item>,
        titles: [String?]
    ) {
        let old = rows
        rows = old.updated(to: snapshot, changes, titles: titles)
        top = scrollPosition(after: old, moved: changes.moved) ?? top
        restoreSelection(after: old)
    }

    /// Selects the successor of the selected item, if it was replaced.
    mutating func replaceSelection(_ successors: [Item: Item]) {
        if let successor = selectedItem.flatMap({ successors[$0] }) { selectedItem = successor }
    }

    /// Scrolls so that the selection is visible, if possible with its header, and no space is left
    /// below the last row.
    mutating func revealSelection() {
        if let selected = selectedRow, rows.indices.contains(selected) {
            var first = selected
            if first > 0, height > height(of: first), rows[first - 1].title != nil { first -= 1 }
            if selected >= visible.upperBound { top = top(showing: selected) }
            if first < top { top = first }
        }
        setTop(top)
    }

    private mutating func setTop(_ row: Int) {
        top = max(0, min(row, top(showing: rows.count - 1)))
    }

    /// Moves the selection to the selected item's new row. If the item is gone, selects the nearest
    /// remaining row: below in its section, else above in its section, else below or above
    /// anywhere. If none remains, selects the first row, or the next row that comes.
    private mutating func restoreSelection(after old: RowMap<Section, Item>) {
        guard let selected = selectedItem else {
            if isSelectionLost { selectEnd(isLast: false) }
            return
        }
        if let row = rows.index(of: selected) {
            selectedRow = row
            return
        }
        select(row: nearestRow(after: old))
        guard selectedRow == nil else { return }
        isSelectionLost = true
        selectEnd(isLast: false)
    }

    /// Returns the row nearest to the selected one, which is gone, among the remaining rows.
    private func nearestRow(after old: RowMap<Section, Item>) -> Int? {
        guard let before = selectedRow, old.indices.contains(before) else { return nil }
        let (rows, section) = (rows, old[before].section)
        let nearest = Array(before..<old.count) + (0..<before).reversed()
        func remaining(_ row: Int) -> Int? { old[row].item.flatMap(rows.index(of:)) }
        let inSection = nearest.lazy.filter { old[$0].section == section }
        return inSection.compactMap(remaining).first ?? nearest.lazy.compactMap(remaining).first
    }

    /// Returns the scroll position at which the selected row, else the first visible row that
    /// remains, keeps its line on the screen. A list that is scrolled to its top stays there, so
    /// that arrivals at the top are visible.
    private func scrollPosition(
        after old: RowMap<Section, Item>, moved: Set<Item>
    ) -> Int? {
        guard top > 0 else { return 0 }
        if let before = selectedRow, let row = selectedItem.flatMap(rows.index(of:)) {
            return row - (before - top)
        }
        for line in 0..<height where old.indices.contains(top + line) {
            guard let item = old[top + line].item, !moved.contains(item) else { continue }
            if let row = rows.index(of: item) { return row - line }
        }
        return nil
    }

    /// Selects an item; an unknown item changes nothing, and `nil` selects none.
    mutating func select(_ item: Item?) {
        guard let item else { return select(row: nil) }
        if let row = rows.index(of: item) { select(row: row) }
    }

    /// Selects an item and scrolls so that it is the first visible row below a header, as far as there
    /// are rows below it.
    mutating func selectAtTop(_ item: Item) {
        guard let row = rows.index(of: item) else { return }
        select(row: row)
        setTop(row > 0 && rows[row - 1].title != nil ? row - 1 : row)
    }

    /// Scrolls to the first row, or as near to it as the selected row stays visible.
    mutating func scrollToTop() {
        setTop(0)
        revealSelection()
    }

    /// Selects the first or the last item and scrolls to that end.
    mutating func selectEnd(isLast: Bool) {
        guard let row = nextPresent(from: isLast ? rows.count : -1, step: isLast ? -1 : 1) else {
            return
        }
        select(row: row)
        setTop(isLast ? rows.count : 0)
    }

    /// Moves the selection by a number of present rows; without a selection it starts at the edge
    /// of the screen.
    mutating func move(by count: Int) {
        let step = count < 0 ? -1 : 1
        var row = selectedRow ?? (step > 0 ? top - 1 : visible.upperBound)
        for _ in 0..<abs(count) { row = nextPresent(from: row, step: step) ?? row }
        guard rows.indices.contains(row) else { return }
        select(row: row)
        setTop(top)
    }

    /// Scrolls by a number of screens, keeping one row, and selects the row on the same line.
    mutating func page(by count: Int) {
        let distance = count * max(1, height / rowHeight - 1)
        let start = selectedRow ?? (count > 0 ? top : visible.upperBound - 1)
        let goal = max(0, min(rows.count - 1, start + distance))
        let step = count < 0 ? -1 : 1
        let row =
            nextPresent(from: goal - step, step: step)
            ?? nextPresent(from: goal + step, step: -step)
        guard let row else { return }
        select(row: row)
        setTop(top + distance)
    }

    /// Scrolls by a number of rows; a selection that would leave the screen stays at its edge.
    mutating func scroll(by count: Int) {
        setTop(top + count)
        guard let selected = selectedRow, !visible.contains(selected) else { return }
        let row =
            selected < top
            ? nextPresent(from: top - 1, step: 1)
            : nextPresent(from: visible.upperBound, step: -1)
        if let row, visible.contains(row) { select(row: row) }
    }

    private mutating func select(row: Int?) {
        isSelectionLost = false
        selectedRow = row
        selectedItem = row.flatMap { rows[$0].item }
    }

    private func nextPresent(from row: Int, step: Int) -> Int? {
        var row = row + step
        while rows.indices.contains(row) {
            if rows[row].isPresent { return row }
            row += step
        }
        return nil
    }
}
