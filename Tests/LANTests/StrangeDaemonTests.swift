// Tests a daemon that hangs from the start, and invented domains.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(5))) struct StrangeDaemonTests {
    @Test func `a daemon that hangs from the start is not used until it responds`() async throws {
        try await Lab.with { lab in
            try await lab.perform("daemon", "h2", "pause")
            let observer = try ListObserver(lab, on: "h2")
            let begun = try await observer.list(within: .seconds(60)) { $0.begin != .null }
            #expect(begun.begin["backend"].string == "embedded")
            // The browser is not blocked: a call to a hanging daemon blocks for 25 s.
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            try await observer.peer(on: "h1.local", within: .seconds(20)) {
                $0["services"].array.count == 1
            }
            try await lab.perform("daemon", "h2", "resume")
            try await observer.list(within: .seconds(90)) { $0.notices.contains("backend-back") }
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `invented domains do not keep services of the link off the list`(
        backend: String
    ) async throws {
        try await Lab.with { lab in
            if backend == "embedded" { try await lab.perform("daemon", "h2", "stop") }
            let observer = try ListObserver(lab, on: "h2", "--backend", backend)
            try await observer.list(within: .seconds(60)) { $0.begin != .null }
            try await lab.startStranger(on: "h1", ["domains", "700"])
            try await observer.list(within: .seconds(60)) { $0.notices == ["other-domain"] }
            _ = try await lab.publish("Honest", "_own._tcp", 9, on: "h1")
            try await observer.peer(on: "h1.local", within: .seconds(60)) {
                $0["services"].array.contains { $0["name"].string == "Honest" }
            }
            #expect(try await observer.interrupt() == 130)
        }
    }
}
