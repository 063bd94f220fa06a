// Shows the details of a row, beside the list or in its place.
import DiffCore
import FoundationEssentials
import PeerModel
import PeerSession
import PeerText
import TerminalList

/// The details of a row, beside the list or in its place, if they are shown.
@MainActor final class DetailsPane {
    /// The minimum width of the window for details beside the list at Enter.
    private static let wideColumns = 100

    private let view: TerminalListView<String, RowID>
    private let content: RowContent
    private let request: (ScreenRequest) -> Void

    /// The row of the details; `nil` if they are not shown.
    private var row: RowID?
    private var placement = TextPane.Placement.side
    /// Whether closing details in place of the list shows them beside it again.
    private var returnsToSide = false
    /// The session's answer about the paths of a row.
    private var sightings: (row: RowID, found: ItemSightings)?
    /// The latest answers of a device at its addresses.
    private var answers: (device: UUID, answers: AddressAnswers)?

    init(
        _ view: TerminalListView<String, RowID>, _ content: RowContent,
        request: @escaping (ScreenRequest) -> Void
    ) {
        (self.view, self.content, self.request) = (view, content, request)
    }

    var isShown: Bool { row != nil }

    /// Whether they are in place of the list.
    var isFull: Bool { isShown && placement == .full }

    /// Whether they are beside the list, in a window that has room for them.
    var isBeside: Bool {
        isShown && placement == .side && view.size.columns >= TextPane.leastColumns
    }

    /// The row on which actions act: that of the details in place of the list, else the selected one.
    var actionRow: RowID? { isFull ? row : view.selectedItem }

    /// Shows or hides details beside the list in a wide window, else shows them in its place.
    func toggle() {
        if view.size.columns >= Self.wideColumns { toggleBeside() } else { open(.full) }
    }

    /// Shows or hides details beside the list.
    func toggleBeside() {
        if isShown {
            close()
        } else if view.size.columns < TextPane.leastColumns {
            view.show(message: "the window is too narrow for a pane: press Enter")
        } else {
            open(.side)
        }
    }

    func open(_ placement: TextPane.Placement) {
        guard let row = view.selectedItem else { return view.show(message: "select a row first") }
        if placement == .full { returnsToSide = isShown && self.placement == .side }
        (self.row, self.placement) = (row, placement)
        update()
    }

    func close() {
        (row, placement, returnsToSide, sightings) = (nil, .side, false, nil)
        view.pane = nil
    }

    private func closeFull() {
        row = nil
        if returnsToSide { open(.side) }
        returnsToSide = false
    }

    /// Selects the next or the previous device, past services, and shows its details if there are any.
    func selectDevice(step: Int) {
        let snapshot = content.rows.snapshot
        let items = snapshot.itemIdentifiers
        guard var index = actionRow.flatMap({ snapshot.indexOfItem($0) }) else {
            return view.show(message: "select a row first")
        }
        repeat { index += step } while items.indices.contains(index) && items[index].parent != nil
        guard items.indices.contains(index) else {
            return view.show(message: "this is the \(step > 0 ? "last" : "first") device")
        }
        view.select(items[index])
        if isShown { row = items[index] }
        update()
    }

    /// Follows rows to their replacements.
    func replace(_ rows: [RowID: RowID]) { row = row.map { rows[$0] ?? $0 } }

    /// Updates the details, and requests the paths of their row.
    func update() {
        guard let row = draw() else { return }
        let items = content.seen.itemIDs(of: row)
        if !items.isEmpty { request(.sightings(items, row)) }
    }

    /// Adds the session's answer about the paths of a row.
    func setSightings(_ sightings: ItemSightings, of row: RowID) {
        guard self.row == row else { return }
        self.sightings = (row, sightings)
        draw()
    }

    /// Shows the answers of a device at its addresses, in its details.
    func setAnswers(_ addresses: [AddressAnswer], of device: UUID) {
        answers = (device, AddressAnswers(time: .now(), addresses: addresses))
        draw()
    }

    /// Draws the details of the selected row, if they are beside the list, or of the nearest remaining
    /// row; returns the row.
    @discardableResult private func draw() -> RowID? {
        guard var row else { return nil }
        if placement == .side, let selected = view.selectedItem { row = selected }
        row = content.rows.nearest(to: row, content.seen) ?? row
        self.row = row
        let device = content.seen.device(of: row)?.peer.id
        let text = DetailText(
            seen: content.seen, history: content.history, charset: content.charset,
            sightings: sightings?.row == row ? sightings?.found : nil,
            answers: answers.flatMap { $0.device == device ? $0.answers : nil })
        // A departed row without history keeps its last details until another row is selected.
        guard let title = text.title(of: row) else { return nil }
        let charset = content.charset
        let lines = text.lines(of: row, until: content.now).map { $0.readable(in: charset) }
        view.pane = TextPane(
            "\(row)", title.readable(in: charset), lines, placement: placement
        ) { [weak self] in self?.closeFull() }
        return row
    }
}

extension TextPane.Line {
    fileprivate func readable(in charset: Charset) -> Self {
        guard charset == .ascii else { return self }
        var line = self
        for index in line.fields.indices {
            line.fields[index].text = line.fields[index].text.readable(in: charset)
        }
        return line
    }
}
