// The rules of RFC 6762 and 6763 that the responses of a device break.
import DNSMessages
import PeerList
import PeerListTestSupport
import Testing

@testable import PeerDoctor

@Suite struct DeviceRulesTests {
    typealias Record = LinkScript.Record

    private static let service = "nas._http._tcp.local"
    private static let host = LinkScript.wire("nas.local")

    /// The records of a device that breaks no rule.
    private static let records = [
        Record(name: service, data: [0, 0, 0, 0, 0, 80] + host),
        Record(name: service, type: DNSType.txt, data: [3, 0x61, 0x3d, 0x31], ttl: 4_500),
        Record(name: "nas.local", type: DNSType.a, data: [10, 0, 0, 5]),
        Record(name: "nas.local", type: DNSType.aaaa, data: [UInt8](repeating: 1, count: 16)),
        Record(
            name: "_http._tcp.local", type: DNSType.ptr, data: LinkScript.wire(service), ttl: 4_500,
            isUnique: false),
        Record(
            name: "_services._dns-sd._udp.local", type: DNSType.ptr,
            data: LinkScript.wire("_http._tcp.local"), ttl: 4_500, isUnique: false),
    ]

    /// Returns the rules that a device breaks which sends records in one response.
    private func broken(
        _ records: [Record], from last: UInt8 = 5, hopLimit: Int = 255, flags: UInt16 = 0x8400,
        questions: [String] = [], services: [String] = [service]
    ) -> [DeviceRule: [String]] {
        var rules = DeviceRules(
            services: Set(services.compactMap { DNSName($0) }), interfaces: [DoctorExamples.eth0])
        rules.hear(
            LinkScript.packet(
                LinkScript.response(records, flags: flags, questions: questions), from: last,
                hopLimit: hopLimit))
        return Dictionary(uniqueKeysWithValues: rules.result.map { ($0.rule, $0.records) })
    }

    /// The records with one of them changed.
    private func changed(_ index: Int, _ change: (inout Record) -> Void) -> [Record] {
        var records = Self.records
        change(&records[index])
        return records
    }

    @Test func `a device that follows the rules breaks none`() {
        #expect(broken(Self.records).isEmpty)
    }

    @Test func `whole packets are judged`() {
        #expect(Array(broken(Self.records, hopLimit: 1).keys) == [.hopLimit])
        #expect(Array(broken(Self.records, flags: 0x8000).keys) == [.notAuthoritative])
        #expect(Array(broken(Self.records, flags: 0x8403).keys) == [.hasErrorCode])
        #expect(Array(broken(Self.records, questions: [Self.service]).keys) == [.hasQuestions])
    }

    @Test func `a sender outside of the link's network is told`() {
        var rules = DeviceRules(services: [], interfaces: [DoctorExamples.eth0])
        var packet = LinkScript.packet(LinkScript.response(Self.records), from: 5)
        packet.source = HostAddress(bytes: [10, 9, 9, 9], interface: "eth0")
        packet.path = NetworkPath(
            interface: DoctorExamples.eth0.interface, family: .ipv4)
        rules.hear(packet)
        #expect(rules.result.map(\.rule) == [.foreignSource])
        #expect(rules.result.map(\.records) == [[packet.source.description]])
    }

    @Test func `an address that cannot work from here is told, and a service without a port`() {
        let routes = RouteTable(links: DoctorExamples.eth0.linkNetworks, routes: [])
        func broken(_ records: [Record], services: [String] = []) -> [DeviceRule: [String]] {
            var rules = DeviceRules(
                services: [], interfaces: [DoctorExamples.eth0], routes: routes)
            rules.hear(LinkScript.packet(LinkScript.response(records), from: 5))
            return Dictionary(uniqueKeysWithValues: rules.result.map { ($0.rule, $0.records) })
        }
        let bridge = Record(name: "nas.local", type: DNSType.a, data: [172, 17, 0, 1])
        #expect(broken([bridge])[.strayAddress] == ["172.17.0.1"])
        #expect(broken(Array(Self.records[..<3]))[.strayAddress] == nil)
        let closed = Record(name: Self.service, data: [0, 0, 0, 0, 0, 0] + Self.host)
        #expect(broken([closed])[.noPort] == [Self.service])
        #expect(broken([Self.records[0]])[.noPort] == nil)
        let flagship = Record(
            name: "nas._printer._tcp.local", data: [0, 0, 0, 0, 0, 0] + Self.host)
        #expect(broken([flagship])[.noPort] == nil, "it reserves the name")
    }

    @Test func `records are judged by their bits, lives and data`() {
        #expect(broken(changed(0) { $0.isUnique = false }) == [.notUnique: ["\(Self.service) SRV"]])
        #expect(
            broken(changed(4) { $0.isUnique = true })
                == [.uniquePointer: ["_http._tcp.local PTR"]])
        #expect(
            broken(changed(2) { $0.ttl = 10 })
                == [.shortLife: ["nas.local A 10 s instead of 120"]])
        #expect(
            broken(Self.records + [changed(2) { $0.ttl = 0 }[2]])
                == [.withdrawsAndAnnounces: ["nas.local A"]])
        for text in [[], [5, 0x61], [2, 0x3d, 0x61], [1, 0x07]] as [[UInt8]] {
            #expect(
                broken(changed(1) { $0.data = text })
                    == [.invalidText: ["\(Self.service) TXT"]])
        }
        #expect(broken(changed(1) { $0.data = [0] }).isEmpty)
        let long = [UInt8](repeating: 200, count: 1) + [UInt8](repeating: 0x61, count: 200)
        #expect(
            broken(changed(1) { $0.data = Array(repeatElement(long, count: 7).joined()) })
                == [.longText: ["\(Self.service) TXT"]])
    }

    @Test func `what is missing is told`() {
        #expect(
            broken(Array(Self.records.prefix(5))) == [.missingType: ["_http._tcp.local"]])
        #expect(
            broken(Self.records.filter { $0.name != "_http._tcp.local" })
                == [.missingPointer: [Self.service]])
        let withoutIPv6 = Self.records.filter { $0.type != DNSType.aaaa }
        #expect(broken(withoutIPv6) == [.missingNegative: ["nas.local"]])
        let negative = Record(name: "nas.local", type: 47, data: Self.host + [0, 1, 0x40])
        #expect(broken(withoutIPv6 + [negative]).isEmpty)
    }

    @Test func `names are judged`() {
        let long = "nas._a-type-of-17-chars._tcp.local"
        var record = Self.records[0]
        record.name = long
        #expect(broken([record], services: []) == [.longType: ["_a-type-of-17-chars._tcp"]])
        record.name = "n\u{7}s._http._tcp.local"
        #expect(broken([record], services: []).keys.sorted() == [.controlCharacter])
    }

    @Test func `every rule has its section, its breach and what follows`() {
        for rule in DeviceRule.allCases {
            #expect(rule.section.contains(/^RFC 676[23], section \d/))
            #expect(!rule.breach.isEmpty && !rule.consequence.isEmpty)
        }
        var rules = DeviceRules(services: [], interfaces: [])
        #expect(rules.findings(on: []).map(\.outcome) == [.unknown])
        #expect(rules.findings(on: [NetworkPath("eth0", .ipv4)]).map(\.outcome) == [.unknown])
        rules.hear(LinkScript.packet(LinkScript.response(Self.records), from: 5))
        #expect(rules.findings(on: [NetworkPath("eth0", .ipv4)]).map(\.outcome) == [.ok, .ok])
        rules.hear(LinkScript.packet(LinkScript.response(Self.records, flags: 0x8000), from: 5))
        #expect(
            rules.findings(on: [NetworkPath("eth0", .ipv4)]).map(\.text) == [
                "2 responses heard.",
                "It sends responses without the authoritative bit (RFC 6762, section 18.4), so strict "
                    + "machines ignore its responses.",
            ])
    }
}

@Suite struct SelfDisclosureTests {
    static var findings: [Finding] {
        let text = TXTRecord([.init(key: "deviceid", value: .text("AA:BB:CC:DD:EE:FF"))])
        var device = Peer(
            id: Identity.uuid(forName: "h1.local"), name: "h1", host: "h1.local", isSelf: true,
            presence: .present, identity: Identity(host: "h1.local"),
            addresses: ["10.0.0.1"], interfaces: ["eth0"], services: [],
            firstSeen: Timestamp(microseconds: 0), lastSeen: Timestamp(microseconds: 0))
        let types = ["_workstation._tcp", "_http._tcp", "_airplay._tcp", "_peerlist._tcp"]
        device.services = types.map {
            Service(
                id: Identity.uuid(forName: $0), name: "h1", type: $0, domain: "local", port: 80,
                txt: text)
        }
        let files = ["/etc/avahi/services/web.service": Set(["_http._tcp"])]
        return SelfDisclosure(
            host: "h1.local", addresses: ["eth0": [LinkScript.address(1)]], device: device,
            files: files
        ).findings
    }

    @Test func `what is told is listed with the setting that stops it`() {
        let findings = Self.findings
        #expect(
            findings.map(\.text) == [
                "It is h1.local: 10.0.0.1 on eth0.",
                "'h1' is _airplay._tcp on port 80, with the values of deviceid.",
                "'h1' is _http._tcp on port 80, with the values of deviceid.",
                "'h1' is _peerlist._tcp on port 80, with the values of deviceid.",
                "'h1' is _workstation._tcp on port 80, with the values of deviceid.",
            ])
        let advice = findings.dropFirst().map { $0.advice ?? "" }
        #expect(advice[0].contains("disable-user-service-publishing=yes"))
        #expect(advice[1] == "remove /etc/avahi/services/web.service")
        #expect(advice[2].contains("--announce"))
        #expect(advice[3].contains("publish-workstation=no"))
        #expect(
            SelfDisclosure(host: "h1.local", addresses: [:], device: nil, files: [:]).findings
                .map(\.text) == [
                    "This machine announces nothing, and does not answer for h1.local."
                ])
    }

    @Test func `addresses of a host are read, and data that is no address is left out`() throws {
        let host = try #require(DNSName("h1.local"))
        let records = [
            (DNSType.a, [10, 0, 0, 1]), (DNSType.a, [10]), (DNSType.aaaa, [10, 0, 0, 1]),
            (DNSType.aaaa, []), (DNSType.txt, [1, 2, 3, 4]),
        ].map { LinkScript.Record(name: "h1.local", type: $0.0, data: $0.1) }
        let others = [
            LinkScript.Record(name: "h2.local", type: DNSType.a, data: [10, 0, 0, 2]),
            LinkScript.Record(name: "h1.local", type: DNSType.a, data: [10, 0, 0, 3], ttl: 0),
        ]
        let message = try #require(
            DNSMessage(LinkScript.response(records, additional: others)))
        #expect(
            DeviceExamination.addresses(of: host, in: message, on: "eth0").map(\.description)
                == ["10.0.0.1"])
    }

    @Test func `the types in a file of avahi-daemon are read`() {
        let text =
            "<service>\n<type> _http._tcp </type></service><type>_ipp._tcp</type><port>1</port>"
        #expect(SelfDisclosure.types(in: text) == ["_http._tcp", "_ipp._tcp"])
    }
}
