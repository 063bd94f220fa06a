// The commands `peerlist devices` and `peerlist label`, which show and change the ledger.
import FoundationEssentials
import Glibc
import PeerList
import PeerRecording
import PeerSession
import PeerText
import TerminalList

extension DevicesOptions {
    /// Prints the devices of the ledger, or removes one.
    func run(_ file: LedgerFile = LedgerFile()) -> ExitStatus {
        withLedger(file) { content throws(LedgerFailure) in
            guard let forgotten else { return show(content.ledger) }
            guard let (id, device) = knownDevice(forgotten, in: content.ledger) else {
                return .nothingFound
            }
            try file.change { $0.forget(id) }
            return printOut("forgot \(printable(device.title)), \(id.uuidString.lowercased())\n")
        }
    }

    private func show(_ ledger: DeviceLedger) -> ExitStatus {
        let style = TableStyle(
            charset: .adoptFromEnvironment(), columns: FrameSize(ofWindow: STDOUT_FILENO)?.columns)
        let status = printOut(isJSON ? ledger.lines : ledger.table(style))
        return status == .done && ledger.devices.isEmpty ? .nothingFound : status
    }
}

extension LabelOptions {
    /// Labels a device of the ledger, or removes its label.
    func run(_ file: LedgerFile = LedgerFile()) -> ExitStatus {
        withLedger(file) { content throws(LedgerFailure) in
            guard let (id, known) = knownDevice(device, in: content.ledger) else {
                return .nothingFound
            }
            try file.change { $0.setLabel(label.isEmpty ? nil : label, of: id) }
            let name = printable(known.names.first ?? id.uuidString.lowercased())
            let removal = known.label == nil ? "\(name) had no label" : "label removed from \(name)"
            return printOut((label.isEmpty ? removal : "\(name) is now \(printable(label))") + "\n")
        }
    }
}

/// Runs a command with the ledger of a file; a failure is reported on standard error.
private func withLedger(
    _ file: LedgerFile, _ body: (LedgerFile.Content) throws(LedgerFailure) -> ExitStatus
) -> ExitStatus {
    do throws(LedgerFailure) {
        let content = try file.read()
        if let damage = content.damage { complain(damage) }
        return try body(content)
    } catch {
        complain(error.description)
        return .failure
    }
}

/// Returns the device that a word stands for; `nil` after a message on standard error if there is not
/// exactly one.
private func knownDevice(_ word: String, in ledger: DeviceLedger) -> (UUID, LedgerDevice)? {
    switch ledger.match(word) {
    case .none:
        let near = ledger.directory.titles(near: word).map(quoted).joined(separator: " or ")
        let advice = near.isEmpty ? "'peerlist devices' lists them" : "did you mean \(near)?"
        complain("no known device is \(quoted(word)); \(advice)")
    case .one(let id): return ledger.devices[id].map { (id, $0) }
    case .several(let ids):
        let known = ids.compactMap { id in
            ledger.devices[id].map { DeviceDirectory.Entry(id, $0) }
        }
        listCandidates(
            "\(quoted(word)) is \(ids.count) devices; write the ID of one", known, ids.count)
    }
    return nil
}

/// The maximum number of devices that are listed as what a word may mean.
private let candidateLimit = 20

/// Reports that several devices are meant, and lists some of them, those heard last first.
func listCandidates(_ message: String, _ devices: [DeviceDirectory.Entry], _ count: Int) {
    let shown = devices.sorted { ($1.lastSeen, $0.id) < ($0.lastSeen, $1.id) }
        .prefix(candidateLimit)
    let style = TableStyle(
        charset: .adoptFromEnvironment(), columns: FrameSize(ofWindow: STDERR_FILENO)?.columns)
    var text = style.table(
        ["ID", "NAME", "ALSO", "LAST SEEN"],
        shown.map { device in
            let also = device.otherNames.isEmpty ? "-" : device.otherNames.joined(separator: ", ")
            return [
                device.id.uuidString.lowercased(), device.title, also,
                minute(LocalTime(device.lastSeen)),
            ]
        })
    if count > shown.count { text += "and \(count - shown.count) more\n" }
    writeError("\(printable(message)):\n\(text.dropLast())")
}

private func minute(_ time: LocalTime) -> String { "\(time.day) \(time.clock.prefix(5))" }

extension DeviceLedger {
    /// The devices with their present identifiers, by label or name.
    private var sorted: [(id: UUID, device: LedgerDevice)] {
        current.map { id, device in
            (key: SortKey(name: device.title, id: id), id: id, device: device)
        }.sorted { $0.key < $1.key }.map { ($0.id, $0.device) }
    }

    /// A JSON line for each device.
    var lines: String {
        sorted.map { id, device in jsonLine { device.write(id, to: &$0) } }.joined()
    }

    /// Returns a table of the devices; without devices, an empty text.
    func table(
        _ style: TableStyle, localTime: (Timestamp) -> LocalTime = { LocalTime($0) }
    ) -> String {
        guard !devices.isEmpty else { return "" }
        return style.table(
            ["NAME", "KIND", "FIRST SEEN", "LAST SEEN", "ID"],
            sorted.map { id, device in
                [
                    device.title, device.kind.map { DeviceKind(rawValue: $0)?.title ?? $0 } ?? "-",
                    minute(localTime(device.firstSeen)),
                    minute(localTime(device.lastSeen)), id.uuidString.lowercased(),
                ]
            }
        )
    }
}
