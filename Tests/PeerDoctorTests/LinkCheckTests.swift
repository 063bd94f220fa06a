// The check of the traffic on the link: rates, repeated responses, renames and hop limits.
import DNSMessages
import PeerList
import PeerListTestSupport
import Testing

@testable import PeerDoctor

/// A packet of the link, written record by record.
struct LinkScript {
    /// A record of a message.
    struct Record {
        var name: String
        var type = DNSType.srv
        var data: [UInt8] = [0, 0, 0, 0, 0, 80, 0]
        var ttl: UInt32 = 120
        var isUnique = true
    }

    static func number(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xff)] }

    static func wire(_ name: String) -> [UInt8] { DNSName(name)?.bytes ?? [0] }

    private static func bytes(_ record: Record) -> [UInt8] {
        wire(record.name) + number(record.type) + number(record.isUnique ? 0x8001 : 1)
            + number(UInt16(record.ttl >> 16)) + number(UInt16(record.ttl & 0xffff))
            + number(UInt16(record.data.count)) + record.data
    }

    /// A response with answers and additional records.
    static func response(
        _ answers: [Record], additional: [Record] = [], flags: UInt16 = 0x8400,
        questions: [String] = []
    ) -> [UInt8] {
        number(0) + number(flags) + number(UInt16(questions.count))
            + number(UInt16(answers.count)) + number(0) + number(UInt16(additional.count))
            + questions.flatMap { wire($0) + number(DNSType.srv) + number(1) }
            + (answers + additional).flatMap(bytes)
    }

    /// A query that probes for a name (RFC 6762, section 8.1).
    static func claim(_ name: String) -> [UInt8] {
        number(0) + number(0) + number(1) + number(0) + number(1) + number(0)
            + wire(name) + number(255) + number(1) + bytes(Record(name: name, isUnique: false))
    }

    static func address(_ last: UInt8) -> HostAddress {
        HostAddress(bytes: [10, 0, 0, last], interface: "eth0")
    }

    static func packet(
        _ bytes: [UInt8], from last: UInt8, at seconds: Double = 0, hopLimit: Int = 255
    ) -> LinkPacket {
        LinkPacket(
            bytes, from: address(last), on: NetworkPath("eth0", .ipv4), hopLimit: hopLimit,
            at: .seconds(seconds))
    }
}

@Suite struct LinkCheckTests {
    private static func check(_ packets: [LinkPacket]) -> LinkCheck {
        var traffic = LinkTraffic()
        for packet in packets { traffic.hear(packet) }
        return LinkCheck(
            traffic: traffic, time: .seconds(10), paths: [NetworkPath("eth0", .ipv4)],
            names: ["10.0.0.9": "fritz.box"])
    }

    private static let response = LinkScript.response([.init(name: "nas._http._tcp.local")])

    /// A storm, a reflector that repeats, a device that renames itself, and a hop limit of 1.
    static var trouble: LinkCheck {
        let storm = (0..<150).map {
            LinkScript.packet(
                LinkScript.response([.init(name: "cam\($0)._http._tcp.local")]), from: 4,
                at: Double($0) / 15)
        }
        let echo = (0..<3).flatMap { round in
            [
                LinkScript.packet(response, from: 5, at: Double(round) * 2),
                LinkScript.packet(response, from: 9, at: Double(round) * 2 + 0.1),
            ]
        }
        let renames = (1...4).map {
            LinkScript.packet(
                LinkScript.claim($0 == 1 ? "nas.local" : "nas-\($0).local"), from: 5,
                at: Double($0))
        }
        let far = LinkScript.packet(
            LinkScript.response([.init(name: "far._http._tcp.local")]), from: 7, at: 5, hopLimit: 1)
        return check((storm + echo + renames + [far]).sorted { $0.time < $1.time })
    }

    @Test func `trouble on the link is said with its senders`() {
        let findings = Self.trouble.findings
        #expect(findings.map(\.outcome) == [.ok, .warning, .warning, .warning, .warning])
        #expect(
            findings.map(\.text) == [
                "966 packets and 51 KB a minute: 10.0.0.4 900, 10.0.0.5 42, fritz.box (10.0.0.9) 18, "
                    + "1 other.",
                "10.0.0.4 sends 900 packets a minute, most of them answers.",
                "eth0: fritz.box (10.0.0.9) repeats what 10.0.0.5 sends, 3 times within 10 s.",
                "10.0.0.5 renames 'nas.local' again and again, and has come to number 4.",
                "Responses have another hop limit than 255: 10.0.0.7 with 1.",
            ])
    }

    @Test func `a quiet link and one that cannot be heard are told apart`() {
        #expect(Self.check([]).findings.map(\.text) == ["Nothing was sent within 10 s."])
        let deaf = LinkCheck(traffic: LinkTraffic(), time: .seconds(10), paths: [])
        #expect(deaf.findings.map(\.outcome) == [.unknown])
    }

    @Test func `what is no loop is not reported as one`() {
        let service = LinkScript.Record(name: "nas._http._tcp.local")
        let list = LinkScript.Record(
            name: "_services._dns-sd._udp.local", type: DNSType.ptr,
            data: LinkScript.wire("_http._tcp.local"), isUnique: false)
        let addresses = [2, 3].map {
            LinkScript.Record(name: "nas.local", type: DNSType.a, data: [10, 0, 0, $0])
        }
        // Two hosts that list the same type, a host with two addresses, a response that is repeated later, a query.
        for (bytes, pause) in [
            (LinkScript.response([list]), 0.1),
            (LinkScript.response([service], additional: addresses), 0.1),
            (LinkScript.response([service]), 1.5), (LinkScript.claim("nas.local"), 0.1),
        ] {
            let packets = (0..<6).map {
                LinkScript.packet(bytes, from: $0.isMultiple(of: 2) ? 2 : 3, at: Double($0) * pause)
            }
            #expect(Self.check(packets).findings.map(\.outcome) == [.ok])
        }
    }

    @Test func `services of one name that are claimed together are no renames`() {
        let packets = (1...5).map {
            LinkScript.packet(
                LinkScript.claim($0 == 1 ? "Web.local" : "Web-\($0).local"), from: 2, at: 1)
        }
        #expect(Self.check(packets).findings.map(\.outcome) == [.ok])
    }

    @Test(arguments: [
        ("nas-2", "nas", 2), ("NAS (3)", "NAS", 3), ("NAS #12", "NAS", 12), ("nas", "nas", 1),
        ("nas-1", "nas-1", 1), ("-2", "-2", 1), ("HP-2050", "HP", 2050),
    ])
    func `the number that a responder adds to a name is told apart`(
        label: String, base: String, number: Int
    ) {
        let parts = LinkTraffic.parts(of: label)
        #expect(parts.base == base && parts.number == number)
    }

    @Test func `what strangers send is bounded`() {
        var traffic = LinkTraffic()
        for number in 0..<5_000 {
            let source = HostAddress(
                bytes: [10, 1, UInt8(number >> 8), UInt8(number & 0xff)], interface: "eth0")
            let bytes =
                number.isMultiple(of: 2)
                ? LinkScript.claim("host\(number).local") : [UInt8](repeating: 7, count: 40)
            traffic.hear(
                LinkPacket(bytes, from: source, on: NetworkPath("eth0", .ipv4), at: .zero))
        }
        #expect(traffic.senders.count == LinkTraffic.senderLimit)
        #expect(traffic.packetCount == 5_000)
        #expect(traffic.others.packets == 5_000 - LinkTraffic.senderLimit)
    }
}
