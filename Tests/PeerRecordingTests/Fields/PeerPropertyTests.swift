// Tests that each property of a peer is written, read, published and merged, or stated not to be.
import Foundation
import PeerModel
import PeerListTestSupport
import Testing

@testable import PeerRecording

@Suite struct PeerPropertyTests {
    /// The properties that are in no line: what a program collects or remembers for itself.
    private static let unwritten: Set = ["evidence", "firstEverSeen", "lastSeenBefore"]

    /// The properties that two states of one peer have in common, or that are those of one observer.
    private static let ofFirst: Set = [
        "id", "name", "host", "isSelf", "identity", "interfaces", "isHeard", "isNew", "views",
    ]

    /// The properties of a peer that the rows of its services have in a list that is grouped by type.
    private static let ofServiceRows: Set = [
        "id", "name", "host", "isSelf", "presence", "identity", "addresses", "reach", "services",
        "firstSeen", "lastSeen", "kind", "label", "isHeard", "isNew", "firstEverSeen",
        "lastSeenBefore",
    ]

    private static let (blank, full) = (Peer.blank, Peer.full)
    private static let names = Set(full.properties.keys)

    @Test func `the peer of these tests has a value of its own for each property`() {
        #expect(Self.full.differences(from: Self.blank) == Self.names)
    }

    @Test func `each field of a peer states how two states merge`() {
        #expect(ListItem.peerFields.filter { $0.merge == nil }.map(\.key) == [])
    }

    @Test func `each property is read from the line to which it was written`() throws {
        var reader = JSONReader(Array(ListItem.peer(Self.full).json.utf8))
        let read = try ListItem.read(&reader).peer
        #expect(read.differences(from: Self.full) == Self.unwritten)
    }

    @Test func `each property but the views is in the message of an observer`() throws {
        let payload = NumberedPeer(sequence: 1, peer: Self.full).payload
        let read = try NumberedPeer(payload).peer
        #expect(read.differences(from: Self.full) == Self.unwritten.union(["views"]))
    }

    @Test func `each property that another state adds to a peer is merged`() {
        var merged = Self.blank
        merged.merge(Self.full)
        let kept = Self.unwritten.union(Self.ofFirst)
        #expect(merged.differences(from: Self.full) == kept)
        #expect(merged.differences(from: Self.blank) == Self.names.subtracting(kept))
    }

    @Test func `the row of a service has no other property of its peer than those stated`() {
        let row = ListItem.service(Self.full.services[0], of: Self.full).peer
        #expect(row.differences(from: Self.blank) == Self.ofServiceRows)
    }
}
