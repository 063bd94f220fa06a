// Tests the messages to Home Assistant against the documented keys.
import Foundation
import PeerModel
import PeerListTestSupport
import Testing

@testable import PeerFleet

@Suite struct HomeAssistantTests {
    /// The keys of a device tracker with the types of their values.
    ///
    /// Sources: <https://www.home-assistant.io/integrations/device_tracker.mqtt/> and
    /// <https://www.home-assistant.io/integrations/mqtt/#discovery-payload>
    private static let keys: [String: JSONType] = [
        "availability": .objects, "availability_mode": .text, "availability_template": .text,
        "availability_topic": .text, "device": .object, "icon": .text,
        "json_attributes_template": .text, "json_attributes_topic": .text, "name": .textOrNull,
        "object_id": .text, "origin": .object, "payload_available": .text, "payload_home": .text,
        "payload_not_available": .text, "payload_not_home": .text, "payload_reset": .text,
        "qos": .number, "source_type": .text, "state_topic": .text, "unique_id": .text,
        "value_template": .text,
    ]
    private static let deviceKeys: [String: JSONType] = [
        "configuration_url": .text, "connections": .pairs, "hw_version": .text,
        "identifiers": .texts, "manufacturer": .text, "model": .text, "name": .text,
        "suggested_area": .text, "sw_version": .text, "via_device": .text,
    ]
    private static let availabilityKeys: [String: JSONType] = [
        "payload_available": .text, "payload_not_available": .text, "topic": .text,
        "value_template": .text,
    ]
    private static let originKeys: [String: JSONType] = [
        "name": .text, "sw_version": .text, "support_url": .text,
    ]

    private enum JSONType {
        case text, textOrNull, texts, pairs, object, objects, number

        func includes(_ value: Any) -> Bool {
            switch self {
            case .text: value is String
            case .textOrNull: value is String || value is NSNull
            case .texts: value is [String]
            case .pairs: (value as? [[String]])?.allSatisfy { $0.count == 2 } == true
            case .object: value is [String: Any]
            case .objects: value is [[String: Any]]
            case .number: value is Int
            }
        }
    }

    private static let name = ObserverName(site: "Büro 1", observer: "anna.local")
    private let home = HomeAssistant(of: name, topics: topics, version: "1.0")

    private static let full = {
        var peer = Peer.host("printer").announcing(.announced(1))
        (peer.model, peer.maker, peer.label) = ("LaserJet \"4\"", "HP", "Büro\n{{ 1 }}")
        peer.macs = ["00:00:5e:00:53:01", "00:00:5e:00:53:02"]
        return peer
    }()

    private func object(_ peer: Peer) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(home.config(of: peer)))
        return try #require(value as? [String: Any])
    }

    private func check(_ object: [String: Any], _ keys: [String: JSONType]) {
        for (key, value) in object {
            #expect(keys[key]?.includes(value) == true, "\(key)")
        }
    }

    @Test(arguments: [full, Peer.host("tv").announcing(.announced(2))])
    func `a message has documented keys only`(peer: Peer) throws {
        let tracker = try object(peer)
        check(tracker, Self.keys)
        let device = try #require(tracker["device"] as? [String: Any])
        check(device, Self.deviceKeys)
        #expect(device["identifiers"] != nil, "or connections, to be in the registry of devices")
        let origin = try #require(tracker["origin"] as? [String: Any])
        check(origin, Self.originKeys)
        #expect(origin["name"] != nil)
        #expect(tracker["unique_id"] != nil, "without it, the device is not read")
        let availability = try #require(tracker["availability"] as? [[String: Any]])
        for source in availability { check(source, Self.availabilityKeys) }
        #expect(
            tracker["availability_topic"] == nil && tracker["availability_template"] == nil,
            "not together with the list")
        let types = ["gps", "router", "bluetooth", "bluetooth_le"]
        #expect(types.contains(tracker["source_type"] as? String ?? ""))
    }

    @Test func `a message names the topics of the tracker's state and of the observer's status`()
        throws
    {
        let tracker = try object(Self.full)
        #expect(tracker["state_topic"] as? String == home.stateTopic(Self.full.id))
        let availability = try #require(tracker["availability"] as? [[String: Any]])
        #expect(
            availability.map { $0["topic"] as? String } == [
                topics.status(of: Self.name), home.stateTopic(Self.full.id),
            ])
        let device = try #require(tracker["device"] as? [String: Any])
        #expect(device["connections"] as? [[String]] == Self.full.macs.map { ["mac", $0] })
        #expect(device["name"] as? String == Self.full.label)
        #expect(device["manufacturer"] as? String == "HP")
        #expect(device["model"] as? String == Self.full.model)
    }

    @Test func `a random MAC address is not told, as another device can have it later`() throws {
        var peer = Self.full
        for (macs, told) in [
            (["da:a1:19:00:00:01", "00:00:5e:00:53:01"], ["00:00:5e:00:53:01"]),
            (["02:00:00:00:00:01", "06:00:00:00:00:01", "fe:00:00:00:00:01"], []),
        ] {
            peer.macs = macs
            let device = try #require(try object(peer)["device"] as? [String: Any])
            let connections = device["connections"] as? [[String]]
            #expect(connections == (told.isEmpty ? nil : told.map { ["mac", $0] }))
        }
    }

    // MARK: Topics and identifiers

    private static let parts = [
        "a", "b", "c", "a_b", "b_c", "a b", "a-b", "20b", "a__20b", "_", "__", "a_", "_c", "ü",
        "u\u{308}",
        "客厅", "Zoë’s", "🏠", "A", "dd", "a\u{301}", "c3", ".",
    ]

    @Test func `two observers never have a topic or an identifier in common`() throws {
        var ids: Set<String> = []
        var all: Set<String> = []
        var count = 0
        for site in Self.parts {
            for observer in Self.parts {
                let name = ObserverName(site: site, observer: observer)
                let home = HomeAssistant(of: name, topics: topics, version: "1.0")
                let value = try JSONSerialization.jsonObject(with: Data(home.config(of: Self.full)))
                let tracker = try #require(value as? [String: Any])
                ids.insert(try #require(tracker["unique_id"] as? String))
                all.insert(home.configTopic(Self.full.id))
                count += 1
                #expect(home.parse(home.configTopic(Self.full.id)) == .config(Self.full.id))
                #expect(home.parse(home.stateTopic(Self.full.id)) == .state(Self.full.id))
                #expect(home.isOwn(home.config(of: Self.full)))
                #expect(!self.home.isOwn(home.config(of: Self.full)))
            }
        }
        #expect(ids.count == count && all.count == count)
    }

    @Test func `the trackers of a fleet are those of no observer`() {
        let fleet = HomeAssistant(of: nil, topics: topics, version: "1.0")
        let id = Self.full.id
        #expect(fleet.parse(fleet.configTopic(id)) == .config(id))
        #expect(fleet.parse(fleet.stateTopic(id)) == .state(id))
        #expect(fleet.parse(fleet.status) == nil)
        for topic in [fleet.stateTopic(id), fleet.status, home.stateTopic(id)] {
            #expect(topics.parse(topic) == nil, "no reader of the fleet takes it for an observer's")
        }
    }

    @Test(arguments: parts)
    func `the topics have the characters that are allowed in them`(part: String) throws {
        let name = ObserverName(site: part, observer: part)
        let home = HomeAssistant(of: name, topics: topics, version: "1.0")
        let levels = home.configTopic(Self.full.id)
            .split(separator: "/", omittingEmptySubsequences: false)
        #expect(levels.count == 5)
        #expect(levels[0] == "homeassistant" && levels[1] == "device_tracker")
        #expect(levels[4] == "config")
        for level in levels[2...3] {
            #expect(level.wholeMatch(of: /[a-zA-Z0-9_-]+/) != nil, "\(level)")
        }
    }

    @Test func `plain names are in topics and identifiers as they are`() throws {
        let home = HomeAssistant(of: .office, topics: topics, version: "1.0")
        let id = Self.full.id.uuidString.lowercased()
        #expect(
            home.configTopic(Self.full.id)
                == "homeassistant/device_tracker/desk/office_\(id)/config")
        let text = String(decoding: home.config(of: Self.full), as: UTF8.self)
        #expect(text.contains("\"unique_id\":\"peerlist_office_desk_\(id)\""))
    }
}
