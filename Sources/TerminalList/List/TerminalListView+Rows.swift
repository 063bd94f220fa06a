// Lays the rows out after changes, keeping the selection and what is being read in place.
import DiffCore

extension TerminalListView {
    /// Brings the rows up to date with the snapshot.
    ///
    /// - Complexity: O(rows) when something changed, else O(1).
    func layOutRows() {
        guard changes.isStale else { return }
        let old = rows
        let merge = RowMerge<Section, Item>(
            isDeparted: { [departures] in departures.contains($0) },
            isUprooted: { [changes] in changes.isUprooted($0) },
            hasHeader: { [sectionTitle] in sectionTitle($0) != nil })
        rows = merge.rows(of: snapshot, after: old)
        changes.clear()
        var places: [Item: Int] = [:]
        if selectedItem != nil || top > 0 {
            for (place, row) in rows.enumerated() {
                if let item = row.item { places[item] = place }
            }
        }
        let scrolled = scrollPosition(old, places: places)
        restoreSelection(old, places: places)
        top = scrolled ?? top
    }

    /// The selected item's new row, or the nearest row when it is gone for good: below it in its
    /// section, else above it there, else anywhere.
    private func restoreSelection(_ old: [Row], places: [Item: Int]) {
        guard let selected = selectedItem else { return }
        if let place = places[selected] {
            selectedRow = place
            return
        }
        guard let before = selectedRow, old.indices.contains(before) else {
            select(nil)
            return
        }
        let below = old[before...].lazy
        let above = old[..<before].reversed().lazy
        let section = old[before].section
        func survivor(_ row: Row) -> Int? { row.item.flatMap { places[$0] } }
        let nearest =
            below.filter { $0.section == section }.compactMap(survivor).first
            ?? above.filter { $0.section == section }.compactMap(survivor).first
            ?? below.compactMap(survivor).first ?? above.compactMap(survivor).first
        selectedRow = nearest
        selectedItem = nearest.flatMap { rows[$0].item }
    }

    /// Where to scroll so that what is being read keeps its line: the selected row, else the first
    /// row on the screen that is still there. `nil` when nothing of the screen is left.
    ///
    /// At the top of the list nothing can come above the view, and arrivals there are seen.
    private func scrollPosition(_ old: [Row], places: [Item: Int]) -> Int? {
        guard top > 0 else { return 0 }
        if let item = selectedItem, let before = selectedRow, let place = places[item] {
            return place - (before - top)
        }
        for line in 0..<pageHeight where old.indices.contains(top + line) {
            guard let item = old[top + line].item, !changes.moved.contains(item) else { continue }
            if let place = places[item] { return place - line }
        }
        return nil
    }

    /// Keeps the scrolling inside the list and the selection on the screen, with its header where
    /// there is room.
    func settleScrolling() {
        if let selected = selectedRow, rows.indices.contains(selected) {
            var first = selected
            if first > 0, case .header = rows[first - 1], pageHeight > 1 { first -= 1 }
            if selected >= top + pageHeight { top = selected - pageHeight + 1 }
            if first < top { top = first }
        }
        top = max(0, min(top, rows.count - pageHeight))
    }
}
