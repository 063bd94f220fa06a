// The changes of the ledger that are not in the file yet.
import FoundationEssentials

/// The changes of a session to its ledger: devices seen, links and labels.
///
/// The changes can be applied repeatedly without another effect. A device that the file had and has no more was
/// forgotten by the user meanwhile, so what was known of it is not added again.
package struct LedgerChanges: Equatable, Sendable {
    /// The number of devices at which the excess over the ledger's limit is dropped, not at each new device,
    /// as that sorts all.
    static let fullCount = DeviceLedger.deviceLimit + DeviceLedger.deviceLimit / 4

    /// The devices that were seen, with what was known of them then.
    private(set) var seen = DeviceLedger()
    /// The devices among them that the file does not have yet.
    private(set) var added: Set<UUID> = []
    /// The new identifiers of devices, by the former ones.
    var links: [UUID: UUID] = [:]
    var labels: [UUID: String?] = [:]

    package var isEmpty: Bool { seen.devices.isEmpty && links.isEmpty && labels.isEmpty }

    /// Adds what is known of a device that is seen, and whether the ledger lacks it.
    mutating func note(_ id: UUID, _ device: LedgerDevice, isAdded: Bool) {
        seen.note(id, device)
        if isAdded { added.insert(id) }
        guard seen.devices.count > Self.fullCount else { return }
        seen.trim()
        added.formIntersection(seen.devices.keys)
    }

    mutating func drop(_ id: UUID) {
        seen.drop(id)
        added.remove(id)
    }

    func apply(to ledger: inout DeviceLedger) {
        let forgotten = forgotten(in: ledger)
        for (id, device) in seen.devices where !forgotten.contains(id) { ledger.note(id, device) }
        // A new identifier inherits the label of the former one, and may be relabelled since.
        for (id, label) in labels { ledger.setLabel(label, of: id) }
        for (id, new) in links { ledger.link(id, to: new) }
        for (id, label) in labels { ledger.setLabel(label, of: id) }
    }

    /// The devices that a ledger has no more, also under the identifiers that they got since.
    private func forgotten(in ledger: DeviceLedger) -> Set<UUID> {
        let former = Array(seen.devices.keys) + links.keys
        var forgotten = Set(former.filter { !added.contains($0) && ledger.devices[$0] == nil })
        var rest = Array(forgotten)
        while let id = rest.popLast() {
            guard let new = links[id], ledger.devices[new] == nil else { continue }
            if forgotten.insert(new).inserted { rest.append(new) }
        }
        return forgotten
    }

    mutating func add(_ later: LedgerChanges) {
        for (id, device) in later.seen.devices {
            note(id, device, isAdded: later.added.contains(id))
        }
        links.merge(later.links) { $1 }
        for new in later.links.values { links[new] = nil }
        labels.merge(later.labels) { $1 }
    }
}
