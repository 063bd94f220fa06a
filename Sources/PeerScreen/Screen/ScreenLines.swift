// Keeps the lines above and below the rows, and the time at which they are out of date.
import DiffCore
import PeerModel
import PeerRecording
import TerminalList

/// The lines above and below the rows, and the message of an empty list.
struct ScreenLines {
    var header = ScreenHeader()
    /// The state of a replay; `nil` for another list.
    var replay: ReplayStatus? {
        didSet {
            if let replay { header.recording = (replay.name, replay.warning, replay.isLost) }
        }
    }
    /// Returns the interfaces on which is listened, all or the one of a name, with their addresses;
    /// `nil` if unknown, as in a recording.
    private let network: (_ interface: String?) -> String?
    private var start: ContinuousClock.Instant?
    /// The time at which the lines are out of date; `nil` before the first frame, and for a replay.
    private(set) var due: ContinuousClock.Instant?

    init(network: @escaping (_ interface: String?) -> String?) { self.network = network }

    /// Updates the lines in a view.
    mutating func update(
        _ view: TerminalListView<String, RowID>, _ content: RowContent, _ picker: Picker?,
        size: FrameSize, at now: ContinuousClock.Instant
    ) {
        if due.map({ now >= $0 }) ?? true {
            header.network = network(header.run?.filter.interface)
        }
        let start = self.start ?? now
        self.start = start
        let (counts, choices, history) = (content.rows.counts, content.choices, content.history)
        let isEmpty = content.rows.snapshot.numberOfItems == 0
        let departedKey = view.keys.bindings
            .first { $0.name == ListKeys.Name.departed.rawValue }?.keys.first?
            .label(charset: content.charset)
        // What happened, and the key for departed devices if there are any.
        var eventLine: [ListCell.Field] {
            history.eventLine(
                columns: size.columns, departedKey: history.hasDeparted ? departedKey : nil,
                hidesDeparted: choices.showsDeparted, charset: content.charset)
        }
        view.header = header.lines(counts, choices, content.charset)
        view.emptyMessage = header.emptyMessage(
            counts, choices,
            departed: isEmpty && picker == nil ? history.departedSummary(key: departedKey) : nil,
            waited: now - start)
        if let replay {
            view.strip = []
            view.footer =
                [eventLine] + replay.footer(columns: size.columns, charset: content.charset)
            due = nil
            return
        }
        let time = content.now
        if let picker {
            view.footer = [picker.footer(columns: size.columns)]
        } else if history.latestTime != nil {
            view.strip =
                history.hasEvents
                ? [
                    history.activityLine(
                        until: time, columns: size.columns, charset: content.charset)
                ] : []
            view.footer = (content.showsMatrix ? [content.matrixLegend] : []) + [eventLine]
        }
        // The message of an empty list counts seconds; the strip has a column for each minute.
        let rest = isEmpty ? 1_000_000 : 60_000_000 - time.microseconds % 60_000_000
        let next = now + .microseconds(rest)
        due = due.flatMap { $0 > now && $0 < next ? $0 : nil } ?? next
    }
}
