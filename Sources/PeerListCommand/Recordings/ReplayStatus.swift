// The state of a replay, and its time line below the list.
import PeerList
import PeerRecording
import TerminalList

/// The state of a replay.
struct ReplayStatus: Sendable {
    /// Whether time advances, and if not, the reason.
    enum Motion: Sendable, Equatable {
        case playing, paused, waiting, atEnd
    }

    /// The recording's name.
    var name: String
    var motion: Motion
    /// The factor of the original speed; 0 for at once.
    var speed: Double
    /// The time in the recording, if there was any line.
    var time: Timestamp?
    /// The numbers of differences before this position and in total.
    var changes: (before: Int, all: Int)
    var activity: RecordingActivity
    /// Whether the whole recording is indexed.
    var isComplete: Bool
    /// Whether lines are missing here, so that the list is unknown.
    var isLost: Bool
    /// The number of damaged parts, and the first of them.
    var damage: (count: Int, first: RecordingDamage?)

    /// The warning about damage, if there is any.
    var warning: String? {
        guard let first = damage.first else { return nil }
        let more = damage.count > 1 ? " (and \(damage.count - 1) more)" : ""
        return "skipped: \(first)\(more)"
    }

    /// Returns the time line, arrivals above departures, with the position below it.
    func footer(columns: Int, charset: Charset) -> [[ListCell.Field]] {
        let counts = activity.columns(columns - 2)
        let here = time.flatMap { activity.column(of: $0, among: counts.count) }
        let greatest = counts.map { max($0.arrivals, $0.departures) }.max() ?? 0
        func line(
            _ sign: String, _ tone: Style.Tone, _ count: (RecordingActivity.Count) -> Int
        ) -> [ListCell.Field] {
            let bars = Sparkline.bars(counts.map(count), of: greatest, charset: charset)
            return [ListCell.Field(sign + " ", style: Style(tone: tone))]
                + marked(bars, at: here, Style(tone: tone))
        }
        return [
            line("+", .good) { $0.arrivals }, line("-", .bad) { $0.departures },
            ruler(counts.count, at: here, charset), [ListCell.Field(summary(charset))],
        ]
    }

    /// Returns a ruler that marks the position.
    private func ruler(_ count: Int, at position: Int?, _ charset: Charset) -> [ListCell.Field] {
        let (past, future, sign) = charset == .ascii ? ("=", "-", "#") : ("━", "─", "●")
        let muted = Style(tone: .muted)
        guard let position else {
            return [.init("  " + String(repeating: future, count: count), style: muted)]
        }
        return [
            .init("  " + String(repeating: past, count: position), style: Style(tone: .accent)),
            .init(sign, style: Style(.bold, tone: .accent)),
            .init(String(repeating: future, count: max(0, count - position - 1)), style: muted),
        ]
    }

    /// Returns the bars as one field, or as three around the position.
    private func marked(_ bars: [String], at position: Int?, _ style: Style) -> [ListCell.Field] {
        guard let position else { return [ListCell.Field(bars.joined(), style: style)] }
        return [
            ListCell.Field(bars[..<position].joined(), style: style),
            ListCell.Field(bars[position], style: Style([.reverse], tone: style.tone)),
            ListCell.Field(bars[(position + 1)...].joined(), style: style),
        ]
    }

    private func summary(_ charset: Charset) -> String {
        let all = isComplete ? "\(changes.all)" : "\(changes.all) so far"
        guard let time else { return "\(motionText(charset)) at the start  0 of \(all)" }
        return "\(motionText(charset))  \(changes.before) of \(all)  \(LocalTime(time))"
    }

    private func motionText(_ charset: Charset) -> String {
        let isPlain = charset != .unicode
        switch motion {
        case .playing: return (isPlain ? "> " : "▶ ") + speedText(charset)
        case .paused: return (isPlain ? "= " : "⏸ ") + "paused, " + speedText(charset)
        case .waiting: return (isPlain ? "> " : "▶ ") + "waiting"
        case .atEnd: return (isPlain ? "# " : "■ ") + "end"
        }
    }

    private func speedText(_ charset: Charset) -> String {
        if speed == 0 { return "at once" }
        let number = speed == speed.rounded() ? "\(Int(speed))" : "\(speed)"
        return (charset == .unicode ? "×" : "x") + number
    }
}
