// The doctor finds why names do not resolve, which way multicast passes, and whether there is a route to a Thread network.
import Glibc
import LabSupport
import Testing

/// Whether nss-mdns is installed.
private let hasNSSModule: Bool = {
    let module = unsafe dlopen("libnss_mdns4_minimal.so.2", RTLD_LAZY)
    return unsafe module != nil
}()

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct DoctorNamesTests {
    /// Runs the doctor on h1 with other files in the place of /etc/nsswitch.conf and /etc/resolv.conf, in a mount namespace
    /// of its own, and returns the last finding about names.
    private func names(
        _ lab: Lab, hosts: String, resolver: String = "\n"
    ) async throws -> JSON {
        try lab.directory.write(hosts + "\n", to: "nsswitch.conf")
        try lab.directory.write(resolver, to: "resolv.conf")
        let script = """
            for file in nsswitch.conf resolv.conf; do mount --bind "$1/$file" /etc/$file; done
            exec "$0" doctor --json --timeout 3 --for 1
            """
        let finished = try await lab.run(
            "h1",
            [
                "unshare", "--mount", "sh", "-c", script, BuiltProducts.peerlist,
                lab.directory.path,
            ], within: .seconds(120))
        try await lab.expectSchema("doctor", of: finished.output)
        let report = DoctorReport(
            status: finished.status, json: try JSON(line: finished.output))
        return report["names"]["findings"].array.last ?? .null
    }

    @Test func `a line of nsswitch.conf without multicast DNS is the cause`() async throws {
        try await Lab.with { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h2")
            let plain = try await names(lab, hosts: "hosts: files dns")
            #expect(plain["outcome"].string == "warning")
            #expect(plain["cause"].string == "not-configured")
            #expect(plain["unresolved"].array.map(\.string) == ["h1.local", "h2.local"])
            #expect(plain["hosts"].string == "files dns")
            let none = try await names(lab, hosts: "passwd: files")
            #expect(none["cause"].string == "no-hosts-line")
            let missing = try await names(lab, hosts: "hosts: files mdns9 resolve")
            #expect(["not-installed", "resolved-off"].contains(missing["cause"].string))
        }
    }

    @Test(.enabled(if: hasNSSModule, "there is no nss-mdns here"))
    func `with nss-mdns, names resolve, or the first obstacle is the cause`() async throws {
        try await Lab.with { lab in
            let good = "hosts: files mdns4_minimal [NOTFOUND=return] dns"
            let web = try await lab.publish("Web", "_http._tcp", 80, on: "h2")
            let resolved = try await names(lab, hosts: good)
            #expect(resolved["resolved"].array.map(\.string) == ["h1.local", "h2.local"])
            // Nobody has this address.
            let silent = "nameserver 10.99.0.99\n"
            let late = try await names(lab, hosts: good, resolver: silent)
            #expect(late["cause"].string == "silent-server")
            let order = try await names(
                lab, hosts: "hosts: files dns mdns4_minimal", resolver: silent)
            #expect(order["cause"].string == "order")

            let server = try lab.start("h2", ["python3", "-c", Self.server])
            try await server.line(within: .seconds(60)) { $0 == "ready" }
            let zone = try await names(lab, hosts: good, resolver: "nameserver 10.99.0.2\n")
            #expect(zone["cause"].string == "local-zone")
            await server.send(15)

            await web.send(15)
            try await lab.perform("conf", "h2", "server.use-ipv4=no")
            try await lab.perform("daemon", "h1", "restart")
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h2")
            let four = try await names(lab, hosts: good)
            #expect(four["unresolved"].array.map(\.string) == ["h2.local"])
            #expect(four["cause"].string == "only-ipv4")

            try await lab.perform("daemon", "h1", "stop")
            let stopped = try await names(lab, hosts: good)
            #expect(stopped["cause"].string == "no-daemon")
        }
    }

    /// Answers that the server has the zone `local`, and no other names.
    private static let server = """
        import socket, struct
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind(("", 53))
        print("ready", flush=True)
        while True:
            query, source = server.recvfrom(2000)
            end = query.index(b"\\0", 12) + 5
            is_zone = query[12:end] == b"\\5local\\0\\0\\6\\0\\1"
            answer = b"\\xc0\\x0c\\0\\6\\0\\1\\0\\0\\0\\x3c\\0\\x16" + bytes(22) if is_zone else b""
            counts = struct.pack(">HHHH", 1, is_zone, 0, 0)
            server.sendto(query[:2] + b"\\x81\\x80" + counts + query[12:end] + answer, source)
        """
}

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct DoctorPathTests {
    /// Runs a test in a lab whose machines, except for h1, publish a service that h1 knows.
    private func withServices(hosts: Int, _ test: (Lab) async throws -> Void) async throws {
        try await Lab.with(hosts: hosts) { lab in
            for number in 2...hosts {
                _ = try await lab.publish("h\(number)", "_http._tcp", 80, on: "h\(number)")
            }
            #expect(try await verdicts(lab) == ["both-ways"])
            try await test(lab)
        }
    }

    private func verdicts(_ lab: Lab, listening: String? = nil) async throws -> [String] {
        let report = try await lab.doctor(on: "h1", seconds: "3", listening: listening)
        let findings = report["path"]["findings"].array
        return findings.map { $0["verdict"] == .null ? "-" : $0["verdict"].string }
    }

    /// Makes the switch drop multicast DNS at a port of h1 or of another machine.
    private func drop(_ lab: Lab, _ hook: String, _ port: String, _ group: String) async throws {
        let table = "t\(port)"
        for command in [
            "add table netdev \(table)",
            "add chain netdev \(table) c { type filter hook \(hook) device \(port) priority 0; }",
            "add rule netdev \(table) c ether daddr \(group) drop",
        ] { try await lab.perform("switch", "nft", command) }
    }

    private static let groups = (ipv4: "01:00:5e:00:00:fb", ipv6: "33:33:00:00:00:fb")

    @Test func `an access point that repeats no multicast leaves unicast answers only`()
        async throws
    {
        try await withServices(hosts: 3) { lab in
            try await lab.perform(
                "switch", "bridge", "link", "set", "dev", "p1-0", "mcast_flood", "off")
            let report = try await lab.doctor(on: "h1", seconds: "3")
            let finding = report["path"]["findings"].array[0]
            #expect(finding["verdict"].string == "unicast-only")
            #expect(finding["answeringByUnicast"].array.map(\.string) == ["h2", "h3"])
            #expect(finding["answeringByMulticast"].array.isEmpty)
            #expect(report.outcome("path") == "problem")
            #expect(report.status == 1)
        }
    }

    @Test func `one device whose multicast is lost is named`() async throws {
        try await withServices(hosts: 3) { lab in
            try await drop(lab, "ingress", "p2-0", "{ \(Self.groups.ipv4), \(Self.groups.ipv6) }")
            let report = try await lab.doctor(on: "h1", seconds: "3")
            #expect(report.outcome("path") == "warning")
            #expect(
                report.texts("path") == [
                    "eth0: multicast works both ways over IPv4 and IPv6: h3 answers.",
                    "eth0: h2 answers by unicast only over IPv4 and IPv6.",
                ])
        }
    }

    @Test func `stations that are isolated leave the router alone`() async throws {
        try await withServices(hosts: 5) { lab in
            _ = try await lab.run("h1", ["ip", "route", "add", "default", "via", "10.99.0.5"])
            for port in ["p1-0", "p2-0", "p3-0", "p4-0"] {
                try await lab.perform(
                    "switch", "bridge", "link", "set", "dev", port, "isolated", "on")
            }
            let report = try await lab.doctor(on: "h1", seconds: "3")
            #expect(
                report.texts("path") == ["eth0: only the router answers; silent: h2, h3 and h4."])
            #expect(report.outcome("path") == "problem")
        }
    }

    @Test func `a switch that forgets its listeners is noticed, also in the meantime`()
        async throws
    {
        try await withServices(hosts: 2) { lab in
            let running = Task { try await verdicts(lab, listening: "20") }
            // The doctor withdraws its probe before it asks for the first time; it asks again at the end.
            let browser = try lab.start("h2", ["avahi-browse", "--parsable", "_peerlist._tcp"])
            try await browser.line(within: .seconds(60)) { $0.hasPrefix("+;eth0;") }
            try await browser.line(within: .seconds(60)) { $0.hasPrefix("-;eth0;") }
            await browser.send(15)
            try await drop(lab, "egress", "p1-0", Self.groups.ipv6)
            #expect(try await running.value == ["both-ways", "membership-lost"])
            let later = try await lab.doctor(on: "h1", seconds: "3")
            #expect(later.outcome("path") == "warning")
            #expect(
                later.texts("path").last?.hasPrefix("eth0: nothing that h2 sends to all") == true)
        }
    }
}

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct DoctorThreadTests {
    /// Announces a border router of the network Home on h2, with the prefix fd11:2233:4455:6677::/64.
    private static let border = """
        exec avahi-publish --service "$0" _meshcop._udp 49154 nn=Home \
        "$(printf 'xp=\\336\\255\\021\\042\\276\\357\\312\\376')" \
        "$(printf 'omr=@\\375\\021\\042\\063\\104\\125\\146\\167')" 2>&1
        """

    private func write(_ lab: Lab, _ setting: String, _ value: Int) async throws {
        let path = "/proc/sys/net/ipv6/conf/eth0/\(setting)"
        let finished = try await lab.run("h1", ["sh", "-c", "echo \(value) >\(path)"])
        #expect(finished.status == 0, "\(finished.errors)")
    }

    private func route(_ lab: Lab, _ words: String...) async throws {
        let finished = try await lab.run(
            "h1", ["ip", "-6", "route"] + words)
        #expect(finished.status == 0, "\(finished.errors)")
    }

    @Test func `the route to a Thread network is found, or what keeps the kernel from it`()
        async throws
    {
        try await Lab.with { lab in
            let before = try await lab.doctor(on: "h1", seconds: "3")
            #expect(before["thread"] == .null)
            let border = try lab.start("h2", ["sh", "-c", Self.border, "otbr \u{1b}[2J"])
            try await border.line(within: .seconds(60)) { $0.hasPrefix("Established") }
            func last() async throws -> JSON {
                let report = try await lab.doctor(on: "h1", seconds: "3")
                let findings = report["thread"]["findings"].array
                #expect(findings.first?["network"].string == "Home")
                #expect(findings.first?["extendedPANID"].string == "dead1122beefcafe")
                return findings.last ?? .null
            }
            let refused = try await last()
            #expect(refused["prefix"].string == "fd11:2233:4455:6677::/64")
            #expect(refused["cause"].string == "refused")
            #expect(refused["outcome"].string == "warning")
            try await write(lab, "accept_ra", 1)
            #expect(try await last()["cause"].string == "maximum-length")
            try await write(lab, "accept_ra_rt_info_max_plen", 64)
            try await write(lab, "forwarding", 1)
            #expect(try await last()["cause"].string == "forwarding")
            try await write(lab, "accept_ra", 2)
            #expect(try await last()["cause"].string == "not-received")

            let prefix = "fd11:2233:4455:6677::/64"
            try await route(lab, "add", prefix, "via", "fe80::dead", "dev", "eth0")
            let left = try await last()
            #expect(left["outcome"].string == "warning")
            #expect(left["gateway"].string == "fe80::dead%eth0")
            #expect(left["router"] == .null)
            try await route(lab, "replace", prefix, "via", "fd99::2", "dev", "eth0")
            let good = try await last()
            #expect(good["outcome"].string == "ok")
            #expect(good["interface"].string == "eth0")
            #expect(good["router"].string.hasPrefix("otbr"))
            await border.send(15)
        }
    }
}
