// The line below the list that tells what happened, in the width there is.
import PeerModel
import PeerText
import TerminalList

extension ListHistory {
    /// The time within which events of a kind are told as one, and the most that they span, in microseconds.
    private static let (moment, span) = (Int64(3_000_000), Int64(10_000_000))
    /// The maximum number of events to read, and of groups: a line has no room for more.
    private static let (readLimit, groupLimit) = (1_000, 16)

    /// Returns as many events as fit into a line, the latest first, and the key that shows or hides departed
    /// peers.
    func eventLine(
        columns: Int, departedKey: String?, hidesDeparted: Bool = false, charset: Charset
    ) -> [ListCell.Field] {
        let verb = hidesDeparted ? "hides" : "shows"
        var advice = departedKey.map { "   \($0) \(verb) departed" } ?? ""
        var room = columns - 2
        var fields: [ListCell.Field] = ["  "]
        for event in latestGroups {
            let isFirst = fields.count == 1
            let time = (isFirst ? "" : "   ") + LocalTime(event.time).clock.prefix(5) + " "
            // The key has priority over a second event, and the latest event over the key.
            let rest = room - time.count
            var text = event.text(fitting: rest - (isFirst ? advice.count : 0), charset)
            if isFirst, text == nil {
                text = event.text(fitting: rest, charset) ?? event.text(cutTo: rest, charset)
                advice = ""
            }
            guard let text else { break }
            if isFirst { room -= advice.count }
            room -= time.count + text.width
            fields += [
                .init(time, style: .muted), .init(text.text, style: Style(tone: event.kind.tone)),
            ]
        }
        return fields + [.init(advice, style: .muted)]
    }

    /// The latest events, those of a kind within a moment as one, the latest first.
    private var latestGroups: [ListEvent] {
        var groups: [(event: ListEvent, start: Timestamp)] = []
        for event in events.suffix(Self.readLimit).reversed() {
            if let index = groups.lastIndex(where: { $0.event.kind == event.kind }),
                event.kind != .source, groups[index].start <= event.time.advanced(by: Self.moment),
                groups[index].event.time <= event.time.advanced(by: Self.span)
            {
                groups[index].event.add(event)
                groups[index].start = event.time
            } else if groups.count < Self.groupLimit {
                groups.append((event, event.time))
            } else {
                break
            }
        }
        return groups.map(\.event)
    }
}

extension ListEvent {
    /// The minimum width to which a name is cut.
    private static let leastNameWidth = 8

    /// Returns the names and what happened if they fit, or else how many devices there are; `nil` if
    /// that does not fit either.
    fileprivate func text(fitting room: Int, _ charset: Charset) -> SafeText? {
        let all = names.count == count ? ["\(listed(names))\(words)"] : []
        return (all + (count > 1 ? ["\(count)\(words)"] : [])).lazy.map { text in
            SafeText(text, charset: charset, upTo: max(0, room) + 1)
        }.first { $0.width <= room }
    }

    /// Returns the text with its name cut, and cut itself if there is no room for that.
    fileprivate func text(cutTo room: Int, _ charset: Charset) -> SafeText {
        let words = words
        let width = max(Self.leastNameWidth, room - words.count)
        let subject = count == 1 ? names[0] : "\(count)"
        let name = SafeText(subject, charset: charset, upTo: width).cut(to: width).text
        return SafeText(name + words, charset: charset, upTo: max(0, room)).cut(to: max(0, room))
    }

    /// The words that follow the names.
    private var words: String {
        if let phrase { return " " + phrase }
        let isOne = count == 1
        return switch kind {
        case .left: " left"
        case .silent: isOne ? " does not answer" : " do not answer"
        case .answers: isOne ? " answers again" : " answer again"
        case .isNew: isOne ? " was never seen before" : " were never seen before"
        case .isBack: isOne ? " is back" : " are back"
        case .arrived: " arrived"
        case .source: ""
        }
    }
}

extension ListEvent.Kind {
    fileprivate var tone: Style.Tone {
        switch self {
        case .left: .bad
        case .silent, .source: .caution
        case .answers, .isNew, .isBack, .arrived: .good
        }
    }
}
