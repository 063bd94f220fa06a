// What is shown: who is seen, what has happened, what is chosen, and the rows made of these.
import DiffCore
import FoundationEssentials
import PeerList
import TerminalList

/// What the rows are made from; apart from the screen because cells are asked for while it draws.
final class RowContent {
    /// What the session's list holds.
    private(set) var seen: DeviceIndex
    /// What has happened to it.
    private(set) var history: ListHistory
    /// What the keys have chosen.
    var choices = RowChoices()
    /// The rows as of the last ``refresh()``.
    private(set) var rows: RowList
    /// Which characters can be shown.
    let charset: Charset
    /// The clock by which the last hour is meant; `nil` for the wall clock's.
    var clock: Timestamp?

    /// Nothing at all.
    init(charset: Charset) {
        self.charset = charset
        history = ListHistory(charset: charset)
        var seen = DeviceIndex()
        rows = RowList(&seen, choices)
        self.seen = seen
    }

    /// The moment that the list is shown at.
    var now: Timestamp { clock ?? .now() }

    /// Takes a difference of the session in.
    func take(_ update: PeerListUpdate, isJump: Bool) {
        history.record(update, isJump: isJump)
        seen.apply(update)
    }

    /// Whether the row of a deleted item still belongs to what is chosen: what is searched for, and
    /// of a type that is not switched off.
    func keepsDeparted(_ row: RowID) -> Bool {
        guard let id = row.device ?? row.service else { return true }
        return history.departed(id).map(RowFilter(choices).includes) ?? !choices.hidesSome
    }

    /// Whether what a row stands for is known all the same when the row goes.
    func isSeen(_ row: RowID) -> Bool {
        switch row {
        case .device(let id): seen.devices[id] != nil
        case .service, .listing: seen.service(of: row) != nil
        case .departed: true
        }
    }

    /// Makes the rows anew.
    func refresh() {
        let departed = choices.showsDeparted ? history.departed : []
        rows = RowList(&seen, choices, departed: departed)
    }

    /// The columns in the view's order.
    var columns: [ListColumn] {
        RowColumn.all(of: choices.grouping).map { $0.layout(choices, charset: charset) }
    }
}
