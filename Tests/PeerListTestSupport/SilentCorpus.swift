// Published descriptions of devices of UPnP and WS-Discovery, and how well the list reads them.
import FoundationEssentials
import PeerModel
import SilentDevices
import SilentMessages

/// The devices of `Tests/Lab/silent.jsonl`, each with what a person reads from what it tells.
public enum SilentCorpus {
    /// A half of the devices, by a hash of the identifier.
    public enum Half: String, CaseIterable, Sendable {
        /// The code was not changed for any of its devices.
        case unseen = "silent unseen"
        /// The devices by which the code was made.
        case corpus = "silent corpus"

        /// The devices of the half.
        public var devices: [Device] { SilentCorpus.devices.filter { $0.half == self } }

        /// All fields of all devices, judged; each device is the only one of its list.
        public var judgements: [Corpus.Judgement] { devices.flatMap(\.judgements) }
    }

    /// The fields that are judged.
    public static let fields: [Corpus.Field] = [.name, .kind, .model, .maker]

    /// A device of the file.
    public struct Device: Decodable, Sendable {
        /// The name of the device in the file.
        public let id: String
        /// Where what the device tells is published.
        public let source: String
        let `protocol`: String
        let tells: Told
        let expected: [String: Corpus.Readings]

        /// The half to which the device belongs: a bit of the hash FNV-1a of its name.
        public var half: Half {
            let hash = id.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
            return hash >> 16 & 1 == 0 ? .corpus : .unseen
        }

        /// The readings by a person, the best one first.
        public func readings(of field: Corpus.Field) -> [String?] {
            expected[field.rawValue]?.all ?? []
        }
    }

    /// The content of a device's packets and of its description.
    struct Told: Decodable, Sendable {
        let targets, types, scopes: [String]?
        let server, location, deviceType, friendlyName, manufacturer: String?
        let modelName, modelNumber, modelDescription, serialNumber, presentationURL: String?
        let computer, workgroup, domain: String?
    }

    static let devices: [Device] = {
        let file = Scene.path(of: "silent.jsonl")
        do {
            let lines = try Data(contentsOf: URL(filePath: file)).split(separator: 0x0A)
            return try lines.map { try JSONDecoder().decode(Device.self, from: $0) }
        } catch {
            fatalError("\(file): \(error)")
        }
    }()
}

// MARK: Judging

extension SilentCorpus.Device {
    /// The fields of the device, judged by the row that a list makes of what it tells.
    public var judgements: [Corpus.Judgement] {
        let peer = row
        return SilentCorpus.fields.map { field in
            let shown: String? =
                switch field {
                // A device without a name is shown under its address.
                case .name: peer.flatMap { $0.addresses.contains($0.name) ? nil : $0.name }
                case .kind: peer?.kind?.rawValue
                case .model: peer?.model
                case .maker: peer?.maker
                case .evidence: nil
                }
            let readings = readings(of: field)
            func plain(_ text: String?) -> String? {
                text.map { (field == .maker ? MakerNames.name(of: $0) : $0).lowercased() }
            }
            let isRead = readings.contains { plain($0) == plain(shown) }
            return Corpus.Judgement(
                device: id, field: field, verdict: isRead ? .right : shown == nil ? .poor : .wrong,
                shown: shown, readings: readings)
        }
    }

    /// The row of the device, after what its packets and its description tell.
    private var row: Peer? {
        var table = SilentTable()
        var listing = PeerListing()
        var seconds: Int64 = 0
        func perform(_ effects: [SilentTable.Effect]) {
            for case .report(let kind) in effects {
                seconds += 1
                _ = listing.apply(
                    DiscoveryEvent(kind, at: Timestamp(microseconds: seconds * 1_000_000)))
            }
        }
        let address = HostAddress(bytes: [192, 0, 2, 1], text: "192.0.2.1", interface: "eth0")
        let path = NetworkPath(
            interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4)
        let statements = statements
        for statement in statements {
            perform(table.hear(statement, from: .init(address, on: path, mac: nil), at: 0))
        }
        perform(
            table.describe(
                SilentDevice.Key(speaker: statements[0].speaker, device: statements[0].device),
                as: tells.deviceType.flatMap(SSDPMessage.serviceType), tells.description))
        return listing.sections.flatMap(\.items).first { !$0.isService }?.peer
    }

    /// The content of its packets.
    private var statements: [Statement] {
        // What tells the device apart is not judged.
        let device = "uuid:4d696e69-0000-4000-8000-000000000001"
        guard `protocol` == "ssdp" else {
            var statement = Statement(.wsd, of: device, isWhole: true)
            statement.types = (tells.types ?? []).map { "wsd:" + $0 }
            let camera = ONVIFScopes(tells.scopes ?? [])
            statement.texts = [
                ("name", camera.name), ("hardware", camera.hardware), ("location", camera.location),
            ].compactMap { key, value in value.map { Statement.Text(key, $0) } }
            return [statement]
        }
        let types = ((tells.targets ?? []) + [tells.deviceType].compactMap(\.self))
            .compactMap(SSDPMessage.serviceType)
        return [nil, types].map { types in
            var statement = Statement(.ssdp, of: device, isWhole: types == nil)
            statement.types = types ?? []
            statement.location = tells.location ?? ""
            statement.texts = [tells.server.map { Statement.Text("server", $0) }].compactMap(\.self)
            return statement
        }
    }
}

extension SilentCorpus.Told {
    /// The values of the description by their keys, without spaces around them.
    fileprivate var description: [String: String] {
        let values: [(SilentMessages.DeviceDescription.Key, String?)] = [
            (.friendlyName, friendlyName), (.manufacturer, manufacturer), (.modelName, modelName),
            (.modelNumber, modelNumber), (.modelDescription, modelDescription),
            (.serialNumber, serialNumber), (.presentationURL, presentationURL),
            (.computerName, computer), (.workgroup, workgroup), (.domain, domain),
        ]
        return values.reduce(into: [:]) { description, value in
            let words = (value.1 ?? "").split(whereSeparator: \.isWhitespace)
            if !words.isEmpty { description[value.0.rawValue] = words.joined(separator: " ") }
        }
    }
}
