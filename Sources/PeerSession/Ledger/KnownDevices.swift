// Recognises the devices of a session by the ledger, and decides when the ledger is saved.
import FoundationEssentials
import PeerList
import PeerText

/// The ledger as a session knows it: marks the listed devices as new and with their labels, and collects
/// the changes that are not in the file yet.
struct KnownDevices: Sendable {
    /// The minimum time between two writes of the file, and between a change and the write.
    static let interval = Duration.seconds(60)

    /// Changes of the ledger, which can be repeated without another effect.
    struct Changes: Equatable, Sendable {
        fileprivate(set) var sightings = DeviceLedger()
        /// The new identifiers of devices, by the former ones.
        fileprivate var links: [UUID: UUID] = [:]
        fileprivate(set) var labels: [UUID: String?] = [:]

        var isEmpty: Bool { sightings.devices.isEmpty && links.isEmpty && labels.isEmpty }

        func apply(to ledger: inout DeviceLedger) {
            for (id, sighting) in sightings.devices { ledger.note(id, sighting) }
            // A new identifier inherits the label of the former one, and may have another one since.
            for (id, label) in labels { ledger.setLabel(label, of: id) }
            for (id, new) in links { ledger.link(id, to: new) }
            for (id, label) in labels { ledger.setLabel(label, of: id) }
        }

        fileprivate func adding(_ later: Changes) -> Changes {
            var sum = self
            for (id, sighting) in later.sightings.devices { sum.sightings.note(id, sighting) }
            sum.links.merge(later.links) { $1 }
            for new in later.links.values { sum.links[new] = nil }
            sum.labels.merge(later.labels) { $1 }
            return sum
        }
    }

    /// The marks that the ledger gives a listed device.
    private struct Mark: Equatable {
        /// The identifier of the device in the ledger, which may be another one than in the list.
        let key: UUID
        var label: String?
        var isNew = false
        /// The time of its first sighting ever, as of its arrival.
        var firstSeen: Timestamp?
        /// The time of its last sighting before its arrival.
        var lastSeenBefore: Timestamp?
    }

    private var ledger: DeviceLedger
    /// The marks of the listed devices; none if the rows are services, which have no such fields.
    private var marks: [UUID: Mark] = [:]
    /// The keys of the marks.
    private var listed: Set<UUID> = []
    private let grouping: Grouping
    /// Whether no device was known at the start, so that what was there already is not new.
    private let isFirstSession: Bool

    private var changes = Changes()
    /// The devices of the ledger that the file does not have yet.
    private var unsaved: Set<UUID> = []
    /// The changes that are being written.
    private var saving: Changes?
    private var lastSave: ContinuousClock.Instant?
    /// The time of the next save; `nil` if nothing is to be saved.
    private(set) var due: ContinuousClock.Instant?

    init(_ ledger: DeviceLedger, grouping: Grouping) {
        (self.ledger, self.grouping) = (ledger, grouping)
        isFirstSession = ledger.devices.isEmpty
    }

    // MARK: Recognition

    /// Notes the devices of changes, and returns the changes with their marks.
    mutating func recognize(
        _ items: ItemChanges, during fill: InitialFill = .none
    ) -> ItemChanges {
        var items = items
        var former: [UUID: (id: UUID, mark: Mark)] = [:]
        for (id, departure) in items.departures.sorted(by: { $0.key < $1.key }) {
            note(departure.item.peer, until: departure.item.peer.lastSeen)
            items.departures[id]?.item = marked(departure.item)
            guard let mark = marks.removeValue(forKey: id) else { continue }
            listed.remove(mark.key)
            guard let new = items.replacements[id], former[new] == nil else { continue }
            former[new] = (id, mark)
        }
        // A device that goes on is listed before another one could take its place in the ledger.
        for isOther in [false, true] {
            for (id, item) in items.arrivals where (former[id] == nil) == isOther {
                marks[id] = mark(item.peer, was: former[id], at: items.time, fill)
            }
        }
        for change in items.changes.values {
            note(change.now.peer, until: change.now.peer.lastSeen)
        }
        items.arrivals = items.arrivals.mapValues(marked)
        items.changes = items.changes.mapValues { .init(was: marked($0.was), now: marked($0.now)) }
        return items
    }

    /// Notes a device that arrives, or goes on under another identifier than `former`, and returns its mark;
    /// `nil` if it cannot be recognised, or if the rows are services.
    private mutating func mark(
        _ peer: Peer, was former: (id: UUID, mark: Mark)?, at time: Timestamp, _ fill: InitialFill
    ) -> Mark? {
        guard canRecognize(peer) else { return nil }
        guard grouping == .device else {
            note(peer, until: time)
            return nil
        }
        let (key, known, predecessor) = identify(peer, at: time)
        // Not if it was noted since it is here, such as before its identifier changed for a while.
        let earlier = known.flatMap { former == nil || $0.lastSeen < peer.firstSeen ? $0 : nil }
        changes.links[key] = nil

        var mark = Mark(key: key, isNew: earlier == nil, lastSeenBefore: earlier?.lastSeen)
        if let (id, was) = former {
            // A device that was recognised by its host name alone may turn out to be another one.
            if was.key == key || was.key == id {
                mark.isNew = mark.isNew && was.isNew
                mark.lastSeenBefore = was.lastSeenBefore ?? mark.lastSeenBefore
                link(was.key, to: key)
            }
        } else if let predecessor {
            mark.isNew = false
            mark.lastSeenBefore = ledger.devices[predecessor]?.lastSeen
            link(predecessor, to: key)
        }
        if isFirstSession, fill.covers(peer) { mark.isNew = false }
        (mark.label, mark.firstSeen) = (ledger.devices[key]?.label, ledger.devices[key]?.firstSeen)
        listed.insert(key)
        return mark
    }

    /// Notes an arriving device, and returns its identifier in the ledger, its former state there, and the device
    /// as which an unknown one was known.
    private mutating func identify(
        _ peer: Peer, at time: Timestamp
    ) -> (key: UUID, known: LedgerDevice?, predecessor: UUID?) {
        let sighting = LedgerDevice(peer, until: time)
        if let known = ledger.devices[peer.id], known.successor == nil {
            add(sighting, peer.id)
            return (peer.id, known, nil)
        }
        let key = ledger.key(of: peer.id, sighting) { listed.contains($0) }
        let known = ledger.devices[key]
        let predecessor =
            known == nil ? ledger.predecessor(of: sighting) { listed.contains($0) } : nil
        add(sighting, key)
        return (key, known, predecessor)
    }

    private mutating func link(_ old: UUID, to new: UUID) {
        guard old != new else { return }
        ledger.link(old, to: new)
        // Most devices arrive by their host names, and give evidence a moment later.
        if unsaved.contains(old), ledger.discardIfSuperfluous(old) {
            changes.sightings.forget(old)
            if let label = changes.labels.removeValue(forKey: old) { changes.labels[new] = label }
        } else if changes.links.count < DeviceLedger.deviceLimit {
            changes.links[old] = new
        }
    }

    /// Returns a list with the marks of its devices.
    func marked(_ sections: [ListSection]) -> [ListSection] {
        sections.map { ListSection(id: $0.id, items: $0.items.map(marked)) }
    }

    private func marked(_ item: ListItem) -> ListItem {
        guard let mark = marks[item.id] else { return item }
        var item = item
        item.peer.label = mark.label
        // A service that is resolved later may have been found earlier than the device.
        item.peer.firstEverSeen = mark.firstSeen.map { min($0, item.peer.firstSeen) }
        // This machine cannot be missed by its own list.
        guard !item.peer.isSelf else { return item }
        (item.peer.isNew, item.peer.lastSeenBefore) = (mark.isNew, mark.lastSeenBefore)
        return item
    }

    /// Notes a device with its evidence.
    private mutating func note(_ peer: Peer, until time: Timestamp) {
        guard canRecognize(peer) else { return }
        add(LedgerDevice(peer, until: time, grouping: grouping), key(of: peer.id))
    }

    private mutating func add(_ sighting: LedgerDevice, _ key: UUID) {
        changes.sightings.note(key, sighting)
        if ledger.note(key, sighting) == .new, unsaved.count < DeviceLedger.deviceLimit {
            unsaved.insert(key)
        }
    }

    /// Returns the identifier of a listed device in the ledger.
    private func key(of id: UUID) -> UUID { marks[id]?.key ?? id }

    /// Whether a device can be recognised: its host is known, and its host name is not one that changes each
    /// time it connects.
    private func canRecognize(_ peer: Peer) -> Bool {
        guard peer.isResolved, peer.identity.source == .hostName else { return peer.isResolved }
        return Evidence(host: peer.identity.value).rank == .hostName
    }

    // MARK: Labels

    /// Labels a device, or removes its label if the text is empty; returns whether the device is known.
    mutating func setLabel(_ text: String, of id: UUID) -> Bool {
        let (label, key) = (text.isEmpty ? nil : text, key(of: id))
        guard ledger.setLabel(label, of: key) else { return false }
        for (former, new) in changes.links where new == key { changes.labels[former] = nil }
        changes.labels.updateValue(label, forKey: key)
        return true
    }

    /// Adopts changed labels of the listed devices at a time, and returns the changes of these.
    mutating func adoptLabels(
        at time: Timestamp, _ item: (UUID) -> ListItem?
    ) -> ItemChanges {
        var items = ItemChanges(at: time)
        for (id, mark) in marks where mark.label != ledger.devices[mark.key]?.label {
            guard let item = item(id) else { continue }
            let was = marked(item)
            marks[id]?.label = ledger.devices[mark.key]?.label
            items.changes[id] = .init(was: was, now: marked(item))
        }
        return items
    }

    // MARK: Saving

    /// Plans a save of changes: at most one a minute, of sightings a minute later, of labels at once.
    mutating func planSave(at now: ContinuousClock.Instant) {
        guard !changes.isEmpty, saving == nil else { return }
        let wanted = changes.labels.isEmpty ? now + Self.interval : now
        let time = max(wanted, lastSave.map { $0 + Self.interval } ?? wanted)
        due = min(due ?? time, time)
    }

    /// Returns the changes to write now; `nil` if it is too early.
    mutating func beginSave(at now: ContinuousClock.Instant) -> Changes? {
        guard let due, due <= now, saving == nil else { return nil }
        guard !changes.isEmpty else { return nil }
        self.due = nil
        lastSave = now
        saving = changes
        changes = Changes()
        unsaved = []
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

    /// Notes the present devices of a list for the last time, and returns all changes that are not written for
    /// certain.
    mutating func finish(_ sections: [ListSection], at time: Timestamp) -> Changes {
        for item in sections.flatMap(\.items) where item.peer.presence == .present {
            note(item.peer, until: time)
        }
        // Writing the file takes the memory of a second ledger.
        ledger = DeviceLedger()
        return saving.map { $0.adding(changes) } ?? changes
    }
}
