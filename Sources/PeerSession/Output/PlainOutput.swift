// Writes the changes of the list in sentences, one line per change.
import FoundationEssentials
package import PeerHappenings
package import PeerModel
package import PeerRecording
package import PeerText
package import TerminalText

package final class PlainOutput: ListOutput {
    private let writer: LineWriter
    private let reportsNotices: Bool
    private var lines: PlainLines

    package init(_ writer: LineWriter, _ charset: Charset, reportsNotices: Bool = true) {
        (self.writer, lines) = (writer, PlainLines(charset: charset))
        self.reportsNotices = reportsNotices
    }

    package var isGrouped: Bool { true }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        switch event {
        case .began(let header): lines.begin(header, at: time)
        case .happened(let events): for event in events { lines.add(event) }
        case .noticed(let notice): if reportsNotices { lines.add(notice) }
        case .lost, .fill, .updated, .handedOver, .sighted, .sources, .answered, .tick, .reopened,
            .ended:
            break
        }
        let text = lines.removeAll()
        if !text.isEmpty { writer.write(text) }
    }

    package func close(within limit: Duration) async -> LineFailure? {
        await writer.close(within: limit)
    }
}

/// A line starts with the local date and time and one of the words `Already there`, `Arrived`, `Changed`,
/// `Left`, `Silent`, `Answers`, `Notice` and `Browsing`, followed by sentences that a screen reader can read
/// out. Text from the network is escaped, so that an event is one line and cannot control the terminal.
package struct PlainLines {
    private let charset: Charset
    private let localTime: (Timestamp) -> LocalTime
    private var text: [UInt8] = []

    /// Creates no lines yet; `localTime` replaces the conversion to the system's time zone.
    package init(
        charset: Charset, localTime: @escaping (Timestamp) -> LocalTime = { LocalTime($0) }
    ) {
        self.charset = charset
        self.localTime = localTime
    }

    package mutating func begin(_ header: LineHeader, at time: Timestamp) {
        let types = header.filter.types.joined(separator: ", ")
        let wanted = types.isEmpty ? "all service types" : types
        let kinds = header.filter.kinds.map(\.title).joined(separator: " or ")
        let limit = kinds.isEmpty ? "" : ", only devices of kind \(kinds)"
        let rules = header.filter.vouched.map(\.rawValue).joined(separator: " or ")
        let vouched = rules.isEmpty ? "" : ", only vouched for by \(rules)"
        let place =
            header.isFleet
            ? "of the observers of a fleet" : "on \(header.observerHost)"
        add("Browsing", "\(wanted) \(place)\(limit)\(vouched). Times are local.", time)
    }

    package mutating func add(_ happening: Happening) {
        switch happening {
        case .item(let event): add(event.word, event.sentences, event.time)
        case .source(let event):
            if let text = event.sentence { add("Notice", text + ".", event.time) }
        }
    }

    package mutating func add(_ notice: Notice) {
        let end = notice.message.hasSuffix(".") ? "" : "."
        add("Notice", notice.message + end, notice.time)
    }

    /// Removes and returns the lines, as UTF-8.
    package mutating func removeAll() -> [UInt8] {
        defer { text = [] }
        return text
    }

    private mutating func add(_ word: String, _ text: String, _ time: Timestamp) {
        let local = localTime(time)
        let line = "\(local.day) \(local.clock) \(word): \(text)"
        self.text += Array((SafeText.logText(line, charset: charset) + "\n").utf8)
    }
}
