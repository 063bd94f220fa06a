// The commands `peerlist devices` and `peerlist label`, which show and change the ledger.
import FoundationEssentials
import Glibc
import PeerLedger
import PeerText
import TerminalList

extension DevicesOptions {
    /// Prints the devices of the ledger, or removes one.
    func run(_ file: LedgerFile = LedgerFile()) -> ExitStatus {
        withLedger(file) { content throws(LedgerFailure) in
            guard let forgotten else { return show(content.ledger) }
            guard let (id, device) = content.ledger.device(named: forgotten) else {
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
            guard let (id, known) = content.ledger.device(named: device) else {
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
