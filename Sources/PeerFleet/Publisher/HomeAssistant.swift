// The messages from which Home Assistant learns of devices, and whether they are at home.
import FoundationEssentials
package import PeerList
import PeerRecording

/// The discovery messages for device trackers of Home Assistant.
///
/// Source: <https://www.home-assistant.io/integrations/device_tracker.mqtt/>
package struct HomeAssistant: Sendable {
    /// The maximum number of devices of which an observer tells.
    static let deviceLimit = 10_000

    private let name: ObserverName
    private let topics: FleetTopics
    /// The topic below which Home Assistant looks for devices.
    private let prefix: String
    private let version: String

    package init(_ name: ObserverName, topics: FleetTopics, prefix: String, version: String) {
        (self.name, self.topics, self.prefix, self.version) = (name, topics, prefix, version)
    }

    /// Returns the message about a device; `nil` if its identifier follows from its host name alone, and the
    /// user has not labelled it.
    func message(about peer: Peer) -> (payload: [UInt8], topic: String)? {
        let isStrong = [.announced, .txt, .name].contains(peer.identity.source)
        guard isStrong || peer.label != nil else { return nil }
        let id = peer.id.uuidString.lowercased()
        // Only these characters are allowed in the topic.
        let (node, site) = (Self.plain(name.observer), Self.plain(name.site))
        var text = JSONWriter(capacity: 1024)
        text.object { members in
            members.member("name", nil as String?)
            members.member("unique_id", "peerlist_\(site)_\(node)_\(id)")
            members.member("state_topic", topics.peer(peer.id, of: name))
            members.member(
                "value_template",
                "{{ 'home' if value_json is defined and value_json.presence == 'present' "
                    + "else 'not_home' }}")
            members.member("payload_home", "home")
            members.member("payload_not_home", "not_home")
            members.member("source_type", "router")
            members.member("availability_topic", topics.status(of: name))
            members.member(
                "availability_template",
                "{{ 'online' if value_json is defined and value_json.state == 'online' "
                    + "else 'offline' }}")
            members.object("device") { device in
                device.member("identifiers", ["peerlist_\(id)"])
                if !peer.macs.isEmpty {
                    device.array("connections") { list in
                        for mac in peer.macs { list.strings(["mac", mac]) }
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
        return (text.bytes, "\(prefix)/device_tracker/\(node)/\(site)_\(id)/config")
    }

    private static func plain(_ name: String) -> String {
        String(
            name.unicodeScalars.map { scalar in
                let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.isDigit)
                return isPlain || scalar == "-" ? Character(scalar) : "_"
            })
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
