// The checks of the daemon's settings and version, and of firewalls.
import PeerList
import Testing

@testable import PeerListCommand

@Suite struct DaemonChecksTests {
    private func findings(_ text: String, interfaces: [LocalInterface]? = nil) -> [Finding] {
        SettingsCheck.findings(
            for: DaemonSettings(text), path: "/etc/avahi/avahi-daemon.conf",
            interfaces: interfaces ?? [DoctorExamples.eth0])
    }

    @Test func `settings are read by section, without comments and spaces`() {
        let settings = DaemonSettings(
            "[server]\n #a=1\n; b=2\nuse-ipv4 = yes \r\n[wide-area]\nenable-wide-area=no\n[server]\n"
                + "allow-interfaces= eth0 , eth1,\nuse-ipv4=no")
        #expect(settings.value("server", "a") == nil)
        #expect(settings.value("server", "use-ipv4") == "no")
        #expect(!settings.usesWideArea)
        #expect(settings.list("server", "allow-interfaces") == ["eth0", "eth1"])
        #expect(settings.number("server", "clients-max", otherwise: 7) == 7)
    }

    @Test func `the usual settings are fine, and their limits are told`() {
        let found = findings(
            "[server]\nuse-ipv4=yes\nuse-ipv6=yes\n[wide-area]\nenable-wide-area=no")
        #expect(found.map(\.outcome) == [.ok])
        #expect(found[0].text.contains("4096 cached records"))
        #expect(found[0].facts.first == Finding.Fact("cacheEntriesMax", .number(4_096)))
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
    func `a setting is judged by what it stands in the way of`(
        section: String, lines: String, outcome: DoctorOutcome
    ) {
        let found = findings("[\(section)]\n\(lines)")
        #expect(found.map(\.outcome).max() == outcome)
        for finding in found where finding.outcome != .ok {
            #expect(finding.advice?.contains("[\(section)]") == true, "\(finding.text)")
        }
    }

    @Test func `an interface that is left alone beside others is a warning`() {
        let other = LocalInterface(
            NetworkInterface(index: 3, name: "eth1"), addresses: DoctorExamples.eth0.addresses)
        let found = findings(
            "[server]\ndeny-interfaces=eth1", interfaces: [DoctorExamples.eth0, other])
        #expect(found.map(\.outcome) == [.warning, .ok])
        #expect(found[0].advice?.contains("take eth1 out of deny-interfaces") == true)
    }

    @Test func `a tunnel is left alone unless it is allowed`() {
        var tunnel = LocalInterface(
            NetworkInterface(index: 3, name: "tun0"), addresses: DoctorExamples.eth0.addresses)
        tunnel.isPointToPoint = true
        #expect(findings("", interfaces: [tunnel]).map(\.outcome) == [.problem, .ok])
        let both = findings("", interfaces: [DoctorExamples.eth0, tunnel])
        #expect(both.map(\.outcome) == [.ok, .ok])
        #expect(both[0].text == "allow-point-to-point=no: the daemon leaves tun0 alone.")
        let allowed = findings("[server]\nallow-point-to-point=yes", interfaces: [tunnel])
        #expect(allowed.map(\.outcome) == [.ok])
        // Naming it is not enough, which whoever named it did not know.
        let named = findings(
            "[server]\nallow-interfaces=eth0,tun0", interfaces: [DoctorExamples.eth0, tunnel])
        #expect(named.map(\.outcome) == [.warning, .ok])
        #expect(named[0].advice?.contains("allow-point-to-point=yes") == true)
    }

    @Test func `without a limit on packets none is told`() {
        #expect(findings("")[0].text.hasSuffix("bursts of any number of packets"))
    }

    @Test func `versions are in their order, candidates before their release`() throws {
        let texts = ["0.7", "avahi 0.8", "0.9-rc1", "0.9-rc2", "0.9-rc10", "0.9", "0.10"]
        let versions = try texts.map { try #require(AvahiVersion($0)) }
        for (earlier, later) in zip(versions, versions.dropFirst()) { #expect(earlier < later) }
        #expect(AvahiVersion("0.8-10+deb12u1") == AvahiVersion("avahi 0.8"))
        for text in ["", "avahi", "avahi x.y", "8"] { #expect(AvahiVersion(text) == nil) }
    }

    private func weaknesses(
        _ version: String?, changes: String? = nil, usesWideArea: Bool = false
    ) -> (outcomes: [DoctorOutcome], numbers: Set<String>) {
        let found = WeaknessesCheck.findings(
            version: version,
            package: changes.map {
                WeaknessesCheck.Package(version: "0.8-10+deb12u1", changes: $0)
            }, usesWideArea: usesWideArea)
        let numbers = found.flatMap(\.facts).flatMap { fact -> [String] in
            guard fact.key == "weaknesses", case .texts(let numbers) = fact.value else { return [] }
            return numbers
        }
        return (found.map(\.outcome), Set(numbers))
    }

    @Test func `a version is told of its weaknesses, but for those that the package has mended`() {
        let bare = weaknesses("avahi 0.8")
        #expect(bare.numbers.isSuperset(of: ["CVE-2023-38469", "CVE-2025-68468"]))
        let mended = weaknesses("avahi 0.8", changes: "* Fix CVE-2023-38469, CVE-2023-1981")
        #expect(bare.numbers.subtracting(mended.numbers) == ["CVE-2023-38469", "CVE-2023-1981"])
        #expect(mended.outcomes.first == .ok)
    }

    @Test func `what concerns the wide area counts where that is on`() {
        let numbers = weaknesses("avahi 0.8", usesWideArea: true).numbers
        #expect(
            numbers.subtracting(weaknesses("avahi 0.8").numbers)
                == ["CVE-2024-52615", "CVE-2024-52616"])
    }

    @Test func `what a program on this machine must do is local, and counts without the wide area`()
    {
        let local = Set(Weakness.all.filter { $0.attacker == .local }.map(\.number))
        let calls: Set = ["CVE-2023-38469", "CVE-2023-38470", "CVE-2025-68276"]
        #expect(local.isSuperset(of: calls))
        #expect(weaknesses("avahi 0.8").numbers.isSuperset(of: calls))
    }

    @Test
    func `where the list of changes is not that of the daemon, it is unknown what was mended`() {
        #expect(Set(weaknesses("avahi 0.8").outcomes) == [.unknown])
        #expect(Set(weaknesses("avahi 0.8", changes: "nothing").outcomes) == [.warning])
    }

    @Test func `later versions have fewer of them, and an unknown one is unknown`() {
        #expect(weaknesses("avahi 0.9-rc2").numbers.isDisjoint(with: ["CVE-2023-1981"]))
        #expect(weaknesses("avahi 0.9-rc3").numbers == ["CVE-2026-34933"])
        #expect(weaknesses("avahi 0.9-rc4").outcomes == [.ok])
        #expect(weaknesses(nil).outcomes == [.unknown])
        #expect(Set(Weakness.all.map(\.number)).count == Weakness.all.count)
    }

    @Test func `the package's version is read where it is installed`() {
        func version(_ text: String) -> String? {
            WeaknessesCheck.Package.version(in: Array(text.utf8))
        }
        let installed = "Status: install ok installed\nPriority: optional\nVersion: 0.8-10\n"
        #expect(version("Package: a\n\nPackage: avahi-daemon\n\(installed)") == "0.8-10")
        #expect(version("Package: avahi-utils\n\(installed)") == nil)
        #expect(
            version("Package: avahi-daemon\nStatus: deinstall ok config-files\nVersion: 0.8\n")
                == nil)
    }

    @Test func `without the rules, the programs that make them are a hint`() {
        func findings(
            ufw: Bool = false, zone: String? = nil, passes: Bool? = nil
        ) -> [DoctorOutcome] {
            FirewallCheck.findings(
                for: FirewallSurvey(
                    rules: .forbidden, hasUFW: ufw, zone: zone, zonePasses: passes)
            ).map(\.outcome)
        }
        #expect(findings() == [.unknown])
        #expect(findings(ufw: true) == [.unknown])
        #expect(findings(zone: "public", passes: false) == [.warning])
        #expect(findings(zone: "public", passes: nil) == [.unknown])
        #expect(FirewallSurvey.setting("ENABLED", in: "#ENABLED=no\nENABLED=yes\n") == "yes")
        #expect(
            FirewallSurvey.setting("DefaultZone", in: "DefaultZone=FedoraServer\n")
                == "FedoraServer")
        #expect(FirewallSurvey.passes(zone: "public", folders: ["/nowhere"]) == nil)
        let failed = FirewallSurvey(rules: .unreadable, hasUFW: false)
        #expect(FirewallCheck.findings(for: failed).map(\.outcome) == [.unknown])
    }
}
