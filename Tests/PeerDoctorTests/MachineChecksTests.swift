// The checks of this machine: interfaces, port, firewall, bus, daemon, settings and loopback.
import Glibc
import PeerList
import PeerListTestSupport
import Testing

@testable import PeerDoctor

@Suite struct MachineChecksTests {
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

    @Test func `one usable interface is enough`() {
        let findings = self.findings(for: [
            interface("lo", isLoopback: true), interface("eth0"), interface("eth1", isUp: false),
        ])
        #expect(findings.map(\.outcome) == [.ok, .ok])
        #expect(findings[0].text == "eth0: 10.0.0.1, fe80::1%eth0")
        #expect(findings[1].text == "not used: eth1 (down)")
    }

    @Test func `without a usable interface, the advice is about the one that is easiest to fix`() {
        let findings = self.findings(for: [
            interface("eth0", isUp: false), interface("wlan0", hasCarrier: false),
            interface("tun0", isMulticast: false),
        ])
        #expect(findings.map(\.outcome) == [.problem])
        #expect(findings[0].text.contains("eth0 (down), wlan0 (no carrier)"))
        #expect(findings[0].advice?.contains("wlan0") == true)
        let bare = self.findings(for: [interface("eth0", hasAddress: false)])
        #expect(bare[0].advice?.contains("DHCP") == true)
    }

    @Test func `a machine with only a loopback interface has a problem`() {
        for interfaces in [[], [interface("lo", isLoopback: true)]] {
            #expect(self.findings(for: interfaces).map(\.outcome) == [.problem])
        }
    }

    @Test func `a tunnel is used only if point-to-point interfaces are allowed`() {
        let tunnel = interface("tun0", isPointToPoint: true)
        let beside = self.findings(for: [interface("eth0"), tunnel])
        #expect(beside.map(\.text).last == "not used: tun0 (point-to-point)")
        let alone = self.findings(for: [tunnel])
        #expect(alone.map(\.outcome) == [.problem])
        #expect(alone[0].advice?.contains("allow-point-to-point=yes") == true)
        // Plugging in a cable is easier than changing the settings.
        let unplugged = self.findings(for: [tunnel, interface("eth0", hasCarrier: false)])
        #expect(unplugged[0].advice?.contains("plug in") == true)
        #expect(self.findings(for: [tunnel], allowingPointToPoint: true).map(\.outcome) == [.ok])
    }

    @Test func `at most eight unused interfaces are named`() {
        let many = (0..<100).map { interface("veth\($0)", hasCarrier: false) }
        #expect(self.findings(for: many)[0].text.hasSuffix("and 92 more."))
    }

    @Test func `sockets on port 5353 are read from the table of proc`() {
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
            family: family, userName: user, program: program,
            process: program == nil ? nil : process)
    }

    @Test(
        arguments: [
            ("avahi-daemon", DoctorOutcome.ok), ("peerlist-mdns", .ok),
            ("systemd-resolve", .ok),
            ("mdnsd", .warning), ("chrome", .warning), (nil, .ok),
        ] as [(String?, DoctorOutcome)])
    func `a listener is a warning unless it is the only responder or the embedded stack`(
        program: String?, outcome: DoctorOutcome
    ) {
        #expect(PortCheck.findings(for: [listener(program)]).map(\.outcome) == [outcome])
    }

    @Test func `systemd-resolved is named, with advice to disable its multicast DNS`() {
        let findings = PortCheck.findings(for: [
            listener("avahi-daemon"), listener("systemd-resolve", 8),
        ])
        #expect(findings.map(\.outcome) == [.ok, .warning])
        #expect(findings[1].text.hasPrefix("systemd-resolved also listens"))
        #expect(findings[1].advice?.contains("MulticastDNS=no") == true)
    }

    @Test func `systemd-resolved without avahi-daemon is the responder of the machine`() {
        for program in ["systemd-resolve", nil] {
            let alone = PortCheck.findings(for: [
                listener(program, 8, user: "systemd-resolve"), listener("peerlist-mdns", 9),
            ])
            #expect(alone.map(\.outcome) == [.ok, .ok])
            #expect(
                alone[1].text == "systemd-resolved announces this machine over IPv4. peerlist uses "
                    + "its own stack beside it.")
            #expect(alone[1].advice == nil)
        }
        // Programs of other users are visible to root alone.
        let both = PortCheck.findings(for: [
            listener(nil), listener(nil, user: "systemd-resolve"),
        ])
        #expect(both.map(\.outcome) == [.ok, .warning])
    }

    @Test func `several daemons, no listener and an unknown program are reported`() {
        let two = PortCheck.findings(for: [
            listener("avahi-daemon"), listener("avahi-daemon", 8),
        ])
        #expect(two[0].text == "2 instances of avahi-daemon run: processes 7 and 8.")
        #expect(PortCheck.findings(for: []).map(\.outcome) == [.warning])
        #expect(PortCheck.findings(for: nil).map(\.outcome) == [.unknown])
        let unknown = PortCheck.findings(for: [listener(nil, user: "anna")])
        #expect(unknown.map(\.outcome) == [.unknown])
        #expect(unknown[0].text.contains("'anna'"))
    }

    @Test(arguments: [
        ("", "/run/dbus/system_bus_socket"),
        ("unix:path=/var/run/bus", "/var/run/bus"),
        ("tcp:host=a;unix:guid=1,path=/a/b", "/a/b"),
        ("unix:abstract=x", "/run/dbus/system_bus_socket"),
    ])
    func `the path of the bus is read from its address`(address: String, path: String) {
        #expect(BusCheck.path(in: address) == path)
    }

    @Test func `an unreachable bus is a warning with the reason`() {
        let check = BusCheck(address: "unix:path=/nowhere/at/all")
        #expect(check == BusCheck(path: "/nowhere/at/all", error: ENOENT))
        let finding = check.findings[0]
        #expect(finding.outcome == .warning)
        #expect(finding.text.contains("no such file or directory"))
        let long = String(repeating: "x", count: 200)
        #expect(BusCheck(address: "unix:path=/\(long)").error == ENAMETOOLONG)
    }

    @Test func `the state of the daemon decides the outcome`() {
        func outcome(
            _ outcome: DaemonInquiry.Outcome, isInstalled: Bool = true, hasBus: Bool = true
        ) -> (DoctorOutcome?, String) {
            let finding = DaemonCheck.findings(
                for: outcome, isInstalled: isInstalled, hasBus: hasBus, pointToPoint: []
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
        for isInstalled in [true, false] {
            let replaced = DaemonCheck.findings(
                for: .unavailable("x"), isInstalled: isInstalled, hasBus: false,
                pointToPoint: [], usesResolved: true)
            #expect(replaced.map(\.outcome) == [.ok] && replaced[0].advice == nil)
        }
    }

    @Test func `a tunnel that only the daemon uses is named while the daemon is unavailable`() {
        func findings(_ outcome: DaemonInquiry.Outcome, hasBus: Bool = true) -> [Finding] {
            DaemonCheck.findings(
                for: outcome, isInstalled: true, hasBus: hasBus, pointToPoint: ["tun0"])
        }
        for away in [
            findings(.silent), findings(.unavailable("x")),
            findings(.unavailable("x"), hasBus: false),
        ] {
            #expect(away.count == 2)
            #expect(away.last?.outcome == .warning)
            #expect(away.last?.facts.map(\.key) == ["leftAlone"])
            #expect(away.last?.facts.map(\.value) == [.texts(["tun0"])])
        }
        let there = DaemonReport(version: "avahi 0.8", host: "h1.local", state: .running)
        #expect(findings(.answered(there)).map(\.outcome) == [.ok])
    }

    @Test func `multicast that does not come back is a problem of its interface and family`() {
        func result(
            _ family: AddressFamily, _ outcome: MulticastEcho.Outcome
        ) -> EchoCheck.PathResult {
            EchoCheck.PathResult(
                path: NetworkPath("eth0", family), outcome: outcome)
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

@Suite struct FirewallCheckTests {
    @Test func `input chains of nftables are named with their default policies`() throws {
        let json = #"""
            {"nftables": [{"metainfo": {"version": "1.0.6", "json_schema_version": 1}},
            {"chain": {"family": "inet", "table": "filter", "name": "input", "handle": 1,
            "type": "filter", "hook": "input", "prio": 0, "policy": "drop"}},
            {"chain": {"family": "ip", "table": "filter", "name": "output", "handle": 2,
            "type": "filter", "hook": "output", "prio": 0, "policy": "accept"}},
            {"chain": {"family": "inet", "table": "filter", "name": "other", "handle": 3}}]}
            """#
        let chains = try #require(Firewalls.inputChains(json: Array(json.utf8)))
        #expect(chains.map(\.title) == ["inet filter input"])
        let found = Firewalls(inputChains: chains).findings
        #expect(found.map(\.outcome) == [.ok])
        #expect(found[0].text.contains("'inet filter input' (default policy: drop)"))
        #expect(Firewalls.inputChains(json: Array("no".utf8)) == nil)
    }

    @Test func `ufw and firewalld are named`() {
        let ufw = Firewalls(ufwPolicy: "drop").findings
        #expect(ufw.map(\.outcome) == [.ok])
        #expect(ufw[0].text.hasPrefix("ufw is active (default policy: drop)."))
        let outcomes = [true, false, nil].map { accepts in
            Firewalls(zone: "public", zoneAcceptsMDNS: accepts).findings.map(\.outcome)
        }
        #expect(outcomes == [[.ok], [.warning], [.unknown]])
    }

    @Test func `without a firewall, the check is ok only if that is certain`() {
        #expect(Firewalls(inputChains: []).findings.map(\.outcome) == [.ok])
        #expect(Firewalls(inputChains: []).areAbsent)
        #expect(Firewalls().findings.map(\.outcome) == [.unknown])
        #expect(!Firewalls().areAbsent)
    }

    @Test func `the output of a command counts only if the command succeeds`() {
        #expect(Firewalls.output(of: "echo a") == Array("a\n".utf8))
        #expect(Firewalls.output(of: "echo a; exit 1") == nil)
        #expect(Firewalls.output(of: "exec /nowhere/at/all 2>/dev/null") == nil)
    }

    @Test func `the last of several settings counts`() {
        let text = "#A=1\nA=2\nA=\"three\"\n"
        #expect(Firewalls.setting("A", in: text) == "three")
        #expect(Firewalls.setting("B", in: text) == nil)
    }
}

@Suite struct SettingsCheckTests {
    private func findings(_ text: String, interfaces: [LocalInterface]? = nil) -> [Finding] {
        SettingsCheck.findings(
            for: DaemonSettings(text), path: "/etc/avahi/avahi-daemon.conf",
            interfaces: interfaces ?? [DoctorExamples.eth0])
    }

    @Test func `settings are parsed by section, without comments and spaces`() {
        let settings = DaemonSettings(
            "[server]\n #a=1\n; b=2\nuse-ipv4 = yes \r\n[wide-area]\nenable-wide-area=no\n[server]\n"
                + "allow-interfaces= eth0 , eth1,\nuse-ipv4=no")
        #expect(settings.value("server", "a") == nil)
        #expect(settings.value("server", "use-ipv4") == "no")
        #expect(settings.value("wide-area", "enable-wide-area") == "no")
        #expect(settings.list("server", "allow-interfaces") == ["eth0", "eth1"])
        #expect(settings.number("server", "clients-max", otherwise: 7) == 7)
    }

    @Test func `usual settings are ok, and their limits are reported`() {
        let found = findings(
            "[server]\nuse-ipv4=yes\nuse-ipv6=yes\n[wide-area]\nenable-wide-area=no")
        #expect(found.map(\.outcome) == [.ok])
        #expect(found[0].text.contains("4096 cache records"))
        #expect(found[0].facts.first?.key == "cacheEntriesMax")
        #expect(found[0].facts.first?.value == .number(4_096))
    }

    @Test(
        arguments: [
            ("server", "use-ipv6=no", DoctorOutcome.warning),
            ("server", "use-ipv4=no\nuse-ipv6=no", .problem),
            ("server", "deny-interfaces=eth0", .problem),
            ("server", "allow-interfaces=eth1", .problem), ("server", "allow-interfaces=eth0", .ok),
            ("server", "deny-interfaces=eth1", .ok), ("server", "enable-dbus=no", .problem),
            ("server", "disallow-other-stacks=yes", .warning),
            ("server", "domain-name=lan", .warning),
            ("server", "domain-name=local", .ok), ("server", "cache-entries-max=100", .warning),
            ("server", "objects-per-client-max=10", .warning),
            ("server", "ratelimit-burst=5", .ok),
            ("server", "ratelimit-interval-usec=1000000\nratelimit-burst=5", .warning),
            ("server", "enable-dbus=warn", .ok),
            ("server", "allow-interfaces=eth0\ndeny-interfaces=eth0", .problem),
            ("server", "allow-interfaces=", .ok), ("server", "deny-interfaces=ETH0", .problem),
            ("server", "allow-interfaces=Eth0", .ok),
            ("wide-area", "enable-wide-area=yes", .warning),
            ("publish", "disable-publishing=yes", .problem),
            ("publish", "disable-user-service-publishing=yes", .warning),
            ("publish", "publish-addresses=no", .warning),
            ("reflector", "enable-reflector=yes", .warning),
            ("rlimits", "rlimit-data=4194304", .warning), ("rlimits", "rlimit-data=0", .ok),
        ] as [(String, String, DoctorOutcome)])
    func `an unfavorable setting is reported with advice`(
        section: String, lines: String, outcome: DoctorOutcome
    ) {
        let found = findings("[\(section)]\n\(lines)")
        #expect(found.map(\.outcome).max() == outcome)
        for finding in found where finding.outcome != .ok {
            #expect(finding.advice?.contains("[\(section)]") == true, "\(finding.text)")
        }
    }

    @Test func `an ignored interface is a warning if others are used`() {
        let other = LocalInterface(
            NetworkInterface(index: 3, name: "eth1"), addresses: DoctorExamples.eth0.addresses)
        let found = findings(
            "[server]\ndeny-interfaces=eth1", interfaces: [DoctorExamples.eth0, other])
        #expect(found.map(\.outcome) == [.warning, .ok])
        #expect(found[0].advice?.contains("remove eth1 from deny-interfaces") == true)
    }

    @Test func `a tunnel is ignored unless point-to-point interfaces are allowed`() {
        var tunnel = LocalInterface(
            NetworkInterface(index: 3, name: "tun0"), addresses: DoctorExamples.eth0.addresses)
        tunnel.isPointToPoint = true
        #expect(findings("", interfaces: [tunnel]).map(\.outcome) == [.problem, .ok])
        let both = findings("", interfaces: [DoctorExamples.eth0, tunnel])
        #expect(both.map(\.outcome) == [.ok, .ok])
        #expect(both[0].text == "allow-point-to-point=no: the daemon ignores tun0.")
        let allowed = findings("[server]\nallow-point-to-point=yes", interfaces: [tunnel])
        #expect(allowed.map(\.outcome) == [.ok])
        // Listing it by name has no effect.
        let named = findings(
            "[server]\nallow-interfaces=eth0,tun0", interfaces: [DoctorExamples.eth0, tunnel])
        #expect(named.map(\.outcome) == [.warning, .ok])
        #expect(named[0].advice?.contains("allow-point-to-point=yes") == true)
    }

    @Test func `without a rate limit, none is reported`() {
        #expect(findings("")[0].text.hasSuffix("no rate limit"))
    }

    @Test func `unreadable settings are inconclusive`() {
        let found = SettingsCheck.findings(for: nil, path: "/x", interfaces: [])
        #expect(found.map(\.text) == ["/x cannot be read."])
        #expect(found.map(\.outcome) == [.unknown])
    }
}
