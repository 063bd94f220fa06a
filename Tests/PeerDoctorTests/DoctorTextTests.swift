// The text and JSON of the doctor, check by check, compared with committed files.
import Foundation
import LabSupport
import PeerList
import PeerListTestSupport
import PeerRecording
import PeerText
import Testing

@testable import PeerDoctor

@Suite struct DoctorTextTests {
    /// A report of every check, in `Screens/doctor.txt`.
    @Test func `the text fits into 80 columns`() throws {
        let text =
            DoctorExamples.reports.map { DoctorText.text(of: $0) }.joined() + "\n"
            + DoctorText.summary(of: DoctorExamples.reports)
        try expectCommitted(text, "doctor.txt")
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        #expect(text.contains("'systemctl restart systemd-resolved' (as root)"))
    }

    /// The same on a narrow terminal, in `Screens/doctor-narrow.txt`.
    @Test func `on a narrow terminal, commands that fit into a line are not broken`() throws {
        let text =
            DoctorExamples.reports.map { DoctorText.text(of: $0, width: 40) }.joined()
            + "\n" + DoctorText.summary(of: DoctorExamples.reports, width: 40)
        try expectCommitted(text, "doctor-narrow.txt")
        for line in text.split(separator: "\n") { #expect(line.count <= 40, "\(line)") }
        #expect(text.contains("'systemctl restart\n"))
        #expect(text.contains("'sudo peerlist doctor'"))
    }

    @Test func `without a terminal, the text is 80 columns wide`() {
        #expect(DoctorText.width(on: -1) == 80)
    }

    @Test func `control characters from the network are escaped`() {
        let hostile = "h\u{1b}[2J\u{202e}\u{9b}2\n.local"
        let devices = HeardCheck(
            present: [hostile], paths: [NetworkPath("eth0", .ipv4)],
            peerlistHosts: [hostile])
        let reports = [
            DoctorExamples.report("heard", devices.findings),
            DoctorExamples.report(
                "seen",
                VisibilityCheck.findings(
                    for: VisibilityProbe.Observations(devices: devices), isUnfiltered: false,
                    settings: nil, interfaces: [DoctorExamples.eth0])),
        ]
        let text = reports.map { DoctorText.text(of: $0) }.joined()
        let controls = text.unicodeScalars.filter {
            $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
        }
        #expect(controls.isEmpty)
        #expect(text.contains("h\\u{1b}[2J"))
    }

    @Test func `wide characters and long words are wrapped by columns`() {
        let wide = String(repeating: "\u{5bb6}", count: 200)
        let text = DoctorText.text(
            of: DoctorExamples.report(
                "heard", [Finding(.ok, "a \(wide) b", advice: "c \(wide)")]))
        for line in text.split(separator: "\n") {
            #expect(columns(String(line)) <= 80, "\(line)")
        }
        #expect(text.filter { $0 == "\u{5bb6}" }.count == 400)
    }

    @Test func `the line of JSON contains every check with its findings`() throws {
        let json = DoctorText.json(
            DoctorExamples.reports, host: "h1.local", at: Timestamp(microseconds: 0))
        #expect(json.hasSuffix("}\n"))
        #expect(json.filter { $0 == "\n" }.count == 1)
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect(object?["outcome"] as? String == "problem")
        #expect(object?["time"] as? String == "1970-01-01T00:00:00.000000Z")
        let checks = try #require(object?["checks"] as? [[String: Any]])
        #expect(checks.compactMap { $0["name"] as? String } == DoctorCheck.all.map(\.id))
        let seen = try #require(checks[8]["findings"] as? [[String: Any]])
        #expect(seen.first?["host"] as? String == "h2.local")
        #expect(seen.first?["seenOver"] as? [String] == ["ipv4"])
        #expect(seen.first?["notSeenOver"] as? [String] == ["ipv6"])
    }

    @Test func `the documentation and the schema list the same checks in the same order`() throws {
        let ids = DoctorCheck.all.map(\.id)
        let brokerIDs = BrokerCheck.checks.map(\.0)
        let text = try TextFile.read(BuiltProducts.package + "/docs/doctor.md")
        let tables = ["## The checks\n", "## For scripts\n"].map { title -> [String] in
            let section = text.components(separatedBy: title)[1].components(separatedBy: "\n## ")[0]
            return section.split(separator: "\n").filter { $0.hasPrefix("| `") }
                .map { String($0.dropFirst(3).prefix { $0 != "`" }) }
        }
        #expect(tables == [ids + brokerIDs, ids + brokerIDs])
        let schema = try JSONSerialization.jsonObject(
            with: Data(
                contentsOf: URL(
                    filePath: BuiltProducts.package + "/docs/schema/peerlist-doctor.schema.json")))
        let properties = (schema as? [String: Any])?["properties"] as? [String: [String: Any]]
        let lists = properties?["checks"]?["oneOf"] as? [[String: Any]]
        let items = lists?.map { list in
            (list["prefixItems"] as? [[String: String]])?.map { $0["$ref"] ?? "" }
        }
        #expect(
            items
                == [ids, brokerIDs, ["device"], ["told"]].map { ids in ids.map { "#/$defs/\($0)" } }
        )
    }

    @Test func `the worst outcome decides the status and is counted in the summary`() {
        func report(_ outcomes: DoctorOutcome...) -> CheckReport {
            DoctorExamples.report("port", outcomes.map { Finding($0, "") })
        }
        #expect([report(.ok)].status == .done)
        #expect([report(.ok), report(.unknown, .warning)].status == .done)
        #expect([report(.problem, .ok)].status == .problem)
        #expect(report(.ok, .unknown, .warning).outcome == .warning)
        #expect(DoctorText.summary(of: [report(.ok)]) == "No problems found.\n")
        #expect(
            DoctorText.summary(of: [report(.problem), report(.warning), report(.unknown)])
                == "1 problem, 1 warning; 1 of 3 checks inconclusive.\n")
    }
}

/// A report of every check, with findings of most kinds.
enum DoctorExamples {
    static let eth0 = LocalInterface(
        NetworkInterface(index: 2, name: "eth0"),
        addresses: [
            LocalInterface.Address(
                HostAddress(bytes: [10, 0, 0, 1], interface: "eth0"), prefixLength: 24),
            LocalInterface.Address(linkLocal(1), prefixLength: 64),
        ])
    private static let tunnel = LocalInterface(
        NetworkInterface(index: 3, name: "tun0"), isMulticast: false, isPointToPoint: true)
    private static let wireless = LocalInterface(
        NetworkInterface(index: 4, name: "wlan0"), hasCarrier: false)

    static func linkLocal(_ last: UInt8) -> HostAddress {
        HostAddress(
            bytes: [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [last], interface: "eth0")
    }

    private static let listeners = [
        PortListener(family: .ipv4, userName: "avahi", program: "avahi-daemon", process: 7),
        PortListener(
            family: .ipv4, userName: "systemd-resolve", program: "systemd-resolve", process: 8),
    ]

    private static let settings = DaemonSettings(
        """
        [server]
        use-ipv6=no
        deny-interfaces=eth0
        cache-entries-max=100
        [wide-area]
        enable-wide-area=yes
        """)

    /// The devices h2, h3 and h4, of which h4 is silent.
    static let devices = HeardCheck(
        present: ["h2", "h3"], paths: [NetworkPath("eth0", .ipv4)],
        silent: ["h4"], peerlistHosts: ["h2.local", "h3.local"],
        silentPeerlistHosts: ["h4.local"])

    /// The report of a check without a title.
    static func report(_ id: String, _ findings: [Finding]) -> CheckReport {
        CheckReport(id: id, title: "", findings: findings)
    }

    static var findings: [String: [Finding]] {
        var probe = VisibilityProbe.Observations(devices: devices)
        let reply = VisibilityReply(
            nonce: VisibilityNonce(), family: .ipv4, interface: "wlan0", host: "h2.local")
        let source = HostAddress(bytes: [10, 0, 0, 2], interface: "")
        probe.replies.received = [ReceivedReply(reply, from: source)]
        probe.replies.strayCount = 2
        let echoes = [(AddressFamily.ipv4, MulticastEcho.Outcome.returned), (.ipv6, .silent)].map {
            EchoCheck.PathResult(
                path: NetworkPath("eth0", $0), outcome: $1)
        }
        return [
            "interfaces": InterfacesCheck.findings(
                for: [eth0, tunnel, wireless], allowingPointToPoint: false),
            "port": PortCheck.findings(for: listeners),
            "firewall": Firewalls().findings,
            "bus": BusCheck(path: "/run/dbus/system_bus_socket").findings,
            "daemon": DaemonCheck.findings(
                for: .silent, isInstalled: true, hasBus: true, pointToPoint: ["tun0"]),
            "settings": SettingsCheck.findings(
                for: settings, path: "/etc/avahi/avahi-daemon.conf", interfaces: [eth0]),
            "echo": EchoCheck.findings(for: echoes),
            "heard": devices.findings,
            "seen": VisibilityCheck.findings(
                for: probe, isUnfiltered: false, settings: settings, interfaces: [eth0]),
            "names": NamesCheckTests.check("hosts: files dns", modules: []).findings,
            "path": PathCheckTests.trouble.findings,
            "link": LinkCheckTests.trouble.findings,
            "protocols": ProtocolsCheckTests.asked.findings,
            "thread": ThreadCheckTests.trouble.findings,
        ]
    }

    static var reports: [CheckReport] {
        DoctorCheck.all.map {
            CheckReport(id: $0.id, title: $0.title, findings: findings[$0.id] ?? [])
        }
    }
}
