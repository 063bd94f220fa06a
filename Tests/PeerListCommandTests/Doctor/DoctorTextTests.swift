// What the doctor says, check by check, in words that are committed, and as JSON.
import Foundation
import PeerList
import PeerRecording
import Testing

@testable import PeerListCommand

@Suite struct DoctorTextTests {
    /// A report of every check, each with something to tell, in `Screens/doctor.txt`.
    @Test func `every check says what it found and what to do`() throws {
        let text =
            DoctorExamples.reports.map { DoctorText.text(of: $0) }.joined() + "\n"
            + DoctorText.summary(of: DoctorExamples.reports)
        try expectCommitted(text, "doctor.txt")
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        #expect(text.contains("'systemctl restart systemd-resolved' (as root)"))
    }

    /// The same on a narrow terminal, in `Screens/doctor-narrow.txt`.
    @Test func `on a narrow terminal every line fits, and commands stay whole where they can`()
        throws
    {
        let text =
            DoctorExamples.reports.map { DoctorText.text(of: $0, width: 40) }.joined()
            + "\n" + DoctorText.summary(of: DoctorExamples.reports, width: 40)
        try expectCommitted(text, "doctor-narrow.txt")
        for line in text.split(separator: "\n") { #expect(line.count <= 40, "\(line)") }
        #expect(text.contains("'systemctl restart\n"))
        #expect(text.contains(" 'sudo peerlist doctor'\n"))
    }

    @Test func `lines are as wide as the terminal, within reason`() {
        // No terminal: as wide as usual.
        #expect(DoctorText.width(on: -1) == 80)
    }

    @Test func `what came from the network acts on no terminal`() {
        let hostile = "h\u{1b}[2J\u{202e}\u{9b}2\n.local"
        let heard = HeardCheck.Survey(
            machines: [hostile], paths: [NetworkPath(interface: "eth0", family: .ipv4)],
            runners: [hostile])
        let reports = [
            CheckReport(check: .heard, findings: HeardCheck.findings(for: heard)),
            CheckReport(
                check: .seen,
                findings: VisibilityCheck.findings(
                    for: VisibilityCheck.Survey(port: 1, runners: [hostile]),
                    interfaces: [DoctorExamples.eth0])),
        ]
        let text = reports.map { DoctorText.text(of: $0) }.joined()
        let controls = text.unicodeScalars.filter {
            $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
        }
        #expect(controls.isEmpty)
        #expect(text.contains("h\\u{1b}[2J"))
    }

    @Test func `lines are as wide as the terminal, whatever they hold`() {
        let wide = String(repeating: "\u{5bb6}", count: 200)
        let text = DoctorText.text(
            of: CheckReport(
                check: .heard, findings: [Finding(.ok, "a \(wide) b", advice: "c \(wide)")]))
        for line in text.split(separator: "\n") {
            #expect(DoctorText.columns(String(line)) <= 80, "\(line)")
        }
        #expect(text.filter { $0 == "\u{5bb6}" }.count == 400)
    }

    @Test func `the line of JSON holds every check with its findings`() throws {
        let json = DoctorText.json(
            DoctorExamples.reports, host: "h1.local", at: Timestamp(microseconds: 0))
        #expect(json.hasSuffix("}\n"))
        #expect(json.filter { $0 == "\n" }.count == 1)
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect(object?["outcome"] as? String == "problem")
        #expect(object?["time"] as? String == "1970-01-01T00:00:00.000000Z")
        let checks = try #require(object?["checks"] as? [[String: Any]])
        #expect(checks.compactMap { $0["name"] as? String } == DoctorCheck.allCases.map(\.rawValue))
        let seen = try #require(checks.last?["findings"] as? [[String: Any]])
        #expect(seen.first?["host"] as? String == "h2.local")
        #expect(seen.first?["seenOver"] as? [String] == ["ipv4"])
        #expect(seen.first?["notSeenOver"] as? [String] == ["ipv6"])
    }

    @Test func `the status and the closing line follow from the worst`() {
        func report(_ outcomes: DoctorOutcome...) -> CheckReport {
            CheckReport(check: .port, findings: outcomes.map { Finding($0, "") })
        }
        #expect([report(.ok)].status == .done)
        #expect([report(.ok), report(.unknown, .warning)].status == .done)
        #expect([report(.problem, .ok)].status == .problem)
        #expect(report(.ok, .unknown, .warning).outcome == .warning)
        #expect(DoctorText.summary(of: [report(.ok)]) == "Nothing is wrong.\n")
        #expect(
            DoctorText.summary(of: [report(.problem), report(.warning), report(.unknown)])
                == "1 problem, 1 warning; 1 of 3 checks could not tell.\n")
    }
}

/// Something to tell of every check.
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
        PortListener(
            family: .ipv4, user: 104, userName: "avahi", program: "avahi-daemon", process: 7),
        PortListener(
            family: .ipv4, user: 101, userName: "systemd-resolve", program: "systemd-resolve",
            process: 8),
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

    static var reports: [CheckReport] {
        let sights = [
            ReceivedReply(
                VisibilityReply(
                    nonce: VisibilityNonce(), family: .ipv4, interface: "wlan0", host: "h2.local"),
                from: HostAddress(bytes: [10, 0, 0, 2], interface: ""))
        ]
        var harvest = VisibilityListener.Replies()
        (harvest.received, harvest.strayCount) = (sights, 2)
        let paths = [NetworkPath(interface: "eth0", family: .ipv4)]
        let echoes = [
            EchoCheck.Result(path: paths[0], outcome: .returned),
            EchoCheck.Result(
                path: NetworkPath(interface: "eth0", family: .ipv6), outcome: .silent),
        ]
        let heard = HeardCheck.Survey(
            machines: ["h2", "h3"], paths: paths, remembered: ["h4"],
            runners: ["h2.local", "h3.local"], silentRunners: ["h4.local"])
        let findings: [DoctorCheck: [Finding]] = [
            .interfaces: InterfacesCheck.findings(
                for: [eth0, tunnel, wireless], allowingPointToPoint: false),
            .port: PortCheck.findings(for: listeners),
            .firewall: FirewallCheck.findings(
                for: FirewallSurvey(rules: .forbidden, hasUFW: false)),
            .bus: BusCheck.findings(
                for: BusCheck.Survey(path: "/run/dbus/system_bus_socket", error: nil)),
            .daemon: DaemonCheck.findings(
                for: .silent, isInstalled: true, hasBus: true, pairs: ["tun0"]),
            .settings: SettingsCheck.findings(
                for: settings, path: "/etc/avahi/avahi-daemon.conf", interfaces: [eth0]),
            .weaknesses: WeaknessesCheck.findings(
                version: "avahi 0.8", package: nil, usesWideArea: true),
            .echo: EchoCheck.findings(for: echoes),
            .heard: HeardCheck.findings(for: heard),
            .seen: VisibilityCheck.findings(
                for: VisibilityCheck.Survey(
                    port: VisibilityListener.usualPort, harvest: harvest,
                    runners: heard.runners, silentRunners: heard.silentRunners),
                interfaces: [eth0]),
        ]
        return DoctorCheck.allCases.map { CheckReport(check: $0, findings: findings[$0] ?? []) }
    }
}
