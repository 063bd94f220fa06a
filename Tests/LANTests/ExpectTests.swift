// Tests `peerlist expect` on the LAN: faults when devices leave, and none when only our own view is gone.
import LabSupport
import Testing

@Suite(.needsLab, .timeLimit(.minutes(10))) struct ExpectTests {
    /// Starts to watch a file of expectations on a machine, and waits for a fault of the start, after which
    /// everything that was there is known.
    private func watch(
        _ text: String, on host: String = "h2", in lab: Lab, _ options: [String] = [],
        source: [String] = []
    ) async throws -> RunningProcess {
        let path = lab.directory.path + "/home.expect"
        try TextFile.write(text + "\n[device nobody]\nfor = 0s\n", to: path)
        let command = try #require(
            TextFile.blocks("sh", under: "## Watching", of: "expect.md").first)
        #expect(command.contains("peerlist expect --watch --json home.expect"))
        let watch = try lab.peerlist(
            on: host, ["expect", "--watch", "--json", "--no-ledger"] + options + [path] + source)
        try await watch.line(within: .seconds(60)) { $0.contains("\"expectation\":\"nobody\"") }
        return watch
    }

    /// The events that were written, without that of the start.
    private func events(of watch: RunningProcess) async throws -> [String] {
        try await watch.lines.map(JSON.init(line:)).filter {
            $0["expectation"].string != "nobody"
        }.map { "\($0["event"].string) \($0["expectation"].string)" }
    }

    private func end(_ watch: RunningProcess) async throws {
        await watch.send(2)
        let status = try await watch.end(within: .seconds(20))
        let errors = await watch.errors
        #expect(status == 0, "\(errors)")
    }

    @Test(arguments: ["daemon", "embedded"])
    func `a look at the network has the status of what is there`(backend: String) async throws {
        try await Lab.with { lab in
            if backend == "embedded" { try await lab.perform("daemon", "h2", "stop") }
            let web = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let path = lab.directory.path + "/home.expect"
            try TextFile.write("[device h1]\nservices = http\n", to: path)
            let good = try await lab.finishedPeerlist(on: "h2", "expect", path)
            #expect(good.status == 0, "\(good.output)\(good.errors)")
            #expect(good.output == "PEERLIST OK - all as expected | present=1")
            try TextFile.write("[device h3]\n[network]\nnewcomers = report\n", to: path)
            let bad = try await lab.finishedPeerlist(on: "h2", "expect", path)
            #expect(bad.status == 1)
            #expect(
                bad.output.hasPrefix("PEERLIST CRITICAL - 1 missing, 1 unexpected | present=1\n"))
            let written = try await lab.finishedPeerlist(
                on: "h2", "expect", "--write", path + "2")
            #expect(written.status == 0, "\(written.errors)")
            try TextFile.write(try TextFile.read(path + "2"), to: path)
            #expect(try await lab.finishedPeerlist(on: "h2", "expect", path).status == 0)
            await web.send(15)
            // Without a network, nothing is known.
            try await lab.perform("if-down", "h2")
            let blind = try await lab.finishedPeerlist(on: "h2", "expect", path)
            #expect(blind.status == 3, "\(blind.output)\(blind.errors)")
        }
    }

    @Test func `a device that is away for its time is missing, and restored when it is back`()
        async throws
    {
        try await Lab.with { lab in
            let log = lab.directory.path + "/log"
            let hook = try await lab.directory.writeProgram(
                "echo \"$PEERLIST_EVENT $PEERLIST_EXPECTATION\" >>'\(log)'; cat >/dev/null",
                to: "hook")
            let web = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let watch = try await watch(
                "[device h1]\nfor = 2s\n[network]\nnewcomers = report\nfor = 1s", in: lab,
                ["--exec", hook, "--on", "missing,restored"])
            // A flap that is shorter.
            await web.send(15)
            let again = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            await again.send(15)
            let missing = try await watch.line(within: .seconds(60)) {
                $0.contains("\"event\":\"missing\",\"fault\":\"missing\",\"expectation\":\"h1\"")
            }
            try await lab.expectSchema("expect", of: missing)
            let back = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            try await watch.line(within: .seconds(60)) { $0.contains("\"event\":\"restored\"") }
            await back.send(15)
            #expect(try await events(of: watch) == ["missing h1", "restored h1"])
            let lines = try RunningProcess(["tail", "-n", "+1", "--follow=name", "--retry", log])
            try await lines.line(within: .seconds(60)) { $0 == "restored h1" }
            await lines.send(15)
            try await end(watch)
        }
    }

    @Test func `a machine that freezes is missing, and restored when it answers`() async throws {
        try await Lab.with { lab in
            try await lab.startLoad(on: "h1", "--host-life", "10", "--host-name", "thing")
            let watch = try await watch("[device thing]\nfor = 3s", in: lab)
            try await lab.perform("kill", "h1", "load", "STOP")
            try await watch.line(within: .seconds(90)) {
                $0.contains("\"event\":\"missing\"") && $0.contains("does not answer")
            }
            try await lab.perform("kill", "h1", "load", "CONT")
            try await watch.line(within: .seconds(90)) { $0.contains("\"event\":\"restored\"") }
            try await end(watch)
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `while the own link is down nothing is missing`(backend: String) async throws {
        try await Lab.with { lab in
            if backend == "embedded" { try await lab.perform("daemon", "h2", "stop") }
            let web = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let watch = try await watch(
                "[device h1]\nfor = 1s\n[network]\nnewcomers = report\nfor = 0s", in: lab,
                ["--backend", backend])
            try await lab.perform("if-down", "h2")
            try await lab.rest(12)
            try await lab.perform("if-up", "h2")
            try await lab.rest(20)
            #expect(try await events(of: watch) == [])
            // What leaves afterwards is missing.
            await web.send(15)
            try await watch.line(within: .seconds(60)) { $0.contains("\"event\":\"missing\"") }
            #expect(try await events(of: watch) == ["missing h1"])
            try await end(watch)
        }
    }

    @Test func `while the daemon is away nothing is missing`() async throws {
        try await Lab.with { lab in
            let web = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let watch = try await watch(
                "[device h1]\nfor = 1s", in: lab, ["--backend", "daemon"])
            try await lab.perform("daemon", "h2", "stop")
            try await lab.rest(8)
            try await lab.perform("daemon", "h2", "start")
            try await lab.rest(16)
            #expect(try await events(of: watch) == [])
            await web.send(15)
            try await watch.line(within: .seconds(60)) { $0.contains("\"event\":\"missing\"") }
            try await end(watch)
        }
    }

    @Test func `while a broker or an observer is away nothing is missing in a fleet`() async throws
    {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            let observer = try fleet.observer(on: "h2")
            let web = try await lab.publish("Web", "_http._tcp", 80, on: "h3")
            let path = lab.directory.path + "/once.expect"
            try TextFile.write("[device h3]\nservices = http\n", to: path)
            let source = ["mqtts://fleet@10.99.0.1"]
            let words =
                [BuiltProducts.peerlist, "expect"] + fleet.login(password: "fleet") + [path]
                + source
            let limit = ContinuousClock.now + .seconds(60)
            while try await lab.run("h1", words).status != 0 {
                try #require(ContinuousClock.now < limit, "the device is not seen")
            }
            // The command of the documentation, with the broker of the lab.
            let command = try #require(
                TextFile.blocks("sh", under: "## Fleets", of: "expect.md").first)
            let shell = command.replacing(
                "peerlist expect", with: "'\(BuiltProducts.peerlist)' expect"
            )
            .replacing("home.expect", with: "--ca-file mosquitto/certs/ca.crt once.expect")
            .replacing("mqtt://fleet@broker.example", with: source[0])
            let documented = try await lab.run(
                "h1", ["sh", "-c", "cd '\(lab.directory.path)' && \(shell)"])
            #expect(documented.status == 0, "\(documented.output)\(documented.errors)")
            let watch = try await watch(
                "[device h3]\nfor = 1s", on: "h1", in: lab, fleet.login(password: "fleet"),
                source: source)
            try await fleet.killBroker()
            try await lab.rest(8)
            #expect(try await lab.run("h1", words).status == 3)
            try await fleet.startBroker()
            try await lab.rest(40)
            #expect(try await events(of: watch) == [])
            await observer.send(9)
            try await lab.rest(8)
            #expect(try await events(of: watch) == [])
            let again = try fleet.observer(on: "h2")
            try await lab.rest(25)
            #expect(try await events(of: watch) == [])
            await web.send(15)
            try await watch.line(within: .seconds(90)) { $0.contains("\"event\":\"missing\"") }
            try await end(watch)
            await again.send(15)
        }
    }

    @Test
    func
        `what only an observer sees that is away is not known, and missing once that is forgotten`()
        async throws
    {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            let observer = try fleet.observer(on: "h2")
            let web = try await lab.publish("Web", "_http._tcp", 80, on: "h3")
            let path = lab.directory.path + "/once.expect"
            try TextFile.write("[device h3]\n[device h9]\npresent = never\n", to: path)
            let login = fleet.login(password: "fleet")
            let source = ["mqtts://fleet@10.99.0.1"]
            func look(_ options: String..., until status: Int32) async throws -> FinishedProcess {
                let words = [BuiltProducts.peerlist, "expect"] + options + login + [path] + source
                let limit = ContinuousClock.now + .seconds(60)
                while true {
                    let finished = try await lab.run("h1", words)
                    if finished.status == status { return finished }
                    try #require(
                        ContinuousClock.now < limit, "\(finished.status): \(finished.output)")
                }
            }
            _ = try await look(until: 0)
            let watch = try await watch(
                "[device h3]\nfor = 1s", on: "h1", in: lab, login, source: source)
            await observer.send(9)
            let away = try await look(until: 3)
            #expect(
                away.output.hasPrefix(
                    "PEERLIST UNKNOWN - 2 not known; 'h3' is not known: observer office/h2 is away | present=0"
                ), "\(away.output)")
            _ = try await look("--format", "nagios", until: 3)
            #expect(try await events(of: watch) == [])
            let forgotten = try await lab.run(
                "h1",
                [BuiltProducts.peerlist, "fleet", "--forget", "office/h2"]
                    + fleet.login(password: "h2") + ["mqtts://h2@10.99.0.1"])
            #expect(forgotten.status == 0, "\(forgotten.output)\(forgotten.errors)")
            let missing = try await watch.line(within: .seconds(60)) {
                $0.contains("\"event\":\"missing\"") && $0.contains("\"expectation\":\"h3\"")
            }
            #expect(missing.contains("it is seen by no observer any more"), "\(missing)")
            _ = try await look(until: 1)
            _ = try await look("--format", "nagios", until: 2)
            try await end(watch)
            await web.send(15)
        }
    }
}
