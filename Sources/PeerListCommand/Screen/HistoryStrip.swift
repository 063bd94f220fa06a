// Arrivals and departures in each minute of the last hour, in one line above the list.
import PeerList
import TerminalList

/// The line above the list: who came and who left in the last hour, minute by minute.
struct HistoryStrip {
    private let arrivals: [Int]
    private let departures: [Int]

    /// The hour up to a moment.
    init(_ history: ListHistory, until end: Timestamp) {
        (arrivals, departures) = history.perMinute(until: end)
    }

    /// The line.
    func lines(columns: Int, charset: Charset) -> [[ListCell.Field]] {
        let (came, left) = (arrivals.reduce(0, +), departures.reduce(0, +))
        let words = (came: "  last hour  +\(came) ", left: "  -\(left) ")
        let room = (columns - words.came.count - words.left.count - 1) / 2
        let minutes = max(0, min(arrivals.count, room))
        let greatest = max(1, (arrivals + departures).max() ?? 1)
        func bars(_ counts: [Int]) -> String {
            Sparkline.text(counts.suffix(minutes), of: greatest, charset: charset)
        }
        let muted = Style(tone: .muted)
        return [
            [
                .init(words.came, style: muted), .init(bars(arrivals), style: Style(tone: .good)),
                .init(words.left, style: muted), .init(bars(departures), style: Style(tone: .bad)),
            ]
        ]
    }
}
