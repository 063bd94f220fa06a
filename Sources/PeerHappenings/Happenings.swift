// Derives what happened from the changes of a list, each event once and after it has settled.
import FoundationEssentials
package import PeerModel

/// The account of what happened to the items of a list.
///
/// A step in what is known is not an event in the world: a device announces its services one by one, withdraws
/// them one by one, or does both within a moment when it restarts. So everything is said one second after it
/// happened, and what comes or goes within a second belongs together. All outputs but the differences of the
/// list are fed by the same account.
///
/// - An item arrives when its host, its name and its addresses are known, or after two seconds without
///   addresses. A service whose host is not known has neither arrived nor can it leave.
/// - It leaves when it is deleted and not inserted again within a second. It is reported as it was before
///   a service went.
/// - It changes if its names, addresses, services or records differ, once they were the same for a second, or
///   after three seconds. What the user sets or an observer sees is no change of its own.
/// - What was there at the start of the list, or of an observer, has not arrived.
///
/// All times come from the changes, so a recording of a list has the same account as the list. If the clock is
/// set back by more than three seconds, everything is said at once; events that a busy machine handles late are
/// no such step.
package struct Happenings: Sendable {
    /// The time in microseconds from an event until it is said.
    private static let settling: Int64 = 1_000_000
    /// The time by which a change is said later. A service that is renamed is withdrawn together with its new name, and
    /// a backend removes it a second later (RFC 6762, section 10.1), or a moment after that.
    private static let delay: Int64 = 250_000
    /// The time from the first of several changes until they are said at the latest.
    private static let patience: Int64 = 3_000_000
    /// The time from the arrival of an item, or from its first answer after a silence, in which more is learned of it,
    /// which is no change.
    private static let learning: Int64 = 2_000_000

    /// An item whose event is not said yet, and may turn out otherwise.
    private struct Pending {
        /// The item as it was said last; `nil` if it is about to arrive.
        var was: ListItem?
        /// The item as it is; `nil` if it is gone.
        var now: ListItem?
        /// The reason of its deletion.
        var departure = Departure.removed
        /// The time of the event, if nothing else comes.
        var time: Timestamp
        /// The time of the first change.
        let start: Timestamp
        /// Whether an observer that was not online yet has reported the item, which was there before.
        var isOfStart = false
        /// Whether it waits until the item is known: what an observer tells before it is online may be a part.
        var isHeld = false

        init(was: ListItem?, now: ListItem?, at time: Timestamp) {
            (self.was, self.now, self.time) = (was, now, time)
            start = time
        }

        /// The last time to which the event can be put off.
        var limit: Timestamp { start.advanced(by: Happenings.patience - Happenings.settling) }
    }

    /// The initial fill: what it covers was there already.
    package var fill = InitialFill.none

    private var pending: [UUID: Pending] = [:]
    /// The times of pending events, in order; an entry of another time than the event's counts no more.
    private var queue: ArraySlice<(time: Timestamp, id: UUID)> = []
    /// The same for changes.
    private var changing: ArraySlice<(time: Timestamp, id: UUID)> = []
    /// The same for arrivals that wait for their addresses.
    private var waiting: ArraySlice<(time: Timestamp, id: UUID)> = []
    /// The items of which more is learned, with the ends of that time in order.
    private var learned: (ends: [UUID: Timestamp], queue: ArraySlice<(time: Timestamp, id: UUID)>) =
        ([:], [])
    /// The events that are said at once.
    private var ready: [Happening] = []
    /// The devices that are away, and what devices are heard through.
    package private(set) var attendance = Attendance()
    private var latest: Timestamp?

    package init() {}

    /// The time at which the next event is said; `nil` if there is none.
    package var due: Timestamp? {
        if let first = ready.first { return first.time }
        let change = changing.first?.time.advanced(by: Self.delay)
        let times = [queue.first?.time, change, waiting.first?.time].compactMap(\.self)
        return times.min()?.advanced(by: Self.settling)
    }

    /// Adds an event of a source, which is said at once.
    package mutating func add(_ happening: SourceHappening) {
        attendance.sources.apply(happening)
        ready.append(.source(happening))
    }

    /// Notes which observers of a fleet are online.
    package mutating func note(_ online: [ObserverName: Bool]) {
        attendance.sources.apply(online)
    }

    /// Adds the changes of a list.
    ///
    /// - Complexity: O(*m*) for *m* changed items, and their services if the changes are of a recording.
    package mutating func apply(_ items: ItemChanges) {
        var arrivals = items.arrivals
        var successors: [UUID: [ListItem]]?
        for (id, departure) in items.departures.sorted(by: { $0.key < $1.key }) {
            guard departure.reason == .identity else {
                remove(id, departure, at: items.time)
                continue
            }
            var new = items.replacements[id]
            if new == nil {
                let known = successors ?? items.successors
                successors = known
                new = departure.item.successor(among: known)
            }
            if let new, let arrival = arrivals.removeValue(forKey: new) {
                replace(id, departure.item, by: new, arrival, at: items.time)
            } else {
                merge(
                    id, departure.item,
                    into: new.flatMap { items.changes[$0]?.now ?? items.arrivals[$0] }, items.time)
            }
        }
        for (id, item) in arrivals {
            if let former = items.predecessors[id], goOn(former, as: id, item, items) { continue }
            insert(id, item, at: items.time)
        }
        for (id, former) in items.predecessors where items.arrivals[id] == nil {
            if let was = items.item(former) { join(was, to: id) }
        }
        for (id, change) in items.changes { self.change(id, change, at: items.time) }
    }

    /// Goes on with an item under another identifier.
    private mutating func replace(
        _ id: UUID, _ item: ListItem, by new: UUID, _ arrival: ListItem, at time: Timestamp
    ) {
        let former = pending.removeValue(forKey: id)
        attendance.move(id, to: new)
        let isLearned = isLearned(id, at: time)
        if let end = learned.ends.removeValue(forKey: id) { learn(new, until: end) }
        // A device may have its own identifier again after a moment, or its host is known only now.
        guard item.peer.isResolved, pending[new] == nil else {
            return insert(new, arrival, at: time)
        }
        if former == nil, isLearned { return }
        var state = former ?? Pending(was: item, now: nil, at: time)
        state.now = arrival
        settle(new, state, since: time)
    }

    /// Goes on with a part of an item as an item of its own; returns `false` if the former item has not arrived.
    private mutating func goOn(
        _ former: UUID, as id: UUID, _ item: ListItem, _ items: ItemChanges
    ) -> Bool {
        guard let was = items.item(former), was.peer.isResolved, pending[id] == nil,
            pending[former].map({ $0.was != nil }) ?? true
        else { return false }
        settle(id, Pending(was: was, now: item, at: items.time), since: items.time)
        return true
    }

    /// Has an item that is about to arrive go on as what another item was; returns `false` if it is not.
    @discardableResult
    private mutating func join(_ was: ListItem, to id: UUID) -> Bool {
        guard was.peer.isResolved, var state = pending[id], state.was == nil else { return false }
        state.was = was
        settle(id, state, since: state.start)
        return true
    }

    /// Ends an item that becomes a part of another item.
    private mutating func merge(
        _ id: UUID, _ item: ListItem, into other: ListItem?, _ time: Timestamp
    ) {
        let absence = attendance.isSilent(id) ? attendance.end(id) : nil
        if let state = pending.removeValue(forKey: id), state.was == nil { return }
        guard let other, item.peer.isResolved, !join(item, to: other.id) else { return }
        var event = ItemHappening(.identified, other, at: time, was: item)
        event.absence = absence?.number
        ready.append(.item(event))
    }

    private mutating func remove(
        _ id: UUID, _ departure: (item: ListItem, reason: Departure),
        at time: Timestamp
    ) {
        guard departure.item.peer.isResolved else { return }
        sayChange(of: id, settledBy: time)
        var state = pending[id] ?? Pending(was: departure.item, now: nil, at: time)
        // An item that has not arrived cannot leave.
        guard state.was != nil else {
            pending[id] = nil
            return
        }
        (state.now, state.departure, state.time) = (nil, departure.reason, time)
        pending[id] = state
        queue.append((time, id))
    }

    private mutating func insert(_ id: UUID, _ item: ListItem, at time: Timestamp) {
        guard item.peer.isResolved else { return }
        guard var state = pending[id] else {
            var state = Pending(was: nil, now: item, at: time)
            state.isOfStart = item.peer.presence == .unknown
            return settle(id, state, since: time)
        }
        // It was gone for less than a second.
        state.now = item
        settle(id, state, since: time)
    }

    private mutating func change(_ id: UUID, _ change: ItemChanges.Change, at time: Timestamp) {
        guard change.now.peer.isResolved else { return }
        guard change.was.peer.isResolved else { return insert(id, change.now, at: time) }
        guard var state = pending[id] else {
            // More is learned in the initial fill, and of what has just come.
            guard fill != .running, isEvent(change, id, isLearned: isLearned(id, at: time)) else {
                return
            }
            return settle(id, Pending(was: change.was, now: change.now, at: time), since: time)
        }
        state.now = change.now
        // What this machine and others know of an item does not put off what happened to it.
        let isMore =
            isEvent(change, id) || change.was.peer.presence != change.now.peer.presence
        if isMore, state.was != nil || state.time > time {
            settle(id, state, since: time)
        } else {
            pending[id] = state
        }
    }

    /// Has an event wait until the item has been the same for a second, and is known.
    private mutating func settle(_ id: UUID, _ state: Pending, since time: Timestamp) {
        var state = state
        // The start of a list is all that is known of what cannot be heard.
        if state.now?.peer.presence == .unknown, fill != .running, !fill.covers(state.start) {
            (state.isHeld, state.time) = (true, Timestamp(microseconds: .max))
            pending[id] = state
        } else if state.isHeld {
            var known = Pending(was: state.was, now: state.now, at: time)
            known.isOfStart = state.isOfStart
            pending[id] = nil
            settle(id, known, since: time)
        } else if state.was == nil {
            awaitAddresses(id, state, since: time)
        } else {
            postpone(id, state, to: time)
        }
    }

    /// Has an arrival wait until its addresses are known.
    private mutating func awaitAddresses(_ id: UUID, _ state: Pending, since time: Timestamp) {
        if state.now?.peer.addresses.isEmpty == false { return postpone(id, state, to: time) }
        if pending[id] == nil { waiting.append((state.limit, id)) }
        pending[id] = state
        pending[id]?.time = state.limit
    }

    /// Puts an event off to a time, if that is not beyond its limit.
    private mutating func postpone(_ id: UUID, _ state: Pending, to time: Timestamp) {
        pending[id] = state
        guard time <= state.limit else { return }
        pending[id]?.time = time
        if state.was == nil || state.now == nil {
            queue.append((time, id))
        } else {
            changing.append((time, id))
        }
    }

    /// Says a change of an item that was the same for a second, before the item leaves.
    private mutating func sayChange(of id: UUID, settledBy time: Timestamp) {
        guard let state = pending[id], state.was != nil, state.now != nil,
            state.time.microseconds <= time.microseconds - Self.settling
        else { return }
        var said: [ItemHappening] = []
        say(id, at: state.time, &said)
        ready += said.map { .item($0) }
    }

    /// Whether a change is to be said.
    private func isEvent(
        _ change: ItemChanges.Change, _ id: UUID, isLearned: Bool = false
    ) -> Bool {
        switch change.now.peer.presence {
        case .unanswered where !attendance.isSilent(id): true
        case .proxied where !attendance.isSilent(id): true
        case .present where attendance.isSilent(id): true
        default: change.isOfItsOwn && !isLearned
        }
    }

    private func isLearned(_ id: UUID, at time: Timestamp) -> Bool {
        learned.ends[id].map { time < $0 } ?? false
    }

    private mutating func learn(_ id: UUID, until end: Timestamp) {
        learned.ends[id] = end
        learned.queue.append((end, id))
    }

    // MARK: What is said

    /// Removes and returns the events that are to be said at a time, in order.
    ///
    /// - Complexity: O(*m* log *m*) for *m* events.
    package mutating func removeDue(at time: Timestamp) -> [Happening] {
        if let latest, time.advanced(by: Self.patience) < latest {
            self.latest = time
            return removeAll()
        }
        latest = max(latest ?? time, time)
        while let (end, id) = learned.queue.first, end <= time {
            learned.queue.removeFirst()
            if learned.ends[id] == end { learned.ends[id] = nil }
        }
        return remove { $0.advanced(by: Self.settling) <= time }
    }

    /// Removes and returns all events, at the end of the list.
    package mutating func removeAll() -> [Happening] { remove { _ in true } }

    /// Drops what is not said yet, as at a jump in a recording.
    package mutating func reset() {
        let (fill, attendance) = (fill, attendance)
        self = Happenings()
        (self.fill, self.attendance) = (fill, attendance)
        self.attendance.reset()
    }

    private mutating func remove(where isDue: (Timestamp) -> Bool) -> [Happening] {
        var said: [ItemHappening] = []
        if let time = queue.first?.time, isDue(time) { joinRenamed() }
        while let (time, id) = queue.first, isDue(time) {
            queue.removeFirst()
            say(id, at: time, &said)
        }
        while let (time, id) = changing.first, isDue(time.advanced(by: Self.delay)) {
            changing.removeFirst()
            say(id, at: time, &said)
        }
        while let (time, id) = waiting.first, isDue(time) {
            waiting.removeFirst()
            say(id, at: time, &said)
        }
        said.sort { left, right in
            left.time == right.time ? left.item.sortsBefore(right.item) : left.time < right.time
        }
        defer { ready = [] }
        return said.map { .item($0) } + ready
    }

    /// Finds items that leave and arrive under another name in the same second, and has them go on.
    ///
    /// A device that renames itself withdraws its old name, and has the same addresses and services under the new one.
    ///
    /// - Complexity: O(*n* log *n*) for *n* pending events.
    private mutating func joinRenamed() {
        let left = pending.filter { $0.value.was != nil && $0.value.now == nil }
        guard !left.isEmpty else { return }
        var arrivals: [[String]: [UUID]] = [:]
        for (id, state) in pending where state.was == nil {
            guard let item = state.now, !item.peer.addresses.isEmpty else { continue }
            arrivals[item.peer.addresses, default: []].append(id)
        }
        guard !arrivals.isEmpty else { return }
        for (id, state) in left.sorted(by: { $0.key < $1.key }) {
            guard let was = state.was, state.departure == .removed,
                let candidates = arrivals[was.peer.addresses], candidates.count == 1,
                let now = pending[candidates[0]]?.now, now.isRenamed(from: was)
            else { continue }
            arrivals[was.peer.addresses] = nil
            pending[id] = nil
            attendance.move(id, to: now.id)
            var joined = Pending(was: was, now: now, at: state.time)
            joined.time = pending[candidates[0]]?.time ?? state.time
            pending[now.id] = joined
        }
    }

    /// Says what happened to an item, if an event of that time still stands.
    private mutating func say(_ id: UUID, at time: Timestamp, _ said: inout [ItemHappening]) {
        guard let state = pending[id], state.time == time else { return }
        pending[id] = nil
        switch (state.was, state.now) {
        case (nil, let now?): sayArrival(of: now, id, state, &said)
        case (let was?, nil):
            // It may have lost its evidence while it left, in recordings of earlier versions.
            let isSilent = attendance.isSilent(id)
            let absence = attendance.leave(was, at: time, isOfLink: state.departure == .link)
            said.append(
                ItemHappening(
                    .left, was, at: time, reason: .init(state.departure, isSilent: isSilent),
                    absence: absence.number))
        case (let was?, let now?):
            let first = said.count
            if was.id != now.id { said.append(ItemHappening(.identified, now, at: time, was: was)) }
            sayPresence(of: now, id, was, at: time, &said)
            if ItemChanges.Change(was: was, now: now).isOfItsOwn {
                said.append(ItemHappening(.changed, now, at: time, was: was))
            }
            for index in said.indices[first...] where said[index].absence == nil {
                said[index].absence = attendance[id]?.number
            }
        case (nil, nil): break
        }
    }

    private mutating func sayArrival(
        of item: ListItem, _ id: UUID, _ state: Pending, _ said: inout [ItemHappening]
    ) {
        // The devices of a fleet have the times of its observers' clocks.
        let isOfFill =
            item.peer.views.isEmpty ? fill.covers(item.peer) : fill.covers(state.start)
        let isThere = isOfFill || state.isOfStart
        let absence = attendance.end(returning: item)
        let departure = absence.flatMap { $0.hasLeft ? $0 : nil }
        var happening = ItemHappening(
            isThere ? .there : .arrived, item, at: state.time,
            reason: departure?.isOfLink == true ? .link : nil,
            since: departure?.since ?? item.peer.lastSeenBefore, absence: absence?.number)
        if let departure, departure.id != item.id { happening.former = departure.id }
        said.append(happening)
        learn(id, until: state.start.advanced(by: Self.learning))
        if item.peer.presence.isSilent { _ = attendance.silence(id, at: state.time) }
    }

    private mutating func sayPresence(
        of item: ListItem, _ id: UUID, _ was: ListItem, at time: Timestamp,
        _ said: inout [ItemHappening]
    ) {
        switch item.peer.presence {
        case .unanswered where !attendance.isSilent(id), .proxied where !attendance.isSilent(id):
            let absence = attendance.silence(id, at: time)
            said.append(
                ItemHappening(.silent, item, at: time, was: was, since: time, absence: absence))
        case .present where attendance.isSilent(id):
            guard let absence = attendance.end(id) else { break }
            learn(id, until: time.advanced(by: Self.learning))
            said.append(
                ItemHappening(
                    .answers, item, at: time, was: was, since: absence.since,
                    absence: absence.number))
        default: break
        }
    }
}

extension ItemChanges {
    /// Returns an item as it was before the changes, if it changed or departed.
    fileprivate func item(_ id: UUID) -> ListItem? { departures[id]?.item ?? changes[id]?.was }

    /// The items that others can go on as, by the services that both have; a recording does not say it.
    fileprivate var successors: [UUID: [ListItem]] {
        var successors: [UUID: [ListItem]] = [:]
        for item in arrivals.values + changes.values.map(\.now) {
            for service in item.peer.services { successors[service.id, default: []].append(item) }
        }
        return successors
    }
}

extension ItemChanges.Change {
    /// Whether the item itself has changed, rather than its presence, the views of it, what the user and this machine
    /// know of it, or what tells its name from those of others, as in `TV (lounge)`.
    package var isOfItsOwn: Bool {
        let (was, now) = (was.peer, now.peer)
        return DeviceClaim.base(was.name) != DeviceClaim.base(now.name)
            || was.addresses != now.addresses || was.host != now.host
            || !was.hasSameServices(as: now)
    }
}

extension ListItem {
    /// Returns the identifier of the item that this one goes on as, of those that have each service: one that has an
    /// address of this one, as others may be hosts of the same name on another network.
    fileprivate func successor(among items: [UUID: [ListItem]]) -> UUID? {
        let candidates = peer.services.lazy.compactMap { items[$0.id] }.first ?? []
        let near = candidates.filter { $0.peer.addresses.contains(where: peer.addresses.contains) }
        return (near.isEmpty ? candidates : near).map(\.id).min()
    }

    /// Whether the item is a device that was another item under its former host name: both have the same types of
    /// services, and no MAC addresses contradict that.
    fileprivate func isRenamed(from was: ListItem) -> Bool {
        let (former, peer) = (was.peer, peer)
        guard !isService, !was.isService, former.host != peer.host,
            former.macs.isEmpty || peer.macs.isEmpty
                || former.macs.contains(where: peer.macs.contains)
        else { return false }
        return Set(former.services.map(\.type)) == Set(peer.services.map(\.type))
    }

    fileprivate func sortsBefore(_ other: ListItem) -> Bool {
        (displayName, id) < (other.displayName, other.id)
    }
}

extension ItemHappening.Reason {
    /// The reason as that of an item that leaves the list.
    package var departure: Departure {
        switch self {
        case .goodbye: .removed
        case .expired: .expired
        case .revoked: .revoked
        case .link: .link
        case .backend: .backend
        }
    }

    fileprivate init(_ departure: Departure, isSilent: Bool) {
        switch departure {
        case .backend: self = .backend
        case .link: self = .link
        case .expired: self = .expired
        case .revoked: self = .revoked
        case .removed, .identity: self = isSilent ? .expired : .goodbye
        }
    }
}
