// The changes of the ledger that are not in the file yet.
import FoundationEssentials

/// The changes of a session to its ledger: devices seen, links and labels.
///
/// The changes can be applied repeatedly without another effect.
struct LedgerChanges: Equatable, Sendable {
    /// The devices that were seen, with what was known of them then.
    var seen = DeviceLedger()
    /// The new identifiers of devices, by the former ones.
    var links: [UUID: UUID] = [:]
    var labels: [UUID: String?] = [:]

    var isEmpty: Bool { seen.devices.isEmpty && links.isEmpty && labels.isEmpty }

    func apply(to ledger: inout DeviceLedger) {
        for (id, device) in seen.devices { ledger.note(id, device) }
        // A new identifier inherits the label of the former one, and may be relabelled since.
        for (id, label) in labels { ledger.setLabel(label, of: id) }
        for (id, new) in links { ledger.link(id, to: new) }
        for (id, label) in labels { ledger.setLabel(label, of: id) }
    }

    mutating func add(_ later: LedgerChanges) {
        for (id, device) in later.seen.devices { seen.note(id, device) }
        links.merge(later.links) { $1 }
        for new in later.links.values { links[new] = nil }
        labels.merge(later.labels) { $1 }
    }
}
