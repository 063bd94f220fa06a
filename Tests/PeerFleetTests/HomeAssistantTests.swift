// Tests the messages to Home Assistant against the documented keys.
import Foundation
import PeerList
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
    private let homeAssistant = HomeAssistant(
        name, topics: topics, prefix: "homeassistant", version: "1.0")

    private static let full = {
        var peer = Peer.host("printer").announcing(.announced(1))
        (peer.model, peer.maker, peer.label) = ("LaserJet \"4\"", "HP", "Büro\n{{ 1 }}")
        peer.macs = ["00:00:5e:00:53:01", "00:00:5e:00:53:02"]
        return peer
    }()

    private func object(_ peer: Peer) throws -> [String: Any] {
        let message = try #require(homeAssistant.message(about: peer))
        let value = try JSONSerialization.jsonObject(with: Data(message.payload))
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
        let types = ["gps", "router", "bluetooth", "bluetooth_le"]
        #expect(types.contains(tracker["source_type"] as? String ?? ""))
    }

    @Test func `a message names the topics of the peer and of the observer's status`() throws {
        let tracker = try object(Self.full)
        #expect(tracker["state_topic"] as? String == topics.peer(Self.full.id, of: Self.name))
        #expect(tracker["availability_topic"] as? String == topics.status(of: Self.name))
        let device = try #require(tracker["device"] as? [String: Any])
        #expect(device["connections"] as? [[String]] == Self.full.macs.map { ["mac", $0] })
        #expect(device["name"] as? String == Self.full.label)
        #expect(device["manufacturer"] as? String == "HP")
        #expect(device["model"] as? String == Self.full.model)
    }

    @Test func `the topic has the characters that are allowed in it`() throws {
        let topic = try #require(homeAssistant.message(about: Self.full)).topic
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        #expect(levels.count == 5)
        #expect(levels[0] == "homeassistant" && levels[1] == "device_tracker")
        #expect(levels[4] == "config")
        for level in levels[2...3] {
            #expect(level.wholeMatch(of: /[a-zA-Z0-9_-]+/) != nil, "\(level)")
        }
    }

    @Test func `a device that only its host name identifies needs a label`() {
        var peer = Peer.host("phone")
        #expect(homeAssistant.message(about: peer) == nil)
        peer.label = "Anna's phone"
        #expect(homeAssistant.message(about: peer) != nil)
    }
}
