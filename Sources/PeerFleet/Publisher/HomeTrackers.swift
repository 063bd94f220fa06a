// Decides which devices Home Assistant tracks, and when one of them is not at home.
import FoundationEssentials
package import PeerHappenings
package import PeerModel

/// The device trackers of the devices in a list, without I/O.
///
/// A device that stops answering, or departs, is at home until it has been gone for a time; if it returns
/// earlier, nothing changes. A device is unavailable, not away, while nothing could be seen of it: while it cannot be
/// heard, by the rules of ``AbsentSources`` that expectations follow too, and while its identifier is contested, so
/// that it is listed under a weaker one.
///
/// A tracker stays until its device goes on under another identifier, as the broker's messages of earlier runs
/// are read back. So that guests get no tracker, a device gets one if the user has labelled it, or if its
/// records identify it and it has been known for a day, or if the list has chosen kinds only.
package struct HomeTrackers: Sendable {
    private typealias State = HomeAssistant.State
    /// A time of the machine's clock that stands still while the machine is suspended, and sees no device.
    package typealias Instant = SuspendingClock.Instant

    /// The time after which a device that is gone is not at home, by default.
    package static let standardTime = Duration.seconds(180)
    /// The maximum number of trackers.
    static let limit = 10_000
    /// The time for which a new device is listed before it gets a tracker: by then its identifier is known.
    private static let settlingTime = Duration.seconds(5)
    /// The minimum time to wait for a device that was tracked before the start.
    private static let startTime = Duration.seconds(60)
    /// The time for which a device without a label is known before it gets a tracker: a day, in microseconds.
    private static let guestTime: Int64 = 86_400_000_000

    private struct Tracker {
        /// The description; empty until there is one.
        var config: [UInt8] = []
        var state: State
        /// The identifier under which its device is listed; not its own while that is contested.
        var device: UUID
        var isContested = false
        /// The device as it was last listed.
        var last: ListItem?
        /// Whether this machine heard that the device left.
        var saidGoodbye = false
        /// The time at which it is not at home, unless it is seen before; `nil` if nothing is waited for.
        var end: Instant?
        var needsConfig = true
        var needsState = true

        mutating func follow(_ device: UUID) { (self.device, isContested) = (device, false) }

        mutating func change(to state: State) { (self.state, needsState) = (state, true) }

        mutating func change(to config: [UInt8]) { (self.config, needsConfig) = (config, true) }
    }

    /// The condition of a device.
    private enum Condition { case present, missing, unknown, undecided }

    private let home: HomeAssistant
    /// The time after which a device that is gone is not at home; `nil` if nothing is tracked, and trackers of
    /// earlier runs are removed.
    private let time: Duration?
    private let isOfKinds: Bool
    private var listed: [UUID: ListItem] = [:]
    /// The MAC addresses of the listed devices, and of departed ones with a tracker.
    private var held: [UUID: [String]] = [:]
    /// The devices that have each of these addresses: a range extender gives its own to all devices behind it.
    private var holders: [String: [UUID]] = [:]
    /// The devices whose addresses have become those of several devices, or of one alone.
    private var affected: Set<UUID> = []
    /// The numbers of listed devices that can be heard, and that cannot.
    private var count = AbsentSources.Count()
    /// The trackers by the identifiers of their devices.
    private var trackers: [UUID: Tracker] = [:]
    /// The trackers whose device is listed under another identifier, by that one.
    private var contested: [UUID: UUID] = [:]
    /// The times from which listed devices without a tracker may get one, once they are known to be there.
    private var candidates: [UUID: Instant] = [:]
    /// The interfaces, backends, brokers and observers that are away.
    private var sources = AbsentSources()

    /// The topics that are to be cleared.
    private var cleared: Set<String> = []
    /// The trackers that may have something to publish.
    private var dirty: Set<UUID> = []
    /// Whether the messages of earlier runs were read.
    private var isRead = false
    /// The descriptions and states that were read back and are of no tracker yet.
    private var found: (configs: [UUID: [UInt8]], states: [UUID: State]) = ([:], [:])

    /// Creates the trackers of an empty list.
    ///
    /// - Parameters:
    ///   - home: The topics and messages.
    ///   - time: The time after which a device that is gone is not at home; `nil` to track nothing, and to
    ///     remove the trackers of earlier runs.
    ///   - isOfKinds: Whether the list has only devices of kinds that the user has chosen.
    package init(_ home: HomeAssistant, after time: Duration?, isOfKinds: Bool = false) {
        (self.home, self.time, self.isOfKinds) = (home, time, isOfKinds)
    }

    // MARK: The list

    /// Applies changes of the list.
    package mutating func apply(_ items: ItemChanges, at now: Instant) {
        guard time != nil else { return }
        let wasDeaf = sources.hearNothing(count)
        for id in items.departures.keys { list(id, nil) }
        for (id, item) in items.arrivals { list(id, item) }
        for (id, change) in items.changes { list(id, change.now) }
        for (id, departure) in items.departures.sorted(by: { $0.key < $1.key }) {
            candidates[id] = nil
            if departure.reason == .identity, let new = items.replacements[id], listed[new] != nil {
                move(id, departure.item.peer.identity.rank, to: new)
                trackers[id]?.last = departure.item
            } else {
                remove(id, departure.item, departure.reason, at: now)
            }
        }
        for id in Set(items.arrivals.keys).union(items.replacements.values) {
            show(id, isNew: true, at: now)
        }
        for id in items.changes.keys { show(id, isNew: false, at: now) }
        describeAffected()
        if sources.hearNothing(count) != wasDeaf { decideUnlisted(at: now) }
    }

    /// Notes through what devices cannot be heard.
    package mutating func apply(_ sources: AbsentSources, at now: Instant) {
        self.sources = sources
        decideUnlisted(at: now)
    }

    private mutating func list(_ id: UUID, _ item: ListItem?) {
        if let was = listed[id]?.peer { count.add(was, -1) }
        // A device that departed is still one for Home Assistant.
        if item != nil || trackers[id] == nil { hold(item, id) }
        listed[id] = item
        if let item { count.add(item.peer) }
    }

    /// Notes the MAC addresses of a device; `nil` if it is of no account any more.
    private mutating func hold(_ item: ListItem?, _ id: UUID) {
        let now = item.map { HomeAssistant.connections(of: $0.peer) } ?? []
        let was = held[id] ?? []
        guard now != was else { return }
        held[id] = now.isEmpty ? nil : now
        for mac in was {
            holders[mac]?.removeAll { $0 == id }
            if let others = holders[mac], others.count == 1 { affected.formUnion(others) }
            if holders[mac]?.isEmpty == true { holders[mac] = nil }
        }
        for mac in now {
            if let others = holders[mac], others.count == 1 { affected.formUnion(others) }
            holders[mac, default: []].append(id)
        }
    }

    /// Describes the devices whose MAC addresses others have now, or have no more.
    private mutating func describeAffected() {
        for id in affected where trackers[id]?.device == id {
            if let item = listed[id] { describe(id, item.peer) }
        }
        affected = []
    }

    /// Lets a tracker go on when the identifier of its device, which had a rank, has changed.
    private mutating func move(_ old: UUID, _ rank: Identity.Rank, to new: UUID) {
        guard let peer = listed[new]?.peer else { return }
        if let key = contested.removeValue(forKey: old) {
            if key == new {
                trackers[key]?.follow(new)
            } else {
                trackers[key]?.device = new
                contested[new] = key
            }
            return
        }
        guard var tracker = trackers[old], tracker.device == old else { return }
        guard peer.identity.rank >= rank else {
            // It is the same device, but its evidence was withdrawn, or another device claims it too.
            (tracker.device, tracker.isContested) = (new, peer.claims(old))
            trackers[old] = tracker
            drop(new)
            contested[new] = old
            return
        }
        drop(old)
        guard trackers[new] == nil else { return }
        (tracker.device, tracker.needsConfig, tracker.needsState) = (new, true, true)
        add(new, tracker)
    }

    /// Notes that a device left the list.
    private mutating func remove(
        _ id: UUID, _ item: ListItem, _ reason: Departure, at now: Instant
    ) {
        let key = contested.removeValue(forKey: id) ?? id
        guard trackers[key]?.device == id else { return }
        trackers[key]?.last = item
        trackers[key]?.saidGoodbye = reason == .removed && sources.observers == nil
        trackers[key]?.follow(key)
        // It was not found again, which is not known to be its departure.
        if reason == .link || reason == .backend { set(key, .unavailable) }
        decide(key, at: now)
    }

    /// Notes a device that arrived or changed.
    private mutating func show(_ id: UUID, isNew: Bool, at now: Instant) {
        guard let item = listed[id] else { return }
        if trackers[id] == nil { follow(item.peer) }
        if let key = contested[id] {
            trackers[key]?.isContested = item.peer.claims(key)
            return decide(key, at: now)
        }
        guard let tracker = trackers[id] else {
            candidates[id] = candidates[id] ?? now + Self.settlingTime
            return
        }
        if tracker.device != id {
            // Another device has the identifier, unless a fleet's observers tell of one device by two.
            guard isNew, !item.peer.views.isEmpty || listed[tracker.device] == nil else { return }
            contested[tracker.device] = nil
            trackers[id]?.follow(id)
        }
        guard isTracked(item.peer) else { return drop(id) }
        describe(id, item.peer)
        decide(id, at: now)
    }

    /// Moves a tracker to a device that announces the identifier of the tracker, unless another device is listed under
    /// that identifier.
    private mutating func follow(_ peer: Peer) {
        let claimed = peer.evidence?.first { evidence in
            evidence.id != peer.id && listed[evidence.id] == nil
                && trackers[evidence.id]?.device == evidence.id
        }
        if let claimed { move(claimed.id, claimed.rank, to: peer.id) }
    }

    /// Lets the trackers of departed devices of a fleet follow the devices that have their host names at the same
    /// sites: a fleet does not know what else a device announces.
    private mutating func followByHost(at now: Instant) {
        var departed: [String: [UUID]] = [:]
        for (id, tracker) in trackers where listed[tracker.device] == nil {
            if let last = tracker.last?.peer, !last.views.isEmpty, let host = last.host {
                departed[host, default: []].append(id)
            }
        }
        guard !departed.isEmpty else { return }
        for item in listed.values where item.peer.presence == .present {
            guard let host = item.peer.host, contested[item.id] == nil else { continue }
            for id in departed[host] ?? [] {
                guard let last = trackers[id]?.last?.peer, last.canBeHost(of: item.peer) else {
                    continue
                }
                move(id, last.identity.rank, to: item.id)
                show(item.id, isNew: true, at: now)
                break
            }
        }
    }

    // MARK: Time

    /// Does what had to wait until a time; to be called every few seconds.
    package mutating func advance(to now: Instant, _ today: Timestamp) {
        if sources.removeReturned(at: today) { decideUnlisted(at: now) }
        for (id, start) in candidates where start <= now {
            guard trackers.count < Self.limit else { break }
            guard let item = listed[id], contested[id] == nil,
                item.peer.presence != .unknown,
                isTracked(item.peer) || isKnown(item.peer, at: today)
            else { continue }
            add(id, Tracker(state: .unavailable, device: id))
            show(id, isNew: true, at: now)
            // A device that was not seen at home has not left it.
            if trackers[id]?.end != nil { trackers[id]?.end = now }
        }
        followByHost(at: now)
        for (id, tracker) in trackers where tracker.end.map({ $0 <= now }) ?? false {
            trackers[id]?.end = nil
            set(id, .notHome)
        }
    }

    private func isTracked(_ peer: Peer) -> Bool {
        peer.label != nil || peer.hasStrongIdentity && (isOfKinds || trackers[peer.id] != nil)
    }

    /// Whether the records of a device identify it, and it was first seen a day ago.
    private func isKnown(_ peer: Peer, at time: Timestamp) -> Bool {
        let first = min(peer.firstEverSeen ?? peer.firstSeen, peer.firstSeen)
        return peer.hasStrongIdentity
            && first.microseconds <= time.microseconds - Self.guestTime
    }

    private func condition(of tracker: Tracker) -> Condition {
        guard let item = listed[tracker.device] else {
            let paths = tracker.last?.paths ?? []
            // A goodbye that was heard is known although other devices are still being found again.
            let isKnown =
                tracker.saidGoodbye && sources.away(paths).isEmpty
                || !sources.concern(paths) && sources.knownTime(paths, in: count) != nil
            return isKnown ? .missing : .unknown
        }
        switch item.peer.presence {
        case .present: return tracker.isContested ? .unknown : .present
        case .unanswered: return .missing
        // A device that sleeps may be there or not.
        case .proxied: return item.peer.vouchedBy?.rule == .sleepProxy ? .undecided : .missing
        case .unknown: return .unknown
        case .resolving: return .undecided
        }
    }

    /// Decides the state of a tracker after a change.
    private mutating func decide(_ id: UUID, at now: Instant) {
        guard let tracker = trackers[id], let time else { return }
        switch condition(of: tracker) {
        case .present:
            trackers[id]?.end = nil
            set(id, .home)
        case .unknown:
            // It may return unseen.
            trackers[id]?.saidGoodbye = false
            trackers[id]?.end = nil
            set(id, .unavailable)
        case .missing where tracker.state != .notHome:
            trackers[id]?.end = tracker.end ?? now + time
        case .missing, .undecided: break
        }
    }

    private mutating func decideUnlisted(at now: Instant) {
        for (id, tracker) in trackers where listed[tracker.device] == nil { decide(id, at: now) }
    }

    // MARK: Messages

    /// Whether devices are tracked; otherwise, only the trackers of earlier runs are removed.
    var tracksDevices: Bool { time != nil }

    /// The filters of the messages that earlier connections may have left.
    package var filters: [String] {
        time == nil && isRead ? [] : [home.states, home.configs]
    }

    /// Begins to read back, after which all is published that the broker lacks.
    package mutating func beginRead() {
        found = ([:], [:])
        for id in trackers.keys {
            trackers[id]?.needsState = true
            trackers[id]?.needsConfig = true
        }
        dirty = Set(trackers.keys)
    }

    /// Handles a message that the broker keeps.
    package mutating func readBack(_ payload: [UInt8], on topic: String) {
        switch home.parse(topic) {
        case .state(let id)?:
            let state = State(payload)
            if trackers[id] == nil {
                found.states[id] = state ?? .unavailable
            } else if trackers[id]?.state == state {
                trackers[id]?.needsState = false
            }
        case .config(let id)? where home.isOwn(payload):
            guard let id else {
                cleared.insert(topic)
                return
            }
            if trackers[id] == nil {
                found.configs[id] = payload
            } else if trackers[id]?.config == payload {
                trackers[id]?.needsConfig = false
            }
        default: break
        }
    }

    /// Ends reading back: devices that an earlier run has tracked are tracked on, if the
    /// program tracks any.
    package mutating func endRead(at now: Instant) {
        defer { (isRead, found) = (true, ([:], [:])) }
        if let time, !isRead {
            for (id, config) in found.configs
            where trackers.count < Self.limit && !cleared.contains(home.configTopic(id)) {
                let state = found.states.removeValue(forKey: id)
                var tracker = Tracker(config: config, state: state ?? .unavailable, device: id)
                (tracker.needsState, tracker.needsConfig) = (state == nil, false)
                if state != .notHome { tracker.end = now + max(time, Self.startTime) }
                found.configs[id] = nil
                add(id, tracker)
                show(id, isNew: true, at: now)
            }
        }
        for id in listed.keys where trackers[id] == nil { show(id, isNew: true, at: now) }
        cleared.formUnion(found.configs.keys.map(home.configTopic))
        cleared.formUnion(found.states.keys.map(home.stateTopic))
    }

    /// Removes and returns the next message to publish; an empty one clears its topic.
    package mutating func next() -> (payload: [UInt8], topic: String)? {
        // A new tracker of a device that has lost its old one can have the same name in Home Assistant.
        if let topic = cleared.popFirst() { return ([], topic) }
        while let id = dirty.first {
            guard let tracker = trackers[id], tracker.needsState || tracker.needsConfig else {
                dirty.remove(id)
                continue
            }
            // The state first, so that Home Assistant finds it.
            if tracker.needsState {
                trackers[id]?.needsState = false
                return (tracker.state.payload, home.stateTopic(id))
            }
            trackers[id]?.needsConfig = false
            return (tracker.config, home.configTopic(id))
        }
        return nil
    }

    // MARK: Trackers

    private mutating func add(_ id: UUID, _ tracker: Tracker) {
        trackers[id] = tracker
        candidates[id] = nil
        dirty.insert(id)
        // A former tracker had the same topics.
        cleared.subtract([home.stateTopic(id), home.configTopic(id)])
    }

    /// Removes a tracker, if the device has one.
    private mutating func drop(_ id: UUID) {
        guard let tracker = trackers.removeValue(forKey: id) else { return }
        if tracker.device != id { contested[tracker.device] = nil }
        if listed[id] == nil { hold(nil, id) }
        cleared.formUnion([home.stateTopic(id), home.configTopic(id)])
    }

    private mutating func set(_ id: UUID, _ state: State) {
        guard trackers[id]?.state != state else { return }
        trackers[id]?.change(to: state)
        dirty.insert(id)
    }

    private mutating func describe(_ id: UUID, _ peer: Peer) {
        let macs = HomeAssistant.connections(of: peer).filter { holders[$0]?.count == 1 }
        let config = home.config(of: peer, connections: macs)
        guard trackers[id]?.config != config else { return }
        trackers[id]?.change(to: config)
        dirty.insert(id)
    }
}

extension Peer {
    /// Whether an identifier in the records of the device is its own.
    fileprivate var hasStrongIdentity: Bool { [.announced, .txt, .name].contains(identity.source) }

    /// Whether the device announces an identifier, or it is not known what it announces.
    fileprivate func claims(_ id: UUID) -> Bool { evidence?.contains { $0.id == id } ?? true }

    /// Whether another device of the same host name is this one: an observer of the same site lists it, and it is not
    /// a host of another network.
    fileprivate func canBeHost(of other: Peer) -> Bool {
        let isOfSite = views.contains { view in
            other.views.contains { $0.name.site.utf8.elementsEqual(view.name.site.utf8) }
        }
        guard isOfSite, HostTraces(self).areApart(from: HostTraces(other)) else { return isOfSite }
        return views.contains { view in other.views.contains { $0.name == view.name } }
    }
}
