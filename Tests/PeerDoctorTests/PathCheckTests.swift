// The check of the path of multicast: which replies of other devices arrive, and what that says of the network.
import DNSMessages
import PeerList
import PeerListTestSupport
import Testing

@testable import PeerDoctor

@Suite struct PathCheckTests {
    private static let paths = AddressFamily.allCases.map { NetworkPath("eth0", $0) }

    /// Devices of the network, which are announced over both families: h2, h3 and so on.
    private static func device(_ number: Int, over paths: [NetworkPath] = paths) -> PathCheck.Device
    {
        PathCheck.Device(
            name: "h\(number)", addresses: ["10.0.0.\(number)"],
            services: [ServiceKey(name: "s\(number)", type: "_http._tcp", domain: "local")],
            paths: Set(paths))
    }

    /// A kind of packet of a device.
    enum Kind { case answer, unicast, announcement, withdrawal }

    private static func packet(
        _ kind: Kind, of number: Int, over family: AddressFamily, at time: Double = 0
    ) -> LinkPacket {
        let name = kind == .announcement ? "x._ipp._tcp.local" : "s\(number)._http._tcp.local"
        let bytes = LinkScript.response([.init(name: name, ttl: kind == .withdrawal ? 0 : 120)])
        return LinkPacket(
            bytes, from: LinkScript.address(UInt8(number)), on: NetworkPath("eth0", family),
            isUnicast: kind == .unicast, at: .seconds(time))
    }

    /// Devices that answer over IPv4 alone, one of which sends no multicast.
    static let trouble = check(
        packets([.answer, .unicast], of: [2], over: [.ipv4])
            + packets([.unicast], of: [3], over: [.ipv4]))

    static func check(
        _ packets: [LinkPacket], of devices: [Int] = [2, 3], gateways: Set<String> = [],
        returned: [NetworkPath] = paths, time: Duration = .seconds(3), over: [NetworkPath] = paths
    ) -> PathCheck {
        let devices = devices.map { device($0, over: over) }
        var heard = PathCheck.Heard(
            devices, gateways: gateways, sendTimes: PathCheck.sendTimes(for: time))
        for packet in packets { heard.hear(packet) }
        return PathCheck(
            devices: devices, heard: heard, paths: paths, returned: Set(returned), time: time)
    }

    private static func packets(
        _ kinds: [Kind], of devices: [Int] = [2, 3],
        over families: [AddressFamily] = [.ipv4, .ipv6]
    ) -> [LinkPacket] {
        families.flatMap { family in
            devices.flatMap { device in
                kinds.flatMap { kind in
                    [0.1, 1.2].map { packet(kind, of: device, over: family, at: $0) }
                }
            }
        }
    }

    private func verdicts(_ check: PathCheck) -> [String] {
        check.findings.map { finding in
            let verdict = finding.facts.first { $0.key == "verdict" }?.value
            return if case .text(let text) = verdict { text } else { "-" }
        }
    }

    @Test func `multicast that arrives in both directions is ok`() {
        let check = Self.check(Self.packets([.answer, .unicast]))
        #expect(
            check.findings.map(\.text) == [
                "eth0: multicast works both ways over IPv4 and IPv6: h2 and h3 answer."
            ])
        #expect(check.findings.map(\.outcome) == [.ok])
        let facts = check.findings[0].facts
        #expect(facts.first { $0.key == "answeringByUnicast" }?.value == .texts(["h2", "h3"]))
        // A firewall of this machine may drop unicast replies.
        #expect(verdicts(Self.check(Self.packets([.answer]))) == ["both-ways"])
    }

    @Test func `answers that come by unicast only are a problem`() {
        let check = Self.check(Self.packets([.unicast]))
        #expect(verdicts(check) == ["unicast-only"])
        #expect(check.findings.map(\.outcome) == [.problem])
        #expect(
            check.findings[0].text.hasPrefix("eth0: h2 and h3 answer by unicast only over IPv4"))
    }

    @Test func `a single device that answers by unicast only is a warning`() {
        let check = Self.check(Self.packets([.unicast]) + Self.packets([.answer], of: [3]))
        #expect(check.findings.map(\.outcome) == [.ok, .warning])
        #expect(check.findings[1].text == "eth0: h2 answers by unicast only over IPv4 and IPv6.")
        #expect(check.findings[1].facts.last?.value == .texts(["h2"]))
    }

    @Test func `devices that are heard but do not answer do not hear this machine`() {
        let check = Self.check(Self.packets([.announcement], of: [2]))
        #expect(verdicts(check) == ["one-way"])
        #expect(check.findings.map(\.outcome) == [.warning])
        #expect(
            check.findings[0].text.hasPrefix("eth0: h2 is heard over IPv4 and IPv6, but answers"))
        #expect(verdicts(Self.check(Self.packets([.withdrawal], of: [2]))) == ["unknown"])
    }

    @Test func `a service that is announced unasked is no answer`() {
        let announced = [0.1, 1.0, 2.0].map { Self.packet(.answer, of: 2, over: .ipv4, at: $0) }
        #expect(verdicts(Self.check(announced)) == ["one-way", "unknown"])
        let answered = Self.packet(.unicast, of: 2, over: .ipv4, at: 0.1)
        #expect(verdicts(Self.check(announced + [answered]))[0] == "both-ways")
        // It answered at the start, and is silent at the end.
        let left = Self.check(Self.packets([.answer]), of: [2], time: .seconds(20))
        #expect(verdicts(left) == ["unknown"])
    }

    @Test func `a family over which nothing comes is a lost membership if the other works`() {
        let known = Self.check(Self.packets([.answer], over: [.ipv4]))
        #expect(verdicts(known) == ["both-ways", "membership-lost"])
        #expect(known.findings.map(\.outcome) == [.ok, .warning])
        #expect(known.findings[1].advice?.contains("MLD snooping") == true)
        // By unicast, the devices answer over IPv6.
        let unicast = Self.check(
            Self.packets([.answer], over: [.ipv4]) + Self.packets([.unicast]), over: [])
        #expect(verdicts(unicast) == ["both-ways", "membership-lost"])
        let mirrored = Self.check(Self.packets([.answer], over: [.ipv6]))
        #expect(verdicts(mirrored) == ["membership-lost", "both-ways"])
        #expect(mirrored.findings[0].advice?.contains("IGMP snooping") == true)
        // Devices that were never heard over IPv6 may not use it.
        let never = Self.check(Self.packets([.answer], over: [.ipv4]), over: [Self.paths[0]])
        #expect(verdicts(never) == ["both-ways", "unknown"])
    }

    @Test func `a membership that is lost in the meantime is noticed with its time`() {
        var packets: [LinkPacket] = []
        for start in [0.0, 60, 120, 180, 240, 300, 357] {
            for time in [start, start + 1.1] {
                packets.append(Self.packet(.answer, of: 2, over: .ipv4, at: time))
                guard time < 250 else { continue }
                packets.append(Self.packet(.answer, of: 2, over: .ipv6, at: time))
            }
        }
        var check = Self.check(packets, of: [2], time: .seconds(360), over: [])
        check.lead = .seconds(8)
        #expect(verdicts(check) == ["both-ways", "membership-lost"])
        #expect(
            check.findings[1].text.contains(
                "comes over IPv6 any more, the last after 249 s, and it"))
    }

    @Test func `a router that alone is heard is isolation if several devices are silent`() {
        let packets = Self.packets([.answer, .unicast], of: [9])
        let gateways: Set = ["10.0.0.9"]
        let isolated = Self.check(packets, of: [2, 3, 4, 9], gateways: gateways)
        #expect(verdicts(isolated) == ["isolated"])
        #expect(isolated.findings.map(\.outcome) == [.problem])
        #expect(
            isolated.findings[0].text == "eth0: only the router answers; silent: h2, h3 and h4.")
        // Two devices may have left.
        let one = Self.check(packets, of: [2, 3, 9], gateways: gateways)
        #expect(verdicts(one) == ["unknown"])
        #expect(one.findings[0].text.contains("only the router answers (h9)"))
        #expect(verdicts(Self.check(packets, of: [2, 3, 4, 9])) == ["both-ways"])
        let heard = Self.packets([.answer], of: [2], over: [.ipv4])
        let alive = Self.check(packets + heard, of: [2, 3, 4, 9], gateways: gateways)
        #expect(!verdicts(alive).contains("isolated"))
    }

    @Test func `without other devices, or with a firewall of this machine, nothing is known`() {
        #expect(verdicts(Self.check([], of: [2, 3])) == ["unknown"])
        let firewall = Self.check(Self.packets([.unicast]), returned: [])
        #expect(verdicts(firewall) == ["unknown"])
        #expect(firewall.findings[0].text.contains("see Multicast loopback above"))
        var closed = PathCheck(
            devices: [], heard: .init([], gateways: [], sendTimes: []), paths: [], returned: [],
            time: .seconds(3))
        #expect(closed.findings.map(\.outcome) == [.unknown])
        closed.lead = .seconds(1)
        #expect(closed.findings.count == 1)
    }

    @Test func `devices are asked at the start, each minute and at the end`() {
        func starts(_ time: Duration) -> [Int] {
            let times = PathCheck.sendTimes(for: time).map { Int($0 / .milliseconds(1)) }
            #expect(times == times.sorted() && times.allSatisfy { .milliseconds($0) < time })
            return stride(from: 0, to: times.count, by: 3).map { times[$0] }
        }
        #expect(starts(.seconds(3)) == [0])
        #expect(starts(.seconds(5)) == [0])
        #expect(starts(.seconds(10)) == [0, 7_000])
        #expect(starts(.seconds(64)) == [0, 61_000])
        #expect(starts(.seconds(360)) == [0, 60_000, 120_000, 180_000, 240_000, 300_000, 357_000])
    }

    @Test func `packets that are no responses, or of other devices, do not count`() {
        let query = LinkPacket(
            LinkScript.claim("s2._http._tcp.local"), from: LinkScript.address(2),
            on: Self.paths[0], at: .zero)
        let noise = LinkPacket(
            [1, 2, 3], from: LinkScript.address(2), on: Self.paths[0], at: .zero)
        let stranger = Self.packet(.answer, of: 77, over: .ipv4)
        #expect(verdicts(Self.check([query, noise, stranger])) == ["unknown"])
    }
}
