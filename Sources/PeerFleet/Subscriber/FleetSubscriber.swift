// Decides what a fleet subscribes to, and which messages change what its observers have published.
import FoundationEssentials
package import PeerModel
import PeerRecording

/// The reader of a fleet's topics, without I/O.
///
/// One subscription has the statuses of all observers, and each observer's peers have their own: a broker
/// drops messages for a client that reads more slowly than a whole fleet is sent. Messages that were lost are
/// not noticed: the peers of each observer are read again at each connection, and every ten minutes.
///
/// A status changes all views of an observer, and for a read the broker sends messages about all its
/// peers. So both are rare, the rarer the more peers there are; only the latest status is used.
package struct FleetSubscriber {
    /// A step that is to be taken after an event.
    package enum Action: Sendable {
        case subscribe(String)
        case unsubscribe(String)
        case change(FleetChange)
        case notice(Notice.Code, String)
        /// All that the broker keeps has been read.
        case settled
    }

    private struct Observed {
        /// The states of reading the peers: not wanted yet at this connection, to be read as soon as the
        /// limits allow, and so on.
        enum Read { case unread, waiting, running, done }

        /// The latest message about a peer.
        struct Message {
            /// The hash of the message; an unchanged message is not parsed again.
            var hash: Int
            /// The size in bytes.
            var size: Int32
            /// The count of reads when it arrived.
            var read: Int32
            /// The observer's number of the message.
            var number: Int
        }

        /// The latest status; `nil` if it was cleared.
        var status: ObserverStatus?
        /// The status that the list has; `nil` if it has none, and so no peers.
        var shown: ObserverStatus?
        /// The time at which the latest status arrived.
        private var statusTime: ContinuousClock.Instant?
        /// Whether a status arrived since the list was changed.
        var isStatusNew = true
        var statuses = TokenBucket()
        /// The latest process of the observer, and the greatest number of its messages.
        var latest: (run: UUID?, number: Int) = (nil, 0)
        var read = Read.unread
        /// The time at which the peers are to be read, if ``reads`` allows it; `nil` until a status arrives,
        /// and while they are read.
        var readTime: ContinuousClock.Instant?
        var reads = TokenBucket()
        var readCount: Int32 = 0
        /// The peers that the list has.
        var peers: [UUID: Message] = [:]
        /// The latest census, and whether the peers were not compared with it yet.
        var census: ObserverCensus?
        var isCensusNew = false
        var censuses = TokenBucket()
        /// The time at which it gives up its place after its status was cleared.
        var placeEnd: ContinuousClock.Instant?

        mutating func beginConnection() { (read, readTime) = (.unread, nil) }

        /// Notes that the status was cleared.
        mutating func clearStatus() { (status, isStatusNew) = (nil, true) }

        /// Notes a new status; the peers are read after the first status of a connection.
        mutating func note(_ status: ObserverStatus, at now: ContinuousClock.Instant) {
            if self.status?.run != status.run { isCensusNew = census != nil }
            self.status = status
            (statusTime, isStatusNew) = (now, true)
            if status.state == .online { noteNumber(of: status) }
            if read == .unread, readTime == nil { readTime = now }
        }

        /// Whether the observer does not have a peer any more, about which a message has a number: by the census of
        /// the process that it is now.
        func lacks(_ id: UUID, publishedAs number: Int) -> Bool {
            guard let census, census.run == status?.run else { return false }
            return census.lacks(id, publishedAs: number)
        }

        /// The time at which it is away unless another status arrives: after three times the interval that it
        /// states; `nil` if it states none, or is not online.
        var silenceEnd: ContinuousClock.Instant? {
            guard status?.state == .online, let interval = status?.interval else { return nil }
            let bounds = FleetSubscriber.statusIntervals
            let seconds = min(max(interval, bounds.lowerBound), bounds.upperBound)
            return statusTime.map { $0 + .seconds(3 * seconds) }
        }

        /// Notes that no status has arrived for too long.
        mutating func beginSilence() {
            status?.state = .offline
            isStatusNew = true
        }

        /// Notes the number of messages in a status.
        ///
        /// A broker that was killed restarts with the messages that it saved last. If this status is one of
        /// them, the observer has not returned yet.
        private mutating func noteNumber(of status: ObserverStatus) {
            let number = status.sequence ?? 0
            if let run = status.run, run == latest.run, number < latest.number {
                self.status?.state = .syncing
            } else {
                latest = (status.run, number)
            }
        }
    }

    /// The time to keep observers that are missing at a new connection: a restarted broker may have lost
    /// their messages, and they wait up to 30 seconds between attempts to connect.
    package static let returnTime = Duration.seconds(60)
    /// The time for which an observer takes up a place after its status was cleared. Otherwise its removal
    /// would reset its limits in time.
    package static let placeTime = Duration.seconds(60)

    /// The intervals between two statuses of an observer that count, in seconds; others are the next of these.
    package static let statusIntervals = 10...3600
    /// The longest interval between two reads of an observer at a connection.
    package static let rereadInterval = Duration.seconds(600)
    /// The number of reads of an observer that the limit in time allows at once.
    private static let readBurst = 4

    /// The interval between two statuses of an observer that count: a second, and 200 µs for each peer that
    /// the observers of its name have, so that these change at most 5,000 views a second.
    private static func statusInterval(_ peers: Int) -> Duration {
        max(.seconds(1), .microseconds(200) * peers)
    }

    /// The interval between two reads of an observer, after the first ones: 15 seconds, and 1 ms for each
    /// peer that the observers of its name have.
    private static func readInterval(_ peers: Int) -> Duration {
        max(.seconds(15), .milliseconds(1) * peers)
    }

    private let topics: FleetTopics
    private let selection: FleetSelection
    private let limits: FleetLimits
    private var usage: FleetUsage
    private var observers: [ObserverName: Observed] = [:]
    /// The observers whose status arrived since the connection was made; `nil` once all have.
    private var confirmed: Set<ObserverName>?
    /// The observers of an earlier connection that have no status at this one.
    private var missing: Set<ObserverName> = []
    /// The time at which the missing observers are removed.
    private var returnEnd: ContinuousClock.Instant?
    private var waiting: [ObserverName] = []
    /// The number of reads so far.
    private var readCount = 0
    private var isSettled = false
    /// The keys of what was reported, by the names of the observers; limits of all observers have an empty
    /// name.
    private var reported: [ObserverName: Set<String>] = [:]
    /// The times at which the limits in time allow something.
    private var plans: [ObserverName: ContinuousClock.Instant] = [:]
    /// The time of the latest event.
    private var now = ContinuousClock.now

    /// The time at which ``advance(to:)`` is to be called; `nil` if nothing waits.
    package private(set) var deadline: ContinuousClock.Instant?

    /// Creates the reader of a fleet, or of some of its observers.
    package init(
        _ topics: FleetTopics, _ selection: FleetSelection = FleetSelection(),
        limits: FleetLimits = FleetLimits()
    ) {
        (self.topics, self.selection) = (topics, selection)
        (self.limits, usage) = (limits, FleetUsage(limits))
    }

    // MARK: Time

    /// Does what had to wait until a time.
    package mutating func advance(to now: ContinuousClock.Instant) -> [Action] {
        self.now = now
        guard let deadline, deadline <= now else { return [] }
        var actions: [Action] = []
        if let end = returnEnd, end <= now {
            returnEnd = nil
            actions += missing.sorted().flatMap { remove($0) }
        }
        for name in plans.filter({ $0.value <= now }).keys.sorted() {
            plans[name] = nil
            actions += proceed(name)
        }
        self.deadline = (plans.values + [returnEnd].compactMap(\.self)).min()
        return actions + settle()
    }

    /// Plans to proceed with an observer at a time.
    private mutating func plan(_ name: ObserverName, at time: ContinuousClock.Instant) {
        plans[name] = min(plans[name] ?? time, time)
        deadline = min(deadline ?? time, time)
    }

    // MARK: The connection

    /// Begins to read, after a connection was made.
    package mutating func connected(at now: ContinuousClock.Instant) -> [Action] {
        self.now = now
        (confirmed, waiting, isSettled, missing, returnEnd) = ([], [], false, [], nil)
        usage.beginConnection()
        for name in observers.keys {
            observers[name]?.beginConnection()
        }
        return topics.statuses(of: selection).map(Action.subscribe)
            + [.unsubscribe(topics.statusMark)]
    }

    /// Notes that the connection was lost; whether the observers are online is not known any more.
    package mutating func lost() -> [Action] {
        // An observer returns to a broker that is there.
        (missing, returnEnd) = ([], nil)
        return observers.keys.sorted().compactMap { name in
            observers[name]?.status?.state = .offline
            guard var status = observers[name]?.shown, status.state != .offline else { return nil }
            status.state = .offline
            observers[name]?.shown = status
            return .change(.status(name, status))
        }
    }

    /// Handles the confirmation that a filter has no subscription any more.
    package mutating func unsubscribed(
        _ filter: String, at now: ContinuousClock.Instant
    ) -> [Action] {
        self.now = now
        var actions: [Action] = []
        if filter == topics.statusMark, let confirmed {
            self.confirmed = nil
            missing = Set(observers.filter { $0.value.status != nil }.keys).subtracting(confirmed)
            if !missing.isEmpty {
                let end = now + Self.returnTime
                (returnEnd, deadline) = (end, min(deadline ?? end, end))
            }
        } else if case .mark(let name)? = topics.parse(filter) {
            actions += endRead(name)
        }
        return actions + settle()
    }

    // MARK: Messages

    /// Handles a message; `payload` is empty if the topic was cleared.
    package mutating func received(
        _ payload: [UInt8], on topic: String, at now: ContinuousClock.Instant
    ) -> [Action] {
        self.now = now
        switch topics.parse(topic) {
        case .status(let name)?: return receivedStatus(payload, of: name) + settle()
        case .peer(let name, let id)?: return receivedPeer(payload, id, of: name)
        case .census(let name)?: return receivedCensus(payload, of: name)
        case .mark?, nil: return []
        }
    }

    /// Handles a message that is larger than messages may be.
    package mutating func oversized(_ size: Int, on topic: String) -> [Action] {
        guard case .peer(let name, let id)? = topics.parse(topic), observers[name]?.shown != nil,
            let readCount = observers[name]?.readCount
        else { return [] }
        observers[name]?.peers[id]?.read = readCount
        return refuse("a message of \(size) bytes is too large", from: name)
    }

    private mutating func receivedStatus(_ payload: [UInt8], of name: ObserverName) -> [Action] {
        let isKnown = observers[name] != nil
        guard isKnown || !payload.isEmpty else { return [] }
        if !isKnown, let scope = usage.obstacle(to: .init(observers: 1), of: name) {
            return refuseObserver(name, by: scope)
        }
        if payload.isEmpty {
            observers[name]?.clearStatus()
        } else {
            do throws(LineError) {
                let status = try ObserverStatus(payload)
                if !isKnown { usage.add(.init(observers: 1), of: name) }
                observers[name, default: Observed()].note(status, at: now)
            } catch {
                return refuse("its status: \(error.message)", from: name)
            }
            confirmed?.insert(name)
            missing.remove(name)
        }
        return proceed(name)
    }

    private mutating func receivedPeer(
        _ payload: [UInt8], _ id: UUID, of name: ObserverName
    ) -> [Action] {
        // No copy of the observer, whose peers would be copied when one is changed.
        guard observers[name]?.shown != nil, let readCount = observers[name]?.readCount else {
            return []
        }
        let known = observers[name]?.peers[id]
        guard !payload.isEmpty else { return known == nil ? [] : [forget(id, of: name)] }
        // The broker keeps it, also if this message is refused.
        observers[name]?.peers[id]?.read = readCount
        let hash = Self.hash(of: payload)
        if known?.hash == hash { return [] }
        let more = FleetLimits.Amounts(
            peers: known == nil ? 1 : 0, bytes: payload.count - Int(known?.size ?? 0))
        // Before it is parsed: a broker may keep any number of messages that have no room.
        if let scope = usage.obstacle(to: more, of: name) { return refusePeer(of: name, by: scope) }
        let message: NumberedPeer
        do throws(LineError) {
            message = try NumberedPeer(payload)
            try message.peer.check(id)
            for service in message.peer.services where !usage.add(domain: service.domain, of: name)
            {
                throw LineError("its services are in more domains than may be shown")
            }
        } catch {
            return refuse("a peer: \(error.message)", from: name)
        }
        // The message that cleared it was lost between two brokers.
        if observers[name]?.lacks(id, publishedAs: message.sequence) == true {
            return known == nil ? [] : [forget(id, of: name)]
        }
        usage.add(more, of: name)
        observers[name]?.peers[id] = .init(
            hash: hash, size: Int32(payload.count), read: readCount, number: message.sequence)
        if let latest = observers[name]?.latest.number, latest < message.sequence {
            observers[name]?.latest.number = message.sequence
        }
        return [.change(.peer(name, id, message.peer))]
    }

    private mutating func receivedCensus(_ payload: [UInt8], of name: ObserverName) -> [Action] {
        guard observers[name]?.shown != nil else { return [] }
        var census: ObserverCensus?
        if !payload.isEmpty {
            do throws(LineError) {
                census = try ObserverCensus(payload)
            } catch {
                return refuse("its census: \(error.message)", from: name)
            }
        }
        let more = (census?.size ?? 0) - (observers[name]?.census?.size ?? 0)
        if let scope = usage.obstacle(to: .init(bytes: more), of: name) {
            return refusePeer(of: name, by: scope)
        }
        usage.add(.init(bytes: more), of: name)
        observers[name]?.census = census
        observers[name]?.isCensusNew = census != nil
        return proceed(name)
    }

    private static func hash(of payload: [UInt8]) -> Int {
        var hasher = Hasher()
        unsafe payload.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    // MARK: The limits in time

    /// Changes the list after a new status of an observer, reads its peers, and gives up its place, as soon
    /// as the limits in time allow.
    private mutating func proceed(_ name: ObserverName) -> [Action] {
        var actions: [Action] = []
        if let end = observers[name]?.silenceEnd {
            if end <= now { observers[name]?.beginSilence() } else { plan(name, at: end) }
        }
        if observers[name]?.isStatusNew == true {
            let interval = Self.statusInterval(usage.amounts(ofName: name).peers)
            if let time = observers[name]?.statuses.nextTime(of: 1, every: interval), time > now {
                plan(name, at: time)
            } else {
                observers[name]?.statuses.take(at: now, every: interval)
                actions += show(name)
            }
        }
        guard observers[name]?.shown != nil else { return actions + giveUpPlace(name) }
        actions += compareWithCensus(name)
        guard let due = observers[name]?.readTime else { return actions }
        let interval = Self.readInterval(usage.amounts(ofName: name).peers)
        let allowed = observers[name]?.reads.nextTime(of: Self.readBurst, every: interval)
        let time = max(due, allowed ?? due)
        guard time <= now else {
            plan(name, at: time)
            return actions
        }
        observers[name]?.reads.take(at: now, every: interval)
        observers[name]?.read = .waiting
        observers[name]?.readTime = nil
        waiting.append(name)
        return actions + readWaiting()
    }

    /// Changes the list to the latest status of an observer.
    private mutating func show(_ name: ObserverName) -> [Action] {
        observers[name]?.isStatusNew = false
        guard let status = observers[name]?.status else { return remove(name) }
        var actions: [Action] = []
        // While the connection was away, the status was replaced by an unknown one.
        if observers[name]?.shown != status { actions.append(.change(.status(name, status))) }
        observers[name]?.shown = status
        return observers[name]?.read == .done ? actions + forgetUnread(name) : actions
    }

    /// Forgets the peers that the latest census of an observer lacks.
    private mutating func compareWithCensus(_ name: ObserverName) -> [Action] {
        guard observers[name]?.isCensusNew == true else { return [] }
        let interval = Self.statusInterval(usage.amounts(ofName: name).peers)
        if let time = observers[name]?.censuses.nextTime(of: 1, every: interval), time > now {
            plan(name, at: time)
            return []
        }
        observers[name]?.censuses.take(at: now, every: interval)
        observers[name]?.isCensusNew = false
        guard let observed = observers[name] else { return [] }
        return observed.peers.filter { observed.lacks($0.key, publishedAs: $0.value.number) }.keys
            .map { forget($0, of: name) }
    }

    /// Removes what is left of an observer whose status was cleared, unless it returns before its time is
    /// over.
    private mutating func giveUpPlace(_ name: ObserverName) -> [Action] {
        guard let observed = observers[name], observed.status == nil else { return [] }
        if let end = observed.placeEnd, end > now {
            plan(name, at: end)
        } else {
            observers[name] = nil
            plans[name] = nil
            usage.add(.init(observers: -1), of: name)
        }
        return []
    }

    // MARK: Reading the peers of an observer

    /// Reads the peers of observers that wait, while not too many others are being read.
    private mutating func readWaiting() -> [Action] {
        var actions: [Action] = []
        var index = 0
        while index < waiting.count {
            let name = waiting[index]
            guard let scope = usage.obstacle(to: .init(reads: 1), of: name) else {
                waiting.remove(at: index)
                actions += beginRead(name)
                continue
            }
            if scope == .all { break }
            index += 1
        }
        return actions
    }

    private mutating func beginRead(_ name: ObserverName) -> [Action] {
        usage.add(.init(reads: 1), of: name)
        isSettled = false
        observers[name]?.read = .running
        observers[name]?.readCount &+= 1
        return [topics.peers(of: name), topics.census(of: name)].map { .subscribe($0) }
            + [.unsubscribe(topics.mark(of: name))]
    }

    private mutating func endRead(_ name: ObserverName) -> [Action] {
        guard observers[name]?.read == .running else { return [] }
        usage.add(.init(reads: -1), of: name)
        let time = now + nextInterval()
        observers[name]?.read = .done
        observers[name]?.readTime = time
        return forgetUnread(name) + proceed(name) + readWaiting()
    }

    /// Returns the time until the next read of an observer: between half of the longest interval and all of
    /// it, so that the observers read after a connection was made are read again at different times.
    private mutating func nextInterval() -> Duration {
        readCount += 1
        // Multiples of the golden ratio spread evenly, however many there are.
        let share = (Double(readCount) * 0.618_034).truncatingRemainder(dividingBy: 1)
        return Self.rereadInterval * (1 - share / 2)
    }

    private mutating func settle() -> [Action] {
        guard confirmed == nil, waiting.isEmpty, !usage.isReading, !isSettled else { return [] }
        isSettled = true
        return [.settled]
    }

    // MARK: Removing

    private mutating func forget(_ id: UUID, of name: ObserverName) -> Action {
        if let known = observers[name]?.peers.removeValue(forKey: id) {
            usage.add(.init(peers: -1, bytes: -Int(known.size)), of: name)
        }
        return .change(.peer(name, id, nil))
    }

    /// Forgets the peers that the broker does not keep, unless the observer may be about to publish them again.
    private mutating func forgetUnread(_ name: ObserverName) -> [Action] {
        guard let observed = observers[name], let state = observed.status?.state,
            state != .syncing
        else { return [] }
        return observed.peers.filter { $0.value.read != observed.readCount }.keys
            .map { forget($0, of: name) }
    }

    /// Removes an observer with its peers, but not its place.
    private mutating func remove(_ name: ObserverName) -> [Action] {
        guard let observed = observers[name], observed.shown != nil else { return [] }
        let actions = observed.peers.keys.map { forget($0, of: name) }
        var rest = Observed()
        (rest.statuses, rest.reads) = (observed.statuses, observed.reads)
        rest.censuses = observed.censuses
        usage.add(.init(bytes: -(observed.census?.size ?? 0)), of: name)
        (rest.isStatusNew, rest.placeEnd) = (false, now + Self.placeTime)
        observers[name] = rest
        missing.remove(name)
        waiting.removeAll { $0 == name }
        if observed.read == .running { usage.add(.init(reads: -1), of: name) }
        return actions + [.change(.status(name, nil))]
            + [topics.peers(of: name), topics.census(of: name)].map { .unsubscribe($0) }
            + giveUpPlace(name) + readWaiting()
    }

    // MARK: Notices

    /// Reports a refused message, once for each observer.
    private mutating func refuse(_ reason: String, from name: ObserverName) -> [Action] {
        let isNew =
            (reported[name.withoutSite]?.count ?? 0) < limits.ofName.observers
            && isUnreported("refused \(name.site)", of: name)
        guard isNew else { return [] }
        return [
            .notice(
                .messageRefused,
                "observer \(name.observer) of site \(name.site) is not read in part: \(reason)")
        ]
    }

    /// Reports that an observer is not read because of a limit, once for each limit.
    private mutating func refuseObserver(
        _ name: ObserverName, by scope: FleetUsage.Scope
    ) -> [Action] {
        guard isUnreported("observers", of: name, scope) else { return [] }
        let subject = "observer \(name.observer) of site \(name.site)"
        return [
            .notice(
                .fleetLimit,
                scope == .all
                    ? "there are more than \(limits.all.observers) observers; \(subject) and others "
                        + "are not read"
                    : "observer \(name.observer) is at more than \(limits.ofName.observers) sites; "
                        + "it is not read at site \(name.site) and others")
        ]
    }

    /// Reports that a peer is not shown because of a limit, once for each limit.
    private mutating func refusePeer(
        of name: ObserverName, by scope: FleetUsage.Scope
    ) -> [Action] {
        guard isUnreported("peers", of: name, scope) else { return [] }
        let (subject, limit) =
            scope == .all
            ? ("the observers have", limits.all)
            : ("observer \(name.observer) has", limits.ofName)
        return [
            .notice(
                .fleetLimit,
                "\(subject) published more than \(limit.peers) peers, or \(limit.bytes >> 20) MiB; "
                    + "the rest is not shown, some of it of observer \(name.observer) of site "
                    + name.site)
        ]
    }

    /// Notes that something was reported; returns whether it had not been.
    private mutating func isUnreported(
        _ key: String, of name: ObserverName, _ scope: FleetUsage.Scope = .ofName
    ) -> Bool {
        let owner = scope == .all ? ObserverName(site: "", observer: "") : name.withoutSite
        guard reported[owner] != nil || reported.count <= limits.all.observers else { return false }
        return reported[owner, default: []].insert(key).inserted
    }
}

extension Peer {
    /// The maximum size of the name of a domain, in bytes.
    private static let domainSize = 255

    /// Checks what the merge and the lines rely on.
    fileprivate func check(_ id: UUID) throws(LineError) {
        guard self.id == id else { throw LineError("its identifier is not that of the topic") }
        guard hasOwnIdentifier else {
            throw LineError("its identifier does not follow from its identity")
        }
        guard zip(services, services.dropFirst()).allSatisfy({ $0.precedes($1) }),
            Set(services.map(\.id)).count == services.count
        else { throw LineError("its services are not in order") }
        // The names of sections, which lines repeat for each change.
        guard services.allSatisfy({ $0.domain.utf8.count <= Self.domainSize }) else {
            throw LineError("the name of a domain is too long")
        }
    }

    /// Whether the identifier is derived from the text of the identity. For a service this is not checked, as
    /// its identifier depends on its whole name.
    fileprivate var hasOwnIdentifier: Bool {
        identity.source == .service || id == identity.id
    }
}
