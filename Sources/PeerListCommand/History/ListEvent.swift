// Formats the latest events of the list in the line below it.
import PeerList
import TerminalList

/// An arrival, a departure or a missing answer, for the line below the list.
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
    private func text(_ charset: Charset, nameWidth: Int) -> String {
        let name = SafeText(name, charset: charset, upTo: nameWidth).cut(to: nameWidth).text
        let names = more == 0 ? name : "\(name) and \(more) more"
        return switch kind {
        case .arrived: "\(names) arrived"
        case .left: "\(names) left"
        case .silent: more == 0 ? "\(names) does not answer" : "\(names) do not answer"
        }
    }

    private var tone: Style.Tone {
        switch kind {
        case .arrived: .good
        case .left: .bad
        case .silent: .caution
        }
    }

    /// Returns as many events as fit into the line, the latest first, and the key that shows departed
    /// peers.
    static func line(
        _ events: [ListEvent], columns: Int, departedKey: String?, charset: Charset
    ) -> [ListCell.Field] {
        let muted = Style(tone: .muted)
        var advice = departedKey.map { "   \($0) shows departed" } ?? ""
        var room = columns - 2
        var fields: [ListCell.Field] = [.init("  ")]
        for event in events.reversed() {
            let isFirst = fields.count == 1
            let time = (isFirst ? "" : "   ") + LocalTime(event.time).clock.prefix(5) + " "
            let text = event.text(charset, nameWidth: max(8, min(30, columns / 3)))
            room -= SafeText(time + text, charset: charset).width
            if isFirst {
                // The key has priority over a second event.
                if room < advice.count { advice = "" }
                room -= advice.count
            } else if room < 0 {
                break
            }
            fields += [.init(time, style: muted), .init(text, style: Style(tone: event.tone))]
        }
        return fields + [.init(advice, style: muted)]
    }
}
