// Tests the verification of peers: present ones answer, silent ones do not, whatever caches contain.
import Glibc
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct VerifyTests {
    /// Starts a list on h1 that has found a host, and verifies it at each `ask`.
    private func watcher(
        _ lab: Lab, for host: String = "h2.local"
    ) async throws -> RunningProcess {
        let program = BuiltProducts.path("VerifyingPeerlist")
        let watcher = try lab.start("h1", [program, host])
        try await watcher.line(within: .seconds(60)) { $0 == "\(host) present" }
        return watcher
    }

    /// Verifies, and waits until all of these lines have been printed, in any order.
    private func ask(_ watcher: RunningProcess, until lines: String...) async throws {
        await watcher.send(SIGUSR1)
        var rest = Set(lines)
        while !rest.isEmpty {
            let wanted = rest
            rest.remove(try await watcher.line(within: .seconds(8)) { wanted.contains($0) })
        }
    }

    /// Verifies repeatedly, because the second service may not have been found yet.
    private func answers(of watcher: RunningProcess, until wanted: String) async throws -> Bool {
        for _ in 0..<20 {
            await watcher.send(SIGUSR1)
            let line = try await watcher.line(within: .seconds(60)) { $0.contains("answered") }
            if line == wanted { return true }
        }
        return false
    }

    @Test(arguments: [[], ["server.use-ipv4=no"], ["server.use-ipv6=no"]])
    func `a peer that is present answers a query for each of its services`(settings: [String])
        async throws
    {
        try await Lab.with(settings: settings) { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h2")
            _ = try await lab.publish("Ein Küchen.Drucker", "_ipp._tcp", 631, on: "h2")
            let watcher = try await watcher(lab)
            #expect(try await answers(of: watcher, until: "answered 2 of 2"))
            #expect(await !watcher.lines.contains { $0.contains("unanswered") })
        }
    }

    @Test func `a verified peer that is frozen becomes unanswered, and present when it resumes`()
        async throws
    {
        try await Lab.with { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h2")
            let watcher = try await watcher(lab)

            try await lab.perform("daemon", "h2", "pause")
            try await ask(watcher, until: "unanswered", "h2.local unanswered")

            // Its return is detected without another verification.
            try await lab.perform("daemon", "h2", "resume")
            try await watcher.line(within: .seconds(60)) { $0 == "h2.local present" }
        }
    }

    @Test func `a device with hundreds of services is verified by a sample of them`() async throws {
        try await Lab.with { lab in
            try await lab.perform(
                "spawn", "h2", "load", "python3", BuiltProducts.package + "/Tests/Lab/load.py",
                "--services", "300")
            let watcher = try await watcher(lab, for: "load.local")
            try await watcher.line(within: .seconds(60)) { $0 == "load.local offers 300" }
            #expect(try await answers(of: watcher, until: "answered 128 of 128"))

            try await lab.perform("kill", "h2", "load", "STOP")
            await watcher.send(SIGUSR1)
            try await watcher.line(within: .seconds(15)) { $0 == "load.local unanswered" }
            try await lab.perform("kill", "h2", "load", "CONT")
            try await watcher.line(within: .seconds(60)) { $0 == "load.local present" }
        }
    }

    @Test func `a peer that replies only by unicast is verified`() async throws {
        try await Lab.with { lab in
            try await lab.perform(
                "spawn", "h2", "load", "python3", BuiltProducts.package + "/Tests/Lab/load.py",
                "--services", "2", "--unicast")
            let watcher = try await watcher(lab, for: "load.local")
            #expect(try await answers(of: watcher, until: "answered 2 of 2"))
            #expect(await !watcher.lines.contains { $0.contains("unanswered") })
        }
    }

    @Test func `once asks a device that only the daemon's cache still has`() async throws {
        try await Lab.with { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h2")
            let once = ["--once", "--backend", "daemon", "--no-header"]
            let before = try await lab.run("h1", [BuiltProducts.peerlist] + once)
            #expect(before.output.contains("h2.local"), "\(before.output)")
            #expect(!before.output.contains("unanswered"), "\(before.output)")
            try await lab.perform("cut", "h2")
            let after = try await lab.run("h1", [BuiltProducts.peerlist] + once)
            #expect(after.output.contains("h2.local  unanswered"), "\(after.output)")
        }
    }

    @Test func `an unanswered peer stays unanswered while the cache still has its records`()
        async throws
    {
        try await Lab.with { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h2")
            let watcher = try await watcher(lab)
            try await lab.perform("cut", "h2")
            try await ask(watcher, until: "unanswered", "h2.local unanswered")

            let cached = try await lab.run("h1", ["avahi-browse", "-rpt", "_http._tcp"])
            #expect(cached.output.contains("=;eth0;IPv4;Web"), "else this test shows nothing")
            try await ask(watcher, until: "unanswered")
            #expect(await watcher.lines.last { $0.hasPrefix("h2.local") } == "h2.local unanswered")

            try await lab.perform("heal", "h2")
            try await ask(watcher, until: "answered 1 of 1", "h2.local present")
        }
    }

    @Test func `a daemon that disallows other stacks is reported with its setting`() async throws {
        try await Lab.with(settings: ["server.disallow-other-stacks=yes"]) { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h2")
            let watcher = try await watcher(lab)
            await watcher.send(SIGUSR1)
            let said = try await watcher.line(within: .seconds(60)) { $0.contains("unavailable") }
            #expect(said.contains("disallow-other-stacks"))
        }
    }

    @Test func `without a daemon a list reports that it cannot verify`() async throws {
        try await Lab.with { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h2")
            let watcher = try await watcher(lab)
            try await lab.perform("daemon", "h1", "kill")
            try await watcher.line(within: .seconds(60)) { $0 == "h2.local unknown" }
            try await ask(watcher, until: "unavailable: avahi-daemon is away")
        }
    }
}
