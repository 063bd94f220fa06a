// Tests that each property of a peer is written, read, published and merged, or stated not to be.
import Foundation
import PeerList
import Testing

@testable import PeerRecording

@Suite struct PeerPropertyTests {
    /// The properties that are in no line: what a program collects or remembers for itself.
    private static let unwritten: Set = ["evidence", "firstEverSeen", "lastSeenBefore"]

    /// The properties that two states of one peer have in common, or that are those of one observer.
    private static let ofFirst: Set = [
        "id", "name", "host", "isSelf", "identity", "interfaces", "isNew", "views",
    ]

    /// The properties of a peer that the rows of its services have in a list that is grouped by type.
    private static let ofServiceRows: Set = [
        "id", "name", "host", "isSelf", "presence", "identity", "addresses", "services",
        "firstSeen", "lastSeen", "kind", "label", "isNew", "firstEverSeen", "lastSeenBefore",
    ]

    private static let blank = Peer(
        id: UUID(), name: "", host: nil, presence: .resolving,
        identity: Identity(source: .service, value: "blank"),
        firstSeen: Timestamp(microseconds: 200), lastSeen: Timestamp(microseconds: 200))

    private static let service = Service(
        id: UUID(), name: "Web", type: "_http._tcp", subtypes: ["_a"], domain: "local", port: 80,
        txt: TXTRecord([.init(key: "sn", value: .text("1"))]))

    /// A peer that has a value of its own for each property.
    private static let full = {
        var peer = Peer(
            id: UUID(), name: "Printer", host: "h1.local", isSelf: true, presence: .present,
            identity: Identity(source: .txt, value: "1", type: "_http._tcp", key: "sn"),
            addresses: ["10.0.0.1"], interfaces: ["eth0"], services: [service],
            firstSeen: Timestamp(microseconds: 100), lastSeen: Timestamp(microseconds: 300))
        peer.evidence = Evidence.of([service], host: "h1.local")
        (peer.kind, peer.model, peer.maker) = (.printer, "ABC-1", "Example")
        peer.deviceInfo = TXTRecord([.init(key: "model", value: .text("ABC1,1"))])
        peer.macs = ["00:00:5e:00:53:01"]
        (peer.label, peer.isNew) = ("by the door", true)
        peer.firstEverSeen = Timestamp(microseconds: 10)
        peer.lastSeenBefore = Timestamp(microseconds: 20)
        peer.views = [
            PeerView(
                name: ObserverName(site: "office", observer: "h2"), host: "h2.local",
                presence: .present, since: Timestamp(microseconds: 100), interfaces: ["eth1"])
        ]
        return peer
    }()

    /// Returns the names of the stored properties in which two peers differ.
    private func differences(_ left: Peer, _ right: Peer) -> Set<String> {
        let (left, right) = (properties(left), properties(right))
        return Set(left.keys.filter { left[$0] != right[$0] })
    }

    private func properties(_ peer: Peer) -> [String: String] {
        var values: [String: String] = [:]
        func add(_ mirror: Mirror) {
            for case (let name?, let value) in mirror.children {
                if name == "storage" {
                    add(Mirror(reflecting: value))
                } else {
                    values[name] = String(reflecting: value)
                }
            }
        }
        add(Mirror(reflecting: peer))
        return values
    }

    private static let names = PeerPropertyTests().properties(full).keys

    @Test func `the peer of these tests has a value of its own for each property`() {
        #expect(differences(Self.full, Self.blank) == Set(Self.names))
    }

    @Test func `each field of a peer states how two states merge`() {
        #expect(ListItem.peerFields.filter { $0.merge == nil }.map(\.key) == [])
    }

    @Test func `each property is read from the line to which it was written`() throws {
        var reader = JSONReader(Array(ListItem.peer(Self.full).json.utf8))
        let read = try ListItem.read(&reader).peer
        #expect(differences(read, Self.full) == Self.unwritten)
    }

    @Test func `each property but the views is in the message of an observer`() throws {
        let payload = NumberedPeer(sequence: 1, peer: Self.full).payload
        let read = try NumberedPeer(payload).peer
        #expect(differences(read, Self.full) == Self.unwritten.union(["views"]))
    }

    @Test func `each property that another state adds to a peer is merged`() {
        var merged = Self.blank
        merged.merge(Self.full)
        let kept = Self.unwritten.union(Self.ofFirst)
        #expect(differences(merged, Self.full) == kept)
        #expect(differences(merged, Self.blank) == Set(Self.names).subtracting(kept))
    }

    @Test func `the row of a service has no other property of its peer than those stated`() {
        let row = ListItem.service(Self.service, of: Self.full).peer
        #expect(differences(row, Self.blank) == Self.ofServiceRows)
    }
}
