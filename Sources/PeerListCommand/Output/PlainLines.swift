// What happens to the list, in words: one line a change.
import DiffCore
import FoundationEssentials
import PeerList
import PeerRecording
import TerminalList

/// Puts what happens to the list into sentences.
///
/// A line begins with the local day and time and one of the words `Arrived`,
/// `Changed`, `Left`, `Notice` and `Browsing`, with a colon; what follows are
/// sentences, which a screen reader can read out. What came over the network is
/// made safe to show, so that a line is one line and steers no terminal.
///
/// An arrival is held back for a second: what is learned meanwhile belongs to its
/// line. So that lines stay in order, those after it wait for it.
struct PlainLines {
    /// How long an arrival is held back, in microseconds.
    private static let patience: Int64 = 1_000_000

    /// A line that was not handed out yet.
    private enum Waiting {
        case line(String)
        case arrival(ListItem, Timestamp)
        /// The place of an item that goes on as part of another one.
        case nothing
    }

    private let charset: Charset
    private let localTime: (Timestamp) -> LocalTime
    private var queue: [Waiting] = []
    /// The positions in the queue of the arrivals.
    private var arrivals: [UUID: Int] = [:]

    /// Lines in the characters that may be sent, by the clock of this machine unless another is given.
    init(charset: Charset, localTime: @escaping (Timestamp) -> LocalTime = { LocalTime($0) }) {
        self.charset = charset
        self.localTime = localTime
    }

    /// When the first arrival that is held back is due; `nil` if there is none.
    var due: Timestamp? {
        guard case .arrival(_, let time)? = queue.first else { return nil }
        return Timestamp(microseconds: time.microseconds + Self.patience)
    }

    /// Adds the first line: what is browsed, from where, and by which clock.
    mutating func begin(_ header: LineHeader, at time: Timestamp) {
        let types = header.filter.types.joined(separator: ", ")
        let wanted = types.isEmpty ? "all service types" : types
        add("Browsing", "\(wanted) on \(header.observerHost). Times are local.", time)
    }

    /// Adds a line for each item that left, came or changed, in this order.
    mutating func update(_ update: PeerListUpdate) {
        var inherited: [UUID: Int] = [:]
        for deletion in update.difference.deletedItems {
            guard let (item, reason) = update.departures[deletion.item] else { continue }
            let position = arrivals.removeValue(forKey: deletion.item)
            guard reason == .identity, let position else {
                add("Left", "\(item.title). \(reason.inSentence)", update.time)
                continue
            }
            // A recording does not say which item the deleted one has become.
            let services = item.serviceIDs
            let successor = update.arrivals.first { !services.isDisjoint(with: $1.serviceIDs) }
            if let successor {
                inherited[successor.key] = position
            } else {
                queue[position] = .nothing
            }
        }
        for insertion in update.difference.insertedItems {
            guard let item = update.arrivals[insertion.item] else { continue }
            if let position = inherited[insertion.item] {
                replace(position, with: item)
                arrivals[insertion.item] = position
            } else {
                arrivals[insertion.item] = queue.count
                queue.append(.arrival(item, update.time))
            }
        }
        for change in update.difference.reconfiguredItems {
            guard let states = update.changes[change.item] else { continue }
            if let position = arrivals[change.item] {
                replace(position, with: states.now)
                continue
            }
            let differences = states.inSentences
            guard !differences.isEmpty else { continue }
            let sentences = ["\(states.was.title)."] + differences
            add("Changed", sentences.joined(separator: " "), update.time)
        }
    }

    /// Adds the line of a notice.
    mutating func notice(_ notice: Notice) {
        let end = notice.message.hasSuffix(".") ? "" : "."
        add("Notice", notice.message + end, notice.time)
    }

    /// Hands out the lines that wait for nothing at a time.
    mutating func lines(at time: Timestamp) -> [String] {
        let count = queue.firstIndex { waiting in
            guard case .arrival(_, let arrival) = waiting else { return false }
            return time.microseconds < arrival.microseconds + Self.patience
        }
        return take(count ?? queue.count)
    }

    /// Hands out all lines.
    mutating func remainingLines() -> [String] { take(queue.count) }

    private mutating func take(_ count: Int) -> [String] {
        guard count > 0 else { return [] }
        let lines = queue.prefix(count).compactMap { waiting -> String? in
            switch waiting {
            case .nothing: return nil
            case .line(let text): return text
            case .arrival(let item, let time):
                let sentences = ["\(item.title)."] + item.sentences
                return line("Arrived", sentences.joined(separator: " "), time)
            }
        }
        queue.removeFirst(count)
        arrivals = arrivals.filter { $0.value >= count }.mapValues { $0 - count }
        return lines
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
    }
}

extension ListItem {
    /// What to call the item: its name, and in brackets its host.
    var title: String {
        let owner = peer.isResolved ? " on \(peer.name)" : ""
        return (service.map { $0.inWords + owner } ?? peer.name)
            + bracketed(peer.host, isSelf: peer.isSelf)
    }

    /// What there is to say of an item that arrives.
    func summary(_ charset: Charset) -> String {
        let described = describe(peer.addresses, peer.presence)
        if let service {
            let port = service.port.map { ["port \($0)"] } ?? []
            return (port + described).joined(separator: "; ")
        }
        let services = peer.services.isEmpty ? [] : ["offers \(peer.services.inShort(charset))"]
        return (described + services).joined(separator: "; ")
    }

    /// What there is to say of an item that arrives, in sentences.
    var sentences: [String] {
        let spoken = spoken(peer.addresses, peer.presence)
        if let service {
            return (service.port.map { ["It is on port \($0)."] } ?? []) + spoken
        }
        return spoken + (peer.services.isEmpty ? [] : ["It offers \(offered(peer.services))."])
    }

    private func spoken(_ addresses: [String], _ presence: Presence) -> [String] {
        let noun = addresses.count == 1 ? "address is" : "addresses are"
        let known = addresses.isEmpty ? [] : ["Its \(noun) \(listed(addresses))."]
        let said = presence.inSpeech
        return known
            + (presence == .present ? [] : [said.prefix(1).uppercased() + said.dropFirst() + "."])
    }

    /// The types, each once; of very many the first ones.
    private func offered(_ services: [Service]) -> String {
        var counts: [(name: Substring, count: Int)] = []
        for service in services {
            let name = service.type.drop { $0 == "_" }.prefix { $0 != "." }
            if let last = counts.indices.last, counts[last].name == name {
                counts[last].count += 1
            } else {
                counts.append((name, 1))
            }
        }
        let shown = counts.prefix(12).map { name, count in
            count == 1 ? String(name) : "\(name) (\(count) of them)"
        }
        let rest = counts.count - shown.count
        return listed(shown + (rest > 0 ? ["\(rest) more types"] : []))
    }

    private func listed(_ texts: [String]) -> String {
        guard texts.count > 1, let last = texts.last else { return texts.joined() }
        return texts.dropLast().joined(separator: ", ") + " and " + last
    }

    private func describe(_ addresses: [String], _ presence: Presence) -> [String] {
        (addresses.isEmpty ? [] : [addresses.joined(separator: " ")])
            + (presence == .present ? [] : [presence.inWords])
    }

    private func bracketed(_ host: String?, isSelf: Bool) -> String {
        let parts = (host.map { [$0] } ?? []) + (isSelf ? ["this machine"] : [])
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }
}

extension ListItem {
    /// The identifiers of the services.
    fileprivate var serviceIDs: Set<UUID> { Set(peer.services.map(\.id)) }
}

extension PeerListUpdate.Departure {
    fileprivate var inSentence: String {
        switch self {
        case .removed: "It said goodbye, or its announcement expired."
        case .identity: "It continues under another identifier."
        case .backend: "It was not found again after the backend's return."
        }
    }
}
