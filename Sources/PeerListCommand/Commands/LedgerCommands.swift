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
            return printOut(
                label.isEmpty ? "\(name) has no label\n" : "\(name) is now \(printable(label))\n")
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
    case .none: complain("no known device is \(quoted(word)); 'peerlist devices' lists them")
    case .one(let id): return ledger.devices[id].map { (id, $0) }
    case .several(let ids):
        let list = listed(ids.map { $0.uuidString.lowercased() }, limit: 3)
        complain("\(quoted(word)) is several devices: \(list); write more of the ID")
    }
    return nil
}

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
        func minute(_ time: Timestamp) -> String {
            let local = localTime(time)
            return "\(local.day) \(local.clock.prefix(5))"
        }
        guard !devices.isEmpty else { return "" }
        return style.table(
            ["NAME", "KIND", "FIRST SEEN", "LAST SEEN", "ID"],
            sorted.map { id, device in
                [
                    device.title, device.kind.map { DeviceKind(rawValue: $0)?.title ?? $0 } ?? "-",
                    minute(device.firstSeen),
                    minute(device.lastSeen), id.uuidString.lowercased(),
                ]
            }
        )
    }
}
