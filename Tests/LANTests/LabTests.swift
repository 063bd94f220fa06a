// Tests the lab: its machines are separate, see one another, and leave nothing behind.
import LabSupport
import Testing

@Suite(.needsLab, .timeLimit(.minutes(10))) struct LabTests {
    @Test func `each machine has its own name, bus and daemon, and sees the others`() async throws {
        try await Lab.with(hosts: 3) { lab in
            #expect(try await lab.run("h2", ["hostname"]).output == "h2")
            for other in ["h1", "h3"] {
                let found = try await lab.run(
                    "h2", ["avahi-resolve", "-4", "-n", "\(other).local"])
                #expect(found.output == "\(other).local\t10.99.0.\(other.dropFirst())")
            }
            let ids = try await [
                lab.run("h1", ["cat", "/etc/machine-id"]).output,
                lab.run("h2", ["cat", "/etc/machine-id"]).output,
            ]
            #expect(ids[0] != ids[1])
        }
    }

    @Test func `a command in the lab returns its status and receives signals`() async throws {
        try await Lab.with(hosts: 1) { lab in
            #expect(try await lab.run("h1", ["sh", "-c", "exit 7"]).status == 7)
            let process = try lab.start("h1", ["tail", "-f", "/dev/null"])
            await process.send(15)
            #expect(try await process.end(within: .seconds(60)) == 128 + 15)
        }
    }

    @Test func `a disconnected machine is not seen, and is seen again when reconnected`()
        async throws
    {
        try await Lab.with { lab in
            try await lab.perform("cut", "h1")
            try await lab.perform("daemon", "h2", "restart")
            let lost = try await lab.run("h2", ["avahi-resolve", "-4", "-n", "h1.local"])
            #expect(lost.errors.contains("Timeout reached"))
            try await lab.perform("heal", "h1")
            let found = try await lab.run("h2", ["avahi-resolve", "-4", "-n", "h1.local"])
            #expect(found.output.contains("10.99.0.1"))
        }
    }

    @Test func `processes of a lab end with it`() async throws {
        var started: RunningProcess?
        try await Lab.with(hosts: 1) { lab in
            // A process that starts while its machine is removed does not run there, and ends.
            started = try lab.start("h1", ["sh", "-c", "echo here; exec tail -f /dev/null"])
            try await started?.line(within: .seconds(60))
            try await lab.perform("spawn", "h1", "other", "tail", "-f", "/dev/null")
        }
        #expect(try await started?.end(within: .seconds(60)) == 128 + 9)
    }

    @Test func `an invalid verb or host is an error that names the valid ones`() async throws {
        try await Lab.with(hosts: 1) { lab in
            await #expect { try await lab.perform("daemon", "h1", "dance") } throws: {
                "\($0)".contains("dance: not one of start, stop")
            }
            await #expect { try await lab.perform("cut", "h9") } throws: {
                "\($0)".contains("no host 'h9' here; there are: h1")
            }
        }
    }

    @Test func `a terminal shows its screen and accepts keys`() async throws {
        try await Lab.with(hosts: 1) { lab in
            let terminal = try await Tmux(in: lab, on: "h1", columns: 40, rows: 8, running: "cat")
            try await terminal.type("hello", "Enter")
            let screen = try await terminal.screen(within: .seconds(60)) {
                $0.contains("hello\nhello")
            }
            #expect(screen.hasPrefix("hello\nhello"))
        }
    }
}
