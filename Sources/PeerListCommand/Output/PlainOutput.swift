// Writes the changes of the list in sentences, one line per change.
import DiffCore
import FoundationEssentials
import PeerList
import PeerRecording
import TerminalList

final class PlainOutput: ListOutput {
    private let writer: LineWriter
    private var lines: PlainLines

    init(_ writer: LineWriter, _ charset: Charset) {
        (self.writer, lines) = (writer, PlainLines(charset: charset))
    }

    var isBehind: Bool { lines.due != nil }

    func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        switch event {
        case .began(let header): lines.begin(header, at: time)
        case .fill(let fill): lines.fill = fill
        case .updated(let update): lines.update(update)
        case .noticed(let notice): lines.notice(notice)
        case .handedOver, .sighted, .tick, .reopened, .ended: break
        }
        let isLast = if case .ended = event { true } else { false }
        let text = isLast ? lines.removeAllLines() : lines.removeDueLines(at: time)
        if !text.isEmpty { writer.write(text) }
    }

    func close(within limit: Duration) async -> LineFailure? { await writer.close(within: limit) }
}

/// A line starts with the local date and time and one of the words `Already there`,
/// `Arrived`, `Changed`, `Left`, `Notice` and `Browsing`, followed by sentences that a
/// screen reader can read out. Text from the network is escaped, so that a change
/// is one line and cannot control the terminal.
///
/// An arrival is delayed by a second and includes what is learned meanwhile.
/// Later lines wait for it, so that lines are in order.
struct PlainLines {
    /// The delay of an arrival in microseconds.
    private static let delay: Int64 = 1_000_000

    private enum Pending {
        /// A line; empty instead of an arrival that continues as part of another item.
        case line(String)
        case arrival(ListItem, Timestamp)
    }

    private let charset: Charset
    private let localTime: (Timestamp) -> LocalTime
    /// The initial fill: items that it covers were already there.
    var fill = InitialFill.none
    private var queue: [Pending] = []
    /// The positions in the queue of the arrivals.
    private var arrivals: [UUID: Int] = [:]

    /// Creates no lines yet; `localTime` replaces the conversion to the system's time zone.
    init(charset: Charset, localTime: @escaping (Timestamp) -> LocalTime = { LocalTime($0) }) {
        self.charset = charset
        self.localTime = localTime
    }

    /// The time at which the first delayed arrival is due; `nil` if there is none.
    var due: Timestamp? { queue.first.flatMap(due) }

    private func due(_ pending: Pending) -> Timestamp? {
        guard case .arrival(_, let time) = pending else { return nil }
        return Timestamp(microseconds: time.microseconds + Self.delay)
    }

    mutating func begin(_ header: LineHeader, at time: Timestamp) {
        let types = header.filter.types.joined(separator: ", ")
        let wanted = types.isEmpty ? "all service types" : types
        let kinds = header.filter.kinds.map(\.title).joined(separator: " or ")
        let limit = kinds.isEmpty ? "" : ", only devices of kind \(kinds)"
        add("Browsing", "\(wanted) on \(header.observerHost)\(limit). Times are local.", time)
    }

    /// Adds lines for the items that left, arrived and changed, in this order.
    mutating func update(_ update: PeerListUpdate) {
        addDepartures(update)
        for insertion in update.difference.insertedItems {
            guard let item = update.arrivals[insertion.item] else { continue }
            if let position = arrivals[insertion.item] {
                replace(position, with: item)
            } else {
                arrivals[insertion.item] = queue.count
                queue.append(.arrival(item, update.time))
            }
        }
        for change in update.difference.reconfiguredItems {
            guard let states = update.changes[change.item] else { continue }
            if let position = arrivals[change.item] {
                replace(position, with: states.now)
            } else if let sentences = states.sentences {
                add("Changed", sentences, update.time)
            }
        }
    }

    /// Adds lines for the items that left. A delayed arrival whose item continues under another
    /// identifier becomes the arrival of that.
    private mutating func addDepartures(_ update: PeerListUpdate) {
        for deletion in update.difference.deletedItems {
            guard let (item, reason) = update.departures[deletion.item] else { continue }
            let position = arrivals.removeValue(forKey: deletion.item)
            guard reason == .identity, let position else {
                add("Left", "\(item.title). \(sentence(reason.phrase))", update.time)
                continue
            }
            // A recording does not say under which identifier an item continues.
            let services = Set(item.peer.services.map(\.id))
            let successor = update.arrivals.first { _, arrival in
                arrival.peer.services.contains { services.contains($0.id) }
            }
            if let successor {
                arrivals[successor.key] = position
            } else {
                queue[position] = .line("")
            }
        }
    }

    mutating func notice(_ notice: Notice) {
        let end = notice.message.hasSuffix(".") ? "" : "."
        add("Notice", notice.message + end, notice.time)
    }

    /// Removes and returns the lines that are not delayed at a time, as UTF-8.
    mutating func removeDueLines(at time: Timestamp) -> [UInt8] {
        removeLines(queue.firstIndex { due($0).map { time < $0 } ?? false } ?? queue.count)
    }

    mutating func removeAllLines() -> [UInt8] { removeLines(queue.count) }

    private mutating func removeLines(_ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        let lines = queue.prefix(count).map { pending in
            switch pending {
            case .line(let text): text
            case .arrival(let item, let time):
                line(
                    fill.covers(item.peer) ? "Already there" : "Arrived",
                    item.sentences(during: fill), time)
            }
        }
        queue.removeFirst(count)
        arrivals = arrivals.filter { $0.value >= count }.mapValues { $0 - count }
        return Array(lines.joined().utf8)
    }

    private mutating func replace(_ position: Int, with item: ListItem) {
        guard case .arrival(_, let time) = queue[position] else { return }
        queue[position] = .arrival(item, time)
    }

    private mutating func add(_ word: String, _ text: String, _ time: Timestamp) {
        queue.append(.line(line(word, text, time)))
    }

    private func line(_ word: String, _ text: String, _ time: Timestamp) -> String {
        let local = localTime(time)
        return SafeText.logText("\(local.day) \(local.clock) \(word): \(text)", charset: charset)
            + "\n"
    }
}
