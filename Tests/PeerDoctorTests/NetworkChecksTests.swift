// The checks of the network: present devices, and visibility to other machines.
import FoundationEssentials
import PeerList
import Testing

@testable import PeerDoctor

@Suite struct HeardCheckTests {
    /// A list of two machines that run peerlist, on eth0.
    private func listing() -> PeerListing {
        var listing = PeerListing()
        for (name, last) in [("h2", 2), ("h3", 3)] {
            let key = ServiceKey(name: name, type: Identity.serviceType, domain: "local")
            let sighting = Sighting(
                service: key, interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4)
            let address = HostAddress(bytes: [10, 0, 0, UInt8(last)], interface: "eth0")
            let resolution = Resolution(
                host: "\(name).local", port: 9, txt: TXTRecord(), address: address)
            for kind in [DiscoveryEvent.Kind.found(sighting), .resolved(key, resolution)] {
                _ = listing.apply(DiscoveryEvent(kind, at: Timestamp(microseconds: 1)))
            }
        }
        return listing
    }

    @Test func `devices that respond are present, and the others are silent`() throws {
        let listing = listing()
        let others = HeardCheck.others(in: listing)
        let h2 = try #require(others.first { $0.host == "h2.local" })
        let queried = HeardCheck.services(of: others)
        #expect(Set(queried) == Set(others.flatMap(\.services).map(\.id)))
        let survey = HeardCheck(
            listing, responded: Set(h2.services.map(\.id)), within: .seconds(5))
        #expect(survey.present == ["h2"])
        #expect(survey.silent == ["h3"])
        #expect(survey.peerlistHosts == ["h2.local"])
        #expect(survey.silentPeerlistHosts == ["h3.local"])
        let found = survey.findings
        #expect(found.map(\.outcome) == [.ok, .ok])
        #expect(
            found.map(\.text) == ["h2, on eth0 over IPv4.", "Seen before, but silent now: h3."])
    }

    @Test func `without a response, or if no device can be queried, the check is inconclusive`() {
        for responded in [[], nil] as [Set<UUID>?] {
            let survey = HeardCheck(listing(), responded: responded, within: .seconds(5))
            #expect(survey.isQueried == (responded != nil))
            #expect(survey.peerlistHosts == [])
            #expect(survey.findings.map(\.outcome) == [.unknown])
        }
    }

    @Test func `too short a time is reported instead of absent devices`() {
        let none = PeerListing()
        let early = HeardCheck(none, responded: [], within: .seconds(1))
        let found = early.findings
        #expect(found.map(\.outcome) == [.unknown])
        #expect(found[0].text.hasPrefix("No other device was found within 1 s, which is too"))
        let late = HeardCheck(none, responded: [], within: .seconds(3))
        #expect(late.findings[0].text.hasPrefix("No other device was found;"))
    }
}

@Suite struct VisibilityCheckTests {
    private func reply(
        _ host: String, _ family: AddressFamily, from source: HostAddress,
        on theirs: String = "eth0"
    ) -> ReceivedReply {
        ReceivedReply(
            VisibilityReply(
                nonce: VisibilityNonce(), family: family, interface: theirs, host: host),
            from: source)
    }

    private func v4(_ last: UInt8) -> HostAddress {
        HostAddress(bytes: [10, 0, 0, last], interface: "")
    }

    private func findings(
        _ received: [ReceivedReply], hosts: [String] = [], silent: [String] = [], strays: Int = 0,
        isUnfiltered: Bool = false, time: Duration = .seconds(5)
    ) -> [Finding] {
        var probe = VisibilityProbe.Observations(
            devices: HeardCheck(
                peerlistHosts: hosts, silentPeerlistHosts: silent, time: time))
        probe.port = 40_000
        (probe.replies.received, probe.replies.strayCount) = (received, strays)
        return VisibilityCheck.findings(
            for: probe, isUnfiltered: isUnfiltered, settings: nil,
            interfaces: [DoctorExamples.eth0])
    }

    private var allPaths: [ReceivedReply] {
        AddressFamily.allCases.flatMap { family in
            [v4(2), DoctorExamples.linkLocal(2)].map { reply("h2.local", family, from: $0) }
        }
    }

    @Test func `a machine that sees this one on all paths is ok`() {
        let found = findings(allPaths, hosts: ["H2.local"])
        #expect(found.map(\.outcome) == [.ok])
        #expect(found[0].text == "h2 sees this machine on eth0 over IPv4 and IPv6.")
    }

    @Test func `a missing family is a warning`() {
        let found = findings(allPaths.filter { $0.reply.family == .ipv4 })
        #expect(found.map(\.outcome) == [.warning])
        #expect(found[0].text == "h2 sees this machine on eth0 over IPv4, not over IPv6.")
        #expect(found[0].advice?.contains("ff02::fb") == true)
        #expect(found[0].advice?.contains("224.0.0.251") == false)
    }

    @Test func `replies that arrive over one family only are a warning`() {
        let found = findings(allPaths.filter { $0.source.family == .ipv4 })
        #expect(found.map(\.outcome) == [.warning])
        #expect(
            found[0].text
                == "h2 sees this machine on eth0 over IPv4 and IPv6. Its replies arrive over IPv4 only."
        )
    }

    @Test func `after a short wait, missing replies are inconclusive`() {
        let time = Duration.milliseconds(200)
        let early = allPaths.filter { $0.source.family == .ipv6 }
        let tooShort =
            "Not all replies arrived within 0.2 s, which is too short to conclude anything."
        for replies in [early, early.filter { $0.reply.family == .ipv4 }] {
            let found = findings(replies, hosts: ["h3.local"], isUnfiltered: true, time: time)
            #expect(found.map(\.outcome) == [.ok, .unknown])
            #expect(found[0].text.hasPrefix("h2 sees this machine on eth0 over IPv4"))
            #expect(!found[0].text.contains("not") && !found[0].text.contains("only"))
            #expect(found[1].text == tooShort)
        }
        let none = findings([], hosts: ["h3.local"], isUnfiltered: true, time: time)
        #expect(none.map(\.outcome) == [.unknown])
        #expect(none[0].text.hasPrefix("No reply arrived within 0.2 s"))
        #expect(findings(allPaths, hosts: ["h2.local"], time: time).map(\.outcome) == [.ok])
    }

    @Test func `the interface of the other machine is named if it differs`() {
        let found = findings(
            allPaths.map { reply("h2.local", $0.reply.family, from: $0.source, on: "wlan0") })
        #expect(found[0].text.hasPrefix("h2 sees this machine on eth0 (there: wlan0) over"))
    }

    @Test func `a machine that runs peerlist and does not reply is a problem`() {
        let found = findings(allPaths, hosts: ["h2.local", "h3.local"])
        #expect(found.map(\.outcome) == [.ok, .problem])
        #expect(
            found[1].text == "h3 runs peerlist and is visible from here, but did not reply.")
    }

    @Test func `a missing reply is inconclusive while a local firewall may drop replies`() {
        let unknown = findings([], hosts: ["h3.local"])
        #expect(unknown.map(\.outcome) == [.unknown])
        #expect(unknown[0].advice?.contains("to UDP port 40000") == true)
        let found = findings([], hosts: ["h3.local"], isUnfiltered: true)
        #expect(found.map(\.outcome) == [.problem])
    }

    @Test func `a silent machine is inconclusive`() {
        let found = findings([], silent: ["h3.local"], isUnfiltered: true)
        #expect(found.map(\.outcome) == [.unknown])
        #expect(
            found[0].text == "h3 ran peerlist before, but does not respond now.")
    }

    @Test func `a machine without a published name is shown by its address`() {
        let found = findings(
            [reply("-", .ipv4, from: v4(2)), reply("-", .ipv6, from: v4(2))],
            hosts: ["h3.local"], isUnfiltered: true)
        #expect(found.map(\.outcome) == [.ok, .unknown])
        #expect(found[0].text == "10.0.0.2 sees this machine on eth0 over IPv4 and IPv6.")
    }

    @Test func `a reply counts for the interface on which it arrived`() {
        var arrived = reply("h2.local", .ipv4, from: v4(2))
        arrived.interface = 99
        #expect(findings([arrived]).first?.text == "No reply arrived.")
        arrived.interface = DoctorExamples.eth0.interface.index
        #expect(findings([arrived]).first?.text.hasPrefix("h2 sees") == true)
    }

    @Test
    func `a probe that cannot be announced is a problem, or a warning if the settings forbid it`() {
        let refusing = DaemonSettings("[publish]\ndisable-user-service-publishing=yes")
        let outcomes = [(Backend.daemon, refusing), (.embedded, refusing), (.daemon, nil)].map {
            let probe = VisibilityProbe.Observations(
                devices: HeardCheck(), announceFailure: "x", backend: $0)
            return VisibilityCheck.findings(
                for: probe, isUnfiltered: false, settings: $1, interfaces: []
            ).map(\.outcome)
        }
        #expect(outcomes == [[.warning], [.problem], [.problem]])
    }

    @Test func `no reply at all is inconclusive`() {
        let found = findings([])
        #expect(found.map(\.outcome) == [.unknown])
        #expect(found[0].advice?.contains("40000") == true)
    }

    @Test func `replies from beyond the link or from this machine are ignored`() {
        let found = findings(
            [
                reply("a.local", .ipv4, from: HostAddress(bytes: [8, 8, 8, 8], interface: "")),
                reply("b.local", .ipv4, from: v4(1)),
                reply(
                    "c.local", .ipv4, from: HostAddress(bytes: [127, 0, 0, 1], interface: "")),
            ], strays: 4)
        #expect(found.map(\.outcome) == [.unknown, .ok])
        #expect(found[1].facts.map(\.key) == ["strays"])
        #expect(found[1].facts.map(\.value) == [.number(7)])
    }

    @Test func `at most 32 machines get a finding of their own`() {
        let found = findings((0..<256).map { reply("h\($0).local", .ipv4, from: v4(2)) })
        #expect(found.count == 33)
        #expect(found.last?.text == "224 more machines report that they see this one.")
    }
}
