// Writes the changes of the list in sentences, one line per change.
import DiffCore
import FoundationEssentials
package import PeerList
package import PeerRecording
package import PeerText
package import TerminalList

package final class PlainOutput: ListOutput {
    private let writer: LineWriter
    private let reportsNotices: Bool
    private var lines: PlainLines

    package init(_ writer: LineWriter, _ charset: Charset, reportsNotices: Bool = true) {
        (self.writer, lines) = (writer, PlainLines(charset: charset))
        self.reportsNotices = reportsNotices
    }

    package var isGrouped: Bool { true }
    package var isBehind: Bool { lines.due != nil }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        switch event {
        case .began(let header): lines.begin(header, at: time)
        case .fill(let fill): lines.fill = fill
        case .updated(let update): lines.update(update)
        case .noticed(let notice): if reportsNotices { lines.notice(notice) }
        case .handedOver, .sighted, .observers, .tick, .reopened, .ended: break
        }
        let isLast = if case .ended = event { true } else { false }
        let text = isLast ? lines.removeAllLines() : lines.removeDueLines(at: time)
        if !text.isEmpty { writer.write(text) }
    }

    package func close(within limit: Duration) async -> LineFailure? {
        await writer.close(within: limit)
    }
}

/// A line starts with the local date and time and one of the words `Already there`,
/// `Arrived`, `Changed`, `Left`, `Notice` and `Browsing`, followed by sentences that a
/// screen reader can read out. Text from the network is escaped, so that a change
/// is one line and cannot control the terminal.
///
/// An arrival is delayed by a second and includes what is learned meanwhile.
/// Later lines wait for it, so that lines are in order.
package struct PlainLines {
    /// The delay of an arrival in microseconds.
    private static let delay: Int64 = 1_000_000

    private let charset: Charset
    private let localTime: (Timestamp) -> LocalTime
    /// The initial fill: items that it covers were already there.
    var fill = InitialFill.none
    /// Arrivals, and the lines between them.
    private var queue = SettlingQueue<String> { _ in Self.delay }

    /// Creates no lines yet; `localTime` replaces the conversion to the system's time zone.
    package init(
        charset: Charset, localTime: @escaping (Timestamp) -> LocalTime = { LocalTime($0) }
    ) {
        self.charset = charset
        self.localTime = localTime
    }

    /// The time at which the first delayed arrival is due; `nil` if there is none.
    package var due: Timestamp? { queue.due }

    package mutating func begin(_ header: LineHeader, at time: Timestamp) {
        let types = header.filter.types.joined(separator: ", ")
        let wanted = types.isEmpty ? "all service types" : types
        let kinds = header.filter.kinds.map(\.title).joined(separator: " or ")
        let limit = kinds.isEmpty ? "" : ", only devices of kind \(kinds)"
        let place =
            header.isFleet
            ? "of the observers of a fleet" : "on \(header.observerHost)"
        add("Browsing", "\(wanted) \(place)\(limit). Times are local.", time)
    }

    /// Adds lines for the items that left, arrived and changed, in this order.
    package mutating func update(_ update: PeerListUpdate) {
        let items = update.items
        for deletion in update.difference.deletedItems {
            guard let (item, reason) = items.departures[deletion.item],
                !queue.delete(deletion.item, reason, in: items)
            else { continue }
            add("Left", "\(item.title). \(sentence(reason.phrase))", items.time)
        }
        for insertion in update.difference.insertedItems {
            guard let item = items.arrivals[insertion.item] else { continue }
            queue.append(arrival: item, at: items.time)
        }
        for change in update.difference.reconfiguredItems {
            guard let states = items.changes[change.item], !queue.update(states.now) else {
                continue
            }
            if let sentences = states.sentences { add("Changed", sentences, items.time) }
        }
    }

    package mutating func notice(_ notice: Notice) {
        let end = notice.message.hasSuffix(".") ? "" : "."
        add("Notice", notice.message + end, notice.time)
    }

    /// Removes and returns the lines that are not delayed at a time, as UTF-8.
    package mutating func removeDueLines(at time: Timestamp) -> [UInt8] {
        text(queue.removeDue(at: time))
    }

    package mutating func removeAllLines() -> [UInt8] { text(queue.removeAll()) }

    private func text(_ elements: [SettlingQueue<String>.Element]) -> [UInt8] {
        let lines = elements.map { element in
            switch element {
            case .other(let line): line
            case .arrival(let item, let time):
                line(
                    fill.covers(item.peer) ? "Already there" : "Arrived",
                    item.sentences(during: fill), time)
            }
        }
        return Array(lines.joined().utf8)
    }

    private mutating func add(_ word: String, _ text: String, _ time: Timestamp) {
        queue.append(line(word, text, time))
    }

    private func line(_ word: String, _ text: String, _ time: Timestamp) -> String {
        let local = localTime(time)
        return SafeText.logText("\(local.day) \(local.clock) \(word): \(text)", charset: charset)
            + "\n"
    }
}
