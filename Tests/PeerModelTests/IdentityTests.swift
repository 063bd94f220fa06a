// Tests the identifiers of peers and changes of their evidence.
import FoundationEssentials
import PeerListTestSupport
import PeerModel
import Testing

@Suite struct IdentityTests {
    private let claim = Identity.uuid(forName: "claimed")

    /// Announces a host by `_peerlist._tcp` with an identifier.
    private func announce(
        _ script: EventScript, _ name: String, on host: String, _ claim: UUID
    ) -> PeerListUpdate? {
        script.bring(
            name, "_peerlist._tcp", on: host, txt: ["id=\(claim.uuidString.lowercased())"])
    }

    /// The expected UUIDs are the output of `uuidgen --sha1 --namespace @dns --name NAME`.
    @Test(arguments: [
        ("h1.local", "210af33b-3d08-5247-9a57-e1f0f48ed738"),
        ("H1.LOCAL.", "210af33b-3d08-5247-9a57-e1f0f48ed738"),
        ("h2.local", "3e23308b-e56b-57dc-98da-41dbc537312d"),
    ])
    func `a host's UUID is that of its name in lower case without the final dot`(
        name: String, uuid: String
    ) {
        #expect(
            Identity.uuid(forName: Identity.canonical(name)).uuidString.lowercased() == uuid)
    }

    @Test func `only ASCII letters are folded, as DNS does it`() {
        #expect(Identity.canonical("KÜCHE.local") == "kÜche.local")
        #expect(key("Web", "_http._tcp") == key("WEB", "_HTTP._tcp"))
    }

    @Test func `an announced identifier takes precedence and gives the name`() {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        let update = announce(script, "Anna's laptop", on: "h1.local", claim)
        #expect(update?.cause == .identity)
        #expect(update?.items.replacements == [Identity.uuid(forName: "h1.local"): claim])
        #expect(script.peers.map(\.id) == [claim])
        #expect(script.peers.map(\.name) == ["Anna's laptop"])
        #expect(script.peers.first?.identity.source == .announced)
    }

    @Test(arguments: [
        "id=nonsense", "id=", "id", "other=1", "id=210af33b-3d08-4247-9a57-e1f0f48ed738",
    ])
    func `only a version-5 UUID is a claim`(txt: String) {
        let script = EventScript()
        script.bring("h1", "_peerlist._tcp", on: "h1.local", txt: [txt])
        #expect(script.peers.map(\.id) == [Identity.uuid(forName: "h1.local")])
    }

    @Test func `a renamed machine is updated and neither departs nor arrives`() {
        let script = EventScript()
        _ = announce(script, "h1", on: "h1.local", claim)
        let update = script.feed(
            .resolved(
                key("h1", "_peerlist._tcp"),
                resolution("h1-2.local", txt: ["id=\(claim.uuidString.lowercased())"])))
        #expect(update?.items.arrivals.isEmpty == true)
        #expect(update?.items.departures.isEmpty == true)
        #expect(script.peers.map(\.host) == ["h1-2.local"])
        #expect(script.peers.map(\.id) == [claim])
    }

    @Test
    func
        `two present hosts that claim one identifier get those of their names, and a notice reports it`()
    {
        let script = EventScript()
        _ = announce(script, "a", on: "h1.local", claim)
        _ = announce(script, "b", on: "h2.local", claim)
        let expected = ["h1.local", "h2.local"].map(Identity.uuid(forName:))
        #expect(Set(script.peers.map(\.id)) == Set(expected))
        #expect(script.notices.map(\.code) == [.identityConflict])

        script.feed(.removed(sighting("b", "_peerlist._tcp")))
        #expect(script.peers.map(\.id) == [claim])
    }

    @Test func `an unanswered host does not prevent a claim`() {
        let script = EventScript()
        _ = announce(script, "a", on: "h1.local", claim)
        script.feed(.unanswered(key("a", "_peerlist._tcp")))
        _ = announce(script, "b", on: "h2.local", claim)
        #expect(script.peers.first { $0.id == claim }?.host == "h2.local")
        #expect(script.peers.count == 2)
        #expect(script.notices.isEmpty)
    }

    @Test func `a host cannot claim the identifier of another host's name`() {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        _ = announce(script, "thief", on: "h2.local", Identity.uuid(forName: "h1.local"))
        #expect(
            script.peers.first { $0.id == Identity.uuid(forName: "h1.local") }?.host == "h1.local")
        #expect(script.peers.count == 2)
        #expect(script.notices.map(\.code) == [.identityConflict])
    }

    @Test func `a host that claims the identifier of an unresolved service hides no peer for long`()
    {
        let script = EventScript()
        script.feed(.found(sighting("Slow")))
        script.feed(.pending(key("Slow")))
        _ = announce(script, "thief", on: "h2.local", key("Slow").id)
        #expect(Set(script.items.map(\.id)).count == script.items.count)

        script.feed(.resolved(key("Slow"), resolution("h1.local")))
        #expect(Set(script.peers.map(\.host)) == ["h1.local", "h2.local"])
    }

    // MARK: Identity in records

    /// Brings a service with a MAC address of a host.
    private func bringAirPlay(_ script: EventScript, on host: String) {
        script.bring("TV", "_airplay._tcp", on: host, txt: ["deviceid=00:00:5E:00:53:01"])
    }

    /// Brings a service with the same MAC address in another form.
    private func bringRAOP(_ script: EventScript, on host: String) {
        script.bring("00005E005301@TV", "_raop._tcp", on: host)
    }

    @Test func `sharper evidence is a change of the identifier and no arrival`() throws {
        let script = EventScript()
        script.bring("TV", "_ssh._tcp", on: "h1.local")
        let update = script.bring(
            "TV", "_airplay._tcp", on: "h1.local", txt: ["deviceid=00:00:5E:00:53:01"])
        #expect(update?.cause == .identity)
        let peer = try #require(script.peers.first)
        #expect(update?.items.replacements == [Identity.uuid(forName: "h1.local"): peer.id])
        #expect(
            peer.identity
                == Identity(
                    source: .txt, value: "mac:00005e005301", type: "_airplay._tcp", key: "deviceid")
        )
    }

    @Test func `equal evidence of different types is one identifier, on every observer`() {
        let (first, second) = (EventScript(), EventScript())
        bringAirPlay(first, on: "h1.local")
        bringRAOP(second, on: "h2.local")
        #expect(first.peers.map(\.id) == second.peers.map(\.id))
        #expect(second.peers.first?.identity.source == .name)
        bringRAOP(first, on: "h1.local")
        bringAirPlay(second, on: "h2.local")
        #expect(first.peers.map(\.identity) == second.peers.map(\.identity))
    }

    @Test func `a device that is renamed service by service stays one row`() {
        let script = EventScript()
        bringAirPlay(script, on: "h1.local")
        bringRAOP(script, on: "h1.local")
        let id = script.peers.map(\.id)
        for type in ["_airplay._tcp", "_raop._tcp"] {
            let (name, txt) =
                type == "_raop._tcp"
                ? ("00005E005301@TV", []) : ("TV", ["deviceid=00:00:5E:00:53:01"])
            let update = script.feed(
                .resolved(key(name, type), resolution("h1-den.local", txt: txt)))
            #expect(
                update?.items.arrivals.isEmpty == true && update?.items.departures.isEmpty == true)
            #expect(script.peers.map(\.id) == id)
        }
        #expect(script.peers.map(\.host) == ["h1-den.local"])
        #expect(script.notices.isEmpty)
    }

    @Test func `a device without evidence gets another identifier with another name`() {
        let script = EventScript()
        script.bring("TV", "_ssh._tcp", on: "h1.local")
        script.feed(.resolved(key("TV", "_ssh._tcp"), resolution("h1-den.local")))
        #expect(script.peers.map(\.id) == [Identity.uuid(forName: "h1-den.local")])
    }

    @Test func `evidence that two devices announce is of neither, weaker evidence counts`() {
        let script = EventScript()
        let uuid = "UUID=e3248000-80ce-11db-8000-30055c00a1f7"
        script.bring("A", "_ipp._tcp", on: "h1.local", txt: [uuid, "mac=00:00:5e:00:53:01"])
        script.bring("B", "_ipp._tcp", on: "h2.local", txt: [uuid])
        #expect(script.notices.map(\.code) == [.identityConflict])
        #expect(
            Set(script.peers.map(\.identity.value)) == ["mac:00005e005301", "h2.local"])
        script.feed(.removed(sighting("A", "_ipp._tcp")))
        #expect(script.peers.map(\.identity.key) == ["UUID"])
    }

    @Test func `the notices of conflicts are bounded, and the last one says so`() {
        let script = EventScript()
        for number in 100..<300 {
            let uuid = "UUID=e3248000-80ce-11db-8000-30055c000\(number)"
            script.bring("A\(number)", "_ipp._tcp", on: "a\(number).local", txt: [uuid])
            script.bring("B\(number)", "_ipp._tcp", on: "b\(number + 1).local", txt: [uuid])
        }
        let notices = script.notices
        #expect(notices.count == 65 && notices.allSatisfy { $0.code == .identityConflict })
        #expect(
            notices.last?.message
                == "64 identifiers were claimed by several hosts, further ones are not reported")
    }

    @Test func `a thousand hosts that claim one MAC address get the identifiers of their names`() {
        let script = EventScript()
        for number in 0..<1_000 {
            let host = "h\(number)-\(number).local"
            script.bring(
                "TV \(number)", "_airplay._tcp", on: host, txt: ["deviceid=00:00:5E:00:53:01"])
        }
        #expect(script.peers.count == 1_000)
        #expect(Set(script.peers.map(\.identity.source)) == [.hostName])
        #expect(script.notices.map(\.code) == [.identityConflict])
    }

    @Test func `hosts that share evidence in a chain are not one machine`() {
        func uuid(_ number: Int) -> String {
            "5d81b3c7-0e42-4f96-a7b0-92c6e135d" + String(100 + number)
        }
        let script = EventScript()
        for number in 0..<40 {
            let host = "h\(number).local"
            script.bring(
                "TV \(number)", "_airplay._tcp", on: host,
                txt: ["pi=\(uuid(number))", "psi=\(uuid(number + 1))"])
            script.feed(.addresses(host: HostName(host), [address(1)]))
        }
        #expect(script.peers.count >= 20, "two of them may have one identifier")
    }

    @Test func `names, kinds and models come from the records`() {
        let script = EventScript()
        script.bring(
            "Chromecast-Ultra-5e005301", "_googlecast._tcp", on: "5e005301.local",
            txt: ["fn=Living Room TV", "md=Chromecast Ultra"])
        let peer = script.peers.first
        #expect(peer?.name == "Living Room TV")
        #expect(peer?.kind == .mediaPlayer)
        #expect(peer?.model == "Chromecast Ultra")
    }
}
