// The JSON of the doctor, and its schema.
import Glibc
import PeerList
import PeerListTestSupport
import Testing

@testable import PeerDoctor

@Suite(.timeLimit(.minutes(10))) struct DoctorSchemaTests {
    private func doctor(_ findings: [String: [Finding]] = [:]) -> String {
        let reports = DoctorCheck.all.map { check in
            CheckReport(
                id: check.id, title: check.title,
                findings: findings[check.id] ?? DoctorExamples.findings[check.id] ?? [])
        }.filter { !$0.findings.isEmpty }
        return DoctorText.json(reports, host: nil, at: .now())
    }

    @Test func `reports of doctor conform to the schema`() throws {
        let limits = DaemonSettings("[server]\nratelimit-burst=9\nratelimit-interval-usec=9")
        let devices = HeardCheck(silent: ["h4"], isQueried: false)
        let brokers = try BrokerCheckTests.answers.map { _, answers in
            DoctorText.json(try BrokerCheckTests.reports(answers), host: "pi", at: .now())
        }
        var rules = DeviceRules(services: [], interfaces: [])
        rules.hear(LinkScript.packet(LinkScript.response([.init(name: "a.local")]), from: 5))
        let eth0 = [NetworkPath("eth0", .ipv4)]
        let others = [
            ("device", rules.findings(on: eth0)), ("device", rules.findings(on: [])),
            ("told", SelfDisclosureTests.findings),
            (
                "told",
                SelfDisclosure(host: "h", addresses: [:], device: nil, files: [:]).findings
            ),
        ].map {
            DoctorText.json([CheckReport(id: $0, title: "x", findings: $1)], host: nil, at: .now())
        }
        let lines =
            brokers + others + [
                doctor(),
                doctor([
                    "interfaces": InterfacesCheck.findings(for: [], allowingPointToPoint: false),
                    "port": PortCheck.findings(for: nil),
                    "firewall": Firewalls(
                        inputChains: [
                            Firewalls.Chain(family: "inet", table: "filter", name: "input")
                        ], ufwPolicy: "drop", zone: "public"
                    ).findings,
                    "bus": BusCheck(path: "/x", error: ENOENT).findings,
                    "daemon": DaemonCheck.findings(
                        for: .answered(
                            DaemonReport(version: "avahi 0.8", host: "h1.local", state: .running)),
                        isInstalled: true, hasBus: true, pointToPoint: []),
                    "settings": SettingsCheck.findings(for: limits, path: "x", interfaces: []),
                    "echo": EchoCheck.findings(for: []),
                    "heard": devices.findings,
                    "seen": VisibilityCheck.findings(
                        for: VisibilityProbe.Observations(devices: HeardCheck()),
                        isUnfiltered: false, settings: nil, interfaces: []),
                    "names": NamesCheckTests.check(
                        nil, lookups: [NamesCheckTests.lookup(finds: ["fd99::2"])]
                    ).findings,
                    "path": PathCheckTests.check([], returned: []).findings,
                    "link": LinkCheck(
                        traffic: LinkTraffic(), time: .seconds(10), paths: []
                    ).findings,
                    "protocols": ProtocolsCheckTests.asked.findings,
                    "thread": [],
                ]),
                doctor(["thread": ThreadCheckTests.routed.findings]),
            ]
        let (isGood, text) = try schemaVerdict(lines.joined(), of: "doctor")
        #expect(isGood, "\(text)")
    }

    /// The schema must reject these lines.
    @Test(arguments: [
        (#""version":1"#, #""version":2"#),
        (#""name":"echo""#, #""name":"eco""#),
        (#""outcome":"ok""#, #""outcome":"good""#), (#""advice":null,"#, ""),
        (#""notSeenOver":["ipv6"]"#, #""notSeenOver":["ipx"]"#),
        (#""host":"h2.local","#, ""),
        (#""returnedOver""#, #""backOver""#),
        (#""verdict":"both-ways""#, #""verdict":"both""#),
        (#""cause":"not-configured""#, #""cause":"bad luck""#),
        (#""extendedPANID":"dead1122beefcafe""#, #""extendedPANID":"dead""#),
        (#""name":"names""#, #""name":"thread""#),
    ])
    func `a line with a fault is rejected`(was: String, now: String) throws {
        let line = doctor()
        #expect(line.contains(was))
        #expect(try !schemaVerdict(line.replacing(was, with: now), of: "doctor").isGood)
    }
}
