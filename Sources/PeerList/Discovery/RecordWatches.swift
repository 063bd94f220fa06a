// Detects SRV and TXT records that open resolvers do not report.
import FoundationEssentials

/// The record browsers beside open resolvers, and the resolvers that a new record makes stale.
///
/// A record that is announced within a second of its predecessor does not flush the predecessor from caches (RFC 6762,
/// section 10.2). An open Avahi resolver then reports the old record until that expires, up to 75 minutes later. A new
/// resolver reports the record that was cached last, so the resolver is renewed.
struct RecordWatches {
    /// The time from a new record to the renewal of the resolver; by then, an ordinary change has flushed the former
    /// record.
    static let settling = Duration.milliseconds(1_500)

    private struct Watch {
        let path: NetworkPath
        var isOpen = false
        /// The record types with a reported record.
        var types: Set<ServiceRecord> = []
    }

    private var watches: [UUID: Watch] = [:]
    private var waiting: [(id: UUID, path: NetworkPath)] = []
    private var renewals: [UUID: Duration] = [:]

    var isEmpty: Bool { watches.isEmpty }

    var deadline: Duration? { renewals.values.min() }

    /// Adds a service whose resolver stays open on a path.
    mutating func add(_ id: UUID, on path: NetworkPath, _ step: inout DiscoveryStep) {
        guard watches[id]?.path != path else { return }
        remove(id, &step)
        watches[id] = Watch(path: path)
        waiting.append((id, path))
    }

    /// Closes the record browsers of a service.
    mutating func remove(_ id: UUID, _ step: inout DiscoveryStep) {
        if watches.removeValue(forKey: id)?.isOpen == true {
            for type in ServiceRecord.allCases { step.close(.record(type, id)) }
        }
        renewals[id] = nil
    }

    mutating func removeAll(_ step: inout DiscoveryStep) {
        for id in Array(watches.keys) { remove(id, &step) }
        waiting = []
    }

    /// Opens the record browsers of the services that were added.
    mutating func openWaiting(_ table: ServiceTable, _ step: inout DiscoveryStep) {
        while let (id, path) = waiting.popLast() {
            guard let watch = watches[id], watch.path == path, !watch.isOpen,
                let instance = table[id]?.instance
            else { continue }
            watches[id]?.isOpen = true
            for type in ServiceRecord.allCases {
                step.open(.record(type, id), .records(type, of: instance, path.lookupPath))
            }
        }
    }

    /// Records that a record of a service was reported; any record but the first of its type
    /// schedules a renewal.
    mutating func appeared(_ type: ServiceRecord, of id: UUID, at now: Duration) {
        guard watches[id]?.types.insert(type).inserted == false, renewals[id] == nil else { return }
        renewals[id] = now + Self.settling
    }

    /// Pops the services whose resolvers must be renewed now, each once.
    mutating func popDue(at now: Duration) -> [UUID] {
        let due = renewals.filter { $0.value <= now }.map(\.key)
        for id in due { renewals[id] = nil }
        return due
    }
}
