// Tests the presence of peers.
import FoundationEssentials
import PeerListTestSupport
import PeerModel
import Testing

@Suite struct PresenceTests {
    @Test func `a service that resolves at once is never a row of its own`() {
        let script = EventScript()
        #expect(script.feed(.found(sighting("Web"))) == nil)
        let update = script.feed(.resolved(key("Web"), resolution("h1.local")))
        #expect(update?.cause == .arrived)
        #expect(update?.items.replacements == [:])
    }

    @Test func `an overdue service is a row until its host is known`() throws {
        let script = EventScript()
        script.feed(.found(sighting("Web")))
        let waiting = script.feed(.pending(key("Web")))
        #expect(waiting?.cause == .arrived)
        let row = try #require(script.peers.first)
        #expect(row.id == key("Web").id)
        #expect(row.host == nil)
        #expect(row.presence == .resolving)
        #expect(row.identity == Identity(source: .service, value: "web._http._tcp.local"))

        let known = script.feed(.resolved(key("Web"), resolution("h1.local")))
        #expect(known?.cause == .identity)
        #expect(known?.items.departures[row.id]?.reason == .identity)
        #expect(known?.items.replacements == [row.id: Identity.uuid(forName: "h1.local")])
        #expect(script.peers.map(\.host) == ["h1.local"])
    }

    @Test func `a service that never answers stays as unanswered and is not open`() {
        let script = EventScript()
        script.feed(.found(sighting("Web")))
        #expect(script.listing.openCount == 1)
        script.feed(.unanswered(key("Web")))
        #expect(script.peers.map(\.presence) == [.unanswered])
        #expect(script.listing.openCount == 0)
    }

    @Test func `a host is open until its addresses are reported or it departs`() {
        let script = EventScript()
        script.feed(.found(sighting("Web")))
        script.feed(.resolved(key("Web"), resolution("h1.local")))
        #expect(script.listing.openCount == 1)
        script.feed(.addresses(host: "h1.local", []))
        #expect(script.listing.openCount == 0)
        script.feed(.found(sighting("Shell")))
        script.feed(.resolved(key("Shell"), resolution("h2.local")))
        #expect(script.listing.openCount == 1)
        script.feed(.removed(sighting("Shell")))
        #expect(script.listing.openCount == 0)
    }

    @Test func `a peer that stops responding becomes unanswered, and present when it answers`() {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        #expect(script.feed(.unanswered(key("Web")))?.cause == .presence)
        #expect(script.peers.map(\.presence) == [.unanswered])
        #expect(script.feed(.resolved(key("Web"), resolution("h1.local")))?.cause == .presence)
        #expect(script.peers.map(\.presence) == [.present])
    }

    @Test func `the presence of a peer is that of its best service`() {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        script.bring("Files", "_smb._tcp", on: "h1.local")
        #expect(script.feed(.unanswered(key("Web"))) == nil)
        #expect(script.feed(.unanswered(key("Files", "_smb._tcp")))?.cause == .presence)
    }

    @Test func `without a backend every peer is unknown and none departs`() {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        script.bring("Web 2", on: "h2.local")
        let lost = script.feed(.lost(reason: "Daemon connection failed"))
        #expect(lost?.cause == .backend)
        #expect(lost?.items.changes.count == 2)
        #expect(script.peers.map(\.presence) == [.unknown, .unknown])
        #expect(script.notices.map(\.code) == [.backendLost])
    }

    @Test
    func
        `after the backend's return, seen peers are present and the others depart at the deadline`()
    {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        script.bring("Web 2", on: "h2.local")
        script.feed(.lost(reason: "Daemon connection failed"))
        script.feed(.running(host: "me.local"))
        #expect(script.feed(.found(sighting("Web"))) == nil)
        #expect(
            script.feed(.resolved(key("Web"), resolution("h1.local")))?.cause == .presence)
        #expect(script.peers.map(\.presence) == [.present, .unknown])

        let caughtUp = script.feed(.caughtUp)
        #expect(caughtUp?.cause == .backend)
        #expect(caughtUp?.items.departures.values.map(\.reason) == [.backend])
        #expect(script.peers.map(\.host) == ["h1.local"])
    }

    @Test
    func `a hand-over changes nothing, and peers that are not seen again depart at the deadline`() {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        script.bring("Web 2", on: "h2.local")
        #expect(script.feed(.handedOver(to: .embedded, host: "me.local")) == nil)
        #expect(script.feed(.backendChanged(to: .embedded, "it is asked now")) == nil)
        #expect(script.notices.map(\.code) == [.backendBack])
        #expect(script.notices.last?.backend == .embedded)
        #expect(script.bring("Web", on: "h1.local") == nil)
        #expect(script.peers.map(\.presence) == [.present, .present])

        let caughtUp = script.feed(.caughtUp)
        #expect(caughtUp?.items.departures.values.map(\.reason) == [.backend])
        #expect(script.peers.map(\.host) == ["h1.local"])
    }

    @Test func `a path that the new backend does not report is dropped, and the service stays`() {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        script.feed(.found(sighting("Web", on: eth1)))
        script.feed(.handedOver(to: .daemon, host: "me.local"))
        script.bring("Web", on: "h1.local")
        #expect(script.feed(.caughtUp)?.items.changes.count == 1)
        #expect(script.peers.map(\.interfaces) == [["eth0"]])
    }

    @Test func `the services of this machine are there while its interface is down`() {
        let script = EventScript()
        script.feed(.running(host: "h1.local"))
        script.feed(.ownAddresses([address(1)]))
        script.bring("Web", on: "h1.local")
        script.bring("Web 2", on: "h2.local")
        let lost = script.feed(.linkLost(eth0, [.ipv4], reason: "eth0 is down"))
        #expect(lost?.cause == .link)
        #expect(script.peers.map(\.presence) == [.present, .unknown])
        script.feed(.linkBack(eth0))
        #expect(script.feed(.linkCaughtUp(eth0, gone: [sighting("Web 2")]))?.cause == .link)
        #expect(script.peers.map(\.presence) == [.present])
        #expect(script.notices.map(\.code) == [.linkLost, .linkBack])
    }

    @Test func `the loss of a link on which this machine is alone is not reported`() {
        let script = EventScript()
        script.feed(.running(host: "h1.local"))
        script.feed(.ownAddresses([address(1)]))
        script.bring("Web", on: "h1.local")
        script.feed(.linkLost(eth0, [.ipv4], reason: "eth0 is down"))
        script.feed(.linkBack(eth0))
        #expect(script.notices.isEmpty)
    }

    @Test func `a service that is found on another interface is not lost with its first one`() {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        script.feed(.linkLost(eth0, [.ipv4], reason: "eth0 is down"))
        script.feed(.found(sighting("Web", on: eth1)))
        script.feed(.resolved(key("Web"), resolution("h1.local")))
        #expect(script.feed(.linkExpired(eth0, [.ipv4]))?.items.departures.isEmpty == true)
        #expect(script.peers.map(\.interfaces) == [["eth1"]])
        #expect(script.peers.map(\.presence) == [.present])
    }
}
