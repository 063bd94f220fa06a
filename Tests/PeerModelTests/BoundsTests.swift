// Tests the bounds on what other machines can make grow.
import FoundationEssentials
import PeerListTestSupport
import Testing

@testable import PeerModel

@Suite struct BoundsTests {
    @Test func `a host with 1,000 addresses has 64 in its row`() {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        script.feed(
            .addresses(
                host: "h1.local",
                (0..<1000).map { number in
                    HostAddress(
                        bytes: [10, 0, UInt8(number / 256), UInt8(number % 256)],
                        text: "10.0.\(number / 256).\(number % 256)", interface: "eth0")
                }))
        #expect(script.peers.first?.addresses.count == 64)
        #expect(script.peers.first?.addresses.last == "10.0.0.63")
    }

    @Test func `a host's device-info record is kept until the host is gone, and opens nothing`() {
        let txt = TXTRecord(strings: [Array("model=Macmini9,1".utf8)])
        var (store, _) = store(.device, services: 1)
        _ = store.apply(event(.addresses(host: "h1.local", [])))
        _ = store.apply(event(.deviceInfo(host: "H1.local", txt)))
        _ = store.apply(event(.deviceInfo(host: "h2.local", txt)))
        #expect(store.hosts.mapValues(\.deviceInfo) == ["h1.local": txt])
        let peer = store.row(.host("h1.local"))?.peer
        #expect(peer?.deviceInfo == txt)
        #expect(peer?.kind == .computer && peer?.model?.hasPrefix("Mac mini") == true)
        #expect(store.openCount == 0)
        _ = store.apply(event(.removed(sighting("s0"))))
        _ = store.apply(event(.found(sighting("s0"))))
        _ = store.apply(event(.resolved(key("s0"), resolution("h1.local"))))
        #expect(store.hosts.mapValues(\.deviceInfo) == ["h1.local": nil])
    }

    /// Returns a store with services of one host.
    private func store(
        _ grouping: Grouping, services count: Int
    ) -> (PeerStore, notices: [Notice.Code]) {
        var store = PeerStore(options: ListOptions(grouping: grouping))
        var notices: [Notice.Code] = []
        for number in 0..<count {
            _ = store.apply(event(.found(sighting("s\(number)"))))
            let told = store.apply(event(.resolved(key("s\(number)"), resolution("h1.local"))))
            notices += told.notices.map(\.code)
        }
        return (store, notices)
    }

    private func event(_ kind: DiscoveryEvent.Kind) -> DiscoveryEvent {
        DiscoveryEvent(kind, at: Timestamp(microseconds: 1))
    }

    @Test func `a host with more than 4,096 services lists that many, and one notice reports it`()
        throws
    {
        let count = HostState.serviceLimit + 3
        var (store, notices) = store(.device, services: count)
        #expect(notices == [.serviceLimit])
        #expect(store.hosts["h1.local"]?.services.count == HostState.serviceLimit)

        // When one is removed, another replaces it.
        for number in 0..<5 {
            let told = store.apply(event(.removed(sighting("s\(number)"))))
            #expect(told.notices.isEmpty)
            let expected = min(HostState.serviceLimit, count - number - 1)
            guard let peer = store.row(.host("h1.local"))?.peer else {
                return #expect(Bool(false), "the host is no row")
            }
            #expect(Set(peer.services.map(\.id)).count == expected)
            #expect(store.hosts["h1.local"]?.serviceIDs.count == count - number - 1)
        }
    }

    @Test func `by type, all services of a host are rows`() {
        let count = HostState.serviceLimit + 3
        let (store, notices) = store(.type, services: count)
        #expect(store.services.keys.count { store.serviceRow($0) != nil } == count)
        #expect(notices.isEmpty)
    }

    @Test func `another claimant of a contested identifier does not change the other claimants`() {
        let claim = "id=\(Identity.uuid(forName: "claimed").uuidString.lowercased())"
        let script = EventScript()
        for number in 0..<50 {
            let host = "h\(number).local"
            let update = script.bring(host, "_peerlist._tcp", on: host, txt: [claim])
            #expect(update?.items.arrivals.count == (number == 1 ? 2 : 1))
            #expect(update?.items.changes.isEmpty == true)
        }
        #expect(script.notices.map(\.code) == [.identityConflict])
        #expect(Set(script.peers.map(\.identity.source)) == [.hostName])

        for number in 0..<49 {
            let host = "h\(number).local"
            let update = script.feed(.removed(sighting(host, "_peerlist._tcp")))
            #expect(update?.items.departures.count == (number == 48 ? 2 : 1))
        }
        #expect(script.peers.map(\.identity.source) == [.announced])
    }

    @Test func `the notice of a conflict of many hosts names eight of them`() {
        let claim = "id=\(Identity.uuid(forName: "claimed").uuidString.lowercased())"
        let script = EventScript()
        let names = (0..<20).map { "h\($0).local" }
        for name in names { script.bring(name, "_peerlist._tcp", on: name, txt: [claim]) }
        for name in names { script.feed(.unanswered(key(name, "_peerlist._tcp"))) }
        for name in names.prefix(2) {
            script.bring(name, "_peerlist._tcp", on: name, txt: [claim])
        }
        let last = script.notices.last
        #expect(script.notices.map(\.code) == [.identityConflict, .identityConflict])
        #expect(last?.message.contains("h0.local, h1.local, h10.local") == true)
        #expect(last?.message.contains(" and 12 more)") == true)
    }

    @Test func `a host with the name of a service waits for its identifier and then gets it`() {
        let script = EventScript()
        script.feed(.found(sighting("Web")))
        script.feed(.pending(key("Web")))
        script.bring("Liar", on: "Web._http._tcp.local")
        #expect(script.peers.map(\.identity.source) == [.service])

        let update = script.feed(.removed(sighting("Web")))
        #expect(update?.items.changes.count == 1)
        #expect(script.peers.map(\.host) == ["Web._http._tcp.local"])
        #expect(script.peers.map(\.identity.source) == [.hostName])
    }
}
