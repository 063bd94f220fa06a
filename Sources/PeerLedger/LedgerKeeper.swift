// Recognises the devices of a session by the ledger, and saves the ledger.
package import FoundationEssentials
package import PeerHappenings
package import PeerModel

/// The ledger of a session: marks the listed devices as new and with their labels, and collects the changes
/// that are not in the file yet.
package struct LedgerKeeper: Sendable {
    /// The minimum time between two writes of the file, and between a change and the write.
    static let interval = Duration.seconds(60)
    /// The maximum number of devices among which the latest one of a host name is looked for.
    private static let ownerLimit = 64

    /// The marks that the ledger gives a listed device.
    private struct Mark: Equatable {
        /// The identifier of the device in the ledger; it may differ from the list's.
        let key: UUID
        var label: String?
        var isNew = false
        /// The time of its first sighting ever, as of its arrival.
        var firstSeen: Timestamp?
        /// The time of its last sighting before its arrival.
        var lastSeenBefore: Timestamp?
    }

    /// The file; `nil` if no ledger is used, or if it cannot be read.
    package let file: LedgerFile?
    private var ledger: DeviceLedger
    /// The devices of the ledger without successors, by each text of their evidence and services.
    private var owners: [String: Set<UUID>] = [:]
    /// The marks of the listed devices.
    private var marks: [UUID: Mark] = [:]
    /// The keys of the marks.
    private var listed: Set<UUID> = []
    /// Whether no device was known at the start; then no device that was there is new.
    private let isFirstSession: Bool

    private var changes = LedgerChanges()
    /// The changes that are being written.
    private var saving: LedgerChanges?
    private var lastSave: ContinuousClock.Instant?
    /// The time of the next save; `nil` if nothing is to be saved.
    package private(set) var due: ContinuousClock.Instant?
    private var isFailing = false
    private var notices: [(code: Notice.Code, message: String)] = []

    /// Keeps a ledger that was read from a file.
    package init(_ ledger: DeviceLedger, of file: LedgerFile?) {
        (self.ledger, self.file) = (ledger, file)
        isFirstSession = ledger.devices.isEmpty
        makeIndex()
    }

    /// Reads the ledger of a file; without one, no device is recognised.
    package init(reading file: LedgerFile?) {
        do throws(LedgerFailure) {
            let content = try file?.read()
            self.init(content?.ledger ?? DeviceLedger(), of: file)
            if let damage = content?.damage { notices.append((.ledgerDamaged, damage)) }
        } catch {
            self.init(DeviceLedger(), of: nil)
            notices.append(
                (.ledgerFailed, "devices are neither recognised nor remembered: \(error)"))
        }
    }

    /// Removes and returns what is to be reported.
    package mutating func removeNotices() -> [(code: Notice.Code, message: String)] {
        defer { notices = [] }
        return notices
    }

    // MARK: Recognition

    /// Notes the devices of changes, and returns the changes of devices and of services with the marks of the
    /// devices.
    package mutating func recognize(
        _ devices: ItemChanges?, _ services: ItemChanges? = nil, during fill: InitialFill = .none
    ) -> (devices: ItemChanges?, services: ItemChanges?) {
        guard file != nil else { return (devices, services) }
        let before = (devices.map(markedBefore), services.map(markedBefore))
        if let devices { note(devices, during: fill) }
        return (before.0.map(markedAfter), before.1.map(markedAfter))
    }

    /// Notes the devices of changes.
    private mutating func note(_ items: ItemChanges, during fill: InitialFill) {
        var former: [UUID: (id: UUID, mark: Mark)] = [:]
        for (id, departure) in items.departures.sorted(by: { $0.key < $1.key }) {
            let wasThere = departure.reason == .removed && departure.item.peer.presence == .present
            note(departure.item.peer, until: wasThere ? items.time : departure.item.peer.lastSeen)
            guard let mark = marks.removeValue(forKey: id) else { continue }
            listed.remove(mark.key)
            guard let new = items.replacements[id], former[new] == nil else { continue }
            former[new] = (id, mark)
        }
        // A device that goes on precedes others, which could take its place in the ledger.
        for isOther in [false, true] {
            for (id, item) in items.arrivals where (former[id] == nil) == isOther {
                marks[id] = mark(item.peer, was: former[id], at: items.time, fill)
            }
        }
        for change in items.changes.values {
            note(change.now.peer, until: change.now.peer.lastSeen)
        }
    }

    /// Returns changes with the marks of the items before them.
    private func markedBefore(_ items: ItemChanges) -> ItemChanges {
        var items = items
        items.departures = items.departures.mapValues { (marked($0.item), $0.reason) }
        items.changes = items.changes.mapValues { .init(was: marked($0.was), now: $0.now) }
        return items
    }

    /// Returns changes with the marks of the items after them.
    private func markedAfter(_ items: ItemChanges) -> ItemChanges {
        var items = items
        items.arrivals = items.arrivals.mapValues(marked)
        items.changes = items.changes.mapValues { .init(was: $0.was, now: marked($0.now)) }
        return items
    }

    /// Notes a device that arrives, or goes on under another identifier than `former`, and returns its mark;
    /// `nil` if it cannot be recognised.
    private mutating func mark(
        _ peer: Peer, was former: (id: UUID, mark: Mark)?, at time: Timestamp, _ fill: InitialFill
    ) -> Mark? {
        guard canRecognize(peer) else { return nil }
        let device = LedgerDevice(peer, until: time)
        let key = key(of: peer.id, device)
        let known = ledger.devices[key]
        let predecessor = known == nil ? predecessor(of: device) : nil
        // A stranger has nothing in common with any device that was seen before this arrival.
        let isKnown = known == nil && hasTraces(of: device)
        add(device, key)
        // Not if it was noted since it is here, such as before its identifier changed for a while.
        let earlier = known.flatMap { former == nil || $0.lastSeen < peer.firstSeen ? $0 : nil }
        changes.links[key] = nil

        var mark = Mark(
            key: key, isNew: earlier == nil && !isKnown, lastSeenBefore: earlier?.lastSeen)
        if let (id, was) = former {
            mark.isNew = mark.isNew && was.isNew
            // A device that was recognised by its host name alone may turn out to be another device, unless
            // this session added it.
            if was.key == key || was.key == id || changes.added.contains(was.key) {
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

    /// Returns the identifier under which a device is in the ledger, or is to be added.
    ///
    /// Without lasting evidence, a device is the device that had its host name last. Evidence is lacking before
    /// all services are resolved, or in a list of few types.
    private func key(of id: UUID, _ device: LedgerDevice) -> UUID {
        guard let name = device.hostName, !device.hasLastingEvidence,
            ledger.devices[id].map({ $0.successor != nil }) ?? true,
            // Strangers can give one name to thousands of devices.
            let owners = owners[name], owners.count <= Self.ownerLimit
        else { return id }
        let latest = owners.compactMap { owner in
            ledger.devices[owner].map { (lastSeen: $0.lastSeen, id: owner) }
        }.max { $0 < $1 }
        return latest.flatMap { listed.contains($0.id) ? nil : $0.id } ?? id
    }

    /// Returns the former identifier of a device whose present one is unknown; `nil` if it has none.
    ///
    /// The strongest lasting evidence that a known device has decides, if only one has it. Without any, the host
    /// name decides, if its device never had lasting evidence. A listed device is never the former.
    private func predecessor(of device: LedgerDevice) -> UUID? {
        let claimed = device.evidence.lazy.filter(\.isLasting).compactMap { owners[$0] }.first
        if let claimed {
            return claimed.count == 1 ? claimed.first { !listed.contains($0) } : nil
        }
        guard let id = device.hostNameID, let former = ledger.devices[id], !listed.contains(id)
        else { return nil }
        return former.successor == nil && !former.hasLastingEvidence ? id : nil
    }

    /// Whether the ledger has evidence, the host name or a service of a device, and not of listed devices alone.
    private func hasTraces(of device: LedgerDevice) -> Bool {
        (device.evidence + device.services).contains { text in
            owners[text].map { !$0.isSubset(of: listed) } ?? false
        }
    }

    /// Returns the devices that have had services, as the ledger knows them now: a function that returns the device of
    /// a service, or `nil` if there is none, or if there are several.
    package var knownDevices: @Sendable (ServiceKey) -> KnownDevice? {
        var devices: [String: KnownDevice] = [:]
        for (id, device) in ledger.current {
            let known = KnownDevice(
                id: id, name: device.names.first ?? "", kind: device.kind.flatMap(DeviceKind.init))
            for text in device.services where owners[text]?.count == 1 { devices[text] = known }
        }
        return { [devices] service in
            devices[LedgerDevice.text(ofService: service.name, service.type)]
        }
    }

    private mutating func link(_ old: UUID, to new: UUID) {
        guard old != new else { return }
        change(old, new) { $0.link(old, to: new) }
        // Most devices arrive by their host names, and give evidence a moment later.
        if changes.added.contains(old), let former = ledger.devices[old], former.successor != nil,
            !former.hasLastingEvidence
        {
            change(old) { $0.drop(old) }
            changes.drop(old)
            if let label = changes.labels.removeValue(forKey: old) { changes.labels[new] = label }
        } else if changes.links.count < DeviceLedger.deviceLimit {
            changes.links[old] = new
        }
    }

    /// Returns a list with the marks of its devices.
    package func marked(_ sections: [ListSection]) -> [ListSection] {
        guard !marks.isEmpty else { return sections }
        return sections.map { ListSection(id: $0.id, items: $0.items.map(marked)) }
    }

    private func marked(_ item: ListItem) -> ListItem {
        guard let mark = marks[item.peer.id] else { return item }
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
        add(LedgerDevice(peer, until: time), marks[peer.id]?.key ?? peer.id)
    }

    /// Whether a device can be recognised: its host is known, and does not change its host name each time it
    /// connects.
    private func canRecognize(_ peer: Peer) -> Bool {
        peer.isResolved && peer.identity.rank >= .hostName
    }

    // MARK: The ledger and its index

    private mutating func add(_ device: LedgerDevice, _ key: UUID) {
        changes.note(key, device, isAdded: ledger.devices[key] == nil)
        change(key) { $0.note(key, device) }
        guard ledger.devices.count > LedgerChanges.fullCount else { return }
        ledger.trim()
        makeIndex()
    }

    /// Changes some devices of the ledger and their places in the index.
    private mutating func change(_ ids: UUID..., by body: (inout DeviceLedger) -> Void) {
        let before = ids.map { ledger.claims(of: $0) }
        body(&ledger)
        for (id, was) in zip(ids, before) {
            let now = ledger.claims(of: id)
            guard was != now else { continue }
            for text in was {
                owners[text]?.remove(id)
                if owners[text]?.isEmpty == true { owners[text] = nil }
            }
            for text in now { owners[text, default: []].insert(id) }
        }
    }

    private mutating func makeIndex() {
        owners.removeAll(keepingCapacity: true)
        for id in ledger.devices.keys {
            for text in ledger.claims(of: id) { owners[text, default: []].insert(id) }
        }
    }

    // MARK: Labels

    /// Labels a device, or removes its label if the text is empty; returns why it was not, if so.
    package mutating func setLabel(_ text: String, of id: UUID, isListed: Bool) -> String? {
        guard file != nil else { return "there is no ledger of devices in use" }
        let (label, key) = (text.isEmpty ? nil : text, marks[id]?.key ?? id)
        guard ledger.setLabel(label, of: key) else {
            if !isListed { return "the device is not known" }
            return marks[id] == nil
                ? "its host name is for one connection, and nothing else identifies it"
                : "it was forgotten, and has not answered since"
        }
        for (former, new) in changes.links where new == key { changes.labels[former] = nil }
        changes.labels.updateValue(label, forKey: key)
        return nil
    }

    /// Adopts what the ledger says of the listed devices at a time, and returns the changes of these.
    ///
    /// The label may have changed. A device that the user has made the ledger forget is added again without its
    /// label if it is there.
    package mutating func adoptLedger(at time: Timestamp, _ item: (UUID) -> ListItem?)
        -> ItemChanges
    {
        var items = ItemChanges(at: time)
        for (id, mark) in marks {
            let known = ledger.devices[mark.key]
            guard known == nil || known?.label != mark.label, let item = item(id) else { continue }
            let was = marked(item)
            var new = mark
            new.label = known?.label
            if known == nil {
                (new.firstSeen, new.lastSeenBefore) = (item.peer.firstSeen, nil)
                if item.peer.presence == .present { note(item.peer, until: time) }
            }
            guard new != mark else { continue }
            marks[id] = new
            items.changes[id] = .init(was: was, now: marked(item))
        }
        return items
    }

    /// Returns the changes of the services of devices whose labels changed.
    package func relabelled(_ services: [ListSection], _ devices: ItemChanges) -> ItemChanges {
        var items = ItemChanges(at: devices.time)
        for service in services.flatMap(\.items) {
            guard let change = devices.changes[service.peer.id] else { continue }
            let now = marked(service)
            var was = now
            was.peer.label = change.was.peer.label
            items.changes[service.id] = .init(was: was, now: now)
        }
        return items
    }

    // MARK: Saving

    /// Plans a save of changes: at most one a minute, of devices a minute later, of labels at once.
    package mutating func planSave(at now: ContinuousClock.Instant) {
        guard !changes.isEmpty, saving == nil else { return }
        let wanted = changes.labels.isEmpty ? now + Self.interval : now
        let time = max(wanted, lastSave.map { $0 + Self.interval } ?? wanted)
        due = min(due ?? time, time)
    }

    /// Returns the changes to write now; `nil` if it is too early.
    package mutating func beginSave(at now: ContinuousClock.Instant) -> LedgerChanges? {
        guard let due, due <= now else { return nil }
        (self.due, lastSave) = (nil, now)
        (saving, changes) = (changes, LedgerChanges())
        return saving
    }

    /// Adopts the ledger as it was written, or keeps the changes if writing failed.
    package mutating func endSave(
        _ result: Result<LedgerFile.Content, LedgerFailure>, at now: ContinuousClock.Instant
    ) {
        report(result)
        if case .success(let content) = result {
            ledger = content.ledger
            changes.apply(to: &ledger)
            makeIndex()
        } else if var sum = saving {
            sum.add(changes)
            changes = sum
        }
        saving = nil
        planSave(at: now)
    }

    /// Notes the present devices of a list for the last time, and returns all changes that are not written for
    /// certain.
    package mutating func finish(_ sections: [ListSection], at time: Timestamp) -> LedgerChanges {
        guard file != nil else { return LedgerChanges() }
        for item in sections.flatMap(\.items) where item.peer.presence == .present {
            note(item.peer, until: time)
        }
        // Writing the file takes the memory of a second ledger.
        (ledger, owners) = (DeviceLedger(), [:])
        var sum = saving ?? LedgerChanges()
        sum.add(changes)
        return sum
    }

    /// Reports a damaged file, and the first of several failures to write it.
    package mutating func report(_ result: Result<LedgerFile.Content, LedgerFailure>) {
        switch result {
        case .success(let content):
            isFailing = false
            if let damage = content.damage { notices.append((.ledgerDamaged, damage)) }
        case .failure(let failure):
            if !isFailing {
                notices.append((.ledgerFailed, "the devices seen are not remembered: \(failure)"))
            }
            isFailing = true
        }
    }
}
