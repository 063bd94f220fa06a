// Recognises the devices of a session by the ledger, and decides when the ledger is saved.
import FoundationEssentials
import PeerList

/// The ledger as a session knows it: marks the listed devices as new and with their labels, and collects
/// the changes that are not in the file yet.
struct KnownDevices: Sendable {
    /// The minimum time between two writes of the file, and between a change and the write.
    static let interval = Duration.seconds(60)

    /// Changes of the ledger, which can be repeated without another effect.
    struct Changes: Equatable, Sendable {
        fileprivate(set) var sightings = DeviceLedger()
        fileprivate(set) var labels: [UUID: String?] = [:]

        var isEmpty: Bool { sightings.devices.isEmpty && labels.isEmpty }

        func apply(to ledger: inout DeviceLedger) {
            for (id, sighting) in sightings.devices { ledger.note(id, sighting) }
            for (id, label) in labels { ledger.setLabel(label, of: id) }
        }

        fileprivate func adding(_ later: Changes) -> Changes {
            var sum = self
            later.apply(to: &sum.sightings)
            sum.labels.merge(later.labels) { $1 }
            return sum
        }
    }

    /// The fields of a listed device that the ledger determines.
    private struct Mark: Equatable {
        var label: String?
        var isNew = false
    }

    private var ledger: DeviceLedger
    /// The marks of the listed devices; none if the rows are services, which have no such fields.
    private var marks: [UUID: Mark] = [:]
    private let grouping: Grouping

    private var changes = Changes()
    /// The changes that are being written.
    private var saving: Changes?
    private var lastSave: ContinuousClock.Instant?
    private var planned: ContinuousClock.Instant?

    init(_ ledger: DeviceLedger, grouping: Grouping) {
        (self.ledger, self.grouping) = (ledger, grouping)
    }

    // MARK: Recognition

    /// Notes the devices of an update, and returns the update with their marks.
    mutating func recognize(_ update: PeerListUpdate) -> PeerListUpdate {
        let departures = update.departures.mapValues { (item: marked($0.item), reason: $0.reason) }
        let former = update.departures.reduce(into: [UUID: Mark]()) { former, departure in
            note(departure.value.item.peer, until: departure.value.item.peer.lastSeen)
            let mark = marks.removeValue(forKey: departure.key)
            if let mark, let new = update.replacements[departure.key] {
                former[new] = mark
                move(mark.label, from: departure.value.item.peer.id, to: new)
            }
        }
        for (id, item) in update.arrivals {
            let isNew = note(item.peer, until: update.time) == .new
            guard grouping == .device, item.peer.isResolved else { continue }
            // A device whose identifier changes is as new as before.
            marks[id] = Mark(
                label: ledger.devices[id]?.label ?? former[id]?.label,
                isNew: former[id]?.isNew ?? isNew)
        }
        let changes = update.changes.mapValues { change in
            PeerListUpdate.Change(was: marked(change.was), now: marked(change.now))
        }
        for change in update.changes.values {
            note(change.now.peer, until: change.now.peer.lastSeen)
        }
        return PeerListUpdate(
            time: update.time, cause: update.cause, snapshot: update.snapshot,
            difference: update.difference, arrivals: update.arrivals.mapValues(marked),
            departures: departures, changes: changes, replacements: update.replacements)
    }

    /// Returns a list with the marks of its devices.
    func marked(_ sections: [ListSection]) -> [ListSection] {
        sections.map { ListSection(id: $0.id, items: $0.items.map(marked)) }
    }

    private func marked(_ item: ListItem) -> ListItem {
        guard let mark = marks[item.id] else { return item }
        var item = item
        (item.peer.label, item.peer.isNew) = (mark.label, mark.isNew)
        return item
    }

    /// Notes a device; a service whose host is not known is none.
    @discardableResult
    private mutating func note(_ peer: Peer, until time: Timestamp) -> DeviceLedger.Encounter? {
        guard peer.isResolved else { return nil }
        let sighting = LedgerDevice(peer, until: time)
        changes.sightings.note(peer.id, sighting)
        return ledger.note(peer.id, sighting)
    }

    // MARK: Labels

    /// Labels a device, or removes its label if the text is empty; returns whether the device is known.
    mutating func setLabel(_ text: String, of id: UUID) -> Bool {
        let label = text.isEmpty ? nil : text
        guard ledger.setLabel(label, of: id) else { return false }
        changes.labels.updateValue(label, forKey: id)
        return true
    }

    /// Moves a label to the new identifier of a device, unless that has one.
    private mutating func move(_ label: String?, from old: UUID, to new: UUID) {
        guard let label, ledger.devices[new]?.label == nil else { return }
        for (id, label) in [(old, nil), (new, label)] as [(UUID, String?)] {
            ledger.setLabel(label, of: id)
            changes.labels.updateValue(label, forKey: id)
        }
    }

    /// Adopts changed labels of the listed devices, and returns the changes of these.
    mutating func adoptLabels(_ item: (UUID) -> ListItem?) -> [UUID: PeerListUpdate.Change] {
        var items: [UUID: PeerListUpdate.Change] = [:]
        for (id, mark) in marks where mark.label != ledger.devices[id]?.label {
            guard let item = item(id) else { continue }
            let was = marked(item)
            marks[id]?.label = ledger.devices[id]?.label
            items[id] = PeerListUpdate.Change(was: was, now: marked(item))
        }
        return items
    }

    // MARK: Saving

    /// Plans a save of changes: at most one a minute, of sightings a minute later, of labels at once.
    ///
    /// - Returns: The time to wait for ``beginSave(at:)``; `nil` if nothing new is planned.
    mutating func planSave(at now: ContinuousClock.Instant) -> Duration? {
        guard !changes.isEmpty, saving == nil else { return nil }
        let wanted = changes.labels.isEmpty ? now + Self.interval : now
        let due = max(wanted, lastSave.map { $0 + Self.interval } ?? wanted)
        if let planned, planned <= due { return nil }
        planned = due
        return due - now
    }

    /// Returns the changes to write now; `nil` if it is too early.
    mutating func beginSave(at now: ContinuousClock.Instant) -> Changes? {
        guard let planned, planned <= now, saving == nil, !changes.isEmpty else { return nil }
        self.planned = nil
        lastSave = now
        saving = changes
        changes = Changes()
        return saving
    }

    /// Adopts the ledger as it was written, or keeps the changes if writing failed.
    mutating func endSave(_ written: DeviceLedger?) {
        if let written {
            ledger = written
            changes.apply(to: &ledger)
        } else if let saving {
            changes = saving.adding(changes)
        }
        saving = nil
    }

    /// Notes the present devices of a list, and returns all changes that are not written for certain.
    mutating func finish(_ sections: [ListSection], at time: Timestamp) -> Changes {
        for item in sections.flatMap(\.items) where item.peer.presence == .present {
            note(item.peer, until: time)
        }
        return saving.map { $0.adding(changes) } ?? changes
    }
}
