// Tests the hand-over between the daemon and the embedded stack.
import Glibc
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct BackendTests {
    /// The number of differences that delete or insert a row.
    private func blinks(_ list: FoldedList) -> Int {
        list.operations.filter { $0.hasSuffix(" delete") || $0.hasSuffix(" insert") }.count
    }

    @Test func `a daemon that starts is used, and no row is inserted again`() async throws {
        try await Lab.with(hosts: 3) { lab in
            try await lab.perform("daemon", "h2", "stop")
            for host in ["h1", "h3"] {
                _ = try await lab.publish("Web \(host)", "_http._tcp", 80, on: host)
            }
            let observer = try ListObserver(lab, on: "h2")
            let before = try await observer.list(within: .seconds(60)) { list in
                list.items.count == 2
                    && list.items.allSatisfy { peer in
                        peer["addresses"].array.count == 2 && peer["heard"] == .null
                    }
            }
            #expect(before.begin["backend"].string == "embedded")

            // The daemon will not find h3, so its row is deleted after the hand-over.
            let start = await observer.differenceCount
            try await lab.perform("cut", "h3")
            try await lab.perform("daemon", "h2", "start")
            let handedOver = try await observer.list(within: .seconds(60)) {
                $0.notices.contains("backend-back")
            }
            #expect(handedOver.items == before.items)
            #expect(handedOver.backend == "daemon")
            let after = try await observer.list(within: .seconds(60)) { $0.items.count == 1 }
            #expect(!after.notices.contains("backend-lost"))
            #expect(after.peer(on: "h1.local")?["presence"].string == "present")
            #expect(blinks(after) - blinks(before) == 1, "\(after.operations)")
            #expect(after.operations.last == "backend delete")
            #expect(try await observer.passage(since: start).detours == [])
        }
    }

    @Test(arguments: ["daemon", "bus"])
    func `when the daemon stops, the embedded stack is used, and no row is inserted again`(
        victim: String
    ) async throws {
        try await Lab.with { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let observer = try ListObserver(lab, on: "h2")
            try await observer.peer(on: "h1.local") { $0["addresses"].array.count == 2 }
            let before = await observer.list
            #expect(before.begin["backend"].string == "daemon")

            try await lab.perform(victim, "h2", "kill")
            try await observer.list(within: .seconds(60)) { list in
                list.notices.contains("backend-lost")
                    && list.items.allSatisfy { $0["presence"].string == "unknown" }
            }
            try await observer.peer(on: "h1.local", within: .seconds(60))
            let served = await observer.list
            #expect(served.notices == ["backend-lost", "backend-back"])
            #expect(served.backend == "embedded")

            // And back again.
            try await lab.perform("daemon", "h2", "restart")
            try await observer.list(within: .seconds(60)) { $0.notices.count == 3 }
            try await observer.peer(on: "h1.local")
            let after = await observer.list
            #expect(after.notices.last == "backend-back")
            #expect(after.backend == "daemon")
            #expect(blinks(after) == blinks(before), "\(after.operations)")
        }
    }

    @Test func `announcements move from backend to backend`() async throws {
        try await Lab.with { lab in
            try await lab.perform("daemon", "h2", "stop")
            let other = try ListObserver(lab, on: "h1")
            let announcer = try ListObserver(lab, on: "h2", "--announce=Zoë")
            let peer = try await other.peer(on: "h2.local", within: .seconds(60))
            #expect(peer["name"].string == "Zoë")
            #expect(peer["identity"]["source"].string == "announced")

            let known = await other.list.operations.count
            try await lab.perform("daemon", "h2", "start")
            try await announcer.list(within: .seconds(60)) { $0.notices.contains("backend-back") }
            let marker = try await lab.publish("Later", "_http._tcp", 80, on: "h2")
            try await other.peer(on: "h2.local", within: .seconds(60)) {
                $0["services"].array.count == 2 && $0["name"].string == "Zoë"
            }
            let operations = await other.list.operations[known...]
            #expect(operations.allSatisfy { !$0.hasPrefix("departed") }, "\(operations)")

            await marker.send(SIGTERM)
            #expect(try await announcer.interrupt() == 130)
            try await other.list(within: .seconds(60)) { $0.items.isEmpty }
        }
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `the helper's announcement is withdrawn, however the list ends`(
        signal: Int32
    ) async throws {
        try await Lab.with { lab in
            try await lab.perform("daemon", "h2", "stop")
            _ = try await lab.publish("Zoë", "_peerlist._tcp", 0, on: "h1")
            let other = try ListObserver(lab, on: "h1")
            let announcer = try ListObserver(
                lab, on: "h2", "--backend", "embedded", "--announce=Zoë")
            let peer = try await other.peer(on: "h2.local", within: .seconds(60))
            #expect(peer["name"].string == "Zoë #2")
            try await announcer.list(within: .seconds(60)) { $0.notices.contains("name-conflict") }

            kill(announcer.pid, signal)
            try await other.list(within: .seconds(60)) { $0.peer(on: "h2.local") == nil }
        }
    }
}
