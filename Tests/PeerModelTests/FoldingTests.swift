// Tests the folding of sightings into services and of services into peers.
import DiffCore
import FoundationEssentials
import PeerListTestSupport
import PeerModel
import Testing

@Suite struct FoldingTests {
    @Test func `a service on every interface and family is one service of one peer`() throws {
        let script = EventScript()
        for interface in [eth0, eth1, loopback] {
            for family in AddressFamily.allCases {
                script.feed(.found(sighting("Web", on: interface, family)))
            }
        }
        script.feed(.resolved(key("Web"), resolution("h1.local")))

        let peer = try #require(script.peers.first)
        #expect(script.peers.count == 1)
        #expect(peer.services.map(\.name) == ["Web"])
        #expect(peer.interfaces == ["eth0", "eth1"])
    }

    @Test func `the services of one host are one peer, by type and name`() {
        let script = EventScript()
        script.bring("B", "_http._tcp", on: "H1.local")
        script.bring("Files", "_webdav._tcp", on: "h1.local")
        script.bring("A", "_http._tcp", on: "h1.local.")

        #expect(script.peers.count == 1)
        #expect(script.peers.first?.services.map(\.name) == ["A", "B", "Files"])
        #expect(script.peers.first?.name == "H1")
    }

    @Test func `a removal on one path removes that path only`() {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        script.feed(.found(sighting("Web", on: eth1)))
        #expect(script.peers.first?.interfaces == ["eth0", "eth1"])

        let update = script.feed(.removed(sighting("Web", on: eth1)))
        #expect(update?.cause == .changed)
        #expect(script.peers.first?.interfaces == ["eth0"])

        let last = script.feed(.removed(sighting("Web", on: eth0)))
        #expect(last?.cause == .departed)
        #expect(last?.items.departures.values.map(\.reason) == [.removed])
        #expect(script.items.isEmpty)
        #expect(script.listing.snapshot.sectionIdentifiers.isEmpty)
    }

    @Test func `a service reported twice on a path is gone after one removal`() {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        #expect(script.feed(.found(sighting("Web"))) == nil)
        #expect(script.feed(.removed(sighting("Web")))?.cause == .departed)
        #expect(script.items.isEmpty)
        #expect(script.bring("Web", on: "h1.local")?.cause == .arrived)
    }

    @Test func `a subtype's removal leaves a service that its type still has`() {
        let script = EventScript()
        script.bring("Printer", on: "h1.local")
        script.feed(.found(sighting("Printer", subtype: "_color")))
        #expect(script.peers.first?.services.first?.subtypes == ["_color"])

        script.feed(.removed(sighting("Printer", subtype: "_color")))
        #expect(script.peers.first?.services.first?.subtypes == [])
    }

    @Test func `a changed TXT record and port are one update with old and new values`() throws {
        let script = EventScript()
        script.bring("Web", on: "h1.local", txt: ["path=/"])
        let update = script.feed(
            .resolved(key("Web"), resolution("h1.local", port: 81, txt: ["path=/new"])))

        #expect(update?.cause == .changed)
        let change = try #require(update?.items.changes.values.first)
        let (was, now) = (change.was.peer, change.now.peer)
        #expect(was.services.first?.txt["path"] == .text("/"))
        #expect(now.services.first?.txt["PATH"] == .text("/new"))
        #expect(now.services.first?.port == 81)
    }

    @Test func `a sign of life alone causes no difference and does not change the list`() {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        let seen = script.peers.first?.lastSeen

        #expect(script.feed(.resolved(key("Web"), resolution("h1.local"))) == nil)
        #expect(script.feed(.found(sighting("Web"))) == nil)
        #expect(script.peers.first?.lastSeen == seen)

        script.feed(.unanswered(key("Web")))
        #expect(script.peers.first?.lastSeen != seen)
    }

    @Test func `a TXT record in reverse order is not a change`() {
        let script = EventScript()
        script.bring("Web", on: "h1.local", txt: ["a=1", "b=2"])
        let update = script.feed(
            .resolved(key("Web"), resolution("h1.local", txt: ["b=2", "a=1"])))
        #expect(update == nil)
    }

    @Test func `a peer has all addresses of its host, loopback ones only if there are no others`() {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        let local = HostAddress(bytes: [127, 0, 0, 1], text: "127.0.0.1", interface: "lo")
        let link = HostAddress(
            bytes: [0xfe, 0x80] + Array(repeating: 0, count: 13) + [1], text: "fe80::1",
            interface: "eth0")
        script.feed(.addresses(host: "h1.local", [link, local, address(2), address(1)]))
        #expect(script.peers.first?.addresses == ["10.0.0.1", "10.0.0.2", "fe80::1%eth0"])

        script.feed(.addresses(host: "h1.local", [local]))
        #expect(script.peers.first?.addresses == ["127.0.0.1"])

        script.feed(.addresses(host: "h1.local", []))
        #expect(script.peers.first?.addresses == ["10.0.0.1"])
    }

    @Test func `a bare host name and the full one with the same addresses are one device`() throws {
        let script = EventScript()
        script.bring("Files", "_smb._tcp", on: "h1.local")
        script.feed(.addresses(host: "h1.local", [address(1), address(2)]))
        script.bring("Web", on: "H1")
        #expect(script.peers.map(\.host) == ["h1.local", "H1"], "with one address of two")
        let merged = try #require(
            script.feed(.addresses(host: "H1", [address(1), address(2)])))
        #expect(merged.cause == .identity)
        #expect(script.peers.map(\.host) == ["h1.local"])
        let device = try #require(script.peers.first)
        #expect(device.services.map(\.name) == ["Web", "Files"])
        #expect(script.listing.services(of: device.id).count == 2)

        script.feed(.unanswered(key("Files", "_smb._tcp")))
        #expect(script.peers.map(\.presence) == [.present], "the other service answers")
        script.feed(.addresses(host: "H1", [address(9)]))
        #expect(script.peers.count == 2)
        script.feed(.addresses(host: "H1", [address(1), address(2)]))
        script.feed(.removed(sighting("Files", "_smb._tcp")))
        #expect(script.peers.map(\.host) == ["H1"])
    }

    @Test func `a service that moves to another host moves from peer to peer`() {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        let update = script.feed(.resolved(key("Web"), resolution("h2.local")))
        #expect(update?.items.arrivals.count == 1)
        #expect(update?.items.departures.count == 1)
        #expect(script.peers.map(\.host) == ["h2.local"])
    }
}
