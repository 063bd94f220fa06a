// Decides what a fleet subscribes to, and which messages change what its observers have published.
import FoundationEssentials
package import PeerList
import PeerRecording

/// The reader of a fleet's topics, without I/O.
///
/// The statuses of all observers are one subscription, the peers of each observer another one: a broker
/// drops messages for a client that reads slower than a whole fleet is sent. An observer counts its
/// messages in its status, so that lost ones are noticed, and its peers are read again.
package struct FleetSubscriber {
    /// The limits of a fleet.
    package struct Limits: Sendable {
        package var observers = 1_000
        package var peers = 200_000
        package var bytes = 512 << 20
        /// The number of observers whose peers are read at once.
        package var reads = 8
        /// The number of times that the peers of an observer are read again before its next status.
        package var repetitions = 3

        package init() {}
    }

    /// A step that is to be taken after an event.
    package enum Action: Sendable {
        case subscribe(String)
        case unsubscribe(String)
        case change(FleetChange)
        case notice(Notice.Code, String)
        /// All that the broker keeps has been read.
        case settled
        /// Observers are missing; ``expired()`` is to be called when ``FleetSubscriber/returnTime`` is over.
        case missing
    }

    private struct Observed {
        enum Read { case waiting, running, done }

        /// The latest message about a peer.
        struct Message {
            var sequence: Int
            /// The size in bytes; 0 if the message was refused.
            var size: Int
            /// The count of reads when it arrived.
            var read: Int
        }

        var status: ObserverStatus
        /// The latest process of the observer, and the greatest number of its messages.
        var latest: (run: UUID?, number: Int) = (nil, 0)
        var read = Read.waiting
        var readCount = 0
        /// The peers that the broker keeps, also those whose message was refused.
        var peers: [UUID: Message] = [:]
        var losses = LossDetector()
        var repetitions = 0

        /// Notes a new status.
        ///
        /// A broker that was killed restarts with the messages that it saved last. If this status is one of
        /// them, the observer has not returned yet.
        mutating func update(_ status: ObserverStatus) {
            self.status = status
            guard status.state == .online else { return }
            let number = status.sequence ?? 0
            if let run = status.run, run == latest.run, number < latest.number {
                self.status.state = .syncing
            } else {
                latest = (status.run, number)
            }
        }
    }

    /// The time for which observers are kept that are missing at a new connection: a broker that was
    /// restarted may have lost their messages, and they wait up to 30 seconds between attempts to connect.
    package static let returnTime = Duration.seconds(60)

    private let topics: FleetTopics
    private let limits: Limits
    private var observers: [ObserverName: Observed] = [:]
    /// The observers whose status arrived since the connection was made; `nil` once all have.
    private var confirmed: Set<ObserverName>?
    /// The observers of an earlier connection that have no status at this one.
    private var missing: Set<ObserverName> = []
    private var waiting: [ObserverName] = []
    private var reads = 0
    private var isSettled = false
    /// Whether peers were refused because of the limits.
    private var isFull = false
    private var peerCount = 0
    private var byteCount = 0
    /// The limits that were reported, and the observers of which a message was refused.
    private var reported: Set<String> = []

    package init(_ topics: FleetTopics, limits: Limits = Limits()) {
        (self.topics, self.limits) = (topics, limits)
    }

    // MARK: The connection

    /// Begins to read, after a connection was made.
    package mutating func connected() -> [Action] {
        (confirmed, waiting, reads, isSettled, isFull) = ([], [], 0, false, false)
        missing = []
        for name in observers.keys {
            observers[name]?.read = .waiting
            observers[name]?.losses = LossDetector()
        }
        return [.subscribe(topics.allStatuses), .unsubscribe(topics.statusMark)]
    }

    /// Notes that the connection was lost; whether the observers are online is not known any more.
    package mutating func lost() -> [Action] {
        observers.keys.sorted().compactMap { name in
            guard var status = observers[name]?.status, status.state != .offline else { return nil }
            status.state = .offline
            observers[name]?.status = status
            return .change(.status(name, status))
        }
    }

    /// Handles the confirmation that a filter has no subscription any more.
    package mutating func unsubscribed(_ filter: String) -> [Action] {
        var actions: [Action] = []
        if filter == topics.statusMark, let confirmed {
            self.confirmed = nil
            missing = Set(observers.keys).subtracting(confirmed)
            if !missing.isEmpty { actions.append(.missing) }
        } else if case .mark(let name)? = topics.parse(filter) {
            actions += endRead(name)
        }
        return actions + settle()
    }

    /// Removes the observers that have not returned.
    package mutating func expired() -> [Action] { missing.sorted().flatMap { remove($0) } }

    // MARK: Messages

    /// Handles a message; `payload` is empty if the topic was cleared, and `isKept` is whether it was published
    /// before the subscription.
    package mutating func received(_ payload: [UInt8], on topic: String, isKept: Bool) -> [Action] {
        switch topics.parse(topic) {
        case .status(let name)?: return receivedStatus(payload, of: name) + settle()
        case .peer(let name, let id)?: return receivedPeer(payload, id, of: name, isKept: isKept)
        case .mark?, nil: return []
        }
    }

    /// Handles a message that is larger than messages may be, which may have been published earlier.
    package mutating func oversized(_ size: Int, on topic: String) -> [Action] {
        guard case .peer(let name, let id)? = topics.parse(topic), observers[name] != nil else {
            return []
        }
        observers[name]?.losses.reset()
        return refuse(id, "a message of \(size) bytes is too large", from: name)
    }

    private mutating func receivedStatus(_ payload: [UInt8], of name: ObserverName) -> [Action] {
        guard !payload.isEmpty else { return remove(name) }
        var status: ObserverStatus
        do throws(LineError) {
            status = try ObserverStatus(payload)
        } catch {
            return refuse("its status: \(error.message)", from: name)
        }
        guard var observed = observers[name] else {
            guard observers.count < limits.observers else {
                return limit(
                    "there are more than \(limits.observers) observers; the others are not read")
            }
            confirmed?.insert(name)
            var observed = Observed(status: status)
            observed.update(status)
            observers[name] = observed
            return [.change(.status(name, status))] + read(name)
        }
        confirmed?.insert(name)
        missing.remove(name)
        // While the connection was away, the status was replaced by an unknown one.
        let before = observed.status
        observed.update(status)
        status = observed.status
        var actions: [Action] = before == status ? [] : [.change(.status(name, status))]
        observers[name] = observed
        if observed.read == .done { actions += forgetUnread(name) }
        observed = observers[name] ?? observed
        observed.repetitions = 0
        if status.sequence == nil, status.state != .offline {
            // A new connection continues from the numbers that the broker keeps, which may be lower.
            for id in observed.peers.keys { observed.peers[id]?.sequence = .min }
        }
        let mustRead: Bool
        // A late will does not end the numbers.
        let isLost =
            observed.read != .waiting && status.state != .offline
            && observed.losses.receiveStatus(status.sequence)
        switch observed.read {
        case .waiting: mustRead = !waiting.contains(name)
        case .running: mustRead = false
        case .done:
            // Beyond the limits, peers are missing for good.
            let isCountWrong = status.peers.map { $0 != observed.peers.count && !isFull } ?? false
            mustRead = isLost || status.state == .online && isCountWrong
        }
        observers[name] = observed
        return mustRead ? actions + read(name) : actions
    }

    private mutating func receivedPeer(
        _ payload: [UInt8], _ id: UUID, of name: ObserverName, isKept: Bool
    ) -> [Action] {
        // No copy of the observer, whose peers would be copied when one is changed.
        guard let readCount = observers[name]?.readCount else { return [] }
        if !isKept { observers[name]?.losses.receive() }
        let known = observers[name]?.peers[id]
        guard !payload.isEmpty else { return known == nil ? [] : [forget(id, of: name)] }
        let message: NumberedPeer
        do throws(LineError) {
            message = try NumberedPeer(payload)
            try message.peer.check(id)
        } catch {
            return refuse(id, "a peer: \(error.message)", from: name)
        }
        if isKept { observers[name]?.losses.receiveKept(message.sequence) }
        // The numbers begin again if the broker and the observer have lost theirs.
        if let known, known.read == readCount, message.sequence < known.sequence {
            return []
        }
        guard keep(id, of: name, sequence: message.sequence, size: payload.count) else {
            return limit(
                "the observers have published more than \(limits.peers) peers, or "
                    + "\(limits.bytes >> 20) MiB; the rest is not shown")
        }
        if let latest = observers[name]?.latest.number, latest < message.sequence {
            observers[name]?.latest.number = message.sequence
        }
        return [.change(.peer(name, id, message.peer))]
    }

    /// Notes the latest message about a peer; returns `false` if there is no space for it.
    private mutating func keep(
        _ id: UUID, of name: ObserverName, sequence: Int, size: Int
    ) -> Bool {
        guard let readCount = observers[name]?.readCount else { return false }
        let known = observers[name]?.peers[id]
        observers[name]?.peers[id]?.read = readCount
        let bytes = byteCount - (known?.size ?? 0) + size
        isFull = isFull || bytes > limits.bytes || known == nil && peerCount >= limits.peers
        guard bytes <= limits.bytes, known != nil || peerCount < limits.peers else { return false }
        byteCount = bytes
        if known == nil { peerCount += 1 }
        observers[name]?.peers[id] = .init(sequence: sequence, size: size, read: readCount)
        return true
    }

    // MARK: Reading the peers of an observer

    /// Reads the peers of an observer as soon as not too many others are being read.
    private mutating func read(_ name: ObserverName) -> [Action] {
        guard reads < limits.reads else {
            observers[name]?.read = .waiting
            waiting.append(name)
            return []
        }
        reads += 1
        isSettled = false
        if var observed = observers[name] {
            observed.read = .running
            observed.readCount += 1
            observed.losses.beginRead(observed.status.sequence)
            observers[name] = observed
        }
        return [.subscribe(topics.peers(of: name)), .unsubscribe(topics.mark(of: name))]
    }

    private mutating func endRead(_ name: ObserverName) -> [Action] {
        guard var observed = observers[name], observed.read == .running else { return [] }
        reads -= 1
        observed.read = .done
        let isStale = observed.losses.endRead()
        let count = observed.peers.count { $0.value.read == observed.readCount }
        let isIncomplete =
            observed.status.state == .online && (observed.status.peers ?? 0) > count && !isFull
        let mustRepeat =
            (isStale || isIncomplete) && observed.repetitions < limits.repetitions
        if mustRepeat { observed.repetitions += 1 }
        observers[name] = observed
        let actions = forgetUnread(name)
        return actions + (mustRepeat ? read(name) : []) + readWaiting()
    }

    private mutating func readWaiting() -> [Action] {
        var actions: [Action] = []
        while reads < limits.reads, !waiting.isEmpty {
            let next = waiting.removeFirst()
            if observers[next]?.read == .waiting { actions += read(next) }
        }
        return actions
    }

    private mutating func settle() -> [Action] {
        guard confirmed == nil, reads == 0, waiting.isEmpty, !isSettled else { return [] }
        isSettled = true
        return [.settled]
    }

    // MARK: Removing

    private mutating func forget(_ id: UUID, of name: ObserverName) -> Action {
        if let known = observers[name]?.peers.removeValue(forKey: id) {
            peerCount -= 1
            byteCount -= known.size
        }
        return .change(.peer(name, id, nil))
    }

    /// Forgets the peers that the broker does not keep, unless the observer may be about to publish them again.
    private mutating func forgetUnread(_ name: ObserverName) -> [Action] {
        guard let observed = observers[name], observed.status.state != .syncing else { return [] }
        return observed.peers.filter { $0.value.read != observed.readCount }.keys
            .map { forget($0, of: name) }
    }

    private mutating func remove(_ name: ObserverName) -> [Action] {
        guard let observed = observers[name] else { return [] }
        let actions = observed.peers.keys.map { forget($0, of: name) }
        observers[name] = nil
        missing.remove(name)
        waiting.removeAll { $0 == name }
        if observed.read == .running { reads -= 1 }
        return actions + [.change(.status(name, nil)), .unsubscribe(topics.peers(of: name))]
            + readWaiting()
    }

    // MARK: Notices

    /// Keeps what was known of a peer, and reports its refused message.
    private mutating func refuse(
        _ id: UUID, _ reason: String, from name: ObserverName
    ) -> [Action] {
        let known = observers[name]?.peers[id]
        _ = keep(id, of: name, sequence: known?.sequence ?? .min, size: known?.size ?? 0)
        return refuse(reason, from: name)
    }

    /// Reports a refused message, once for each observer.
    private mutating func refuse(_ reason: String, from name: ObserverName) -> [Action] {
        guard reported.count < limits.observers, reported.insert("\(name)").inserted else {
            return []
        }
        return [
            .notice(
                .messageRefused,
                "observer \(name.observer) of site \(name.site) is not read in part: \(reason)")
        ]
    }

    private mutating func limit(_ text: String) -> [Action] {
        reported.insert(text).inserted ? [.notice(.fleetLimit, text)] : []
    }
}

extension Peer {
    /// Checks what the merge and the lines rely on.
    fileprivate func check(_ id: UUID) throws(LineError) {
        guard self.id == id else { throw LineError("its identifier is not that of the topic") }
        guard hasOwnIdentifier else {
            throw LineError("its identifier does not follow from its identity")
        }
        guard zip(services, services.dropFirst()).allSatisfy({ $0.precedes($1) }),
            Set(services.map(\.id)).count == services.count
        else { throw LineError("its services are not in order") }
    }

    /// Whether the identifier is the one that its identity has, as far as the identity tells it: that of
    /// an identifier in a record depends on its text alone, that of a service on its whole name.
    fileprivate var hasOwnIdentifier: Bool {
        switch identity.source {
        case .hostName: id == Identity.uuid(forName: identity.value)
        case .announced: id == UUID(uuidString: identity.value)
        case .txt, .name: id == Evidence.id(of: identity.value)
        case .service: true
        }
    }
}
