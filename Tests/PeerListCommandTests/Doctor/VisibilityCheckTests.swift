// What others say of how they see this machine is put together, whatever they say.
import PeerList
import Testing

@testable import PeerListCommand

@Suite struct VisibilityCheckTests {
    private func sight(
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
        _ sights: [ReceivedReply], runners: [String] = [], silent: [String] = [], strays: Int = 0,
        isLetIn: Bool? = nil, time: Duration = .seconds(5)
    ) -> [Finding] {
        var harvest = VisibilityListener.Replies()
        (harvest.received, harvest.strayCount) = (sights, strays)
        return VisibilityCheck.findings(
            for: VisibilityCheck.Survey(
                port: 40_000, time: time, harvest: harvest, isLetIn: isLetIn, runners: runners,
                silentRunners: silent),
            interfaces: [DoctorExamples.eth0])
    }

    private var everyWay: [ReceivedReply] {
        AddressFamily.allCases.flatMap { family in
            [v4(2), DoctorExamples.linkLocal(2)].map { sight("h2.local", family, from: $0) }
        }
    }

    @Test func `who sees this machine on every path is told of in one line`() {
        let found = findings(everyWay, runners: ["H2.local"])
        #expect(found.map(\.outcome) == [.ok])
        #expect(found[0].text == "h2 sees this machine on eth0 over IPv4 and IPv6.")
    }

    @Test func `a family that is missing is named, and is a warning`() {
        let found = findings(everyWay.filter { $0.reply.family == .ipv4 })
        #expect(found.map(\.outcome) == [.warning])
        #expect(found[0].text == "h2 sees this machine on eth0 over IPv4, not over IPv6.")
        #expect(found[0].advice?.contains("ff02::fb") == true)
        #expect(found[0].advice?.contains("224.0.0.251") == false)
    }

    @Test func `answers that come back over one family alone are a warning`() {
        let found = findings(everyWay.filter { $0.source.family == .ipv4 })
        #expect(found.map(\.outcome) == [.warning])
        #expect(
            found[0].text
                == "h2 sees this machine on eth0 over IPv4 and IPv6. Its replies arrive over IPv4 only."
        )
    }

    @Test func `replies that had no time to arrive are no finding about the network`() {
        let time = Duration.milliseconds(200)
        let early = everyWay.filter { $0.source.family == .ipv6 }
        let tooShort =
            "Not all replies arrived within 0.2 s, which is too short a time to conclude anything."
        for sights in [early, early.filter { $0.reply.family == .ipv4 }] {
            let found = findings(sights, runners: ["h3.local"], isLetIn: true, time: time)
            #expect(found.map(\.outcome) == [.ok, .unknown])
            #expect(found[0].text.hasPrefix("h2 sees this machine on eth0 over IPv4"))
            #expect(!found[0].text.contains("not") && !found[0].text.contains("only"))
            #expect(found[1].text == tooShort)
        }
        let none = findings([], runners: ["h3.local"], isLetIn: true, time: time)
        #expect(none.map(\.outcome) == [.unknown])
        #expect(none[0].text.hasPrefix("No reply arrived within 0.2 s"))
        #expect(findings(everyWay, runners: ["h2.local"], time: time).map(\.outcome) == [.ok])
    }

    @Test func `an interface that is called otherwise there is named`() {
        let found = findings(
            everyWay.map { sight("h2.local", $0.reply.family, from: $0.source, on: "wlan0") })
        #expect(found[0].text.hasPrefix("h2 sees this machine on eth0 (there: wlan0) over"))
    }

    @Test func `who runs peerlist and does not see this machine is a problem`() {
        let found = findings(everyWay, runners: ["h2.local", "h3.local"])
        #expect(found.map(\.outcome) == [.ok, .problem])
        #expect(
            found[1].text == "h3 runs peerlist and is visible from here, but did not reply.")
    }

    @Test func `who does not answer is no problem while a firewall here may drop the answers`() {
        for isLetIn in [nil, false] {
            let found = findings([], runners: ["h3.local"], isLetIn: isLetIn)
            #expect(found.map(\.outcome) == [.unknown])
            #expect(found[0].advice?.contains("let UDP port 40000 in") == true)
        }
        let found = findings([], runners: ["h3.local"], isLetIn: true)
        #expect(found.map(\.outcome) == [.problem])
    }

    @Test func `who is only remembered is no problem, whatever the firewall does`() {
        let found = findings([], silent: ["h3.local"], isLetIn: true)
        #expect(found.map(\.outcome) == [.unknown])
        #expect(
            found[0].text == "h3 ran peerlist before, and does not answer now.")
    }

    @Test func `who hides the name is called by the address`() {
        let found = findings(
            [sight("-", .ipv4, from: v4(2)), sight("-", .ipv6, from: v4(2))],
            runners: ["h3.local"], isLetIn: true)
        #expect(found.map(\.outcome) == [.ok, .unknown])
        #expect(found[0].text == "10.0.0.2 sees this machine on eth0 over IPv4 and IPv6.")
    }

    @Test func `an answer counts for the interface that it arrived on`() {
        var arrived = sight("h2.local", .ipv4, from: v4(2))
        arrived.interface = 99
        #expect(findings([arrived]).first?.text == "No reply arrived.")
        arrived.interface = DoctorExamples.eth0.interface.index
        #expect(findings([arrived]).first?.text.hasPrefix("h2 sees") == true)
    }

    @Test func `where nothing may be announced for programs, nobody is asked`() {
        let refusing = DaemonSettings("[publish]\ndisable-user-service-publishing=yes")
        let outcomes = [(Backend.daemon, refusing), (.embedded, refusing), (.daemon, nil)].map {
            VisibilityCheck.unannounced(by: $0, reason: "x", settings: $1).outcome
        }
        #expect(outcomes == [.warning, .problem, .problem])
    }

    @Test func `where nobody answers, nothing is known`() {
        let found = findings([])
        #expect(found.map(\.outcome) == [.unknown])
        #expect(found[0].advice?.contains("40000") == true)
    }

    @Test func `what comes from beyond the link, or from this machine, is no answer`() {
        let found = findings(
            [
                sight("a.local", .ipv4, from: HostAddress(bytes: [8, 8, 8, 8], interface: "")),
                sight("b.local", .ipv4, from: v4(1)),
                sight(
                    "c.local", .ipv4, from: HostAddress(bytes: [127, 0, 0, 1], interface: "")),
            ], strays: 4)
        #expect(found.map(\.outcome) == [.unknown, .ok])
        #expect(found[1].facts == [Finding.Fact("strays", .number(7))])
    }

    @Test func `a crowd that somebody makes up is not told of one by one`() {
        let found = findings((0..<256).map { sight("h\($0).local", .ipv4, from: v4(2)) })
        #expect(found.count == 33)
        #expect(found.last?.text == "224 more machines say that they see this one.")
    }
}
