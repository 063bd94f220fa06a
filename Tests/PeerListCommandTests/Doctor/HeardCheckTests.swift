// Who is only remembered is not taken for heard.
import FoundationEssentials
import Glibc
import PeerList
import Testing

@testable import PeerListCommand

@Suite struct HeardCheckTests {
    /// A list of two machines that run peerlist, on eth0.
    private func listing() -> PeerListing {
        let listing = PeerListing()
        for (name, last) in [("h2", 2), ("h3", 3)] {
            let key = ServiceKey(name: name, type: LinkBrowser.identityType, domain: "local")
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

    @Test func `those that answer are heard, and the others are remembered`() throws {
        let listing = listing()
        let others = HeardCheck.others(in: listing)
        #expect(RollCall(of: others, in: listing).machines == Set(others.map(\.id)))
        let h2 = try #require(others.first { $0.host == "h2.local" })
        let survey = HeardCheck.survey(listing, answered: [h2.id], within: .seconds(5))
        #expect(survey.machines == ["h2"])
        #expect(survey.remembered == ["h3"])
        #expect(survey.runners == ["h2.local"])
        #expect(survey.silentRunners == ["h3.local"])
        let found = HeardCheck.findings(for: survey)
        #expect(found.map(\.outcome) == [.ok, .ok])
        #expect(
            found.map(\.text) == ["h2, on eth0 over IPv4.", "Seen before, but silent now: h3."])
    }

    @Test func `where all keep silent, or nobody can be called, nothing is known`() {
        for answered in [[], nil] as [Set<UUID>?] {
            let survey = HeardCheck.survey(listing(), answered: answered, within: .seconds(5))
            #expect(survey.isUnasked == (answered == nil))
            #expect(survey.runners == [])
            #expect(HeardCheck.findings(for: survey).map(\.outcome) == [.unknown])
        }
    }

    @Test func `a time that is too short is reported, and not that nobody is there`() {
        let none = PeerListing()
        let early = HeardCheck.survey(none, answered: [], within: .seconds(1))
        let found = HeardCheck.findings(for: early)
        #expect(found.map(\.outcome) == [.unknown])
        #expect(found[0].text.hasPrefix("No other device was heard within 1 s, which is too"))
        let late = HeardCheck.survey(none, answered: [], within: .seconds(3))
        #expect(HeardCheck.findings(for: late)[0].text.hasPrefix("No other device is heard;"))
    }

    @Test func `a program that says nothing, or does not end, is not waited for`() {
        #expect(toolOutput(["/bin/echo", "a"], within: .seconds(10)) == Array("a\n".utf8))
        #expect(toolOutput(["/bin/sh", "-c", "echo a; exit 1"], within: .seconds(10)) == nil)
        #expect(toolOutput(["/bin/sleep", "1000"], within: .milliseconds(50)) == nil)
        #expect(toolOutput(["/nowhere/at/all"], within: .seconds(10)) == nil)
    }
}
