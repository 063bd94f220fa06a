// Lays the rows out after changes, keeping the selection and what is being read in place.
import DiffCore

extension TerminalListView {
    /// Brings the rows up to date with the snapshot.
    ///
    /// - Complexity: O(changes + sections + departed rows) when something changed, else O(1).
    func layOutRows() {
        guard changes.isStale else { return }
        // The owner is asked for titles and hears of the selection in the midst of this, and may
        // bring new changes.
        let (old, changes) = (rows, changes)
        self.changes.clear()
        let snapshot = snapshot
        takeTitles(of: snapshot)
        let merge = RowMerge<Section, Item>(
            old: old, left: changes.left,
            isDeparted: { [departures] in departures.contains($0) },
            isUprooted: changes.isUprooted,
            hasHeader: { [titles] in titles[$0] != nil })
        rows = merge.rows(of: snapshot)
        let scrolled = scrollPosition(after: old, moved: changes.moved)
        top = scrolled ?? top
        restoreSelection(after: old)
    }

    /// Asks for the title of each section; sections that are gone keep theirs while they are shown.
    private func takeTitles(of snapshot: DiffableDataSourceSnapshot<Section, Item>) {
        var titles: [Section: String] = [:]
        for section in rows.sections where snapshot.indexOfSection(section) == nil {
            titles[section] = self.titles[section]
        }
        for (number, section) in snapshot.sectionIdentifiers.enumerated() {
            titles[section] = content?.header(number, section)
        }
        self.titles = titles
    }

    /// The selected item's new row, or the nearest row when it is gone for good: below it in its
    /// section, else above it there, else anywhere.
    private func restoreSelection(after old: RowMap<Section, Item>) {
        guard let selected = selectedItem else { return }
        if let place = rows.place(of: selected) {
            selectedRow = place
            return
        }
        guard let before = selectedRow, old.indices.contains(before) else {
            selectedRow = nil
            selectedItem = nil
            return
        }
        let section = old[before].section
        let below = before..<old.count
        let above = (0..<before).reversed()
        func survivor(_ place: Int) -> Int? { old[place].item.flatMap(rows.place(of:)) }
        func isNear(_ place: Int) -> Bool { old[place].section == section }
        let nearest =
            below.lazy.prefix(while: isNear).compactMap(survivor).first
            ?? above.lazy.prefix(while: isNear).compactMap(survivor).first
            ?? below.lazy.compactMap(survivor).first ?? above.lazy.compactMap(survivor).first
        selectedRow = nearest
        selectedItem = nearest.flatMap { rows[$0].item }
    }

    /// Where to scroll so that what is being read keeps its line: the selected row, else the first
    /// row on the screen that is still there. `nil` when nothing of the screen is left.
    ///
    /// At the top of the list nothing can come above the view, and arrivals there are seen.
    private func scrollPosition(
        after old: RowMap<Section, Item>, moved: Set<Item>
    ) -> Int? {
        guard top > 0 else { return 0 }
        if let before = selectedRow, let place = selectedItem.flatMap(rows.place(of:)) {
            return place - (before - top)
        }
        for line in 0..<pageHeight where old.indices.contains(top + line) {
            guard let item = old[top + line].item, !moved.contains(item) else { continue }
            if let place = rows.place(of: item) { return place - line }
        }
        return nil
    }

    /// Keeps the scrolling inside the list and the selection on the screen, with its header where
    /// there is room.
    func settleScrolling() {
        if let selected = selectedRow, rows.indices.contains(selected) {
            var first = selected
            if first > 0, pageHeight > 1, case .header = rows[first - 1] { first -= 1 }
            if selected >= top + pageHeight { top = selected - pageHeight + 1 }
            if first < top { top = first }
        }
        top = max(0, min(top, rows.count - pageHeight))
    }
}
