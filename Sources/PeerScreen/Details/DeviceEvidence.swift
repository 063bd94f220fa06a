// Explains what is shown of a device: which of its records say so, and which say otherwise.
import FoundationEssentials
import PeerModel
import TerminalList

/// The records from which the identifier, the name, the kind, the maker and the model of a device come.
///
/// The values come from the peer, and in a recording perhaps from another version of peerlist. A kind, maker or
/// model that a peer lacks, as in a list that is grouped by type, is read from its records.
struct DeviceEvidence {
    /// The maximum number of pieces of evidence that are listed beside the one in use.
    static let limit = 16

    /// The device with what its records tell.
    let peer: Peer
    private let profile: DeviceProfile
    /// The evidence of the identity, the strongest first.
    private let evidence: [Identity]

    init(_ peer: Peer) {
        let profile = DeviceProfile(
            services: peer.services, host: peer.host ?? "", deviceInfo: peer.deviceInfo)
        var described = peer
        described.kind = peer.kind ?? profile.kind?.value
        described.maker = peer.maker ?? profile.maker?.value
        described.model = peer.model ?? profile.model?.value
        (self.peer, self.profile) = (described, profile)
        evidence = peer.host.map { Identity.all(of: peer.services, host: $0) } ?? []
    }

    /// The identifier with all evidence, then the sources of what is shown, with what contradicts them.
    var lines: [TextPane.Line] {
        var name = Property(
            id: "name", title: "Name", source: { $0.text(ofName: "the name in ") },
            contradicts: { _, _ in false })
        if let own = profile.name?.value, peer.name.hasPrefix(own) {
            name.withoutRecord = "to tell it from others of that name"
        }
        let kind = Property(id: "kind", title: "Kind", contradicts: { _, _ in true })
        let maker = Property(
            id: "maker", title: "Maker", source: { $0.text(otherwise: "a MAC address") },
            withoutRecord: "by a MAC address")
        let model = Property(id: "model", title: "Model")
        return [
            .space("why/space"), .heading("why", "Why"),
            .entry("id", "Identifier", peer.id.uuidString.lowercased()),
            .entry("identity", "", identitySource, tone: .muted),
        ] + otherEvidence + lines(name, peer.name, profile.name, as: \.self)
            + lines(kind, peer.kind?.title, profile.kind, as: \.title)
            + lines(maker, peer.maker, profile.maker, as: \.self)
            + lines(model, peer.model, profile.model, as: \.self)
    }
}

// MARK: The identifier

extension DeviceEvidence {
    private var identitySource: String {
        let identity = peer.identity
        return switch identity.source {
        case .hostName: "from the host name \(identity.value)"
        case .announced: "announced by itself: \(identity.value)"
        case .txt:
            """
            from \(identity.key ?? "a TXT record") of \(identity.type ?? "a service"): \
            \(identity.value)
            """
        case .name: "from the name in \(identity.type ?? "a service"): \(identity.value)"
        case .service: "from the service \(identity.value), whose host is not known yet"
        case .endpoint: "from \(identity.value), as the device has no host name"
        }
    }

    /// The evidence that is not in use: weaker, or stronger but not granted to the host.
    private var otherEvidence: [TextPane.Line] {
        let used = evidence.firstIndex { $0.value == peer.identity.value }
        let others = evidence.enumerated().filter { $0.offset != used }
        let lines = others.prefix(Self.limit).map { index, item in
            let isStronger = used.map { index < $0 } ?? false
            return TextPane.Line.entry(
                "evidence/\(item.value)", index == others.first?.offset ? "Also" : "",
                "\(item.place.text(ofName: "the name in ")): \(item.value)",
                note: isStronger ? "not used: another host has it too" : item.rank.note)
        }
        let rest = others.count - lines.count
        return lines
            + (rest > 0 ? [.entry("evidence-rest", "", "and \(rest) more", tone: .muted)] : [])
    }
}

extension Identity.Rank {
    /// How long the evidence lasts.
    fileprivate var note: String {
        switch self {
        case .announced, .serialNumber, .hardwareAddress: "lasting"
        case .pairing: "until a reset"
        case .installation: "of a program, which may be moved"
        case .hostName: "until it is renamed"
        case .service: "changes"
        }
    }
}

// MARK: Properties

/// A property of a device, and the words for where it comes from.
private struct Property {
    let id: String
    let title: String
    var source: (RecordSource) -> String = { $0.text() }
    /// The source of a value that is in no record.
    var withoutRecord = "not by these records"
    /// Whether a value contradicts the shown value, rather than being another form of it.
    var contradicts: (String, String) -> Bool = { value, shown in
        let (value, shown) = (value.lowercased(), shown.lowercased())
        return !value.contains(shown) && !shown.contains(value)
    }
}

extension DeviceEvidence {
    /// Returns the source of the value that is shown, and up to seven other values with theirs.
    private func lines<Value>(
        _ property: Property, _ shown: String?, _ claim: Claim<Value>?, as text: (Value) -> String
    ) -> [TextPane.Line] {
        guard let shown else { return [] }
        let statements = claim.map { [$0.best] + $0.others } ?? []
        let index = statements.firstIndex { text($0.value) == shown }
        let source = index.map { "by \(property.source(statements[$0].source))" }
        let others = statements.enumerated().filter { $0.offset != index }.prefix(7)
        return [
            .entry(
                "why/\(property.id)", property.title, shown, note: source ?? property.withoutRecord)
        ]
            + others.map { _, statement in
                let (value, source) = (text(statement.value), property.source(statement.source))
                let words =
                    property.contradicts(value, shown)
                    ? "contradicted by \(source): \(value)" : "also \(value), by \(source)"
                let isImitated = imitatesModel && statement.source == Self.modelOfDeviceInfo
                return .entry(
                    "why/\(property.id)/\(value)", "", words, tone: .muted,
                    note: isImitated ? "(servers such as Samba imitate models)" : nil)
            }
    }

    private static let modelOfDeviceInfo = RecordSource(type: "_device-info._tcp", key: "model")

    /// Whether the device-info record states a model that servers imitate.
    private var imitatesModel: Bool {
        let services = peer.services.lazy.filter { $0.type == Self.modelOfDeviceInfo.type }
        guard case .text(let model)? = (peer.deviceInfo ?? services.first?.txt)?["model"] else {
            return false
        }
        return ModelNames.isImitation(model)
    }
}

extension RecordSource {
    /// Returns the place as text: `fn of _googlecast._tcp`, or the type after words for its names.
    fileprivate func text(
        ofName: String = "", otherwise: String = "the host name"
    ) -> String {
        guard let type else { return otherwise }
        return key.map { "\($0) of \(type)" } ?? ofName + type
    }
}
