// Reads from a recording who was there when.
import FoundationEssentials
import PeerHappenings
package import PeerModel
package import PeerRecording
import PeerText
import TerminalText

/// A stretch of time in which something was the case.
struct Interval: Equatable, Sendable {
    var start: Timestamp
    var end: Timestamp
    /// Whether it began at its start, rather than that the recording did.
    var hasBeginning = true
    /// Whether it ended at its end, rather than that the recording did.
    var hasEnding = true

    var length: Int64 { end.microseconds - start.microseconds }
}

/// The texts about a device, as last known, which are short and without control characters.
struct DeviceFacts: Equatable, Sendable {
    private static let width = 100
    private static let listLimit = 4
    private static let typeLimit = 64
    private static let voucherLimit = 4

    var name = ""
    var host: String?
    /// The kind, maker and model.
    var description = ""
    var kind: DeviceKind?
    var addresses: [String] = []
    /// The types of services that it has ever offered.
    var types: Set<String> = []
    /// The types of services that it offers, as last known.
    var offered: [String] = []
    /// Whether it is the machine that made the recording.
    var isSelf = false
    /// The other machines that answered for it, by name or address, at most ``voucherLimit``.
    var vouchers: Set<String> = []
    /// Whether it was ever heard itself.
    var wasHeard = false
    /// When it was first seen at all.
    var newSince: Timestamp?
    var lastSeen = Timestamp(microseconds: .min)

    /// Updates the facts from an item; a service's row tells less of its device.
    mutating func note(_ item: ListItem, at time: Timestamp) {
        let peer = item.peer
        name = Self.short(peer.displayName)
        host = peer.host.map(Self.short)
        if !item.isService || peer.kind != nil {
            (description, kind) = (Self.short(peer.deviceText), peer.kind)
        }
        let more = peer.addresses.count - Self.listLimit
        addresses = peer.addresses.prefix(Self.listLimit).map(Self.short)
        if more > 0 { addresses.append("and \(more) more") }
        for service in peer.services
        where types.count < Self.typeLimit && !types.contains(service.type) {
            types.insert(Self.short(service.type))
        }
        if !item.isService {
            let offered = Set(peer.services.map(\.type)).sorted().prefix(Self.typeLimit)
            self.offered = offered.map(Self.short)
        }
        isSelf = peer.isSelf
        wasHeard = wasHeard || peer.vouchedBy?.rule == .own
        if let other = peer.vouchedBy?.other, vouchers.count < Self.voucherLimit {
            vouchers.insert(Self.short(other))
        }
        // Each rotated file repeats that it was new when its list began.
        if peer.isNew { newSince = min(newSince ?? time, peer.firstSeen, time) }
        lastSeen = time
    }

    /// Adds the facts of the same device in another recording.
    mutating func merge(_ other: DeviceFacts) {
        let (late, early) = lastSeen < other.lastSeen ? (other, self) : (self, other)
        self = late
        if description.isEmpty { (description, kind) = (early.description, early.kind) }
        types = Set((late.types.union(early.types)).sorted().prefix(Self.typeLimit))
        newSince = [late.newSince, early.newSince].compactMap(\.self).min()
        vouchers = Set(late.vouchers.union(early.vouchers).sorted().prefix(Self.voucherLimit))
        wasHeard = late.wasHeard || early.wasHeard
    }

    /// The remark that only other machines ever answered for it; `nil` if it was heard itself, or nothing was.
    var voucherText: String? {
        wasHeard || vouchers.isEmpty
            ? nil : "only ever vouched for by \(listed(vouchers.sorted()))"
    }

    fileprivate static func short(_ text: String) -> String {
        SafeText(text, upTo: width).cut(to: width).text
    }
}

/// The intervals in which a device was there, and their parts in which it was unanswered or unknown.
struct PresenceLog: Equatable, Sendable {
    var there: [Interval] = []
    var unanswered: [Interval] = []
    var unknown: [Interval] = []

    /// The intervals in which it was there and answered.
    var present: [Interval] { there.subtracting(unanswered + unknown) }
}

/// The presence of devices in a recording.
package struct RecordedPresence: Sendable {
    /// The maximum number of devices; later ones are left out.
    package static let deviceLimit = 20_000
    /// The maximum number of intervals in all, and of each kind of a device; later ones are joined with
    /// the last one.
    static let intervalLimits = (all: 1_000_000, one: 50_000)
    /// The maximum number of observers, and of filters.
    static let headerLimit = 100

    var devices: [UUID: (facts: DeviceFacts, log: PresenceLog)] = [:]
    /// The times at which the list is known.
    var coverage: [Interval] = []
    /// Whether there was no list.
    package var isEmpty: Bool { coverage.isEmpty }
    /// The host names of the machines that made the recording.
    var observers: Set<String> = []
    /// The filters of the recorded lists, such as `services _ssh._tcp; IPv4`.
    package var filters: Set<String> = []
    /// The new identifiers of devices, by their former identifiers.
    var successors: [UUID: UUID] = [:]
    /// The number of parts that cannot be used, and the message about the first of them.
    package var damage: (count: Int, first: String?) = (0, nil)
    package var omitsDevices = false
    package var joinedIntervalCount = 0

    package init() {}

    /// Forgets what ended before a time, and the devices that were not there since, except some.
    mutating func forget(before limit: Timestamp, keeping ids: Set<UUID> = []) {
        coverage = coverage.parts(from: limit)
        for (id, device) in devices {
            var log = device.log
            for kind in [\PresenceLog.there, \.unanswered, \.unknown] {
                log[keyPath: kind] = log[keyPath: kind].parts(from: limit)
            }
            devices[id]?.log = log
            if log.there.isEmpty, !ids.contains(id) { devices[id] = nil }
        }
        // The devices between the first and the last identifier of one may be forgotten.
        let known = successors
        successors = successors.filter { devices[$0.key] != nil }
        for (id, next) in successors {
            var (last, count) = (next, 0)
            while devices[last] == nil, let further = known[last], count < known.count {
                (last, count) = (further, count + 1)
            }
            successors[id] = last
        }
        omitsDevices = omitsDevices && devices.count >= Self.deviceLimit
    }

    /// Returns messages about parts of the recording that are missing or left out.
    package func notices(on name: String) -> [String] {
        let more = damage.count > 1 ? " (and \(damage.count - 1) more)" : ""
        let first = damage.first.map { ["\($0)\(more)"] } ?? []
        var notices: [String] = []
        notices += filters.sorted().prefix(10).map { "only this was recorded: \($0)" }
        if omitsDevices {
            notices.append("devices after the first \(Self.deviceLimit) are left out")
        }
        if joinedIntervalCount > 0 {
            notices.append(
                "\(joinedIntervalCount) absences are left out, of those that came and went most"
            )
        }
        return first + notices.map { "\(name): \($0)" }
    }
}

extension [Interval] {
    /// Returns the parts after a time.
    fileprivate func parts(from limit: Timestamp) -> Self {
        if first.map({ $0.start >= limit }) ?? true { return self }
        return filter { $0.end > limit }.map { interval in
            guard interval.start < limit else { return interval }
            return Interval(
                start: limit, end: interval.end, hasBeginning: false, hasEnding: interval.hasEnding)
        }
    }
}

extension ObserverName {
    /// The name as a short text.
    var title: String { DeviceFacts.short("\(site)/\(observer)") }
}

/// The output that gathers the presences in a recording that is played, and passes them on at its end.
package final class PresenceOutput: ListOutput {
    private var reader = PresenceReader()
    private let receive: @Sendable (RecordedPresence) -> Void

    package init(receive: @escaping @Sendable (RecordedPresence) -> Void) {
        self.receive = receive
    }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        reader.handle(event, at: time)
        if case .ended = event { receive(reader.snapshot(at: time).presence) }
    }

    package func close(within limit: Duration) async -> LineFailure? { nil }
}

/// Gathers presences from the events of a list, live or recorded.
struct PresenceReader {
    /// The presence of a device at the current line.
    private struct Now {
        /// The rows of the device: itself, or its services.
        var rows: [UUID: Presence] = [:]
        var there: (start: Timestamp, hasBeginning: Bool)?
        var unanswered: (start: Timestamp, hasBeginning: Bool)?
        var unknown: (start: Timestamp, hasBeginning: Bool)?
    }

    private(set) var presence = RecordedPresence()
    private var now: [UUID: Now] = [:]
    /// The devices of rows.
    private var owners: [UUID: UUID] = [:]
    private var intervalCount = 0
    /// The start of what is known.
    private var start: Timestamp?
    /// The latest time of a change, which does not go back when the clock is set back.
    private var time = Timestamp(microseconds: .min)

    mutating func handle(_ event: OutputEvent, at time: Timestamp) {
        switch event {
        case .began(let header):
            // Of a list that goes on, it is not known what it was meanwhile.
            endIntervals()
            self.time = max(self.time, time)
            start = self.time
            note(header)
            for id in now.keys { update(id, at: self.time, isObserved: false) }
        case .lost:
            self.time = max(self.time, time)
            endIntervals()
            (now, owners) = ([:], [:])
        case .handedOver(let header): note(header)
        case .updated(let items, _): note(items)
        case .happened(let events): for event in events.compactMap(\.ofItem) { add(event) }
        case .noticed, .ended: self.time = max(self.time, time)
        case .fill, .tick, .sighted, .sources, .answered, .reopened: break
        }
    }

    /// Ends all intervals at the last change, after which the list is unknown.
    private mutating func endIntervals() {
        guard let start = start.take() else { return }
        presence.coverage.append(
            Interval(start: start, end: time, hasBeginning: false, hasEnding: false))
        for id in now.keys { set(id, nil, at: time, isObserved: false) }
    }

    /// Notes the items that arrived or changed; what happened to them is said later.
    private mutating func note(_ items: ItemChanges) {
        time = max(time, items.time)
        for item in Array(items.arrivals.values) + items.changes.values.map(\.now)
        where item.peer.isResolved && describe(item) {
            notePresence(of: item)
        }
    }

    /// Adds what happened to an item.
    private mutating func add(_ event: ItemHappening) {
        let (item, time) = (event.item, min(event.time, self.time))
        switch event.event {
        case .there:
            note(successor: item.peer.id, of: event.former)
            place(item, at: start ?? time, isObserved: false)
        case .arrived:
            note(successor: item.peer.id, of: event.former)
            place(item, at: time, isObserved: true)
        case .left:
            // Whether a device has left that no observer tells of any more is not known.
            remove(item.id, at: time, isObserved: !item.isUnseen)
        case .changed: place(item, at: time, isObserved: false)
        case .silent, .answers:
            guard let owner = owners[item.id] else { break }
            now[owner]?.rows[item.id] = item.peer.presence
            update(owner, at: time, isObserved: true)
        case .identified:
            guard let was = event.was else { break }
            note(successor: item.peer.id, of: was.peer.id)
            remove(was.id, at: time, isObserved: false)
            place(item, at: time, isObserved: false)
        }
    }

    /// Notes that the presence of an item is unknown now, or known again.
    private mutating func notePresence(of item: ListItem) {
        guard let owner = owners[item.id], let was = now[owner]?.rows[item.id],
            (was == .unknown) != (item.peer.presence == .unknown)
        else { return }
        now[owner]?.rows[item.id] = item.peer.presence
        update(owner, at: time, isObserved: true)
    }

    private mutating func note(_ header: LineHeader) {
        guard presence.observers.count < RecordedPresence.headerLimit,
            presence.filters.count < RecordedPresence.headerLimit
        else { return }
        presence.observers.insert(DeviceFacts.short(header.observerHost))
        let filter = header.filter
        let parts = [
            filter.types.isEmpty ? nil : "services " + filter.types.joined(separator: ", "),
            filter.kinds.isEmpty
                ? nil : "kinds " + filter.kinds.map(\.title).joined(separator: ", "),
            filter.vouched.isEmpty
                ? nil : "vouched " + filter.vouched.map(\.rawValue).joined(separator: ", "),
            filter.interface.map { "interface \($0)" },
            filter.family.map { $0 == .ipv4 ? "IPv4" : "IPv6" },
            filter.domain.map { "domain \($0)" },
        ].compactMap(\.self)
        guard !parts.isEmpty else { return }
        presence.filters.insert(DeviceFacts.short(parts.joined(separator: "; ")))
    }

    /// Updates the facts of the device of an item; returns whether there is room for the device.
    private mutating func describe(_ item: ListItem) -> Bool {
        let id = item.peer.id
        if presence.devices[id] == nil {
            guard presence.devices.count < RecordedPresence.deviceLimit else {
                presence.omitsDevices = true
                return false
            }
            presence.devices[id] = (DeviceFacts(), PresenceLog())
        }
        presence.devices[id]?.facts.note(item, at: time)
        return true
    }

    /// Adds a row to its device, or moves it from another device.
    private mutating func place(_ item: ListItem, at time: Timestamp, isObserved: Bool) {
        let id = item.peer.id
        guard presence.devices[id] != nil else { return }
        if let owner = owners[item.id], owner != id {
            note(successor: id, of: owner)
            remove(item.id, at: time, isObserved: false)
        }
        owners[item.id] = id
        now[id, default: Now()].rows[item.id] = item.peer.presence
        update(id, at: time, isObserved: isObserved)
    }

    /// Notes that a device has another identifier now.
    private mutating func note(successor: UUID, of former: UUID?) {
        guard let former, former != successor,
            presence.successors.count < RecordedPresence.deviceLimit
        else { return }
        presence.successors[former] = successor
    }

    /// Removes a row from its device.
    private mutating func remove(_ row: UUID, at time: Timestamp, isObserved: Bool) {
        guard let owner = owners.removeValue(forKey: row) else { return }
        now[owner]?.rows[row] = nil
        update(owner, at: time, isObserved: isObserved)
    }

    /// Sets a device's presence from its rows.
    private mutating func update(_ id: UUID, at time: Timestamp, isObserved: Bool) {
        let rows = now[id]?.rows ?? [:]
        let presence = rows.isEmpty ? nil : Presence.combined(rows.values)
        set(id, presence, at: time, isObserved: isObserved)
        if rows.isEmpty { now[id] = nil }
    }

    /// Sets the presence of a device; `nil` if it is not there.
    private mutating func set(
        _ id: UUID, _ state: Presence?, at time: Timestamp, isObserved: Bool
    ) {
        guard var current = now[id] else { return }
        set(&current.there, id, \.there, to: state != nil, at: time, isObserved)
        let isSilent = state?.isSilent == true
        set(&current.unanswered, id, \.unanswered, to: isSilent, at: time, isObserved)
        set(&current.unknown, id, \.unknown, to: state == .unknown, at: time, isObserved)
        now[id] = current
    }

    private mutating func set(
        _ open: inout (start: Timestamp, hasBeginning: Bool)?, _ id: UUID,
        _ kind: WritableKeyPath<PresenceLog, [Interval]>, to isOn: Bool, at time: Timestamp,
        _ isObserved: Bool
    ) {
        guard isOn != (open != nil) else { return }
        guard let (start, hasBeginning) = open.take() else {
            open = (time, isObserved)
            return
        }
        let interval = Interval(
            start: start, end: max(start, time), hasBeginning: hasBeginning, hasEnding: isObserved)
        let limits = RecordedPresence.intervalLimits
        let count = presence.devices[id]?.log[keyPath: kind].count ?? 0
        if count > 0, count >= limits.one || intervalCount >= limits.all {
            presence.devices[id]?.log[keyPath: kind][count - 1].end = time
            presence.joinedIntervalCount += 1
        } else {
            presence.devices[id]?.log[keyPath: kind].append(interval)
            intervalCount += 1
        }
    }
}

extension PresenceReader {
    /// Names the observers of a fleet instead of the machine that reads it.
    mutating func setObservers(_ names: [String]) {
        presence.observers = Set(names.sorted().prefix(RecordedPresence.headerLimit))
    }

    /// Returns what is known at a time, and the presence of each device that is listed then.
    func snapshot(at time: Timestamp) -> (presence: RecordedPresence, present: [UUID: Presence]) {
        var copy = self
        copy.time = max(copy.time, time)
        let present = now.mapValues { Presence.combined($0.rows.values) }
        copy.endIntervals()
        return (copy.presence, present)
    }

    /// Forgets what ended before a time, and the devices that were not there since.
    mutating func forget(before limit: Timestamp) {
        presence.forget(before: limit, keeping: Set(now.keys))
        intervalCount = presence.devices.values.reduce(0) { count, device in
            let log = device.log
            return count + log.there.count + log.unanswered.count + log.unknown.count
        }
        start = start.map { max($0, limit) }
        for id in now.keys {
            for kind in [\Now.there, \.unanswered, \.unknown] {
                guard let open = now[id]?[keyPath: kind], open.start < limit else { continue }
                now[id]?[keyPath: kind] = (limit, false)
            }
        }
    }
}
