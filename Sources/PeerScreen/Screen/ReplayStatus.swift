// The state of a replay, and its time line below the list.
import PeerModel
import PeerRecording
import PeerText
import TerminalList

package struct ReplayStatus: Sendable {
    /// Whether time advances, and if not, the reason.
    enum Motion: Sendable, Equatable {
        case playing, paused, waiting, atEnd
    }

    /// The name of the recording's file.
    var name: String
    var motion: Motion
    /// The factor of the original speed; 0 for at once.
    var speed: Double
    var time: Timestamp?
    /// The numbers of differences before this position and in total.
    var changes: (before: Int, all: Int)
    var activity: RecordingActivity
    var isComplete: Bool
    /// The part of the file that was read so far, if that is known.
    var readPart: Double?
    /// Whether lines are missing here, so that the list is unknown.
    var isLost: Bool
    /// The number of damaged parts, and the first of them.
    var damage: (count: Int, first: RecordingDamage?)

    /// Whether the key for a pause plays.
    var isStopped: Bool { motion == .paused || motion == .atEnd }

    /// The section of the keys in the help.
    static let keySection = "Playing"

    /// Returns keys of a replay with a hint of what the key for a pause does now.
    func hinting(_ keys: KeyTable) -> KeyTable {
        KeyTable(
            keys.bindings.map { binding in
                var binding = binding
                if binding.section == Self.keySection, binding.keys.contains(.character(" ")) {
                    binding.hint = isStopped ? "play" : "pause"
                }
                return binding
            })
    }

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
            let style = Style(tone: tone)
            let bars = Sparkline.bars(counts.map(count), of: greatest, charset: charset)
            return [.init(sign + " ", style: style)]
                + fields(bars, at: here, (style, Style([.reverse], tone: tone), style))
        }
        let (past, future, sign) = charset == .ascii ? ("=", "-", "#") : ("━", "─", "●")
        let ruler = counts.indices.map { index in
            here.map { index < $0 ? past : index == $0 ? sign : future } ?? future
        }
        let styles = (Style(tone: .accent), Style(.bold, tone: .accent), Style.muted)
        return [
            line("+", .good) { $0.arrivals }, line("-", .bad) { $0.departures },
            ["  "] + fields(ruler, at: here, styles), [.init(summary(charset))],
        ]
    }

    /// Returns the columns before, at and after a position; without one, all are after it.
    private func fields(
        _ columns: [String], at position: Int?, _ styles: (Style, Style, Style)
    ) -> [ListCell.Field] {
        guard let position else { return [.init(columns.joined(), style: styles.2)] }
        return [
            .init(columns[..<position].joined(), style: styles.0),
            .init(columns[position], style: styles.1),
            .init(columns[(position + 1)...].joined(), style: styles.2),
        ]
    }

    private func summary(_ charset: Charset) -> String {
        let isPlain = charset == .ascii
        let number = speed == speed.rounded() ? "\(Int(speed))" : "\(speed)"
        let pace = speed == 0 ? "at once" : (isPlain ? "x" : "×") + number
        let state =
            switch motion {
            case .playing: (isPlain ? "> " : "▶ ") + pace
            case .paused: (charset == .unicode ? "⏸ " : "= ") + "paused, " + pace
            case .waiting: (isPlain ? "> " : "▶ ") + "waiting"
            case .atEnd: (isPlain ? "# " : "■ ") + "end"
            }
        let part = readPart.map { ", \(Int($0 * 100)) % read" } ?? ""
        let all = isComplete ? "\(changes.all)" : "\(changes.all) so far\(part)"
        guard let time else { return "\(state) at the start  0 of \(all)" }
        return "\(state)  \(changes.before) of \(all)  \(LocalTime(time))"
    }
}
