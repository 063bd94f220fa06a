// The JSON of announce, types and doctor conforms to the JSON Schemas.
import Foundation
import PeerList
import PeerRecording
import Testing

@testable import PeerListCommand

@Suite(.timeLimit(.minutes(10))) struct CommandSchemaTests {
    /// Returns the verdict of the validator on lines of a kind.
    private func verdict(_ lines: String, of kind: String) throws -> (isGood: Bool, text: String) {
        let process = Process()
        process.executableURL = root.appending(path: "Tests/Schema/validate")
        process.arguments = ["--of", kind]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
        try input.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus == 0, String(decoding: text, as: UTF8.self))
    }

    private var events: String {
        let service = AnnounceOptions(name: "Web", type: "_http._tcp", port: 80)
        let all: [AnnouncementEvent] = [
            .announced(name: "Web #2"), .renamed("'Web' is taken"), .interrupted, .failed("no"),
            .withdrawn, .left("it hangs"),
        ]
        return all.map { $0.json(of: service, at: .now()) + "\n" }.joined()
    }

    private let counts = TypeCount.json([
        TypeCount(type: "_http._tcp", title: "Web site", services: 2, devices: 1),
        TypeCount(type: "_x-own._udp", title: nil, services: 1, devices: 1),
    ])

    private func doctor(_ findings: [String: [Finding]] = [:]) -> String {
        let reports = DoctorCheck.all.map { check in
            CheckReport(
                id: check.id, title: check.title,
                findings: findings[check.id] ?? DoctorExamples.findings[check.id] ?? [])
        }
        return DoctorText.json(reports, host: nil, at: .now())
    }

    @Test func `events of announce conform to the schema`() throws {
        let (isGood, text) = try verdict(events, of: "announce")
        #expect(isGood, "\(text)")
    }

    @Test func `lines of types conform to the schema`() throws {
        let (isGood, text) = try verdict(counts, of: "types")
        #expect(isGood, "\(text)")
    }

    @Test func `reports of doctor conform to the schema`() throws {
        let limits = DaemonSettings("[server]\nratelimit-burst=9\nratelimit-interval-usec=9")
        let devices = HeardCheck.Survey(silent: ["h4"], isQueried: false)
        let lines = [
            doctor(),
            doctor([
                "interfaces": InterfacesCheck.findings(for: [], allowingPointToPoint: false),
                "port": PortCheck.findings(for: nil),
                "firewall": FirewallCheck.findings(
                    for: Firewalls(
                        inputChains: [
                            Firewalls.Chain(family: "inet", table: "filter", name: "input")
                        ], ufwPolicy: "drop", zone: "public")),
                "bus": BusCheck.findings(for: BusCheck.Survey(path: "/x", error: ENOENT)),
                "daemon": DaemonCheck.findings(
                    for: .answered(
                        DaemonReport(version: "avahi 0.8", host: "h1.local", state: .running)),
                    isInstalled: true, hasBus: true, pointToPoint: []),
                "settings": SettingsCheck.findings(for: limits, path: "x", interfaces: []),
                "weaknesses": DaemonCheck.versionFindings(for: .silent),
                "echo": EchoCheck.findings(for: []),
                "heard": HeardCheck.findings(for: devices),
                "seen": VisibilityCheck.findings(
                    for: VisibilityProbe.Result(devices: HeardCheck.Survey()),
                    isUnfiltered: false, settings: nil, interfaces: []),
            ]),
        ]
        let (isGood, text) = try verdict(lines.joined(), of: "doctor")
        #expect(isGood, "\(text)")
    }

    /// The schemas must reject these lines.
    @Test(arguments: [
        ("announce", #""port":80"#, #""port":0"#), ("announce", #""wanted":"#, #""asked":"#),
        ("announce", #""withdrawn""#, #""gone""#), ("announce", #""message":"no""#, #""why":"no""#),
        ("types", #""services":2"#, #""services":0"#), ("types", #""title":null,"#, ""),
        ("doctor", #""version":1"#, #""version":2"#),
        ("doctor", #""name":"echo""#, #""name":"eco""#),
        ("doctor", #""outcome":"ok""#, #""outcome":"good""#), ("doctor", #""advice":null,"#, ""),
        ("doctor", #""notSeenOver":["ipv6"]"#, #""notSeenOver":["ipx"]"#),
        ("doctor", #""host":"h2.local","#, ""),
        ("doctor", #""version":"avahi 0.8""#, #""version":"""#),
        ("doctor", #""returnedOver""#, #""backOver""#),
    ])
    func `a line with a fault is rejected`(kind: String, was: String, now: String) throws {
        let lines = ["announce": events, "types": counts, "doctor": doctor()][kind] ?? ""
        #expect(lines.contains(was))
        #expect(try !verdict(lines.replacing(was, with: now), of: kind).isGood)
    }
}

private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
