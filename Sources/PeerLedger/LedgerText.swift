// The devices of the ledger as a table and as lines of JSON, and the devices that a word may mean.
package import FoundationEssentials
import Glibc
package import PeerModel
import PeerRecording
package import PeerText
import TerminalText

extension DeviceDirectory {
    /// Returns the identifier of the device that a word stands for; `nil` after a message on standard error if there
    /// is not exactly one. The message names the command that lists the devices.
    package func id(named word: String, absence: String, list command: String) -> UUID? {
        switch match(word) {
        case .none:
            let near = titles(near: word).map(quoted).joined(separator: " or ")
            let advice = near.isEmpty ? "'\(command)' lists them" : "did you mean \(near)?"
            complain("\(absence) is \(quoted(word)); \(advice)")
        case .one(let id): return id
        case .several(let ids):
            listCandidates(
                "\(quoted(word)) is \(ids.count) devices; write the ID of one",
                entries.filter { ids.contains($0.id) }, ids.count)
        }
        return nil
    }
}

extension DeviceLedger {
    /// Returns the device that a word stands for; `nil` after a message on standard error if there is not
    /// exactly one.
    package func device(named word: String) -> (UUID, LedgerDevice)? {
        let id = directory.id(named: word, absence: "no known device", list: "peerlist devices")
        return id.flatMap { id in devices[id].map { (id, $0) } }
    }

    /// The devices with their present identifiers, by label or name.
    private var sorted: [(id: UUID, device: LedgerDevice)] {
        current.map { id, device in
            (key: SortKey(name: device.title, id: id), id: id, device: device)
        }.sorted { $0.key < $1.key }.map { ($0.id, $0.device) }
    }

    /// A JSON line for each device.
    package var lines: String {
        sorted.map { id, device in jsonLine { device.write(id, to: &$0) } }.joined()
    }

    /// Returns a table of the devices; without devices, an empty text.
    package func table(
        _ style: TableStyle, localTime: (Timestamp) -> LocalTime = { LocalTime($0) }
    ) -> String {
        guard !devices.isEmpty else { return "" }
        return style.table(
            [
                .text("NAME", minimum: 14, rank: 5), .text("KIND", minimum: 10, rank: 4),
                .whole("FIRST SEEN", rank: 1), .whole("LAST SEEN", rank: 2),
                .whole("ID", rank: 3),
            ],
            sorted.map { id, device in
                [
                    TableText(device.title),
                    TableText(device.kind.map { DeviceKind(rawValue: $0)?.title ?? $0 } ?? "-"),
                    TableText(minute(localTime(device.firstSeen))),
                    TableText(minute(localTime(device.lastSeen))), idText(id),
                ]
            }
        )
    }
}

/// The maximum number of devices that are listed as what a word may mean.
private let candidateLimit = 20

/// Reports that several devices are meant, and lists some of them, those heard last first.
package func listCandidates(_ message: String, _ devices: [DeviceDirectory.Entry], _ count: Int) {
    let shown = devices.sorted { ($1.lastSeen, $0.id) < ($0.lastSeen, $1.id) }
        .prefix(candidateLimit)
    let style = TableStyle(
        charset: .adoptFromEnvironment(), columns: FrameSize(ofWindow: STDERR_FILENO)?.columns)
    var text = style.table(
        [
            .whole("ID", rank: 4), .text("NAME", minimum: 14, rank: 3), .text("ALSO", rank: 1),
            .whole("LAST SEEN", rank: 2),
        ],
        shown.map { device in
            let also = device.otherNames.isEmpty ? "-" : device.otherNames.joined(separator: ", ")
            return [
                idText(device.id), TableText(device.title), TableText(also),
                TableText(minute(LocalTime(device.lastSeen))),
            ]
        })
    if count > shown.count { text += "and \(count - shown.count) more\n" }
    writeError("\(printable(message)):\n\(text.dropLast())")
}

/// Returns an identifier, or its first eight digits, by which devices are found too.
private func idText(_ id: UUID) -> TableText {
    let text = id.uuidString.lowercased()
    return TableText(text, short: [String(text.prefix(8))])
}

private func minute(_ time: LocalTime) -> String { "\(time.day) \(time.clock.prefix(5))" }
