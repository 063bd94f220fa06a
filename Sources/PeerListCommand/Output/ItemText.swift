// Describes an item, its services and its TXT record in a line or in sentences.
import FoundationEssentials
import PeerList
import TerminalList

extension ListItem {
    /// The name, with the host in brackets.
    var title: String {
        let owner = peer.isResolved ? " on \(peer.name)" : ""
        let name = service.map { $0.inWords + owner } ?? peer.name
        let details = (peer.host.map { [$0] } ?? []) + (peer.isSelf ? ["this machine"] : [])
        return details.isEmpty ? name : "\(name) (\(details.joined(separator: ", ")))"
    }

    /// Returns the addresses, the presence and the services of an arrival in one line.
    func summary(_ charset: Charset) -> String {
        let state =
            (peer.addresses.isEmpty ? [] : [peer.addresses.joined(separator: " ")])
            + (peer.presence == .present ? [] : [peer.presence.inWords])
        let parts =
            if let service {
                (service.port.map { ["port \($0)"] } ?? []) + state
            } else {
                state
                    + (peer.services.isEmpty ? [] : ["offers \(peer.services.inShort(charset))"])
            }
        return parts.joined(separator: "; ")
    }

    /// The addresses, the presence and the services of an arrival in sentences.
    var sentences: [String] {
        let noun = peer.addresses.count == 1 ? "address is" : "addresses are"
        let state =
            (peer.addresses.isEmpty ? [] : ["Its \(noun) \(peer.addresses.asEnumeration)."])
            + (peer.presence == .present ? [] : [peer.presence.inSpeech.asSentence])
        if let service { return (service.port.map { ["It is on port \($0)."] } ?? []) + state }
        return state
            + (peer.services.isEmpty ? [] : ["It offers \(peer.services.typesInSentence)."])
    }

    /// The identifiers of the services.
    var serviceIDs: Set<UUID> { Set(peer.services.map(\.id)) }
}

extension [String] {
    /// The texts as part of a sentence: `a, b and c`.
    var asEnumeration: String {
        guard count > 1, let last else { return joined() }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}

extension [Service] {
    /// The types without their underscores, each with the number of its services; sorted services have each type once.
    private var typeCounts: [(name: Substring, count: Int)] {
        var types: [(name: Substring, count: Int)] = []
        for service in self {
            let name = service.shortType
            if types.last?.name == name {
                types[types.count - 1].count += 1
            } else {
                types.append((name, 1))
            }
        }
        return types
    }

    /// Returns the types, with a count for several services: `http ipp ×2`.
    func inShort(_ charset: Charset, separator: String = " ") -> String {
        let times = charset == .unicode ? "×" : "x"
        return typeCounts.map { $0.count == 1 ? String($0.name) : "\($0.name) \(times)\($0.count)" }
            .joined(separator: separator)
    }

    /// The first twelve types as part of a sentence: `http, ipp (2 of them) and ssh`.
    fileprivate var typesInSentence: String {
        let counts = typeCounts
        let shown = counts.prefix(12).map { name, count in
            count == 1 ? String(name) : "\(name) (\(count) of them)"
        }
        let rest = counts.count - shown.count
        return (shown + (rest > 0 ? ["\(rest) more types"] : [])).asEnumeration
    }
}

extension TXTRecord {
    /// The first attributes, about 200 bytes of them: `txtvers=1 note=2nd floor`.
    var inShort: String {
        var text = ""
        for pair in pairs where text.utf8.count < 200 {
            if !text.isEmpty { text += " " }
            text += pair.key
            if case .text(let value) = pair.value { text += "=" + value.prefix(100) }
            if case .bytes(let bytes) = pair.value { text += "=(\(bytes.count) bytes)" }
        }
        return text
    }
}
