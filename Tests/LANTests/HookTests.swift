// Hooks on the LAN: what another machine announces and withdraws runs programs, which leave nothing behind.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct HookTests {
    /// Starts a list on h2 with a hook of a shell script, whose output is the list's standard error.
    private func start(
        _ script: String, _ options: [String], in lab: Lab
    ) async throws -> RunningProcess {
        let program = try await lab.directory.writeProgram(script, to: "hook")
        return try lab.peerlist(on: "h2", options + ["--exec", program])
    }

    /// Waits for a line of a file, which may not exist yet.
    @discardableResult
    private func line(
        of file: String, where matches: @escaping @Sendable (String) -> Bool
    ) async throws -> String {
        let lines = try RunningProcess(["tail", "-n", "+1", "--follow=name", "--retry", file])
        let line = try await lines.line(within: .seconds(300), where: matches)
        await lines.send(15)
        return line
    }

    /// Has a device of one service leave and return until a hook reports an arrival, after the initial fill.
    private func passInitialFill(of lab: Lab, _ log: String) async throws {
        try await lab.perform(
            "spawn", "h1", "pulse", "python3", BuiltProducts.package + "/Tests/Lab/load.py",
            "--services", "1", "--churn", "1", "--away", "3", "--name", "pulse", "--host-name",
            "pulse")
        try await line(of: log) { $0.contains(#""event":"arrived""#) && $0.contains("pulse") }
        try await lab.perform("kill", "h1", "pulse")
    }

    /// The children of a process, and its open descriptors.
    private struct Counts {
        var children = Int.max
        var descriptors = Int.max

        /// Lowers the numbers to those of now, which are greater while a program starts.
        mutating func lower(_ pid: Int32) async throws {
            let script =
                "grep -l \"^PPid:.$1\\$\" /proc/[0-9]*/status | wc -l; ls /proc/$1/fd | wc -l"
            let now = try await FinishedProcess(["sh", "-c", script, "sh", "\(pid)"]).output
                .split(separator: "\n").compactMap { Int($0) }
            try #require(now.count == 2)
            (children, descriptors) = (min(children, now[0]), min(descriptors, now[1]))
        }
    }

    /// Has a hundred services a second leave and return until a hook has run for a number of changes, and
    /// then for all of them.
    private func churn(_ name: String, _ count: Int, in lab: Lab, _ log: String) async throws {
        let many = try RunningProcess(["tail", "-n", "0", "--follow=name", log])
        try await lab.perform(
            "spawn", "h1", name, "python3", BuiltProducts.package + "/Tests/Lab/load.py",
            "--services", "200", "--churn", "100", "--away", "3", "--name", name)
        for _ in 0..<count { try await many.line(within: .seconds(120)) }
        try await lab.perform("kill", "h1", name)
        await many.send(15)
        // The hook runs for changes in their order.
        let last = try await lab.publish("last \(name)", "_http._tcp", 80, on: "h1")
        try await line(of: log) { $0.contains("last \(name)") }
        await last.send(15)
        try await line(of: log) {
            $0.contains("last \(name)") && $0.contains(#""event":"departed""#)
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `a hook runs when a device arrives and departs, and not for what was there at the start`(
        backend: String
    ) async throws {
        try await Lab.with { lab in
            let log = lab.directory.path + "/log"
            let there = try await lab.publish("There", "_http._tcp", 80, on: "h1")
            if backend == "embedded" { try await lab.perform("daemon", "h2", "stop") }
            let list = try await start(
                "{ env | grep ^PEERLIST_; cat; echo end; } >>'\(log)'; echo written >&2; exit 4",
                ["--quiet", "--backend", backend], in: lab)
            try await passInitialFill(of: lab, log)
            #expect(try !TextFile.read(log).contains("h1.local"))
            await there.send(15)
            let departed = try await line(of: log) {
                $0.contains(#""event":"departed""#) && $0.contains("h1.local")
            }
            let again = try await lab.publish("Again", "_ssh._tcp", 22, on: "h1")
            let arrived = try await line(of: log) {
                $0.contains(#""event":"arrived""#) && $0.contains("h1.local")
            }
            try await lab.expectSchema("change", of: departed + "\n" + arrived)
            let variables = try TextFile.read(log)
            for line in [
                "PEERLIST_NAME=Again", "PEERLIST_HOST=h1.local", "PEERLIST_ADDRESS=10.99.0.1",
                "PEERLIST_TYPES=_ssh._tcp",
            ] {
                #expect(variables.contains("\n\(line)\n"), "\(line) is not in \(variables)")
            }
            await again.send(15)
            await list.send(2)
            #expect(try await list.end(within: .seconds(20)) == 130)
            #expect(await list.lines.isEmpty)
            let errors = await list.errors
            #expect(errors.contains("written\n"))
            #expect(errors.contains("hook' failed: exit status 4\n"), "a notice")
        }
    }

    @Test func `hostile names reach a hook as values, and run nothing`() async throws {
        try await Lab.with { lab in
            let (log, trap) = (lab.directory.path + "/log", lab.directory.path + "/trap")
            let list = try await start(
                "cd '\(lab.directory.path)'; printf '%s|' \"$PEERLIST_NAME\" >>log; cat >>log",
                ["--json", "--group-by", "type", "--on", "arrived"], in: lab)
            try await passInitialFill(of: lab, log)
            let names = [
                "$(touch trap)", "`touch trap`;'\"", "\u{1b}[2J\n\r</script>\u{202e}x",
            ]
            for name in names {
                let publisher = try await lab.publish(name, "_http._tcp", 80, on: "h1")
                let shown = name.unicodeScalars.filter {
                    ![.control, .format].contains($0.properties.generalCategory)
                }
                let start = String(String.UnicodeScalarView(shown)) + "|{"
                try await line(of: log) { $0.hasPrefix(start) }
                await publisher.send(15)
            }
            #expect(throws: (any Error).self) { try TextFile.read(trap) }
            await list.send(2)
            #expect(try await list.end(within: .seconds(20)) == 130)
        }
    }

    @Test func `a list ends its hooks with itself, and reports what they missed`() async throws {
        try await Lab.with { lab in
            let log = lab.directory.path + "/log"
            let list = try await start(
                "trap '' TERM; echo $$ >>'\(log)'; sleep infinity & sleep infinity",
                ["--plain", "--on", "changed,departed"], in: lab)
            let publisher = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            try await list.line(within: .seconds(60)) { $0.contains("h1") }
            await publisher.send(15)
            let group = try await line(of: log) { !$0.isEmpty }
            await list.send(15)
            #expect(try await list.end(within: .seconds(20)) == 130)
            #expect(await list.errors.contains("it was ended with the list"))
            let alive = try await FinishedProcess(["sh", "-c", "kill -0 -- -\(group)"])
            #expect(alive.status != 0)
        }
    }

    @Test func `many changes a second leave no process and no descriptor behind`() async throws {
        try await Lab.with { lab in
            let log = lab.directory.path + "/log"
            let list = try await start(
                "cat >>'\(log)'", ["--json", "--group-by", "type"], in: lab)
            try await passInitialFill(of: lab, log)
            // What the list opens once, it has opened then.
            try await churn("first", 50, in: lab, log)
            var (before, after) = (Counts(), Counts())
            for _ in 0..<20 { try await before.lower(list.pid) }
            try await churn("second", 400, in: lab, log)
            let end = ContinuousClock.now + .seconds(300)
            // A busy daemon may have got further connections, but not one for each change.
            let limit = before.descriptors + 16
            while after.children > before.children || after.descriptors > limit,
                ContinuousClock.now < end
            {
                try await after.lower(list.pid)
            }
            #expect(after.children <= before.children)
            #expect(after.descriptors <= limit)
            await list.send(2)
            #expect(try await list.end(within: .seconds(20)) == 130)
        }
    }
}
