// Tests that fifty real-looking devices are called what a person would call them, the same on every observer.
import LabSupport
import PeerModel
import PeerListTestSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct HouseholdTests {
    private static let lab = BuiltProducts.package + "/Tests/Lab"

    @Test func `each device has its name, kind, model and identifier, on both backends`()
        async throws
    {
        let expected = try Household.expected()
        try await Lab.with(hosts: 3) { lab in
            let early = try ListObserver(lab, on: "h2")
            let responder = try lab.start(
                "h1", ["python3", Self.lab + "/load.py", "--devices", Self.lab + "/household.json"])
            try await responder.line(within: .seconds(60)) { $0.hasPrefix("ready") }
            try await lab.perform("daemon", "h3", "stop")
            // A service that was slow to answer was a row of its own for a moment.
            let first = try await early.list(within: .seconds(60)) {
                $0.devices == expected && $0.items.count == expected.count
            }
            // Another backend, which starts when all is there.
            let late = try ListObserver(lab, on: "h3", "--backend", "embedded")
            let second = try await late.list(within: .seconds(60)) {
                $0.devices == expected && $0.items.count == expected.count
            }
            #expect(first.identifiers == second.identifiers)
            #expect(Set(first.identifiers.values).count == expected.count)
            let verdicts = (first.items + second.items).flatMap(\.["reach"].members)
            #expect(verdicts.count > expected.count)
            for (address, verdict) in verdicts {
                // Two devices of a Thread network, to which there is no route.
                let isInMesh = address.hasPrefix("fd5c:")
                #expect(verdict.string == (isInMesh ? "nowhere" : "here"), "\(address)")
            }
            for (host, maker) in try Household.makers() {
                #expect(first.peer(on: host)?["maker"].string == maker)
            }
            // A sharper identifier continues a row.
            let operations = await early.list.operations
            #expect(!operations.contains { $0.hasPrefix("departed") }, "\(operations)")
            #expect(first.notices.isEmpty && second.notices.isEmpty)
        }
    }
}

extension FoldedList {
    /// The name, kind, model and evidence of each resolved peer, by host.
    fileprivate var devices: [String: [String]] {
        items.reduce(into: [:]) { devices, peer in
            guard peer["presence"].string == "present" else { return }
            let kind = DeviceKind(rawValue: peer["kind"].string)?.title ?? "-"
            let model = peer["model"].string
            devices[peer["host"].string] = [
                peer["name"].string, kind, model.isEmpty ? "-" : model,
                peer["identity"]["value"].string,
            ]
        }
    }

    fileprivate var identifiers: [String: String] {
        items.reduce(into: [:]) { $0[$1["host"].string] = $1["id"].string }
    }
}
