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
    }

    private struct Observed {
        enum Read {
            case waiting
            /// The peers that were read so far.
            case running(Set<UUID>)
            case done
        }

        var status: ObserverStatus
        var read = Read.waiting
        /// The peers, each with the number and the size of its latest message.
        var peers: [UUID: (sequence: Int, size: Int)] = [:]
        /// The number of messages about peers since the latest status.
        var received = 0
        /// The number of the latest message as of the latest status; `nil` while messages may be missing.
        var counted: Int?
        var repetitions = 0
    }

    private let topics: FleetTopics
    private let limits: Limits
    private var observers: [ObserverName: Observed] = [:]
    /// The observers whose status arrived since the connection was made; `nil` once all have.
    private var confirmed: Set<ObserverName>?
    private var waiting: [ObserverName] = []
    private var reads = 0
    private var isSettled = false
    private var peerCount = 0
    private var byteCount = 0
    /// The limits that were reported, and the observers of which a message was refused.
    private var reported: Set<String> = []

    package init(_ topics: FleetTopics, limits: Limits = Limits()) {
        (self.topics, self.limits) = (topics, limits)
    }

    /// The filter whose end tells that all statuses have been read.
    private var statusMark: String { topics.prefix + "/v1/mark" }

    // MARK: The connection

    /// Begins to read, after a connection was made.
    package mutating func connected() -> [Action] {
        (confirmed, waiting, reads, isSettled) = ([], [], 0, false)
        for name in observers.keys {
            observers[name]?.read = .waiting
            observers[name]?.counted = nil
        }
        return [.subscribe(topics.allStatuses), .unsubscribe(statusMark)]
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
        if filter == statusMark, let confirmed {
            self.confirmed = nil
            for name in observers.keys.sorted() where !confirmed.contains(name) {
                actions += remove(name)
            }
        } else if case .status(let name)? = topics.parse(
            filter.replacing(/\/mark$/, with: "/status"))
        {
            actions += endRead(name)
        }
        return actions + settle()
    }

    // MARK: Messages

    /// Handles a message; `payload` is empty if the topic was cleared.
    package mutating func received(_ payload: [UInt8], on topic: String) -> [Action] {
        switch topics.parse(topic) {
        case .status(let name)?: return receivedStatus(payload, of: name) + settle()
        case .peer(let name, let id)?: return receivedPeer(payload, id, of: name)
        case nil: return []
        }
    }

    /// Handles a message that is larger than messages may be.
    package mutating func oversized(_ size: Int, on topic: String) -> [Action] {
        guard case .peer(let name, let id)? = topics.parse(topic), observers[name] != nil else {
            return []
        }
        observers[name]?.received += 1
        markRead(id, of: name)
        return refuse("a message of \(size) bytes is too large", from: name)
    }

    private mutating func receivedStatus(_ payload: [UInt8], of name: ObserverName) -> [Action] {
        guard !payload.isEmpty else { return remove(name) }
        let status: ObserverStatus
        do throws(LineError) {
            status = try ObserverStatus(payload)
        } catch {
            return refuse("its status: \(error.message)", from: name)
        }
        confirmed?.insert(name)
        guard var observed = observers[name] else {
            guard observers.count < limits.observers else {
                return limit(
                    "there are more than \(limits.observers) observers; the others are not read")
            }
            observers[name] = Observed(status: status)
            return [.change(.status(name, status))] + read(name)
        }
        // While the connection was away, the status was replaced by an unknown one.
        var actions: [Action] = observed.status == status ? [] : [.change(.status(name, status))]
        observed.status = status
        observed.repetitions = 0
        defer { observers[name] = observed }
        switch observed.read {
        case .waiting where !waiting.contains(name):
            observers[name] = observed
            actions += read(name)
            observed = observers[name] ?? observed
        case .done:
            let isMissing =
                observed.counted.map { count in
                    status.sequence.map { $0 != count + observed.received } ?? false
                } ?? false
            if isMissing || status.state == .online && (status.peers ?? 0) > observed.peers.count {
                observers[name] = observed
                actions += read(name)
                observed = observers[name] ?? observed
            }
            observed.counted = status.sequence
            observed.received = 0
        case .waiting, .running: break
        }
        return actions
    }

    private mutating func receivedPeer(
        _ payload: [UInt8], _ id: UUID, of name: ObserverName
    ) -> [Action] {
        guard let observed = observers[name] else { return [] }
        observers[name]?.received += 1
        let known = observed.peers[id]
        guard !payload.isEmpty else {
            guard known != nil else { return [] }
            return [forget(id, of: name)]
        }
        markRead(id, of: name)
        let message: NumberedPeer
        do throws(LineError) {
            message = try NumberedPeer(payload)
            guard message.peer.id == id else {
                throw LineError("its identifier is not that of the topic")
            }
            guard message.peer.hasOwnIdentifier else {
                throw LineError("its identifier does not follow from its identity")
            }
        } catch {
            return refuse("a peer: \(error.message)", from: name)
        }
        if let known, message.sequence < known.sequence { return [] }
        let size = byteCount - (known?.size ?? 0) + payload.count
        guard size <= limits.bytes, known != nil || peerCount < limits.peers else {
            return limit(
                "the observers have published more than \(limits.peers) peers, or "
                    + "\(limits.bytes >> 20) MiB; the rest is not shown")
        }
        byteCount = size
        if known == nil { peerCount += 1 }
        observers[name]?.peers[id] = (message.sequence, payload.count)
        return [.change(.peer(name, id, message.peer))]
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
        observers[name]?.read = .running([])
        observers[name]?.counted = nil
        return [.subscribe(topics.peers(of: name)), .unsubscribe(topics.mark(of: name))]
    }

    private mutating func markRead(_ id: UUID, of name: ObserverName) {
        guard case .running(var seen)? = observers[name]?.read else { return }
        observers[name]?.read = .done  // so that the set is not copied
        seen.insert(id)
        observers[name]?.read = .running(seen)
    }

    private mutating func endRead(_ name: ObserverName) -> [Action] {
        guard let observed = observers[name], case .running(let seen) = observed.read else {
            return []
        }
        observers[name]?.read = .done
        observers[name]?.received = 0
        reads -= 1
        var actions = observed.peers.keys.filter { !seen.contains($0) }.map { forget($0, of: name) }
        let isIncomplete =
            observed.status.state == .online && (observed.status.peers ?? 0) > seen.count
        if isIncomplete, observed.repetitions < limits.repetitions {
            observers[name]?.repetitions += 1
            actions += read(name)
        }
        while reads < limits.reads, !waiting.isEmpty {
            let next = waiting.removeFirst()
            if case .waiting? = observers[next]?.read { actions += read(next) }
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
        if case .running(var seen)? = observers[name]?.read {
            seen.remove(id)
            observers[name]?.read = .running(seen)
        }
        return .change(.peer(name, id, nil))
    }

    private mutating func remove(_ name: ObserverName) -> [Action] {
        guard let observed = observers[name] else { return [] }
        let actions = observed.peers.keys.map { forget($0, of: name) }
        observers[name] = nil
        waiting.removeAll { $0 == name }
        if case .running = observed.read { reads -= 1 }
        return actions + [.change(.status(name, nil)), .unsubscribe(topics.peers(of: name))]
    }

    // MARK: Notices

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
