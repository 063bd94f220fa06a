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
}
