// Describes a service in lines: type, endpoint and TXT record.
import FoundationEssentials
import PeerList
import TerminalList

/// The details of a service.
struct ServiceDetails {
    /// The maximum number of attributes.
    static let attributeLimit = 200
    /// The maximum number of characters or bytes of a value.
    static let valueLimit = 2_000

    private let service: Service
    private let peer: Peer
    private let id: String

    init(_ service: Service, of peer: Peer) {
        self.service = service
        self.peer = peer
        id = "service/\(service.id.uuidString.lowercased())"
    }

    /// The lines, beginning with an empty one.
    var lines: [TextPane.Line] {
        let title = KnownServiceType.of(service.type)?.title
        let subtypes = service.subtypes.joined(separator: " ")
        let lines: [TextPane.Line?] = [
            .space("\(id)/space"), .heading(id, service.name),
            .entry("\(id)/type", "Type", service.type, note: title),
            subtypes.isEmpty ? nil : .entry("\(id)/subtypes", "Subtypes", subtypes),
            service.domain == "local" ? nil : .entry("\(id)/domain", "Domain", service.domain),
        ]
        return lines.compactMap { $0 } + endpointLines + attributeLines
    }

    /// The port, and the endpoints with the host and each address.
    private var endpointLines: [TextPane.Line] {
        guard let port = service.port else {
            return [.entry("\(id)/port", "Port", "not known yet", tone: .muted)]
        }
        // RFC 6763, section 8: port 0 reserves a name without offering the service.
        guard port != 0 else {
            return [.entry("\(id)/port", "Port", "0", note: "the name is only reserved")]
        }
        let endpoints = ([peer.host].compactMap { $0 } + peer.addresses).map {
            endpoint(host: $0, port: port)
        }
        return [.entry("\(id)/port", "Port", "\(port)")]
            + endpoints.enumerated().map { index, endpoint in
                .entry("\(id)/at/\(endpoint)", index == 0 ? "Reached at" : "", endpoint)
            }
    }

    private var attributeLines: [TextPane.Line] {
        let pairs = service.txt.pairs
        guard !pairs.isEmpty else { return [] }
        let shown = pairs.prefix(Self.attributeLimit)
        let lines = shown.enumerated().map { index, pair in
            TextPane.Line(
                fields(of: pair, isFirst: index == 0), id: "\(id)/txt/\(pair.key)", indent: 14)
        }
        guard shown.count < pairs.count else { return lines }
        let rest = "and \(pairs.count - shown.count) more attributes"
        return lines + [.entry("\(id)/txt-rest", "", rest, tone: .muted)]
    }

    /// Returns the pieces of a line: `key = value  (meaning)`.
    private func fields(of pair: TXTRecord.Pair, isFirst: Bool) -> [ListCell.Field] {
        var fields: [ListCell.Field] = [
            .init(isFirst ? "  TXT         " : "              ", style: .muted), .init(pair.key),
        ]
        switch pair.value {
        case .none: fields.append(.init("  no value", style: .muted))
        case .text(""): fields += [.init(" ="), .init("  (empty)", style: .muted)]
        case .text(let text):
            let shown = text.prefix(Self.valueLimit)
            let more = shown.endIndex < text.endIndex ? "…" : ""
            fields.append(.init(" = \(shown)\(more)"))
        case .bytes(let bytes):
            let shown = hexText(bytes.prefix(Self.valueLimit))
            let more = bytes.count > Self.valueLimit ? " …" : ""
            fields.append(.init(" = \(shown)\(more)"))
            fields.append(.init("  (\(bytes.count) bytes in hexadecimal)", style: .muted))
        }
        let meaning = meaning(of: pair)
        if let meaning { fields.append(.init("  (\(meaning))", style: .muted)) }
        return fields
    }

    private func meaning(of pair: TXTRecord.Pair) -> String? {
        let key = KnownTXTKeys.meaning(of: pair.key, type: service.type)
        guard case .text(let text) = pair.value,
            let value = KnownTXTKeys.meaning(of: text, key: pair.key, type: service.type)
        else { return key }
        return key.map { "\($0): \(value)" } ?? value
    }
}

/// Returns a host or address with a port: `nas.local:22`, `[fe80::1%eth0]:22`.
func endpoint(host: String, port: UInt16) -> String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
}
