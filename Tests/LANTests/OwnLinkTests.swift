// Tests interfaces of the observer that go down: nobody departs who is found again.
import LabSupport
import PeerModel
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct OwnLinkTests {
    private static let backends = ["daemon", "embedded"]

    /// The identifiers and hosts of the rows, with a presence.
    private static func rows(_ list: FoldedList, _ presence: String) -> Set<[String]> {
        Set(
            list.items.filter { $0["presence"].string == presence }
                .map { [$0["id"].string, $0["host"].string] })
    }

    @Test(arguments: backends, [4, 30])
    func `while its interface is down a list is unknown, and the same when it is back`(
        backend: String, seconds: Double
    ) async throws {
        try await Lab.with(hosts: 3) { lab in
            let observer = try await ListObserver.settled(in: lab, backend)
            let before = await observer.list
            let rows = Self.rows(before, "present")
            try await lab.perform("if-down", "h2")
            try await observer.list(within: .seconds(60)) {
                Self.rows($0, "unknown") == rows && $0.notices.last == "link-lost"
            }
            try await lab.rest(seconds)
            try await lab.perform("if-up", "h2")
            let back = try await observer.list(within: .seconds(60)) {
                Self.rows($0, "present") == rows && $0.notices.last == "link-back"
            }
            #expect(back.withoutObserver == before.withoutObserver)
            // The time for services to be found again is over.
            try await lab.rest(11)
            try await observer.agrees(in: lab, on: "h2", backend: backend, peers: 2, since: .now())
            let blinks = await observer.list.operations[before.operations.count...].filter {
                !$0.hasSuffix(" update")
            }
            #expect(blinks == [])
        }
    }

    @Test(arguments: backends)
    func `a peer that left while the interface was down departs ten seconds after its return`(
        backend: String
    ) async throws {
        try await Lab.with(hosts: 3) { lab in
            let observer = try await ListObserver.settled(in: lab, backend)
            let before = await observer.list
            try await lab.perform("if-down", "h2")
            try await observer.list(within: .seconds(60)) { Self.rows($0, "unknown").count == 2 }
            try await lab.perform("cut", "h3")
            try await lab.perform("if-up", "h2")
            let after = try await observer.list(within: .seconds(60)) { $0.items.count == 1 }
            #expect(after.peer(on: "h1.local")?["presence"].string == "present")
            let blinks = after.operations[before.operations.count...].filter {
                !$0.hasSuffix(" update")
            }
            #expect(blinks == ["link delete"])
            #expect(await observer.lines.last { $0.contains(#""reason":"link""#) } != nil)
        }
    }

    @Test(arguments: backends)
    func `a peer that is also seen through another interface stays present`(
        backend: String
    ) async throws {
        try await Lab.with(hosts: 3) { lab in
            for host in ["h1", "h2"] { try await lab.perform("add-interface", host, "1") }
            let observer = try await ListObserver.settled(in: lab, backend, withEvidence: true)
            let before = try await observer.list(within: .seconds(60)) {
                $0.peer(on: "h1.local")?["interfaces"].array.count == 2
            }
            try await lab.perform("if-down", "h2")
            let lost = try await observer.list(within: .seconds(60)) {
                $0.peer(on: "h3.local")?["presence"].string == "unknown"
                    && $0.peer(on: "h1.local")?["interfaces"].array == [.string("eth1")]
            }
            #expect(lost.peer(on: "h1.local")?["presence"].string == "present")
            try await lab.perform("if-up", "h2")
            let after = try await observer.list(within: .seconds(60)) {
                Self.rows($0, "present") == Self.rows(before, "present")
                    && $0.peer(on: "h1.local")?["interfaces"].array.count == 2
            }
            let blinks = after.operations[before.operations.count...].filter {
                !$0.hasSuffix(" update")
            }
            #expect(blinks == [])
        }
    }

    @Test(arguments: backends)
    func `on another network the peers of the former one depart`(backend: String) async throws {
        try await Lab.with(hosts: 3) { lab in
            let observer = try await ListObserver.settled(in: lab, backend)
            try await lab.perform("cut", "h2")
            try await lab.perform("if-down", "h2")
            try await lab.perform("address", "h2", "delete", "10.99.0.2/24")
            try await observer.list(within: .seconds(60)) { Self.rows($0, "unknown").count == 2 }
            try await lab.perform("address", "h2", "add", "10.98.0.2/24")
            _ = try await lab.run("h2", ["ip", "link", "set", "eth0", "up"])
            let list = try await observer.list(within: .seconds(60)) {
                $0.items.isEmpty && $0.notices.contains("link-expired")
            }
            #expect(list.operations.last?.hasPrefix("link ") == true)
        }
    }
}
