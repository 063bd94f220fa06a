// Each property of a device is a fact or stated to be none, and each output shows the facts that the table says.
import Foundation
import PeerExport
import PeerHappenings
import PeerListTestSupport
import PeerModel
import PeerRecording
import TerminalList
import Testing

@testable import PeerFleet
@testable import PeerHooks
@testable import PeerScreen
@testable import PeerText

@Suite struct DeviceFactTests {
    /// The properties that are no facts, with the reason.
    private static let others = [
        "isSelf": "the observer's: which device it is itself",
        "services": "each output shows services in a form of its own",
        "evidence": "collected for the identity, and read by nobody else",
        "deviceInfo": "a TXT record, of which the model and the kind are facts",
        "isHeard": "how far discovery has come",
        "isNew": "what the ledger knows of the arrival",
        "firstEverSeen": "what the ledger knows; it is shown as first_seen",
        "lastSeenBefore": "what the ledger knows of the arrival",
        "views": "of a fleet; each has facts of its own",
    ]

    /// Returns a time that looks different in whole minutes.
    private static func anHourLater(_ time: Timestamp) -> Timestamp {
        Timestamp(microseconds: time.microseconds + 3_600_000_000)
    }

    /// The facts, each with a closure that copies its property from another device, or changes it.
    private static let copies: [String: @Sendable (inout Peer, Peer) -> Void] = [
        "id": { $0.id = $1.id }, "name": { $0.name = $1.name }, "label": { $0.label = $1.label },
        "kind": { $0.kind = $1.kind }, "maker": { $0.maker = $1.maker },
        "model": { $0.model = $1.model }, "host": { $0.host = $1.host },
        "addresses": { $0.addresses = $1.addresses },
        "reach": { peer, _ in peer.reach = peer.reach.mapValues { _ in .routed } },
        "macs": { $0.macs = $1.macs },
        "protocols": { $0.protocols = $1.protocols },
        "presence": { $0.presence = $1.presence },
        "first_seen": { peer, _ in peer.firstSeen = anHourLater(peer.firstSeen) },
        "last_seen": { peer, _ in peer.lastSeen = anHourLater(peer.lastSeen) },
        "identity": { $0.identity = $1.identity },
        "interfaces": { $0.interfaces = $1.interfaces },
        "vouched_by": { $0.vouchedBy = $1.vouchedBy },
    ]

    /// Returns the name of the stored property of a fact: `firstSeen` of `first_seen`.
    private static func property(_ key: String) -> String {
        if key == "vouched_by" { return "vouching" }
        let words = key.split(separator: "_")
        return words.dropFirst().reduce(String(words[0])) { $0 + $1.capitalized }
    }

    /// Returns the text of an output for a device.
    private static func text(_ peer: Peer, in output: DeviceFact.Output) throws -> String {
        let item = ListItem.peer(peer)
        func export(_ format: ExportFormat) -> String {
            let list = [ListSection(id: "local", items: [item])]
            return Export(
                of: list, in: BrowsedDomain(), ListOptions(), ExportOptions(format: format),
                isLive: false
            ).text
        }
        switch output {
        case .details:
            var seen = DeviceIndex()
            seen.apply(ItemChanges(at: Timestamp(microseconds: 1), arrivals: [peer.id: item]))
            let details = DetailText(seen: seen, history: ListHistory(), charset: .ascii)
            return details.lines(of: .device(peer.id)).flatMap(\.fields).map(\.text)
                .joined(separator: "\n")
        case .csv: return export(.csv)
        case .prometheus: return export(.prometheus)
        case .ansible: return export(.ansible)
        case .hooks:
            let arrival = ItemHappening(.arrived, item, at: Timestamp(microseconds: 1))
            return arrival.variables(.arrived).sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
                .joined(separator: "\n")
        case .placeholders:
            return try CommandTemplate.Value.placeholders.map { placeholder in
                let words = try CommandWord.split("show \(placeholder)"[...])
                let action = CustomAction(title: "Show", command: try CommandTemplate(words))
                let offer = action.offer(for: item, of: peer, in: BrowsedDomain())
                return offer.commands.map(\.label).joined()
            }.joined(separator: "\n")
        case .search: return String(decoding: SearchText(item).bytes, as: UTF8.self)
        case .homeAssistant:
            let topics = FleetTopics(prefix: "peerlist")
            let trackers = HomeAssistant(of: nil, topics: topics, version: "1")
            return String(
                decoding: trackers.config(
                    of: peer, connections: HomeAssistant.connections(of: peer)),
                as: UTF8.self)
        }
    }

    @Test func `each property of a device is a fact, or none for a reason`() {
        let facts = Set(Self.copies.keys.map(Self.property))
        #expect(facts.union(Self.others.keys) == Set(Peer.full.properties.keys))
        #expect(facts.isDisjoint(with: Self.others.keys))
        #expect(Set(DeviceFact.all.map(\.key)) == Set(Self.copies.keys))
    }

    @Test func `a fact that an output leaves out states the reason`() {
        for fact in DeviceFact.all {
            let isComplete = fact.outputs == Set(DeviceFact.Output.allCases)
            #expect((fact.omission == nil) == isComplete, "\(fact.key)")
        }
    }

    @Test(arguments: DeviceFact.Output.allCases)
    func `an output shows the facts that it is stated to show, and no others`(
        output: DeviceFact.Output
    ) throws {
        // A label hides the name, and an earlier sighting the first one.
        var plain = Peer.full
        (plain.label, plain.isNew) = (nil, false)
        (plain.firstEverSeen, plain.lastSeenBefore) = (nil, nil)
        for fact in DeviceFact.all {
            let copy = try #require(Self.copies[fact.key])
            let isShown = try [Peer.full, plain].contains { peer in
                var other = peer
                copy(&other, .blank)
                return try Self.text(peer, in: output) != Self.text(other, in: output)
            }
            #expect(isShown == fact.outputs.contains(output), "\(fact.key)")
        }
    }
}
