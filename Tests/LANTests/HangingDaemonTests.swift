// Tests that a daemon that hangs does not delay the end of a program.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct HangingDaemonTests {
    /// The message about an announcement that could not be withdrawn.
    private let said = "avahi-daemon does not answer"

    @Test func `q ends a list at once while a call to the daemon hangs`() async throws {
        try await Lab.with { lab in
            try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: "h1")
            let command = "LC_ALL=C.UTF-8 \(BuiltProducts.peerlist) --backend daemon --announce"
            let terminal = try await Tmux(
                in: lab, on: "h2", columns: 100,
                // tmux scrolls by a line when the shell ends.
                running: "sh -c '\(command); echo status $?; read end'")
            try await terminal.screen(within: .seconds(60)) {
                $0.contains("10.99.0.1") && $0.contains("this machine")
            }
            try await lab.perform("daemon", "h2", "pause")
            // The peer answers the query; then the daemon should resolve it again, but hangs.
            try await terminal.type("v")
            try await terminal.screen(within: .seconds(30)) { $0.contains("h1 answers") }
            try await terminal.type("q")
            let end = try await terminal.screen(within: .seconds(5)) { $0.contains("status 0") }
            #expect(end.contains(said), "\(end)")
            try await lab.perform("daemon", "h2", "resume")
        }
    }

    @Test(arguments: [2, 15] as [Int32])
    func `a signal ends --json at once while the daemon hangs`(signal: Int32) async throws {
        try await Lab.with { lab in
            let observer = try lab.peerlist(on: "h1", ["--json"])
            let list = try lab.peerlist(
                on: "h2", ["--json", "--announce", "--backend", "daemon"])
            try await observer.line(within: .seconds(60)) { $0.contains("\"_peerlist._tcp\"") }
            try await lab.perform("daemon", "h2", "pause")
            await list.send(signal)
            #expect(try await list.end(within: .seconds(5)) == 130)
            #expect(await list.lines.last?.contains("\"interrupted\"") == true)
            #expect(await list.errors.contains(said))
            // When it continues, it notices that the client of the announcement has gone.
            try await lab.perform("daemon", "h2", "resume")
            try await observer.line(within: .seconds(30)) { $0.contains("\"removed\"") }
        }
    }

    @Test func `an announcement that a hanging daemon keeps is reported, and withdrawn later`()
        async throws
    {
        try await Lab.with { lab in
            let observer = try ListObserver(lab, on: "h1")
            let process = try lab.peerlist(
                on: "h2",
                [
                    "announce", "--name", "Web", "--type", "http", "--port", "80", "--json",
                    "--backend", "daemon",
                ])
            try await process.line(within: .seconds(60)) { $0.contains("\"announced\"") }
            try await observer.peer(on: "h2.local")
            try await lab.perform("daemon", "h2", "pause")
            await process.send(15)
            #expect(try await process.end(within: .seconds(5)) == 3)
            #expect(await process.lines.last?.contains("\"left\"") == true)
            #expect(await process.errors.contains(said))
            try await lab.perform("daemon", "h2", "resume")
            try await observer.list(within: .seconds(30)) { $0.items.isEmpty }
        }
    }

    @Test func `an announcement that waits for a hanging daemon can be cancelled at once`()
        async throws
    {
        try await Lab.with(hosts: 1) { lab in
            try await lab.perform("daemon", "h1", "pause")
            let process = try lab.peerlist(
                on: "h1",
                ["announce", "-n", "Web", "-t", "http", "--port", "80", "--backend", "daemon"])
            // It has installed its handler of SIGTERM.
            let script = """
                until grep --quiet peerlist "/proc/$1/comm" &&
                    grep --quiet '^SigCgt:.*[4-7c-f]...$' "/proc/$1/status"; do :; done
                """
            let ready = try await FinishedProcess(["sh", "-c", script, "sh", "\(process.pid)"])
            #expect(ready.status == 0)
            await process.send(15)
            #expect(try await process.end(within: .seconds(5)) == 0)
            #expect(await process.errors.isEmpty)
        }
    }
}
