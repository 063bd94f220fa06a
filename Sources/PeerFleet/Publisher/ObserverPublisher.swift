// Decides what an observer publishes, so that the broker keeps what is there and nothing else.
import FoundationEssentials
package import PeerHappenings
package import PeerModel
package import PeerRecording

/// The publisher of an observer's list, without I/O.
///
/// After each connection it publishes its status, reads back the peers of earlier connections, publishes the
/// peers of the list and clears the others. While the broker is away, no change waits for it: the list of the
/// later moment is published.
///
/// Of several observers with the same name, the latest to connect continues. The broker delivers the first
/// status of each connection to all of them in the same order, and an observer ends when another observer's
/// follows its own.
package struct ObserverPublisher {
    /// A step that is to be taken after an event.
    package enum Action: Sendable, Equatable {
        case subscribe(String)
        case unsubscribe(String)
        /// Publish a message that the broker keeps; it confirms each of these. An empty one clears the topic.
        case keep([UInt8], topic: String)
        case notice(Notice.Code, String)
        /// Another observer has taken over the name; nothing is published any more.
        case takenOver(String)
    }

    /// The number of messages that the broker may not have confirmed.
    static let windowSize = 64
    /// The time after which an observer that is online states so again, in seconds.
    package static let statusInterval = 60

    private enum Phase: Equatable {
        case away
        /// The peers that an earlier connection left are read.
        case readingBack
        case publishing
        case takenOver
    }

    private let name: ObserverName
    private let topics: FleetTopics
    private let clock: @Sendable () -> Timestamp
    private let uptime: @Sendable () -> HomeTrackers.Instant
    private var phase = Phase.away
    /// Whether the broker has delivered the first status of this connection.
    private var hasBegun = false
    private var status: ObserverStatus
    /// The peers that are there.
    private var peers: [UUID: Peer] = [:]
    /// The peers that the broker has, as far as it is known.
    private var published: Set<UUID> = []
    /// The peers that are to be published.
    private var dirty: Set<UUID> = []
    /// The peers that are to be cleared once all others are published, so that a device with a new identifier does not
    /// depart from the fleet meanwhile.
    private var obsolete: Set<UUID> = []
    private var sequence = 0
    private var isFilling = false
    private var unconfirmed = 0
    /// Whether ``published`` has changed since the latest census.
    private var isCensusDue = true
    /// The sequence number in the latest status, and the time of that status.
    private var stated: (number: Int, time: HomeTrackers.Instant?) = (0, nil)
    private var trackers: HomeTrackers?
    /// The filters of the messages about trackers that are being read back.
    private var trackerFilters: [String] = []
    private var isFailing = false

    /// Creates the publisher of an empty list.
    ///
    /// - Parameters:
    ///   - name: The name of the observer.
    ///   - topics: The topics of its fleet.
    ///   - status: The parts of its status that stay.
    ///   - trackers: The device trackers of Home Assistant; `nil` leaves trackers of earlier runs, too.
    ///   - clock: Returns the time of a status.
    ///   - uptime: Returns the time by which devices are waited for.
    package init(
        _ name: ObserverName, topics: FleetTopics, status: ObserverStatus,
        trackers: HomeTrackers? = nil,
        clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
        uptime: @escaping @Sendable () -> HomeTrackers.Instant = { .now }
    ) {
        (self.clock, self.uptime) = (clock, uptime)
        (self.name, self.topics, self.trackers) = (name, topics, trackers)
        self.status = status
    }

    /// The message that the broker publishes when it loses the connection; also the last message before the
    /// connection is ended. An observer that has taken over the name then reads back once more, so that no
    /// late message of this observer stays.
    package var will: RetainedMessage {
        var status = ObserverStatus(.offline)
        status.host = self.status.host
        return RetainedMessage(topic: topics.status(of: name), payload: status.payload)
    }

    // MARK: The connection

    /// Publishes the status, and reads back the peers of earlier connections, after a connection was made.
    package mutating func connected() -> [Action] {
        guard phase != .takenOver else { return [] }
        (unconfirmed, hasBegun) = (0, false)
        return [.subscribe(topics.status(of: name))] + readBack()
    }

    package mutating func lost() { if phase != .takenOver { phase = .away } }

    private mutating func readBack() -> [Action] {
        // The first status of a connection has no number.
        let state = state(.syncing)
        phase = .readingBack
        (published, dirty, obsolete, isCensusDue) = ([], [], [], true)
        trackers?.beginRead()
        trackerFilters = trackers?.filters ?? []
        return [state] + ([topics.peers(of: name)] + trackerFilters).map { .subscribe($0) }
            + [.unsubscribe(topics.mark(of: name))]
    }

    /// Handles a message of a topic of this observer; `isKept` if it was published before the subscription.
    package mutating func received(_ payload: [UInt8], on topic: String, isKept: Bool) -> [Action] {
        switch topics.parse(topic) {
        case .status(name)? where !isKept: return receivedStatus(payload)
        case .peer(name, let id)? where phase == .readingBack && !payload.isEmpty:
            published.insert(id)
            if let message = try? NumberedPeer(payload) {
                sequence = max(sequence, min(message.sequence, .max / 2))
            }
            return []
        case nil where phase == .readingBack && !payload.isEmpty:
            trackers?.readBack(payload, on: topic)
            return []
        default: return []
        }
    }

    /// Whether the broker may refuse a subscription, which only looks for messages of an earlier run.
    func isOptional(_ filter: String) -> Bool {
        trackers?.tracksDevices == false && trackerFilters.contains(filter)
    }

    /// Handles the confirmation that a filter has no subscription any more.
    package mutating func unsubscribed(_ filter: String) -> [Action] {
        guard phase == .readingBack, filter == topics.mark(of: name) else { return [] }
        phase = .publishing
        (dirty, obsolete) = (Set(peers.keys), published.subtracting(peers.keys))
        let now = uptime()
        trackers?.endRead(at: now)
        return ([topics.peers(of: name)] + trackerFilters).map { .unsubscribe($0) } + proceed()
    }

    /// Handles the confirmation of a message that the broker keeps, or its refusal.
    package mutating func confirmed(failure: String?) -> [Action] {
        guard phase != .away else { return [] }
        unconfirmed = max(0, unconfirmed - 1)
        var actions: [Action] = []
        if let failure, !isFailing {
            isFailing = true
            actions.append(
                .notice(
                    .brokerRefused,
                    "the broker refused to publish as observer \(name.observer) of site "
                        + "\(name.site): \(failure)"))
        }
        return actions + proceed()
    }

    private mutating func receivedStatus(_ payload: [UInt8]) -> [Action] {
        let status = try? ObserverStatus(payload)
        guard let status, let run = status.run, status.state != .offline else {
            // The will of an earlier connection, the end of another observer, or somebody cleared the topic.
            return phase == .publishing ? readBack() : []
        }
        if run == self.status.run { hasBegun = true }
        let begins = status.state == .syncing && status.sequence == nil
        guard hasBegun, begins, run != self.status.run, phase != .takenOver else { return [] }
        phase = .takenOver
        return [
            .takenOver(
                "another peerlist\(status.host.isEmpty ? "" : " on \(status.host)") has taken over "
                    + "observer \(name.observer) of site \(name.site)")
        ]
    }

    // MARK: The list

    /// Begins the list, or replaces it.
    package mutating func began(_ header: LineHeader) {
        status.run = header.run
        handedOver(header)
    }

    /// Notes another backend or another name of this machine.
    package mutating func handedOver(_ header: LineHeader) {
        (status.host, status.backend) = (header.observerHost, header.backend)
    }

    /// Publishes changes of the list.
    package mutating func updated(_ items: ItemChanges) -> [Action] {
        for id in items.departures.keys { peers[id] = nil }
        for (id, item) in items.arrivals { peers[id] = published(item.peer) }
        var changed: Set<UUID> = []
        for (id, change) in items.changes {
            let peer = published(change.now.peer)
            guard peers[id] != peer else { continue }
            peers[id] = peer
            changed.insert(id)
        }
        let now = uptime()
        trackers?.apply(items, at: now)
        guard phase == .publishing else { return [] }
        dirty.subtract(items.departures.keys)
        obsolete.formUnion(items.departures.keys)
        dirty.formUnion(items.arrivals.keys)
        dirty.formUnion(changed)
        obsolete.subtract(items.arrivals.keys)
        return proceed()
    }

    /// Returns a peer without the verdicts on its addresses, which are about this machine.
    private func published(_ peer: Peer) -> Peer {
        var peer = peer
        peer.reach = [:]
        return peer
    }

    /// Notes through what devices cannot be heard.
    package mutating func updated(_ sources: AbsentSources) -> [Action] {
        let now = uptime()
        trackers?.apply(sources, at: now)
        return proceed()
    }

    /// Does what is due; to be called every few seconds.
    ///
    /// It states the number of the messages so far, with which readers recognise a broker that was restarted with
    /// earlier messages; and once a minute that it is online, which no broker can
    /// say for it. It publishes a census after peers came or went.
    package mutating func advance() -> [Action] {
        let (now, today) = (uptime(), clock())
        trackers?.advance(to: now, today)
        var actions = proceed()
        guard phase == .publishing, status.state == .online else { return actions }
        if isCensusDue, isPublished { actions.append(census()) }
        let isDue = stated.time.map { now - $0 >= .seconds(Self.statusInterval) } ?? true
        guard isDue || isPublished && stated.number != sequence else { return actions }
        return actions + [state(.online)]
    }

    /// Notes whether the initial fill of the list goes on. Until it is over, the observer is not online, so that what
    /// it finds then has not arrived in the fleet.
    package mutating func filling(_ isFilling: Bool) -> [Action] {
        self.isFilling = isFilling
        return proceed()
    }

    /// Whether the broker was sent all that it is to keep of the peers.
    private var isPublished: Bool { dirty.isEmpty && obsolete.isEmpty }

    /// Publishes as many peers as the broker may be sent before it confirms some.
    private mutating func proceed() -> [Action] {
        guard phase == .publishing else { return [] }
        var actions: [Action] = []
        while unconfirmed < Self.windowSize, let id = dirty.popFirst() {
            guard let peer = peers[id] else { continue }
            sequence += 1
            if published.insert(id).inserted { isCensusDue = true }
            actions.append(keep(payload(of: peer), topic: topics.peer(id, of: name)))
        }
        // What an earlier run has published may be found again, also if it is known only in part so far.
        while !isFilling, unconfirmed < Self.windowSize, let id = obsolete.popFirst() {
            guard published.remove(id) != nil else { continue }
            (sequence, isCensusDue) = (sequence + 1, true)
            actions.append(keep([], topic: topics.peer(id, of: name)))
        }
        while unconfirmed < Self.windowSize, let (payload, topic) = trackers?.next() {
            actions.append(keep(payload, topic: topic))
        }
        if isPublished, !isFilling, status.state != .online { actions.append(state(.online)) }
        return actions
    }

    /// Returns the message about a peer, without its last services if it is too large.
    private func payload(of peer: Peer) -> [UInt8] {
        var message = NumberedPeer(sequence: sequence, peer: peer)
        var payload = message.payload
        while payload.count > FleetTopics.payloadLimit, !message.peer.services.isEmpty {
            message.peer.services.removeLast((message.peer.services.count + 1) / 2)
            payload = message.payload
        }
        return payload
    }

    // MARK: Messages

    private mutating func state(_ state: ObserverStatus.State) -> Action {
        status.state = state
        status.peers = state == .online ? published.count : nil
        status.sequence = phase == .publishing ? sequence : nil
        stated = (sequence, uptime())
        (status.time, status.interval) = (clock(), Self.statusInterval)
        return keep(status.payload, topic: topics.status(of: name))
    }

    /// Publishes a census, or clears the latest one if there are too many peers.
    private mutating func census() -> Action {
        isCensusDue = false
        guard let run = status.run, published.count <= ObserverCensus.limit else {
            return keep([], topic: topics.census(of: name))
        }
        let census = ObserverCensus(run: run, sequence: sequence, of: published)
        return keep(census.payload, topic: topics.census(of: name))
    }

    private mutating func keep(_ payload: [UInt8], topic: String) -> Action {
        unconfirmed += 1
        return .keep(payload, topic: topic)
    }
}
