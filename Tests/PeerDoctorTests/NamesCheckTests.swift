// The check of names: look-ups of '.local' names by the C library, and why they fail.
import DNSMessages
import PeerList
import PeerListTestSupport
import Testing

@testable import PeerDoctor

@Suite struct NamesCheckTests {
    static let good = "hosts: files mdns4_minimal [NOTFOUND=return] dns"

    static func lookup(
        _ host: String = "h2.local", has addresses: Set<String> = ["10.0.0.2", "fd99::2"],
        finds found: Set<String> = [], after time: Duration = .milliseconds(3)
    ) -> NamesCheck.Lookup {
        NamesCheck.Lookup(host: host, addresses: addresses, found: found, time: time)
    }

    /// A check of look-ups that fail, on a machine where all is installed, and avahi-daemon runs.
    static func check(
        _ file: String? = good, lookups: [NamesCheck.Lookup] = [lookup()],
        modules: Set<String> = Set(NamesCheck.mdnsServices + ["resolve"]), hasAvahi: Bool = true,
        resolved: NamesCheck.Resolved = .absent, zone: LocalZone = .absent,
        searchesLocal: Bool = false
    ) -> NamesCheck {
        NamesCheck(
            lookups: lookups, switchFile: file, modules: modules, hasAvahi: hasAvahi,
            resolved: resolved, localZone: zone, searchesLocal: searchesLocal)
    }

    private func cause(_ check: NamesCheck) -> String? {
        check.findings.last?.facts.first { $0.key == "cause" }.map {
            if case .text(let text) = $0.value { text } else { "" }
        }
    }

    @Test func `names that resolve to an address of their host are ok`() {
        let check = Self.check(
            nil,
            lookups: [
                Self.lookup("h1.local", finds: ["10.0.0.2"]), Self.lookup(finds: ["fd99::2"]),
            ])
        #expect(check.findings.map(\.outcome) == [.ok])
        #expect(check.findings[0].text == "h1.local and h2.local resolve.")
        #expect(NamesCheck(lookups: []).findings.map(\.outcome) == [.unknown])
    }

    @Test func `a name that does not resolve is a warning beside those that do`() {
        let check = Self.check(
            "hosts: files dns",
            lookups: [
                Self.lookup("h1.local", finds: ["10.0.0.2"]), Self.lookup(after: .seconds(2)),
            ])
        #expect(check.findings.map(\.outcome) == [.ok, .warning])
        #expect(check.findings[1].text.hasPrefix("h2.local does not resolve within 2 s: the line"))
        #expect(check.findings[1].facts.map(\.key) == ["unresolved", "cause", "hosts"])
        #expect(check.findings[1].facts.last?.value == .text("files dns"))
    }

    /// The line of nsswitch.conf, and the cause if all is installed and avahi-daemon runs alone.
    @Test(arguments: [
        ("passwd: files", "no-hosts-line"), ("#hosts: files mdns", "no-hosts-line"),
        ("hosts: files dns", "not-configured"), ("hosts:", "not-configured"),
        ("hosts: files # mdns4", "not-configured"),
        ("hosts: files dns [NOTFOUND=return] mdns4", "order"),
        ("hosts:files dns [!UNAVAIL=return] mdns4", "order"),
        ("hosts: files [notfound=RETURN] mdns4", "order"),
        ("hosts: files dns [!UNAVAIL=return NOTFOUND=continue] mdns4", "unknown"),
        ("hosts: files dns [UNAVAIL=return] mdns4", "unknown"),
        // systemd-resolved does not run, so it is passed over.
        ("hosts: files resolve [!UNAVAIL=return] mdns4", "unknown"),
        ("hosts: files resolve [!UNAVAIL=return] dns", "resolved-off"),
        ("hosts: files mdns4_minimal [NOTFOUND=return] dns", "unknown"),
    ])
    func `the line of nsswitch.conf can be the cause`(line: String, cause: String) {
        #expect(self.cause(Self.check("passwd: files\n\(line)\nnetworks: files")) == cause)
    }

    @Test func `a resolver that is asked before is the cause if it ends the look-up or is slow`() {
        let before = "hosts: files resolve [!UNAVAIL=return] mdns4_minimal"
        #expect(cause(Self.check(before, resolved: .running)) == "order")
        #expect(cause(Self.check(before, modules: ["mdns4_minimal"])) == "unknown")
        let slow = Self.lookup(after: .seconds(2))
        #expect(cause(Self.check("hosts: dns mdns4", lookups: [slow])) == "order")
        #expect(cause(Self.check("hosts: dns mdns4")) == "unknown")
        let forged = Self.lookup(finds: ["192.0.2.1"])
        let wrong = Self.check("hosts: dns mdns4", lookups: [forged])
        #expect(cause(wrong) == "order")
        #expect(wrong.findings[0].text.hasPrefix("h2.local resolves to 192.0.2.1, which it does"))
    }

    @Test func `what is not installed or does not run is the cause`() {
        #expect(cause(Self.check(modules: ["resolve"])) == "not-installed")
        #expect(cause(Self.check(hasAvahi: false)) == "no-daemon")
        let both = "hosts: resolve [!UNAVAIL=return] mdns4_minimal"
        #expect(cause(Self.check(both, modules: [])) == "not-installed")
        let noModule = Self.check(both, modules: []).findings[0]
        #expect(noModule.text.contains("'mdns4_minimal'"), "avahi-daemon runs")
        let other = Self.check(both, modules: [], hasAvahi: false).findings[0]
        #expect(other.text.contains("'resolve'"))
        let off = Self.check("hosts: resolve", hasAvahi: false, resolved: .running)
        #expect(cause(off) == "resolved-off")
        #expect(off.findings[0].advice?.contains("MulticastDNS=yes") == true)
        let on = Self.check("hosts: resolve", hasAvahi: false, resolved: .responding)
        #expect(cause(on) == "unknown")
    }

    @Test func `the advice is about what is installed`() {
        let bare = Self.check("hosts: files dns", modules: []).findings[0]
        #expect(bare.advice?.contains("libnss-mdns") == true)
        let installed = Self.check("hosts: files dns").findings[0]
        #expect(installed.advice?.hasPrefix("put 'mdns4_minimal [NOTFOUND=return]'") == true)
        let resolved = Self.check("hosts: files dns", resolved: .responding).findings[0]
        #expect(resolved.advice?.contains("'resolve [!UNAVAIL=return]'") == true)
    }

    @Test func `a device without IPv4 is not found by a module for IPv4, and late by others`() {
        let six = Self.lookup(has: ["fd99::2"], after: .seconds(2))
        #expect(cause(Self.check(lookups: [six])) == "only-ipv4")
        let both = "hosts: mdns_minimal [NOTFOUND=return] dns"
        #expect(cause(Self.check(both, lookups: [six])) == "missing-negative")
        #expect(cause(Self.check(both, lookups: [Self.lookup(has: ["fd99::2"])])) == "unknown")
        #expect(cause(Self.check(lookups: [six, Self.lookup()])) == "unknown")
    }

    @Test func `a DNS server with a domain 'local', or one that does not answer, is the cause`() {
        #expect(cause(Self.check(zone: .present)) == "local-zone")
        #expect(cause(Self.check(searchesLocal: true)) == "local-zone")
        let slow = [Self.lookup(after: .seconds(2))]
        #expect(cause(Self.check(lookups: slow, zone: .unanswered)) == "silent-server")
        #expect(cause(Self.check(zone: .unanswered)) == "unknown")
        let resolve = Self.check(
            "hosts: resolve", lookups: slow, resolved: .responding, zone: .unanswered)
        #expect(cause(resolve) == "unknown")
    }

    @Test func `every cause has a reason and advice`() {
        let slow = [Self.lookup(after: .seconds(2))]
        let six = [Self.lookup(has: ["fd99::2"], after: .seconds(2))]
        let checks = [
            Self.check(nil), Self.check("hosts: files"), Self.check(modules: []),
            Self.check(hasAvahi: false), Self.check("hosts: resolve"),
            Self.check("hosts: dns mdns4", lookups: slow), Self.check(lookups: six),
            Self.check("hosts: mdns", lookups: six), Self.check(zone: .present),
            Self.check(lookups: slow, zone: .unanswered), Self.check(),
        ]
        #expect(checks.map(cause) == NamesCheck.Cause.allCases.map(\.rawValue))
        #expect(checks.allSatisfy { $0.findings.last?.advice?.isEmpty == false })
    }

    @Test func `a device that responds is looked up, and one without IPv4`() {
        func listing(_ hosts: [(name: String, address: [UInt8])]) -> PeerListing {
            var listing = PeerListing()
            for (name, bytes) in hosts {
                let key = ServiceKey(name: name, type: "_http._tcp", domain: "local")
                let eth0 = NetworkInterface(index: 2, name: "eth0")
                let sighting = Sighting(service: key, interface: eth0, family: .ipv4)
                let resolution = Resolution(
                    host: "\(name).local", port: 80, txt: TXTRecord(),
                    address: HostAddress(bytes: bytes, interface: "eth0"))
                for kind in [DiscoveryEvent.Kind.found(sighting), .resolved(key, resolution)] {
                    _ = listing.apply(DiscoveryEvent(kind, at: Timestamp(microseconds: 1)))
                }
            }
            return listing
        }
        let six: [UInt8] = [0xfd] + [UInt8](repeating: 0, count: 14) + [9]
        let four: [UInt8] = [10, 0, 0, 4]
        let all = listing([
            ("a.b", four), ("é", four), ("c", four), ("d", four), ("e", six), ("f", six),
        ])
        let services = Set(HeardCheck.others(in: all).flatMap(\.services).map(\.id))
        #expect(
            NamesCheck.hosts(of: all, responded: services).map(\.host) == ["c.local", "e.local"])
        #expect(NamesCheck.hosts(of: all, responded: services)[1].addresses == ["fd00::9"])
        #expect(NamesCheck.hosts(of: all, responded: []).isEmpty)
    }

    @Test func `servers and domains are read from resolv.conf`() {
        let settings = ResolverSettings(
            """
            # nameserver 10.0.0.8
            nameserver 10.0.0.9
            nameserver fd00::9
            nameserver nonsense
            search example.com local.
            """)
        #expect(settings.servers.map(\.description) == ["10.0.0.9", "fd00::9"])
        #expect(settings.searchesLocal)
        #expect(!ResolverSettings("search local\nsearch lan").searchesLocal)
    }
}
