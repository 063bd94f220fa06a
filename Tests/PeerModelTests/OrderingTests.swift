// Tests the sections and the order of the rows.
import DiffCore
import FoundationEssentials
import PeerListTestSupport
import PeerModel
import Testing

@Suite struct OrderingTests {
    @Test func `names are ordered without regard to case, numbers by their value`() {
        let script = EventScript()
        for host in ["printer-10", "Printer-2", "alpha", "printer-02b", "Zeta"] {
            script.bring(host, on: "\(host).local")
        }
        #expect(
            script.peers.map(\.name) == ["alpha", "Printer-2", "printer-02b", "printer-10", "Zeta"])
    }

    @Test func `addresses are ordered by number, IPv4 first, none last`() {
        let script = EventScript(ListOptions(order: .address))
        let six = HostAddress(
            bytes: [0xfd] + Array(repeating: 0, count: 14) + [1], text: "fd00::1", interface: "eth0"
        )
        for (name, address) in [("a", nil), ("b", six), ("c", address(10)), ("d", address(9))] {
            script.feed(.found(sighting(name)))
            script.feed(.resolved(key(name), resolution("\(name).local", address: address)))
        }
        #expect(script.peers.map(\.name) == ["d", "c", "b", "a"])
    }

    @Test func `by arrival, the peer seen first is first`() {
        let script = EventScript(ListOptions(order: .seen))
        for host in ["zeta", "alpha", "mid"] { script.bring(host, on: "\(host).local") }
        #expect(script.peers.map(\.name) == ["zeta", "alpha", "mid"])
    }

    @Test func `equal names are ordered by identifier, so that every observer has the same list`() {
        let hosts = ["same.local", "same.example", "same.test"]
        let script = EventScript()
        for (host, type) in zip(hosts, ["_http._tcp", "_ssh._tcp", "_smb._tcp"]) {
            script.bring("same", type, on: host)
        }
        let ids = hosts.map(Identity.uuid(forName:))
        #expect(script.peers.map(\.id) == ids.sorted { $0.uuidString < $1.uuidString })
    }

    @Test func `by type, a section exists from its first service to its last`() {
        let script = EventScript(ListOptions(grouping: .type))
        script.bring("Web", "_http._tcp", on: "h1.local")
        let update = script.feed(.found(sighting("Files", "_smb._tcp")))
        #expect(update?.difference.insertedSections.map(\.section) == ["_smb._tcp"])
        script.bring("Print", "_ipp._tcp", on: "h1.local")
        #expect(
            script.listing.snapshot.sectionIdentifiers == ["_http._tcp", "_ipp._tcp", "_smb._tcp"])

        let gone = script.feed(.removed(sighting("Print", "_ipp._tcp")))
        #expect(gone?.difference.deletedSections.map(\.section) == ["_ipp._tcp"])
    }

    @Test func `by type, a service is listed at once, and its host when it is resolved`() {
        let script = EventScript(ListOptions(grouping: .type))
        let found = script.feed(.found(sighting("Web")))
        #expect(found?.difference.insertedItems.count == 1)
        #expect(script.services.map(\.peer.presence) == [.resolving])
        #expect(script.services.map(\.peer.host) == [nil])

        let resolved = script.feed(.resolved(key("Web"), resolution("h1.local")))
        #expect(resolved?.cause == .changed)
        #expect(resolved?.difference.insertedItems.isEmpty == true)
        #expect(script.services.map(\.peer.host) == ["h1.local"])
    }

    @Test func `by type, a change of a host changes each of its services`() {
        let script = EventScript(ListOptions(grouping: .type))
        script.bring("Web", on: "h1.local")
        script.bring("Files", "_smb._tcp", on: "h1.local")
        let update = script.feed(.addresses(host: "h1.local", [address(1), address(7)]))
        #expect(update?.items.changes.count == 2)
    }

    @Test func `a filter hides other services, and peers without listed services`() {
        let script = EventScript(ListOptions(types: ["_ssh._tcp", "_color._sub._ipp._tcp"]))
        script.bring("Web", on: "h1.local")
        script.bring("h1", "_ssh._tcp", on: "h1.local")
        script.bring("Web 2", on: "h2.local")
        script.feed(.found(sighting("h3", "_ipp._tcp", subtype: "_color")))
        script.feed(.resolved(key("h3", "_ipp._tcp"), resolution("h3.local")))
        script.bring("h3", "_http._tcp", on: "h3.local")
        script.bring("Grey", "_ipp._tcp", on: "h3.local")

        #expect(script.peers.map(\.host) == ["h1.local", "h3.local"])
        #expect(script.peers.flatMap(\.services).map(\.type) == ["_ssh._tcp", "_ipp._tcp"])
    }

    @Test func `an identity service that is filtered out still gives the identifier`() {
        let claim = Identity.uuid(forName: "claimed")
        let script = EventScript(ListOptions(types: ["_ssh._tcp"]))
        script.bring("Shell", "_ssh._tcp", on: "h1.local")
        script.bring("h1", "_peerlist._tcp", on: "h1.local", txt: ["id=\(claim.uuidString)"])
        #expect(script.peers.map(\.id) == [claim])
        #expect(script.peers.first?.services.map(\.name) == ["Shell"])
    }
}
