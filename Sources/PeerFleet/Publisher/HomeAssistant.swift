// The topics and messages from which Home Assistant learns of devices, and whether they are at home.
import FoundationEssentials
package import PeerModel
import PeerRecording

/// The device trackers of Home Assistant that an observer publishes, or the list of a fleet.
///
/// Source: <https://www.home-assistant.io/integrations/device_tracker.mqtt/>
package struct HomeAssistant: Sendable {
    /// The states of a tracker; the raw value is the message.
    enum State: String, Sendable {
        case home
        case notHome = "not_home"
        /// Whether the device is at home is not known.
        case unavailable

        /// The message.
        var payload: [UInt8] { Array(rawValue.utf8) }

        init?(_ payload: [UInt8]) { self.init(rawValue: String(decoding: payload, as: UTF8.self)) }
    }

    /// A topic of trackers.
    enum Topic: Equatable {
        /// The state of a tracker.
        case state(UUID)
        /// The description of a tracker; `nil` if trackers have no such topic.
        case config(UUID?)
    }

    /// The default topic below which Home Assistant looks for devices.
    package static let standardPrefix = "homeassistant"

    /// The topic of the status of the publisher, without which no tracker is available.
    let status: String
    /// The topics of states, without the identifiers.
    private let stateBase: String
    /// The topics of descriptions, without the identifiers and what follows them.
    private let configBase: String
    /// The start of the identifiers of trackers.
    private let idBase: String
    /// The filter of the descriptions that the publisher may have published.
    let configs: String
    /// The filter of the descriptions of all publishers.
    let allConfigs: String
    private let version: String

    /// Creates the trackers of an observer, or of the list of a fleet.
    ///
    /// - Parameters:
    ///   - name: The observer; `nil` for the list of the fleet.
    ///   - topics: The topics of the fleet.
    ///   - prefix: The topic below which Home Assistant looks for devices.
    ///   - version: The version of the program.
    package init(
        of name: ObserverName?, topics: FleetTopics, prefix: String = standardPrefix,
        version: String
    ) {
        self.version = version
        (status, stateBase) = (topics.trackerStatus(of: name), topics.trackers(of: name))
        // An escaped name has hexadecimal digits after two underscores, so none equals the fleet's.
        let node = name.map { Self.escaped($0.observer) } ?? "__fleet"
        let site = name.map { Self.escaped($0.site) + "_" } ?? ""
        let levels = "\(prefix)/device_tracker/\(node)/"
        configs = levels + "+/config"
        allConfigs = prefix + "/device_tracker/+/+/config"
        configBase = levels + site
        idBase = name == nil ? "peerlist_" : "peerlist_\(site)\(node)_"
    }

    /// The filter of the states of the publisher's trackers.
    var states: String { stateBase + "+" }

    func stateTopic(_ id: UUID) -> String { stateBase + id.uuidString.lowercased() }

    func configTopic(_ id: UUID) -> String {
        configBase + id.uuidString.lowercased() + "/config"
    }

    /// Parses a topic; returns `nil` if it is none of the publisher's trackers.
    func parse(_ topic: String) -> Topic? {
        func id(of text: Substring) -> UUID? {
            UUID(uuidString: String(text)).flatMap {
                $0.uuidString.lowercased() == text ? $0 : nil
            }
        }
        if topic.hasPrefix(stateBase) {
            return id(of: topic.dropFirst(stateBase.count)).map(Topic.state)
        }
        let node = configs.dropLast("+/config".count)
        guard topic.hasPrefix(node), topic.hasSuffix("/config") else { return nil }
        guard topic.hasPrefix(configBase) else { return .config(nil) }
        return .config(id(of: topic.dropFirst(configBase.count).dropLast("/config".count)))
    }

    /// Whether a description is of a tracker of this publisher: its availability depends on the publisher.
    func isOwn(_ config: [UInt8]) -> Bool {
        var topic = JSONWriter()
        topic.strings([status])
        // Without the brackets.
        return config.contains(topic.bytes.dropFirst().dropLast())
    }

    /// Returns the MAC addresses by which Home Assistant is to know a device. It takes devices with one address for
    /// one device, and a random address may be another device's later.
    static func connections(of peer: Peer) -> [String] {
        peer.macs.filter { MACAddress($0)?.isUniversal == true }
    }

    /// Returns the description of the tracker of a device with the MAC addresses that no other device has.
    func config(of peer: Peer, connections macs: [String]) -> [UInt8] {
        let id = peer.id.uuidString.lowercased()
        var text = JSONWriter(capacity: 1024)
        text.object { members in
            members.member("name", nil as String?)
            members.member("unique_id", idBase + id)
            members.member("state_topic", stateTopic(peer.id))
            members.member("payload_home", State.home.rawValue)
            members.member("payload_not_home", State.notHome.rawValue)
            members.member("payload_reset", State.unavailable.rawValue)
            members.member("source_type", "router")
            members.array("availability") { list in
                list.object { own in
                    own.member("topic", status)
                    own.member(
                        "value_template",
                        "{{ 'online' if value_json is defined and value_json.state == 'online' "
                            + "else 'offline' }}")
                }
                list.object { own in
                    own.member("topic", stateTopic(peer.id))
                    own.member(
                        "value_template",
                        "{{ 'offline' if value == '\(State.unavailable.rawValue)' else 'online' }}")
                }
            }
            members.member("availability_mode", "all")
            members.object("device") { device in
                device.member("identifiers", ["peerlist_\(id)"])
                if !macs.isEmpty {
                    device.array("connections") { list in
                        for mac in macs { list.strings(["mac", mac]) }
                    }
                }
                device.member("name", peer.displayName)
                if let maker = peer.maker { device.member("manufacturer", maker) }
                if let model = peer.model { device.member("model", model) }
            }
            members.object("origin") { origin in
                origin.member("name", "peerlist")
                origin.member("sw_version", version)
            }
        }
        return text.bytes
    }

    /// Returns a name with the characters that Home Assistant allows in a topic: letters, digits and hyphens,
    /// and each other byte as two underscores and two hexadecimal digits.
    ///
    /// An underscore between two names then separates them, so that no two pairs of names become one.
    private static func escaped(_ name: String) -> String {
        name.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || character == "-" {
                return String(character)
            }
            let digits = String(byte, radix: 16)
            return "__" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
