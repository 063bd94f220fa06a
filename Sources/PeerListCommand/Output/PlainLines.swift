// What happens to the list, in words: one line a change.
import DiffCore
import PeerList
import TerminalList

/// Puts what happens to the list into words.
///
/// A line begins with the local time and one of the words `arrived`, `changed`,
/// `left`, `notice`, `looking` and `day`. What came over the network is made
/// safe to show, so that a line is one line and steers no terminal.
struct PlainLines {
    private let charset: Charset
    private let localTime: (Timestamp) -> LocalTime
    private var day = ""

    /// Lines in the characters that may be sent, by the clock of this machine unless another is given.
    init(charset: Charset, localTime: @escaping (Timestamp) -> LocalTime = { LocalTime($0) }) {
        self.charset = charset
        self.localTime = localTime
    }

    /// The first line: who looks, since when, and by which clock.
    mutating func begin(_ header: LineHeader, at time: Timestamp) -> [String] {
        day = localTime(time).day
        let types = header.filter.types.joined(separator: ", ")
        let wanted = types.isEmpty ? "" : " for \(types)"
        return [
            line(
                "looking", "from \(header.observerHost)\(wanted) since \(day); times are local",
                time)
        ]
    }

    /// One line for each item that left, came or changed, in this order.
    mutating func update(_ update: PeerListUpdate) -> [String] {
        var lines = dayLine(update.time)
        for deletion in update.difference.deletedItems {
            guard let (item, reason) = update.departures[deletion.item] else { continue }
            lines.append(line("left", "\(item.title): \(reason.inWords)", update.time))
        }
        for insertion in update.difference.insertedItems {
            guard let item = update.arrivals[insertion.item] else { continue }
            lines.append(line("arrived", "\(item.title): \(item.summary)", update.time))
        }
        for change in update.difference.reconfiguredItems {
            guard let states = update.changes[change.item] else { continue }
            let differences = states.inWords
            guard !differences.isEmpty else { continue }
            let text = "\(states.was.title): \(differences.joined(separator: "; "))"
            lines.append(line("changed", text, update.time))
        }
        return lines
    }

    /// The line of a notice.
    mutating func notice(_ notice: Notice) -> [String] {
        dayLine(notice.time) + [line("notice", notice.message, notice.time)]
    }

    /// A line that says which day it is, when that is another one than that of the line before.
    private mutating func dayLine(_ time: Timestamp) -> [String] {
        let today = localTime(time).day
        guard today != day else { return [] }
        day = today
        return [line("day", "is now \(today)", time)]
    }

    private func line(_ word: String, _ text: String, _ time: Timestamp) -> String {
        let padding = String(repeating: " ", count: 8 - word.count)
        return SafeText("\(localTime(time).clock) \(word)\(padding)\(text)", charset: charset).text
    }
}

extension ListItem {
    /// What to call the item: its name, and in brackets its host.
    var title: String {
        switch self {
        case .peer(let peer):
            peer.name + bracketed(peer.host, isSelf: peer.isSelf)
        case .service(let listing):
            listing.service.inWords + (listing.peer.name.map { " on \($0)" } ?? "")
                + bracketed(listing.peer.host, isSelf: listing.peer.isSelf)
        }
    }

    /// What there is to say of an item that arrives.
    var summary: String {
        switch self {
        case .peer(let peer):
            let services = peer.services.isEmpty ? [] : ["offers \(peer.services.inShort)"]
            return (describe(peer.addresses, peer.presence) + services).joined(separator: "; ")
        case .service(let listing):
            let port = listing.service.port.map { ["port \($0)"] } ?? []
            return (port + describe(listing.peer.addresses, listing.presence))
                .joined(separator: "; ")
        }
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

extension PeerListUpdate.Departure {
    fileprivate var inWords: String {
        switch self {
        case .removed: "withdrawn or expired"
        case .identity: "goes on under another identifier"
        case .backend: "not seen again since the daemon is back"
        }
    }
}
