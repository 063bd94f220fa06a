// The doctor finds why two machines do not see each other, and what others see.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct DoctorTests {
    /// Starts a list on a machine, and waits until that is announced.
    private func list(_ lab: Lab, on host: String) async throws -> RunningProcess {
        let list = try lab.peerlist(on: host, ["--json", "--announce"])
        try await list.line(within: .seconds(60)) { $0.contains("\(host).local") }
        return list
    }

    /// Drops incoming multicast DNS that matches an expression of nft(8).
    private func drop(_ lab: Lab, on host: String, _ words: String) async throws {
        for command in [
            "add table inet t", "add chain inet t in { type filter hook input priority 0; }",
            "add rule inet t in \(words) udp dport 5353 drop",
        ] {
            let finished = try await lab.run(host, ["nft", command])
            #expect(finished.status == 0, "\(finished.errors)")
        }
    }

    @Test func `the doctor reports which machines see this one, and on which paths`() async throws {
        try await Lab.with { lab in
            let alone = try await lab.doctor(on: "h1", seconds: "3")
            #expect(alone.status == 0)
            #expect(alone.outcome("seen") == "unknown")
            #expect(alone.outcome("heard") == "unknown")
            for check in ["interfaces", "port", "firewall", "bus", "daemon", "settings", "echo"] {
                #expect(alone.outcome(check) == "ok", "\(alone.texts(check))")
            }

            let list = try await list(lab, on: "h2")
            let good = try await lab.doctor(on: "h1")
            #expect(
                good.texts("seen") == ["h2 sees this machine on eth0 over IPv4 and IPv6."])
            #expect(good.texts("heard") == ["h2, on eth0 over IPv4 and IPv6."])
            #expect(good.status == 0)

            for check in ["seen", "heard"] {
                let hasty = try await lab.doctor(on: "h1", seconds: "0.2").outcome(check)
                #expect(hasty == "ok" || hasty == "unknown", "\(check)")
            }

            try await drop(lab, on: "h2", "ip6 saddr fd99::/16")
            try await drop(lab, on: "h2", "ip6 saddr fe80::/10")
            let half = try await lab.doctor(on: "h1")
            #expect(
                half.texts("seen") == ["h2 sees this machine on eth0 over IPv4, not over IPv6."])
            #expect(half.outcome("seen") == "warning")
            #expect(half.status == 0)

            try await drop(lab, on: "h2", "ip saddr 10.99.0.1")
            let deaf = try await lab.doctor(on: "h1")
            #expect(
                deaf.texts("seen") == [
                    "h2 ran peerlist before, but does not respond now."
                ])
            #expect(deaf.texts("heard") == ["Seen before, but silent now: h2."])
            #expect(deaf.outcome("seen") == "unknown")
            let there = try await lab.doctor(on: "h2", seconds: "3")
            #expect(
                there.texts("firewall").first?.contains("'inet t in' (default policy: accept)")
                    == true, "\(there.texts("firewall"))")
            await list.send(15)
        }
    }

    @Test func `multicast that a local firewall drops does not come back`() async throws {
        try await Lab.with(hosts: 1) { lab in
            try await drop(lab, on: "h1", "meta nfproto ipv6")
            let report = try await lab.doctor(on: "h1", seconds: "3")
            #expect(report.outcome("echo") == "problem")
            #expect(report.texts("echo").first == "eth0: over IPv4")
            #expect(report.texts("echo").last?.contains("over IPv6 does not come back") == true)
            #expect(report.status == 1)
        }
    }

    @Test
    func `without a daemon the doctor uses the embedded stack, and without a link it says so`()
        async throws
    {
        try await Lab.with { lab in
            try await lab.perform("daemon", "h1", "stop")
            let idle = try await lab.doctor(on: "h1", seconds: "3")
            #expect(idle.status == 0)
            #expect(idle.outcome("daemon") == "warning")
            #expect(idle["daemon"]["findings"].array[0]["advice"].string.contains("start"))
            #expect(idle.outcome("bus") == "ok")
            #expect(idle.outcome("seen") == "unknown")

            try await lab.perform("bus", "h1", "stop")
            let list = try await list(lab, on: "h2")
            let mute = try await lab.doctor(on: "h1")
            #expect(mute.outcome("bus") == "warning")
            #expect(mute.outcome("daemon") == "unknown")
            #expect(
                mute.texts("seen") == ["h2 sees this machine on eth0 over IPv4 and IPv6."])
            await list.send(15)

            try await lab.perform("if-down", "h1")
            let bare = try await lab.doctor(on: "h1")
            #expect(bare.outcome("interfaces") == "problem")
            #expect(bare.status == 1)
            #expect(bare.texts("interfaces")[0].contains("eth0 (down)"))
            #expect(bare.outcome("echo") == "unknown")
        }
    }

    @Test func `settings that hide this machine are reported`() async throws {
        let settings = ["publish.disable-user-service-publishing=yes", "server.use-ipv6=no"]
        try await Lab.with(hosts: 1, settings: settings) { lab in
            let report = try await lab.doctor(on: "h1", seconds: "3")
            #expect(report.outcome("settings") == "warning")
            #expect(report.texts("settings").count == 3)
            #expect(report.outcome("seen") == "warning")
            #expect(report.texts("seen")[0].contains("does not announce services of programs"))
            #expect(report.status == 0)
        }
    }

    @Test func `traffic is counted, and a sender that repeats others' responses is told`()
        async throws
    {
        try await Lab.with(hosts: 3) { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h2")
            let quiet = try await lab.doctor(on: "h1", seconds: "3")
            #expect(quiet.outcome("link") == "ok", "\(quiet.texts("link"))")
            let senders = quiet["link"]["findings"].array[0]["senders"].array
            let h2 = try #require(senders.first { $0["address"].string == "10.99.0.2" })
            #expect(h2["name"].string == "h2")
            #expect(h2["answers"].integer > 0)

            let responder = BuiltProducts.package + "/Tests/Lab/responder.py"
            let reflector = try lab.start("h3", ["python3", responder, "echoes", "5000"])
            try await reflector.line(within: .seconds(60)) { $0 == "ready" }
            let report = try await lab.doctor(on: "h1", seconds: "3")
            #expect(report.outcome("link") == "warning")
            let loop = try #require(
                report["link"]["findings"].array.first { $0["second"] != .null })
            #expect(loop["second"].string == "10.99.0.3")
            await reflector.send(15)
        }
    }

    @Test func `the rules that a device breaks are told, and one that follows them has none`()
        async throws
    {
        try await Lab.with(hosts: 3) { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h2")
            let responder = BuiltProducts.package + "/Tests/Lab/responder.py"
            let careless = try lab.start("h3", ["python3", responder, "careless", "3"])
            try await careless.line(within: .seconds(60)) { $0 == "ready" }
            let good = try await lab.doctorFindings(on: "h1", ["--device", "h2"])
            #expect(good.allSatisfy { $0["rule"] == .null }, "\(good)")
            #expect(good.contains { $0["responses"].integer > 0 })
            let bad = try await lab.doctorFindings(on: "h1", ["--device", "careless.local"])
            let rules = bad.compactMap { $0["rule"] == .null ? nil : $0["rule"].string }
            #expect(
                rules == [
                    "RFC 6762, section 10.2", "RFC 6762, section 10", "RFC 6762, section 6.1",
                    "RFC 6763, section 9",
                ], "\(bad)")
            let unknown = try await lab.finishedPeerlist(
                on: "h1", "doctor", "--device", "carless", "--timeout", "2")
            #expect(unknown.status == 1)
            #expect(unknown.errors.contains("did you mean 'careless'?"), "\(unknown.errors)")
            await careless.send(15)
        }
    }

    @Test func `what this machine tells is listed with what stops it`() async throws {
        try await Lab.with { lab in
            let name = try await lab.doctorFindings(on: "h1", ["--self", "--timeout", "1"])
            #expect(name.count == 1, "without a service, a machine answers for its name alone")
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            _ = try await lab.publish("h1 [02:00]", "_workstation._tcp", 9, on: "h1")
            let told = try await lab.doctorFindings(on: "h1", ["--self"])
            for first in [name[0], told[0]] {
                #expect(first["host"].string == "h1.local")
                #expect(first["interfaces"].array.map(\.string) == ["eth0"])
                #expect(first["addresses"].array.map(\.string).contains("10.99.0.1"))
            }
            let types = told.compactMap { $0["type"] == .null ? nil : $0["type"].string }
            #expect(types == ["_http._tcp", "_workstation._tcp"])
            #expect(told.last?["advice"].string.contains("publish-workstation=no") == true)
        }
    }

    @Test func `an interrupted doctor withdraws its announcement`() async throws {
        try await Lab.with { lab in
            let browser = try lab.start("h2", ["avahi-browse", "--parsable", "_peerlist._tcp"])
            let doctor = try lab.peerlist(on: "h1", ["doctor", "--timeout", "50"])
            try await browser.line(within: .seconds(60)) { $0.hasPrefix("+;eth0;") }
            await doctor.send(2)
            #expect(try await doctor.end(within: .seconds(30)) == 130)
            try await browser.line(within: .seconds(60)) { $0.hasPrefix("-;eth0;") }
            await browser.send(15)
        }
    }

    /// Replies to each probe with malformed packets, and in the names of machines that do not exist.
    private static let liar = """
        import re, socket, subprocess
        browse = subprocess.Popen(["avahi-browse", "-rp", "_peerlist._tcp"], stdout=subprocess.PIPE)
        for line in browse.stdout:
            found = re.match(rb"=;eth0;IPv4;.*;(\\d+);.*probe=([0-9a-f]{32})", line)
            if not found:
                continue
            target = ("10.99.0.1", int(found[1]))
            out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            for number in range(500):
                out.sendto(b"\\xff" * number, target)
                out.sendto(b"peerlist-sees-you 1 %s ipv4 eth0 liar%d.local" % (found[2], number),
                           target)
                out.sendto(b"peerlist-sees-you 1 %s ipv4 eth0 a\\x1b[2Jb" % found[2], target)
            print("lied", flush=True)
        """

    @Test func `forged replies fill only a bounded list`() async throws {
        try await Lab.with { lab in
            let liar = try lab.start("h2", ["python3", "-c", Self.liar])
            let report = try await lab.doctor(on: "h1", seconds: "3")
            try await liar.line(within: .seconds(60)) { $0 == "lied" }
            let findings = report["seen"]["findings"].array
            #expect(2...34 ~= findings.count)
            #expect(findings.allSatisfy { !$0["text"].string.contains("\u{1b}") })
            #expect(report.status == 0)
            await liar.send(15)
        }
    }
}
