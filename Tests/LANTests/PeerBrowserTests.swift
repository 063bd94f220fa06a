// The library used by a program of ten lines: `for await` over the peers.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct PeerBrowserTests {
    @Test func `a program of ten lines prints a web server that arrives`() async throws {
        try await Lab.with { lab in
            let program = try lab.start(
                "h2", ["stdbuf", "-oL", BuiltProducts.path("find-peers")])
            _ = try await lab.publish("Shell", "_ssh._tcp", 22, on: "h1")
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            try await program.line(within: .seconds(60)) { $0.hasPrefix("h1 ") }
            #expect(await program.lines.count == 1)
        }
    }

    @Test func `without daemon and helper it says so once, and finds peers when the daemon runs`()
        async throws
    {
        try await Lab.with { lab in
            // No helper is beside the copy.
            let copy = lab.directory.path + "/find-peers"
            let copying = try await FinishedProcess(["cp", BuiltProducts.path("find-peers"), copy])
            #expect(copying.status == 0, "\(copying.errors)")
            try await lab.perform("daemon", "h2", "stop")
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let program = try lab.start(
                "h2", ["sh", "-c", "exec stdbuf -oL \"$1\" 2>&1", "sh", copy])
            let complaint = try await program.line(within: .seconds(60))
            #expect(complaint.hasPrefix("no mDNS backend, trying again until there is one: "))
            #expect(complaint.contains("avahi-daemon cannot be asked"), "\(complaint)")
            #expect(complaint.contains("there is no \(lab.directory.path)/peerlist-mdns, nor "))
            try await lab.perform("daemon", "h2", "start")
            try await program.line(within: .seconds(60)) { $0.hasPrefix("h1 ") }
            #expect(await program.lines.count == 2)
        }
    }
}
