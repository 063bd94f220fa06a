// Published records of devices, and how well the list reads them.
import FoundationEssentials
import PeerModel

/// Published devices, each with what a person reads from its records.
public enum Corpus {
    /// A file of devices.
    public enum Collection: String, CaseIterable, Sendable {
        /// `Tests/Lab/unseen.json`: the code was not changed for any of its devices.
        case unseen
        /// `Tests/Lab/corpus.json`: the devices by which the code was made.
        case corpus

        /// The devices of the file.
        public var devices: [Device] { Self.all[self] ?? [] }

        /// All fields of all devices, judged; each device is the only one of its list.
        public var judgements: [Judgement] { Self.judged[self] ?? [] }

        private static let all = table {
            Scene.read(Scene.path(of: "\($0.rawValue).json")) as [Device]
        }
        private static let judged = table { $0.devices.flatMap(\.judgements) }

        private static func table<Value>(_ value: (Collection) -> Value) -> [Collection: Value] {
            Dictionary(uniqueKeysWithValues: allCases.map { ($0, value($0)) })
        }
    }

    /// The readings of the records of a device.
    public enum Field: String, CaseIterable, Sendable {
        case name, kind, model, maker, evidence
    }

    /// How well the list reads a field.
    public enum Verdict: String, CaseIterable, Sendable {
        /// A reading by a person.
        case right
        /// The records tell more than is shown: nothing, the host name, or weaker evidence.
        case poor
        /// Something else is shown than what the records tell.
        case wrong
    }

    /// One field of one device, judged.
    public struct Judgement: Sendable {
        /// The name of the device in the corpus.
        public let device: String
        /// The field.
        public let field: Field
        /// The verdict.
        public let verdict: Verdict
        /// The text in the list; `nil` is nothing.
        public let shown: String?
        /// The reading by a person; `nil` is nothing.
        public let readings: [String?]
    }

    /// A device of the corpus.
    public struct Device: Decodable, Sendable {
        /// The device as a scene has it.
        public let scene: Scene.Device
        /// Where the records are published.
        public let source: String
        private let readings: [String: Readings]

        private enum CodingKeys: CodingKey { case source, read }

        /// Decodes the device and what is read from it.
        public init(from decoder: any Decoder) throws {
            scene = try Scene.Device(from: decoder)
            let members = try decoder.container(keyedBy: CodingKeys.self)
            source = try members.decode(String.self, forKey: .source)
            readings = try members.decode([String: Readings].self, forKey: .read)
        }

        /// Whether the table of clues has a row for the type of any service of the device.
        public var hasRow: Bool {
            scene.services.contains { DeviceClues.hasRow($0.service.type.lowercased()) }
        }

        /// The readings by a person, the best one first.
        public func readings(of field: Field) -> [String?] { readings[field.rawValue]?.all ?? [] }
    }

    /// One reading or several: a string, null, or a list of both.
    struct Readings: Decodable, Sendable {
        let all: [String?]

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                all = [nil]
            } else if let text = try? value.decode(String.self) {
                all = [text]
            } else {
                all = try value.decode([String?].self)
            }
        }
    }
}

// MARK: Judging

extension Corpus.Device {
    /// The fields of the device, judged by the row that a list makes of its records.
    public var judgements: [Corpus.Judgement] {
        let peer = row
        return Corpus.Field.allCases.map { field in
            let text = peer.flatMap { shown(field, of: $0) }
            return Corpus.Judgement(
                device: scene.name, field: field, verdict: verdict(field, text), shown: text,
                readings: readings(of: field))
        }
    }

    /// The row of the device, after the events of its discovery.
    private var row: Peer? {
        var listing = PeerListing()
        var seconds: Int64 = 0
        func feed(_ kind: DiscoveryEvent.Kind) {
            seconds += 1
            _ = listing.apply(
                DiscoveryEvent(kind, at: Timestamp(microseconds: seconds * 1_000_000)))
        }
        let interface = NetworkInterface(index: 2, name: "eth0")
        let numbers = (scene.addresses.first ?? "").split(separator: ".").compactMap { UInt8($0) }
        let address = HostAddress(
            bytes: numbers, text: scene.addresses.first ?? "", interface: "eth0")
        for instance in scene.services {
            let service = instance.service
            let key = ServiceKey(name: service.name, type: service.type, domain: "local")
            feed(.found(Sighting(service: key, interface: interface, family: .ipv4)))
            feed(
                .resolved(
                    key,
                    Resolution(
                        host: scene.host, port: instance.port, txt: service.txt, address: address)))
            if service.type == "_device-info._tcp" {
                feed(.deviceInfo(host: HostName(scene.host), service.txt))
            }
        }
        let rows = listing.sections.flatMap(\.items).filter { !$0.isService }.map(\.peer)
        return rows.max { $0.services.count < $1.services.count }
    }

    private func shown(_ field: Corpus.Field, of peer: Peer) -> String? {
        switch field {
        case .name: peer.name
        case .kind: peer.kind?.title
        case .model: peer.model
        case .maker: peer.maker
        case .evidence: peer.identity.source == .hostName ? "host" : peer.identity.value
        }
    }

    private func verdict(_ field: Corpus.Field, _ shown: String?) -> Corpus.Verdict {
        let readings = readings(of: field)
        func isRead(_ text: String?) -> Bool {
            readings.contains { $0.map { plain($0, field) } == text.map { plain($0, field) } }
        }
        switch field {
        case .name:
            let isHost = shown.map { plain($0, field) == plain(hostLabel, field) } ?? true
            return isRead(shown) || isHost && isRead(nil) ? .right : isHost ? .poor : .wrong
        case .kind, .model, .maker:
            return isRead(shown) ? .right : shown == nil ? .poor : .wrong
        case .evidence:
            if isRead(shown) { return .right }
            let best = readings.compactMap { $0.map(rank) }.max() ?? 0
            return shown.map(rank) ?? 0 < best ? .poor : .wrong
        }
    }

    private var hostLabel: String { String(scene.host.prefix { $0 != "." }) }

    /// Returns a text without what does not count when it is compared.
    private func plain(_ text: String, _ field: Corpus.Field) -> String {
        if field == .maker { return MakerNames.name(of: text).lowercased() }
        guard field == .evidence else { return text.lowercased() }
        let form = text.prefix { $0 != ":" }
        // A list puts the vendor or the type between the form and the value.
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).dropFirst()
        let names = parts.count > 1 && isNamed(parts.first) ? 1 : 0
        let value = parts.dropFirst(names).joined().lowercased().filter {
            $0.isLetter || $0.isNumber
        }
        return (form == "uuid" ? "serial" : form) + ":" + value
    }

    /// Whether a part of evidence is the vendor or the type of the value after it.
    private func isNamed(_ part: Substring?) -> Bool {
        guard let part, !part.isEmpty else { return false }
        return part.hasPrefix("_") || part.count > 2 && part.contains { !$0.isHexDigit }
    }

    /// The strength of evidence by its form.
    private func rank(_ evidence: String) -> Int {
        switch evidence.prefix(while: { $0 != ":" }) {
        case "serial", "uuid": 4
        case "mac": 3
        case "pairing": 2
        case "host": 1
        default: 0
        }
    }
}
