// Tests the limits of avahi-daemon and D-Bus, which notices report until they are lifted.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct LimitsTests {
    private func load(_ lab: Lab, _ count: Int, as name: String = "load") async throws {
        try await lab.perform(
            "spawn", "h1", name, "python3", BuiltProducts.package + "/Tests/Lab/load.py",
            "--name", name, "--services", "\(count)")
    }

    /// Returns the number of resolved services.
    private static func resolved(_ list: FoldedList) -> Int {
        list.items.reduce(0) { sum, item in
            sum + item["services"].array.count { $0["port"].integer > 0 }
        }
    }

    @Test func `with a low object limit lookups take turns, and the limit is reported`()
        async throws
    {
        // 16 connections of 4 objects each carry the browsers and a few lookups at a time.
        try await Lab.with(settings: ["server.objects-per-client-max=4"]) { lab in
            try await load(lab, 100)
            // A witness resolves them all, so that there is nothing to report.
            let observer = try ListObserver(
                lab, on: "h2", "--backend", "daemon", "--no-witness")
            let list = try await observer.list(within: .seconds(120)) { list in
                list.notices.contains("object-limit") && Self.resolved(list) == 100
            }
            #expect(list.messages.contains { $0.contains("objects-per-client-max") })
            try await observer.list(within: .seconds(60)) { $0.notices.last == "object-room" }
        }
    }

    @Test func `a low limit of bus connections is sufficient`() async throws {
        try await Lab.with(settings: ["bus.max_connections_per_user=2"]) { lab in
            try await load(lab, 200)
            let observer = try ListObserver(lab, on: "h2", "--backend", "daemon")
            let list = try await observer.list(within: .seconds(120)) { Self.resolved($0) == 200 }
            #expect(list.notices.isEmpty)
        }
    }

    @Test func `a full cache is reported by its contents, and again when it has room`() async throws
    {
        try await Lab.with(settings: ["server.cache-entries-max=300"]) { lab in
            let observer = try ListObserver(
                lab, on: "h2", "--backend", "daemon", "--no-witness")
            try await load(lab, 60)
            try await observer.list(within: .seconds(60)) { Self.resolved($0) == 60 }
            try await load(lab, 100, as: "more")
            let list = try await observer.list(within: .seconds(60)) {
                $0.notices.contains("cache-limit")
            }
            #expect(list.messages.contains { $0.contains("cache-entries-max") })
            #expect(Self.resolved(list) < 160, "else this test shows nothing")
            try await lab.perform("kill", "h1", "load")
            try await observer.list(within: .seconds(60)) { $0.notices.last == "cache-room" }
        }
    }

    @Test func `a cache with room is not reported`() async throws {
        try await Lab.with(settings: ["server.cache-entries-max=2000"]) { lab in
            try await load(lab, 200)
            let observer = try ListObserver(lab, on: "h2", "--backend", "daemon")
            try await observer.list(within: .seconds(120)) { Self.resolved($0) == 200 }
            _ = try await lab.publish("Later", "_ssh._tcp", 22, on: "h1")
            let list = try await observer.list(within: .seconds(60)) { Self.resolved($0) == 201 }
            #expect(list.notices.isEmpty)
        }
    }

    @Test func `the list responds to keys while calls to the daemon hang`() async throws {
        try await Lab.with { lab in
            let command = "LC_ALL=C.UTF-8 '\(BuiltProducts.peerlist)' --backend daemon"
            let terminal = try await Tmux(in: lab, on: "h2", columns: 120, running: command)
            try await load(lab, 300)
            try await terminal.screen(within: .seconds(60)) { $0.contains("load.local") }
            // The lookups that are due now wait for an answer until it continues.
            try await lab.perform("daemon", "h2", "pause")
            for _ in 0..<5 {
                try await terminal.type("?")
                try await terminal.screen(within: .seconds(10)) { $0.contains("search") }
                try await terminal.type("Escape")
                try await terminal.screen(within: .seconds(10)) { !$0.contains("search") }
            }
            try await lab.perform("daemon", "h2", "resume")
            try await terminal.screen(within: .seconds(120)) { $0.contains("300 services") }
            try await terminal.type("q")
        }
    }
}
