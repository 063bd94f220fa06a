// Ten home devices with the records that such products publish, for tests of real-looking lists.
import FoundationEssentials
public import PeerModel

/// The devices of `Tests/Lab/devices.json`, which `Tests/Lab/load.py` plays on a LAN.
public enum Scene {
    /// A device as the file describes it.
    public struct Device: Decodable, Sendable {
        /// The name by which tests and `load.py` refer to the device; no list shows it.
        public let name: String
        /// The host name, without a final dot.
        public let host: String
        /// The addresses, in the order of the list.
        public let addresses: [String]
        /// The services, by type and then by name.
        public let services: [Instance]
    }

    /// A service instance as the file describes it.
    public struct Instance: Decodable, Sendable {
        /// The instance name, not escaped.
        public let instance: String
        /// The service type.
        public let type: String
        /// The port; 0 where a record only says that something exists.
        public let port: UInt16
        /// The subtypes, such as `_universal`.
        public let subtypes: [String]?
        /// The strings of the TXT record.
        public let txt: [TXTString]?
    }

    /// A string of a TXT record: a JSON string, or a key with a binary value.
    public struct TXTString: Decodable, Sendable {
        /// The bytes, without the length.
        public let bytes: [UInt8]

        private enum CodingKeys: CodingKey { case key, hex }

        /// Decodes either form.
        public init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                bytes = Array(text.utf8)
                return
            }
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let digits = Array(try members.decode(String.self, forKey: .hex))
            let value = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0..<min($0 + 2, digits.count)]), radix: 16)
            }
            bytes = Array(try members.decode(String.self, forKey: .key).utf8) + [0x3d] + value
        }
    }

    /// The file that describes the devices.
    public static let file = path(of: "devices.json")

    /// The devices, in the order in which they arrive.
    public static let devices: [Device] = read(file)

    /// The devices of `Tests/Lab/household.json`: fifty of most kinds and makers.
    public static let household: [Device] = read(path(of: "household.json"))

    static func path(of name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Lab/\(name)").path
    }

    static func read<Each: Decodable>(_ file: String) -> [Each] {
        do {
            return try JSONDecoder().decode(
                [Each].self, from: Data(contentsOf: URL(filePath: file)))
        } catch {
            fatalError("\(file): \(error)")
        }
    }

    /// All devices as peers.
    public static let peers = devices.indices.map { devices[$0].peer(since: arrival($0)) }

    /// Returns the time at which a device arrives: the first after one second, each other one two
    /// seconds after the one before it.
    private static func arrival(_ index: Int) -> Timestamp { House.time(1 + 2 * Double(index)) }

    /// The changes of the list, in order: all devices arrive, the second one leaves (120 s) and
    /// returns (150 s), and the third one stops responding (240 s).
    public static func steps(_ grouping: Grouping) -> [House.Step] {
        var (script, listed, steps) = (ListScript(), [Peer](), [House.Step]())
        func change(_ cause: PeerListUpdate.Cause, at time: Timestamp, to peers: [Peer]) {
            listed = peers
            let update = script.change(cause, at: time, to: peers.sections(grouping))
            steps.append(.update(update, list: script.sections))
        }
        for peer in peers { change(.arrived, at: peer.firstSeen, to: listed + [peer]) }
        let second = listed[1]
        change(.departed, at: House.time(120), to: listed.filter { $0.id != second.id })
        let returned = devices[1].peer(since: House.time(150))
        change(.arrived, at: returned.firstSeen, to: listed + [returned])
        let third = peers[2]
        change(
            .presence, at: House.time(240),
            to: listed.map { $0.id == third.id ? $0.with(.unanswered) : $0 })
        return steps
    }
}

extension Scene.Device {
    /// Returns the device as a list shows it when no subtype is browsed.
    ///
    /// - Parameter time: The time at which the device was first seen.
    /// - Returns: The device as a peer that is present.
    public func peer(since time: Timestamp) -> Peer {
        let services = services.map(\.service)
        let deviceInfo = services.first { $0.type == "_device-info._tcp" }?.txt
        let profile = DeviceProfile(services: services, host: host, deviceInfo: deviceInfo)
        let identity = Identity.all(of: services, host: host)[0]
        var peer = Peer(
            id: identity.id, name: profile.name?.value ?? host, host: host,
            presence: .present, identity: identity,
            addresses: addresses.map { $0.hasPrefix("fe80:") ? $0 + "%eth0" : $0 },
            interfaces: ["eth0"], services: services, firstSeen: time, lastSeen: time)
        peer.kind = profile.kind?.value
        peer.model = profile.model?.value
        peer.maker = profile.maker?.value
        peer.deviceInfo = deviceInfo
        return peer
    }
}

extension Scene.Instance {
    /// The service as a list shows it when no subtype is browsed.
    public var service: Service {
        let name = Identity.canonical("\(instance).\(type).local")
        return Service(
            id: Identity.uuid(forName: name), name: instance, type: type, domain: "local",
            port: port, txt: TXTRecord(strings: (txt ?? []).map(\.bytes)))
    }
}
