// All that is known of a service, line by line.
import FoundationEssentials
import PeerList
import TerminalList

/// All that is known of a service, line by line.
struct ServiceDetails {
    private let service: Service
    private let peer: Peer
    private let id: String

    /// The details of a service of a peer.
    init(_ service: Service, of peer: Peer) {
        self.service = service
        self.peer = peer
        id = "service/\(service.id.uuidString.lowercased())"
    }

    /// The lines, an empty one first.
    var lines: [DetailLine] {
        var lines: [DetailLine] = [
            .space("\(id)/space"), .heading(id, service.name),
            .entry(
                "\(id)/type", "Type", service.type, note: KnownServiceType.of(service.type)?.title),
        ]
        if !service.subtypes.isEmpty {
            lines.append(
                .entry("\(id)/subtypes", "Subtypes", service.subtypes.joined(separator: " ")))
        }
        if service.domain != "local" {
            lines.append(.entry("\(id)/domain", "Domain", service.domain))
        }
        lines += placeLines
        return lines + attributeLines
    }

    /// Where it is reached: `host:port`, and the same with each address.
    private var placeLines: [DetailLine] {
        guard let port = service.port else {
            return [.entry("\(id)/port", "Port", "not known yet", tone: .muted)]
        }
        // RFC 6763, section 8: a name that is kept so that nobody else takes it.
        guard port != 0 else {
            return [.entry("\(id)/port", "Port", "0", note: "it only keeps its name")]
        }
        let places = ([peer.host].compactMap { $0 } + peer.addresses).map {
            endpoint(host: $0, port: port)
        }
        return [.entry("\(id)/port", "Port", "\(port)")]
            + places.enumerated().map { number, place in
                .entry("\(id)/at/\(place)", number == 0 ? "Reached at" : "", place)
            }
    }

    private var attributeLines: [DetailLine] {
        let pairs = service.txt.pairs
        guard !pairs.isEmpty else { return [] }
        let shown = pairs.prefix(DetailText.attributeLimit)
        let lines = shown.enumerated().map { place, pair in
            DetailLine(
                "\(id)/txt/\(pair.key)", fields(of: pair, isFirst: place == 0))
        }
        guard shown.count < pairs.count else { return lines }
        let rest = "and \(pairs.count - shown.count) more attributes"
        return lines + [.entry("\(id)/txt-rest", "", rest, tone: .muted)]
    }

    /// `key = value  (what it means)`.
    private func fields(of pair: TXTRecord.Pair, isFirst: Bool) -> [ListCell.Field] {
        let muted = Style(tone: .muted)
        var fields: [ListCell.Field] = [
            .init(isFirst ? "  TXT         " : "              ", style: muted), .init(pair.key),
        ]
        switch pair.value {
        case .none: fields.append(.init("  no value", style: muted))
        case .text(""): fields += [.init(" ="), .init("  (empty)", style: muted)]
        case .text(let text):
            let shown = text.prefix(DetailText.valueLimit)
            let more = shown.endIndex < text.endIndex ? "…" : ""
            fields.append(.init(" = \(shown)\(more)"))
        case .bytes(let bytes):
            let shown = hexText(bytes.prefix(DetailText.valueLimit))
            let more = bytes.count > DetailText.valueLimit ? " …" : ""
            fields.append(.init(" = \(shown)\(more)"))
            fields.append(.init("  (\(bytes.count) bytes in hexadecimal)", style: muted))
        }
        let meaning = meaning(of: pair)
        if let meaning { fields.append(.init("  (\(meaning))", style: muted)) }
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

/// A host or an address with a port, as programs take it: `nas.local:22`, `[fe80::1%eth0]:22`.
func endpoint(host: String, port: UInt16) -> String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
}
