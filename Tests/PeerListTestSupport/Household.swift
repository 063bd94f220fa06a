// The table that a person made of the devices of the household: what each is called, and what it is.
import FoundationEssentials
import PeerModel

/// The devices of `Tests/Lab/household.json` as a list shows them.
package enum Household {
    /// A row of `household.tsv`; `-` is nothing.
    private struct Row {
        let device: String
        let name: String
        let kind: String
        let model: String
        let maker: String
        let evidence: String

        init?(_ cells: [String]) {
            guard cells.count == 6 else { return nil }
            (device, name, kind) = (cells[0], cells[1], cells[2])
            (model, maker, evidence) = (cells[3], cells[4], cells[5])
        }
    }

    /// An error of the table.
    private struct BadTable: Error {}

    /// The names by which the list tells devices of one name apart, by host.
    private static let distinctNames = [
        "7e30c8b4-52d1-6f9a-0b87-c41e5d29a603.local": "Guest room TV (29a603)",
        "Android_4cf9120b83ae4d75b60a1f8e27c35d90.local": "Guest room TV (c35d90)",
    ]
    /// The host without evidence that is another name of the thermostat, as it has the same addresses.
    private static let otherName = "531620847195.local"

    /// The name, kind, model and evidence of each device, by host.
    ///
    /// - Throws: An error if the table and the devices do not agree.
    package static func expected() throws -> [String: [String]] {
        try pairs().reduce(into: [:]) { table, each in
            let (row, device) = each
            if device.host == otherName { return }
            let evidence = row.evidence == "host" ? Identity.canonical(device.host) : row.evidence
            let name = distinctNames[device.host] ?? row.name
            table[device.host] = [name, row.kind, row.model, evidence]
        }
    }

    /// The makers of the devices that tell them, by host.
    ///
    /// - Throws: An error if the table and the devices do not agree.
    package static func makers() throws -> [String: String] {
        try pairs().reduce(into: [:]) { makers, each in
            if each.0.maker != "-" { makers[each.1.host] = each.0.maker }
        }
    }

    private static func pairs() throws -> [(Row, Scene.Device)] {
        let text = try String(
            contentsOf: URL(filePath: Scene.path(of: "household.tsv")), encoding: .utf8)
        let rows = text.split(separator: "\n").dropFirst().compactMap { line in
            Row(line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init))
        }
        guard rows.map(\.device) == Scene.household.map(\.name), rows.count >= 30 else {
            throw BadTable()
        }
        return Array(zip(rows, Scene.household))
    }
}
