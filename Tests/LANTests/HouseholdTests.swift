// Tests that fifty real-looking devices are called what a person would call them, the same on every observer.
import FoundationEssentials
import LabSupport
import PeerList
import PeerListTestSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct HouseholdTests {
    /// A row of `household.tsv`: a device as a list shows it; `-` is nothing.
    struct Row {
        let device: String
        let name: String
        let kind: String
        let model: String
        let maker: String
        let evidence: String

        init(_ cells: [String]) throws {
            try #require(cells.count == 6)
            (device, name, kind) = (cells[0], cells[1], cells[2])
            (model, maker, evidence) = (cells[3], cells[4], cells[5])
        }
    }

    private static let lab = BuiltProducts.package + "/Tests/Lab"

    /// The names by which the list tells devices of one name apart, by host.
    private static let distinctNames = [
        "7e30c8b4-52d1-6f9a-0b87-c41e5d29a603.local": "Guest room TV (29a603)",
        "Android_4cf9120b83ae4d75b60a1f8e27c35d90.local": "Guest room TV (c35d90)",
    ]
    /// The host without evidence that is another name of the thermostat, as it has the same addresses.
    private static let otherName = "531620847195.local"

    private static func rows() throws -> [Row] {
        let text = try String(contentsOf: URL(filePath: lab + "/household.tsv"), encoding: .utf8)
        return try text.split(separator: "\n").dropFirst().map { line in
            try Row(
                line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init))
        }
    }

    @Test func `each device has its name, kind, model and identifier, on both backends`()
        async throws
    {
        let (rows, devices) = (try Self.rows(), Scene.household)
        #expect(rows.map(\.device) == devices.map(\.name) && rows.count >= 30)
        try await Lab.with(hosts: 3) { lab in
            let early = try ListObserver(lab, on: "h2")
            let responder = try lab.start(
                "h1", ["python3", Self.lab + "/load.py", "--devices", Self.lab + "/household.json"])
            try await responder.line(within: .seconds(60)) { $0.hasPrefix("ready") }
            try await lab.perform("daemon", "h3", "stop")
            let expected = zip(rows, devices).reduce(into: [String: [String]]()) {
                table, each in
                let (row, device) = each
                if device.host == Self.otherName { return }
                let evidence =
                    row.evidence == "host" ? Identity.canonical(device.host) : row.evidence
                let name = Self.distinctNames[device.host] ?? row.name
                table[device.host] = [name, row.kind, row.model, evidence]
            }
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
            for (row, device) in zip(rows, devices) where row.maker != "-" {
                #expect(first.peer(on: device.host)?["maker"].string == row.maker)
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
