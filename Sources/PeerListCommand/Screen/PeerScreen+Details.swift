// All that is known about the selected row, beside the list or in its place.
import PeerList
import TerminalList

extension PeerScreen {
    /// From so many columns on there is room for the details beside the list.
    static let wideColumns = 100

    /// Shows the details of the selected row: in a wide window beside the list, or no longer, else
    /// in place of it.
    func toggleDetails() {
        if size.columns >= Self.wideColumns { return toggleSidePane() }
        hidesSidePane = details?.place == .side
        showDetails(.full)
    }

    /// Shows the details of whatever row is selected beside the list, or no longer.
    func toggleSidePane() {
        guard details == nil else {
            details = nil
            view.pane = nil
            return
        }
        guard size.columns >= TextPane.leastColumns else {
            return tell("the window is too narrow for a pane: press Enter")
        }
        showDetails(.side)
    }

    private func showDetails(_ place: TextPane.Placement) {
        guard let row = view.selectedItem else { return tell("select a row first") }
        details = (row, place)
        updateDetails()
    }

    /// Goes back from the details to the list, with the details beside it that were there before.
    private func leaveDetails() {
        details = nil
        guard hidesSidePane else { return }
        hidesSidePane = false
        showDetails(.side)
    }

    /// Shows what is known now of the row that the details are of; beside the list that is the selected one.
    func updateDetails() {
        guard let row = renderDetails() else { return }
        let items = content.seen.itemIDs(of: row)
        if !items.isEmpty { ask(.sightings(items, row)) }
    }

    /// Takes in on which paths a row is announced, and when something was last heard of it.
    func take(_ found: ItemSightings, of row: RowID) {
        guard details?.row == row, sightings.map({ $0 != (row, found) }) ?? true else { return }
        sightings = (row, found)
        renderDetails()
    }

    /// Shows the details; the row that they are of, if there are any.
    @discardableResult private func renderDetails() -> RowID? {
        guard var shown = details else { return nil }
        if shown.place == .side, let selected = view.selectedItem { shown.row = selected }
        let row = content.rows.nearest(to: shown.row, content.seen) ?? shown.row
        let text = DetailText(
            content.seen, content.history, charset: content.charset,
            sightings: sightings?.row == row ? sightings?.found : nil)
        details = (row, shown.place)
        // Of who has left is told what was known, until another row is selected.
        guard let title = text.title(of: row) else { return nil }
        let lines = text.lines(of: row, until: content.now).map {
            TextPane.Line($0.fields, id: $0.id, indent: 14)
        }
        view.pane = TextPane("\(row)", title, lines, placement: shown.place) { [weak self] in
            self?.leaveDetails()
        }
        return row
    }
}
