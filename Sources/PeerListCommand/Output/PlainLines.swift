// What happens to the list, in words: one line a change.
import DiffCore
import PeerList
import TerminalList

/// Puts what happens to the list into sentences.
///
/// A line begins with the local day and time and one of the words `Arrived`,
/// `Changed`, `Left`, `Notice` and `Looking`, with a colon; what follows are
/// sentences, which a screen reader can read out. What came over the network is
/// made safe to show, so that a line is one line and steers no terminal.
struct PlainLines {
    private let charset: Charset
    private let localTime: (Timestamp) -> LocalTime

    /// Lines in the characters that may be sent, by the clock of this machine unless another is given.
    init(charset: Charset, localTime: @escaping (Timestamp) -> LocalTime = { LocalTime($0) }) {
        self.charset = charset
        self.localTime = localTime
    }

    /// The first line: who looks, for what, and by which clock.
    func begin(_ header: LineHeader, at time: Timestamp) -> [String] {
        let types = header.filter.types.joined(separator: ", ")
        let wanted = types.isEmpty ? "everybody" : "who offers \(types)"
        return [
            line("Looking", "for \(wanted), from \(header.observerHost). Times are local.", time)
        ]
    }

    /// One line for each item that left, came or changed, in this order.
    func update(_ update: PeerListUpdate) -> [String] {
        var lines: [String] = []
        for deletion in update.difference.deletedItems {
            guard let (item, reason) = update.departures[deletion.item] else { continue }
            lines.append(line("Left", "\(item.title). \(reason.inSentence)", update.time))
        }
        for insertion in update.difference.insertedItems {
            guard let item = update.arrivals[insertion.item] else { continue }
            let sentences = ["\(item.title)."] + item.sentences
            lines.append(line("Arrived", sentences.joined(separator: " "), update.time))
        }
        for change in update.difference.reconfiguredItems {
            guard let states = update.changes[change.item] else { continue }
            let differences = states.inSentences
            guard !differences.isEmpty else { continue }
            let sentences = ["\(states.was.title)."] + differences
            lines.append(line("Changed", sentences.joined(separator: " "), update.time))
        }
        return lines
    }

    /// The line of a notice.
    func notice(_ notice: Notice) -> [String] {
        let end = notice.message.hasSuffix(".") ? "" : "."
        return [line("Notice", notice.message + end, notice.time)]
    }

    private func line(_ word: String, _ text: String, _ time: Timestamp) -> String {
        let local = localTime(time)
        return SafeText("\(local.day) \(local.clock) \(word): \(text)", charset: charset).text
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
    func summary(_ charset: Charset) -> String {
        switch self {
        case .peer(let peer):
            let services =
                peer.services.isEmpty ? [] : ["offers \(peer.services.inShort(charset))"]
            return (describe(peer.addresses, peer.presence) + services).joined(separator: "; ")
        case .service(let listing):
            let port = listing.service.port.map { ["port \($0)"] } ?? []
            return (port + describe(listing.peer.addresses, listing.presence))
                .joined(separator: "; ")
        }
    }

    /// What there is to say of an item that arrives, in sentences.
    var sentences: [String] {
        switch self {
        case .peer(let peer):
            let services = peer.services.isEmpty ? [] : ["It offers \(offered(peer.services))."]
            return spoken(peer.addresses, peer.presence) + services
        case .service(let listing):
            let port = listing.service.port.map { ["It is on port \($0)."] } ?? []
            return port + spoken(listing.peer.addresses, listing.presence)
        }
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

extension PeerListUpdate.Departure {
    fileprivate var inSentence: String {
        switch self {
        case .removed: "It withdrew, or what it announced expired."
        case .identity: "It goes on under another identifier."
        case .backend: "It was not found again when discovery began anew."
        }
    }
}
