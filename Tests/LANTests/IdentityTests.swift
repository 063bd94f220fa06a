// Tests that all observers compute the same identity of a peer.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct IdentityTests {
    @Test func `two machines that announce themselves see each other`() async throws {
        try await Lab.with { lab in
            let first = try ListObserver(lab, on: "h1", "--announce")
            let second = try ListObserver(lab, on: "h2", "--announce=Anna's laptop")
            let seenBySecond = try await second.peer(on: "h1.local") { isAnnounced($0) }
            let seenByFirst = try await first.peer(on: "h2.local") { isAnnounced($0) }

            #expect(seenBySecond["name"].string == "h1")
            #expect(seenByFirst["name"].string == "Anna's laptop")
            #expect(seenByFirst["self"] == .bool(false))
            for (host, peer) in [("h1", seenBySecond), ("h2", seenByFirst)] {
                let machine = try await lab.run(host, ["cat", "/etc/machine-id"]).output
                let expected = try await uuid(named: "peerlist", in: dashed(machine))
                #expect(peer["id"].string == expected)
            }
            // A machine is in its own list too, as the others see it.
            let own = try await second.peer(on: "h2.local") { isAnnounced($0) }
            #expect(own["self"] == .bool(true))
            #expect(own["id"] == seenByFirst["id"])
            #expect(await second.list.begin["observer"]["id"] == own["id"])

            #expect(try await first.interrupt() == 130)
            try await second.list(within: .seconds(60)) { $0.peer(on: "h1.local") == nil }
        }
    }

    @Test func `all observers compute the id that uuidgen computes`() async throws {
        try await Lab.with(hosts: 3) { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let observers = try ["h2", "h3"].map { try ListObserver(lab, on: $0) }

            let peers = [
                try await observers[0].peer(on: "h1.local"),
                try await observers[1].peer(on: "h1.local"),
            ]
            let host = try await uuid(named: "h1.local", in: "@dns")
            let service = try await uuid(named: "web._http._tcp.local", in: "@dns")

            for peer in peers {
                #expect(peer["id"].string == host)
                #expect(peer["identity"]["source"].string == "host-name")
                #expect(peer["services"].array.map { $0["id"].string } == [service])
            }
        }
    }

    private func isAnnounced(_ peer: JSON) -> Bool {
        peer["identity"]["source"].string == "announced"
    }

    private func uuid(named name: String, in namespace: String) async throws -> String {
        try await FinishedProcess(
            ["uuidgen", "--sha1", "--namespace", namespace, "--name", name]
        ).output
    }

    /// Formats 32 digits as a UUID.
    private func dashed(_ digits: String) -> String {
        var result = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { result += "-" }
            result.append(digit)
        }
        return result
    }
}
