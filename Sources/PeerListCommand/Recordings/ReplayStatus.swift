// How far a replay is, and how that looks below the list.
import PeerList
import PeerRecording
import TerminalList

/// How far a replay is.
struct ReplayStatus: Sendable {
    /// Whether it goes on by itself.
    enum Motion: Sendable, Equatable {
        case playing, paused, waiting, atEnd
    }

    /// The recording's name.
    var name: String
    var motion: Motion
    /// How many times as fast as it was; 0: at once.
    var speed: Double
    /// The time in the recording, if there was any line.
    var time: Timestamp?
    /// How many differences lie before, and how many there are.
    var changes: (before: Int, all: Int)
    var activity: RecordingActivity
    /// Whether all was read that there is.
    var isComplete: Bool
    /// Whether lines are missing here, so that the list is not known.
    var isLost: Bool
    /// What could not be used: how many places, and the first of them.
    var damage: (count: Int, first: RecordingDamage?)

    /// What is wrong with the recording.
    var warning: String? {
        guard let first = damage.first else { return nil }
        let more = damage.count > 1 ? " (and \(damage.count - 1) more)" : ""
        return "skipped: \(first)\(more)"
    }

    /// The time line, arrivals above departures, and below it where we are.
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
            ruler(counts.count, at: here, charset), [ListCell.Field(inWords(charset))],
        ]
    }

    /// A line with a sign at the place where we are.
    private func ruler(_ count: Int, at place: Int?, _ charset: Charset) -> [ListCell.Field] {
        let (past, future, sign) = charset == .ascii ? ("=", "-", "#") : ("━", "─", "●")
        let muted = Style(tone: .muted)
        guard let place else {
            return [.init("  " + String(repeating: future, count: count), style: muted)]
        }
        return [
            .init("  " + String(repeating: past, count: place), style: Style(tone: .accent)),
            .init(sign, style: Style(.bold, tone: .accent)),
            .init(String(repeating: future, count: max(0, count - place - 1)), style: muted),
        ]
    }

    /// The bars in one piece, or in three where one of them is where we are.
    private func marked(_ bars: [String], at place: Int?, _ style: Style) -> [ListCell.Field] {
        guard let place else { return [ListCell.Field(bars.joined(), style: style)] }
        return [
            ListCell.Field(bars[..<place].joined(), style: style),
            ListCell.Field(bars[place], style: Style([.reverse], tone: style.tone)),
            ListCell.Field(bars[(place + 1)...].joined(), style: style),
        ]
    }

    private func inWords(_ charset: Charset) -> String {
        let all = isComplete ? "\(changes.all)" : "\(changes.all) so far"
        guard let time else { return "\(motionInWords(charset)) at the start  0 of \(all)" }
        return "\(motionInWords(charset))  \(changes.before) of \(all)  \(LocalTime(time))"
    }

    private func motionInWords(_ charset: Charset) -> String {
        let isPlain = charset != .unicode
        switch motion {
        case .playing: return (isPlain ? "> " : "▶ ") + speedInWords(charset)
        case .paused: return (isPlain ? "= " : "⏸ ") + "paused, " + speedInWords(charset)
        case .waiting: return (isPlain ? "> " : "▶ ") + "waiting"
        case .atEnd: return (isPlain ? "# " : "■ ") + "end"
        }
    }

    private func speedInWords(_ charset: Charset) -> String {
        if speed == 0 { return "at once" }
        let number = speed == speed.rounded() ? "\(Int(speed))" : "\(speed)"
        return (charset == .unicode ? "×" : "x") + number
    }
}
