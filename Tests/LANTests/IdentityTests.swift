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

    private static let printer = "UUID=01234567-89ab-4def-8123-456789abcdef"

    @Test func `a device with strong evidence is the same one after it was renamed`() async throws {
        try await Lab.with { lab in
            _ = try await lab.publish("Den", "_ipp._tcp", 631, on: "h1", txt: Self.printer)
            let observer = try ListObserver(lab, on: "h2")
            let before = try await observer.peer(on: "h1.local")
            #expect(before["identity"]["key"].string == "UUID")

            _ = try await lab.run("h1", ["avahi-set-host-name", "den"])
            let after = try await observer.peer(on: "den.local")
            #expect(after["id"] == before["id"])
            // The daemon withdraws the service and announces it again; a new device would have `false`.
            #expect(after["known"] == .null)
            try await observer.list(within: .seconds(60)) { $0.peer(on: "h1.local") == nil }
        }
    }

    @Test func `an impostor with another address takes nobody's identifier, and that is said`()
        async throws
    {
        try await Lab.with(hosts: 3) { lab in
            _ = try await lab.publish("Den", "_ipp._tcp", 631, on: "h1", txt: Self.printer)
            let observer = try ListObserver(lab, on: "h3")
            let alone = try await observer.peer(on: "h1.local")
            #expect(alone["identity"]["source"].string == "txt")

            let impostor = try await lab.publish(
                "Attic", "_ipp._tcp", 631, on: "h2", txt: Self.printer)
            for host in ["h1.local", "h2.local"] {
                let peer = try await observer.peer(on: host) {
                    $0["identity"]["source"].string == "host-name"
                }
                #expect(peer["id"].string == (try await uuid(named: host, in: "@dns")))
            }
            try await observer.list(within: .seconds(60)) { $0.notices == ["identity-conflict"] }

            await impostor.send(15)
            let again = try await observer.peer(on: "h1.local") {
                $0["identity"]["source"].string == "txt"
            }
            #expect(again["id"] == alone["id"])
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
