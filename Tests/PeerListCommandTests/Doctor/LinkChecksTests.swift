// The checks of interfaces, port, bus, daemon and echo, for machines of many kinds.
import Glibc
import PeerList
import Testing

@testable import PeerListCommand

@Suite struct LinkChecksTests {
    private func findings(
        for interfaces: [LocalInterface], allowingPointToPoint: Bool = false
    ) -> [Finding] {
        InterfacesCheck.findings(for: interfaces, allowingPointToPoint: allowingPointToPoint)
    }

    private func interface(
        _ name: String, isUp: Bool = true, hasCarrier: Bool = true, isMulticast: Bool = true,
        isLoopback: Bool = false, isPointToPoint: Bool = false, hasAddress: Bool = true
    ) -> LocalInterface {
        LocalInterface(
            NetworkInterface(index: 2, name: name), isUp: isUp, hasCarrier: hasCarrier,
            isMulticast: isMulticast, isLoopback: isLoopback, isPointToPoint: isPointToPoint,
            addresses: hasAddress ? DoctorExamples.eth0.addresses : [])
    }

    @Test func `one interface that works is enough`() {
        let findings = self.findings(for: [
            interface("lo", isLoopback: true), interface("eth0"), interface("eth1", isUp: false),
        ])
        #expect(findings.map(\.outcome) == [.ok, .ok])
        #expect(findings[0].text == "eth0: 10.0.0.1, fe80::1%eth0")
        #expect(findings[1].text == "not used: eth1 (is switched off)")
    }

    @Test func `where none works, the nearest to working is to be mended`() {
        let findings = self.findings(for: [
            interface("eth0", isUp: false), interface("wlan0", hasCarrier: false),
            interface("tun0", isMulticast: false),
        ])
        #expect(findings.map(\.outcome) == [.problem])
        #expect(findings[0].text.contains("eth0 (is switched off), wlan0 (has no link)"))
        #expect(findings[0].advice?.contains("wlan0") == true)
        let bare = self.findings(for: [interface("eth0", hasAddress: false)])
        #expect(bare[0].advice?.contains("DHCP") == true)
    }

    @Test func `with nothing but the loopback there is a problem`() {
        for interfaces in [[], [interface("lo", isLoopback: true)]] {
            #expect(self.findings(for: interfaces).map(\.outcome) == [.problem])
        }
    }

    @Test func `a tunnel counts where the daemon is told to use such`() {
        let tunnel = interface("tun0", isPointToPoint: true)
        let beside = self.findings(for: [interface("eth0"), tunnel])
        #expect(beside.map(\.text).last == "not used: tun0 (leads to one machine alone)")
        let alone = self.findings(for: [tunnel])
        #expect(alone.map(\.outcome) == [.problem])
        #expect(alone[0].advice?.contains("allow-point-to-point=yes") == true)
        // A cable that can be plugged in is nearer to working than another use of a tunnel.
        let unplugged = self.findings(for: [tunnel, interface("eth0", hasCarrier: false)])
        #expect(unplugged[0].advice?.contains("plug in") == true)
        #expect(self.findings(for: [tunnel], allowingPointToPoint: true).map(\.outcome) == [.ok])
    }

    @Test func `a hundred interfaces of containers are not all named`() {
        let many = (0..<100).map { interface("veth\($0)", hasCarrier: false) }
        #expect(self.findings(for: many)[0].text.hasSuffix("and 92 more."))
    }

    @Test func `the port's sockets are found in the system's table`() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid
             12: 00000000:14E9 00000000:0000 07 00000000:00000000 00:00000000 00000000   104 0 4711 2 0
             13: 00000000:14EA 00000000:0000 07 00000000:00000000 00:00000000 00000000   0   0 4712 2 0
             14: FB0000E0:14E9 00000000:0000 07 00000000:00000000 00:00000000 00000000   1000 0 4713 2 0
             junk
            """
        let sockets = PortListener.sockets(in: table)
        #expect(sockets.map(\.inode) == ["4711", "4713"])
        #expect(sockets.map(\.user) == [104, 1_000])
    }

    private func listener(
        _ program: String?, _ process: Int32 = 7, user: String = "avahi",
        _ family: AddressFamily = .ipv4
    ) -> PortListener {
        PortListener(
            family: family, user: 104, userName: user, program: program,
            process: program == nil ? nil : process)
    }

    @Test(
        arguments: [
            ("avahi-daemon", DoctorOutcome.ok), ("peerlist-mdns", .ok),
            ("systemd-resolve", .warning),
            ("mdnsd", .warning), ("chrome", .warning), (nil, .ok),
        ] as [(String?, DoctorOutcome)])
    func `who has the port is judged by what it is`(program: String?, outcome: DoctorOutcome) {
        #expect(PortCheck.findings(for: [listener(program)]).map(\.outcome) == [outcome])
    }

    @Test func `systemd-resolved is named, with how to have it leave the port`() {
        let findings = PortCheck.findings(for: [
            listener("avahi-daemon"), listener("systemd-resolve", 8),
        ])
        #expect(findings.map(\.outcome) == [.ok, .warning])
        #expect(findings[1].text.hasPrefix("systemd-resolved listens as well"))
        #expect(findings[1].advice?.contains("MulticastDNS=no") == true)
    }

    @Test func `two daemons, nobody, and a stranger are told of`() {
        let two = PortCheck.findings(for: [
            listener("avahi-daemon"), listener("avahi-daemon", 8),
        ])
        #expect(two[0].text == "avahi-daemon runs 2 times: 7 and 8.")
        #expect(PortCheck.findings(for: []).map(\.outcome) == [.warning])
        #expect(PortCheck.findings(for: nil).map(\.outcome) == [.unknown])
        let stranger = PortCheck.findings(for: [listener(nil, user: "anna")])
        #expect(stranger.map(\.outcome) == [.unknown])
        #expect(stranger[0].text.contains("'anna'"))
    }

    @Test(arguments: [
        ("", "/run/dbus/system_bus_socket"),
        ("unix:path=/var/run/bus", "/var/run/bus"),
        ("tcp:host=a;unix:guid=1,path=/a/b", "/a/b"),
        ("unix:abstract=x", "/run/dbus/system_bus_socket"),
    ])
    func `the bus is looked for where its address says`(address: String, path: String) {
        #expect(BusCheck.path(in: address) == path)
    }

    @Test func `a bus that is not there is told of with its reason`() {
        let survey = BusCheck.survey { _ in "unix:path=/nowhere/at/all" }
        #expect(survey == BusCheck.Survey(path: "/nowhere/at/all", error: ENOENT))
        let finding = BusCheck.findings(for: survey)[0]
        #expect(finding.outcome == .warning)
        #expect(finding.text.contains("no such file or directory"))
        let long = String(repeating: "x", count: 200)
        #expect(BusCheck.survey { _ in "unix:path=/\(long)" }.error == ENAMETOOLONG)
    }

    @Test func `the daemon's answer, or its silence, is judged`() {
        func outcome(
            _ outcome: DaemonInquiry.Outcome, isInstalled: Bool = true, hasBus: Bool = true
        ) -> (DoctorOutcome?, String) {
            let finding = DaemonCheck.findings(
                for: outcome, isInstalled: isInstalled, hasBus: hasBus, pairs: []
            ).first
            return (finding?.outcome, finding?.advice ?? "")
        }
        func report(_ state: DaemonReport.State) -> DaemonInquiry.Outcome {
            .answered(DaemonReport(version: "avahi 0.8", host: "h1.local", state: state))
        }
        #expect(outcome(report(.running)).0 == .ok)
        #expect(outcome(report(.registering)).0 == .warning)
        #expect(outcome(report(.collision)).0 == .problem)
        #expect(outcome(.silent).0 == .problem)
        #expect(outcome(.unavailable("x")).1.hasPrefix("start it"))
        #expect(outcome(.unavailable("x"), isInstalled: false).1.contains("apt-get install"))
        #expect(outcome(.unavailable("x"), hasBus: false).0 == .unknown)
    }

    @Test func `a tunnel that the daemon would use is named while the daemon is away`() {
        func findings(_ outcome: DaemonInquiry.Outcome, hasBus: Bool = true) -> [Finding] {
            DaemonCheck.findings(for: outcome, isInstalled: true, hasBus: hasBus, pairs: ["tun0"])
        }
        for away in [
            findings(.silent), findings(.unavailable("x")),
            findings(.unavailable("x"), hasBus: false),
        ] {
            #expect(away.count == 2)
            #expect(away.last?.outcome == .warning)
            #expect(away.last?.facts == [Finding.Fact("leftAlone", .texts(["tun0"]))])
        }
        let there = DaemonReport(version: "avahi 0.8", host: "h1.local", state: .running)
        #expect(findings(.answered(there)).map(\.outcome) == [.ok])
    }

    @Test func `multicast that does not come back is a problem of its path`() {
        func result(
            _ family: AddressFamily, _ outcome: MulticastEcho.Outcome
        ) -> EchoCheck.Result {
            EchoCheck.Result(
                path: NetworkPath(interface: "eth0", family: family), outcome: outcome)
        }
        let good = EchoCheck.findings(for: [result(.ipv6, .returned), result(.ipv4, .returned)])
        #expect(good.map(\.text) == ["eth0: over IPv4 and IPv6"])
        let half = EchoCheck.findings(for: [result(.ipv4, .silent), result(.ipv6, .returned)])
        #expect(half.map(\.outcome) == [.ok, .problem])
        #expect(half.map { $0.facts.last?.key } == ["returnedOver", "notReturnedOver"])
        let mute = EchoCheck.findings(for: [result(.ipv4, .silent), result(.ipv6, .silent)])
        #expect(
            mute.map(\.text) == ["eth0: multicast sent over IPv4 and IPv6 does not come back."])
        let none = EchoCheck.findings(for: [result(.ipv4, .failed("Network is unreachable"))])
        #expect(none.map(\.outcome) == [.problem])
        #expect(none[0].advice?.contains("224.0.0.0/4") == true)
        let six = EchoCheck.findings(for: [result(.ipv6, .failed("Network is unreachable"))])
        #expect(six[0].advice?.contains("ff00::/8") == true)
        #expect(EchoCheck.findings(for: [result(.ipv4, .portTaken)]).map(\.outcome) == [.unknown])
        #expect(EchoCheck.findings(for: []).map(\.outcome) == [.unknown])
    }
}
