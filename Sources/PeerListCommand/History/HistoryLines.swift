// Formats the history of the list: arrivals and departures by minute, and the latest events.
import PeerList
import TerminalList

/// Items that arrived, left or stopped answering at the same time.
struct ListEvent: Sendable, Equatable {
    /// The kinds of events.
    enum Kind: Sendable { case arrived, left, silent }

    let time: Timestamp
    let kind: Kind
    /// The name of one affected item.
    let name: String
    /// The number of other affected items.
    let more: Int

    /// Returns the text of the event: `nas left`, `nas and 2 more left`.
    fileprivate func field(_ charset: Charset, nameWidth: Int) -> ListCell.Field {
        let name = SafeText(name, charset: charset, upTo: nameWidth).cut(to: nameWidth).text
        let names = more == 0 ? name : "\(name) and \(more) more"
        return switch kind {
        case .arrived: .init("\(names) arrived", style: Style(tone: .good))
        case .left: .init("\(names) left", style: Style(tone: .bad))
        case .silent:
            .init(
                "\(names) \(more == 0 ? "does" : "do") not answer", style: Style(tone: .caution))
        }
    }
}

extension ListHistory {
    /// Returns the line with the arrivals and departures of each minute of the hour before a time; in a
    /// narrow window it has fewer minutes.
    func activityLine(
        until end: Timestamp, columns: Int, charset: Charset
    ) -> [ListCell.Field] {
        let (arrivals, departures) = perMinute(until: end)
        let arrived = "  last hour  +\(arrivals.reduce(0, +)) "
        let departed = "  -\(departures.reduce(0, +)) "
        let room = (columns - arrived.count - departed.count - 1) / 2
        let greatest = max(1, (arrivals + departures).max() ?? 1)
        func bars(_ counts: [Int], _ tone: Style.Tone) -> ListCell.Field {
            .init(
                Sparkline.text(counts.suffix(max(0, room)), of: greatest, charset: charset),
                style: Style(tone: tone))
        }
        return [
            .init(arrived, style: .muted), bars(arrivals, .good),
            .init(departed, style: .muted), bars(departures, .bad),
        ]
    }

    /// Returns as many events as fit into a line, the latest first, and the key that shows departed
    /// peers.
    func eventLine(
        columns: Int, departedKey: String?, charset: Charset
    ) -> [ListCell.Field] {
        var advice = departedKey.map { "   \($0) shows departed" } ?? ""
        var room = columns - 2
        var fields: [ListCell.Field] = ["  "]
        for event in events.reversed() {
            let isFirst = fields.count == 1
            let time = (isFirst ? "" : "   ") + LocalTime(event.time).clock.prefix(5) + " "
            let field = event.field(charset, nameWidth: max(8, min(30, columns / 3)))
            room -= SafeText(time + field.text, charset: charset).width
            if isFirst {
                // The key has priority over a second event.
                if room < advice.count { advice = "" }
                room -= advice.count
            } else if room < 0 {
                break
            }
            fields += [.init(time, style: .muted), field]
        }
        return fields + [.init(advice, style: .muted)]
    }
}
