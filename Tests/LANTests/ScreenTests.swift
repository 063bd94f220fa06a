// The list on a terminal, with a real machine that arrives and departs.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct ScreenTests {
    private let command = "'\(BuiltProducts.peerlist)'; echo status $?"

    @Test func `the list shows a peer arrive and depart`() async throws {
        try await Lab.with { lab in
            let terminal = try await Tmux(in: lab, on: "h2", running: command)
            let before = try await terminal.screen(within: .seconds(60)) { $0.contains("0 peers") }
            #expect(!before.contains("h1"))

            let publisher = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let during = try await terminal.screen(within: .seconds(60)) {
                $0.contains("10.99.0.1")
            }
            #expect(during.contains("h1"))
            #expect(during.contains("1 peer"))

            await publisher.send(15)
            let after = try await terminal.screen(within: .seconds(60)) {
                !$0.contains("10.99.0.1")
            }
            #expect(after.contains("0 peers"))

            try await terminal.type("q")
            let last = try await terminal.screen(within: .seconds(60)) { $0.contains("status") }
            #expect(last.contains("status 0"))
        }
    }

    @Test func `the list reports that the daemon went away, and that it is back`() async throws {
        try await Lab.with { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let terminal = try await Tmux(in: lab, on: "h2", running: command)
            try await terminal.screen(within: .seconds(60)) { $0.contains("10.99.0.1") }

            try await lab.perform("daemon", "h2", "stop")
            // The own stack may answer before the screen is read.
            let lost = try await terminal.screen(within: .seconds(60)) {
                $0.contains("unknown") || $0.contains("own mDNS stack")
            }
            #expect(lost.contains("h1"), "nobody is forgotten")

            try await lab.perform("daemon", "h2", "start")
            let back = try await terminal.screen(within: .seconds(60)) {
                !$0.contains("unknown") && !$0.contains("own mDNS stack")
            }
            #expect(back.contains("10.99.0.1"))
        }
    }

    @Test(arguments: ["TERM=dumb", "env -u TERM"])
    func `on an unsuitable terminal the error names the alternatives`(
        terminal: String
    ) async throws {
        try await Lab.with(hosts: 1) { lab in
            let window = try await Tmux(
                in: lab, on: "h1", columns: 120, running: "\(terminal) \(command); cat")
            let last = try await window.screen(within: .seconds(60)) { $0.contains("status") }
            #expect(last.contains("status 3"))
            for option in ["--plain", "--json", "--once"] { #expect(last.contains(option)) }
        }
    }

    @Test(arguments: ["TERM", "INT"])
    func `the terminal is restored when a signal ends the list`(signal: String) async throws {
        try await Lab.with(hosts: 1) { lab in
            let pid = lab.directory.path + "/pid"
            let list = "sh -c 'echo $$ >\(pid); exec \(BuiltProducts.peerlist)'"
            let script = "stty -g; \(list); echo status $?; stty -g; cat"
            let terminal = try await Tmux(in: lab, on: "h1", columns: 200, running: script)
            try await terminal.screen(within: .seconds(60)) { $0.contains("0 peers") }

            _ = try await lab.run("h1", ["sh", "-c", "kill -\(signal) $(cat \(pid))"])
            let last = try await terminal.screen(within: .seconds(60)) {
                settings(on: $0).count == 2
            }

            #expect(Set(settings(on: last)).count == 1)
            #expect(last.contains("status"))
        }
    }

    /// Returns the lines of a screen that are output of `stty -g`.
    private func settings(on screen: String) -> [Substring] {
        screen.split(separator: "\n").filter { $0.contains(":") }
    }
}
