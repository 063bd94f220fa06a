// Tests with a daemon that stops, returns, or does not run.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct DaemonTests {
    @Test(arguments: ["stop", "kill"])
    func `a list survives its daemon, and is current again when the daemon is back`(
        ending: String
    ) async throws {
        try await Lab.with { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let observer = try ListObserver(lab, on: "h2", "--backend", "daemon")
            let before = try await observer.peer(on: "h1.local") {
                $0["addresses"].array.count == 2
            }

            try await lab.perform("daemon", "h2", ending)
            let lost = try await observer.list(within: .seconds(60)) {
                $0.notices.contains("backend-lost")
                    && $0.items.allSatisfy { $0["presence"].string == "unknown" }
            }
            #expect(lost.items.count == 1, "nobody is forgotten")

            try await lab.perform("daemon", "h2", "start")
            let after = try await observer.peer(on: "h1.local", within: .seconds(2)) {
                $0["addresses"] == before["addresses"]
            }
            #expect(await observer.list.notices.contains("backend-back"))
            #expect(after["id"] == before["id"])
            #expect(after["services"] == before["services"])
            #expect(await !observer.list.operations.contains("departed delete"))
        }
    }

    @Test func `peers that left while the daemon was away are removed from the list`() async throws
    {
        try await Lab.with { lab in
            let publisher = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let observer = try ListObserver(lab, on: "h2", "--backend", "daemon")
            try await observer.peer(on: "h1.local")

            try await lab.perform("daemon", "h2", "stop")
            await publisher.send(15)
            _ = try await publisher.end(within: .seconds(60))
            try await lab.perform("daemon", "h2", "start")

            let list = try await observer.list(within: .seconds(60)) { $0.items.isEmpty }
            #expect(list.notices.contains("backend-lost"))
        }
    }

    @Test func `a list survives the end of the bus`() async throws {
        try await Lab.with { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let observer = try ListObserver(lab, on: "h2", "--backend", "daemon")
            try await observer.peer(on: "h1.local")

            try await lab.perform("bus", "h2", "kill")
            try await observer.list(within: .seconds(60)) { $0.notices.contains("backend-lost") }
            try await lab.perform("daemon", "h2", "restart")
            try await observer.peer(on: "h1.local", within: .seconds(60))
        }
    }

    @Test(arguments: [["stop"], ["stop", "bus"]])
    func `without a daemon the error says how to install one`(ending: [String]) async throws {
        try await Lab.with(hosts: 1) { lab in
            try await lab.perform("daemon", "h1", "stop")
            if ending.contains("bus") { try await lab.perform("bus", "h1", "stop") }

            for options in [["--json"], ["--once"], []] {
                let process = try lab.peerlist(on: "h1", options + ["--backend", "daemon"])
                #expect(try await process.end(within: .seconds(60)) == 3)
                let errors = await process.errors
                #expect(errors.hasPrefix("peerlist: "))
                #expect(errors.contains("avahi-daemon"))
                #expect(errors.contains("start"))
                #expect(await process.lines.isEmpty)
            }
        }
    }
}
