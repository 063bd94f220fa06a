// Reads a fleet from a broker, and hands on what has changed since the last time.
import FoundationEssentials
import PeerModel
import PeerRecording
import Synchronization

/// The events of a fleet, read from a broker.
///
/// Messages are read and parsed on the connection's thread. What its reader does not take in time is
/// folded: of each status and each peer only the last change waits, so that waiting needs no more memory
/// than the fleet.
package final class FleetFeed: Sendable {
    fileprivate enum Subject: Hashable {
        case status(ObserverName)
        case peer(ObserverName, UUID)
    }

    fileprivate struct State {
        var subscriber: FleetSubscriber
        /// The name of the broker in notices; `nil` if it is the only one.
        let broker: String?
        var changes: [Subject: FleetChange] = [:]
        /// Earlier changes that the reader took in part, the next change last.
        var taken: [FleetChange] = []
        var notices: [Notice] = []
        var isSettled = false
        /// Whether something changed that was not taken.
        var hasNews = false
        /// The reason why the broker cannot be read, which was reported.
        var failure: String?
        /// The time at which the subscriber is to go on; `nil` if no task waits for one.
        var timer: ContinuousClock.Instant?
    }

    /// The maximum number of changes in an event: what an event costs its reader in memory grows with them.
    package static let changeLimit = 8_192
    /// The maximum number of notices that wait.
    fileprivate static let noticeLimit = 1_000

    /// The name of the broker in notices; `nil` if it is the only one.
    package let name: String?
    private let state: Mutex<State>
    private let connection: Mutex<BrokerConnection?> = Mutex(nil)
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    /// Creates a feed, which connects at ``start(_:)``.
    private init(
        _ topics: FleetTopics, _ selection: FleetSelection, broker: String?,
        _ wakes: (AsyncStream<Void>, AsyncStream<Void>.Continuation)
    ) {
        let subscriber = FleetSubscriber(topics, selection)
        name = broker
        state = Mutex(State(subscriber: subscriber, broker: broker))
        (self.wakes, wake) = wakes
    }

    /// Returns the feeds of several brokers, which have their names in notices.
    package static func feeds(of brokers: [BrokerURL], _ selection: FleetSelection) -> [FleetFeed] {
        let wakes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let hosts = brokers.map(\.host)
        return brokers.map { url in
            let isUnique = hosts.count { $0 == url.host } == 1
            let name = brokers.count == 1 ? nil : isUnique ? url.host : url.description
            return FleetFeed(FleetTopics(prefix: url.prefix), selection, broker: name, wakes)
        }
    }

    /// Returns the events of feeds that were made together, for one reader. Each has everything since the
    /// previous event, and the number of its broker.
    package static func events(of feeds: [FleetFeed]) -> AsyncStream<FleetEvent> {
        AsyncStream {
            guard let first = feeds.first else { return nil }
            for await _ in first.wakes {
                // In any order, so that a busy broker does not hold up the others.
                for number in feeds.indices.shuffled() {
                    guard var event = feeds[number].take() else { continue }
                    event.broker = number
                    // The others may have news as well.
                    if feeds.count > 1 { first.wake.yield() }
                    return event
                }
            }
            return nil
        }
    }

    /// Connects to the broker, again and again until ``stop()``. Several feeds may read one broker: each has a client
    /// identifier of its own, as a broker ends a connection when another one has its identifier.
    package func start(_ access: BrokerAccess) {
        let options = ConnectionOptions(
            clientID: "peerlist-fleet-" + UUID.randomByKernel().uuidString.lowercased())
        let connection = BrokerConnection(access, options) { [weak self] in self?.handle($0) }
        self.connection.withLock { $0 = connection }
        connection.start()
    }

    /// Ends the connection and the events.
    package func stop() async {
        wake.finish()
        let connection = connection.withLock { connection in
            defer { connection = nil }
            return connection
        }
        _ = await connection?.stop(within: .seconds(1))
    }

    private func take() -> FleetEvent? {
        state.withLock { state in
            guard state.hasNews else { return nil }
            var event = FleetEvent(at: .now())
            event.changes = state.takeChanges()
            event.failure = state.failure
            (event.notices, state.notices) = (state.notices, [])
            state.hasNews = !state.taken.isEmpty || !state.changes.isEmpty
            event.isSettled = state.isSettled && !state.hasNews
            if state.hasNews { wake.yield() }
            return event
        }
    }

    /// Handles an event of the connection, on its thread.
    private func handle(_ event: BrokerEvent) { perform { $0.actions(for: event) } }

    private func perform(_ decide: (inout State) -> [FleetSubscriber.Action]) {
        let timer = state.withLock { state in
            let actions = decide(&state)
            state.note(actions)
            let connection = connection.withLock { $0 }
            // In the order of the decisions, so with the lock; the connection only queues them.
            for action in actions {
                switch action {
                // Messages of a higher quality would be dropped sooner by a broker that bounds them.
                case .subscribe(let filter): connection?.subscribe(filter, quality: 0)
                case .unsubscribe(let filter): connection?.unsubscribe(filter)
                case .change, .notice, .settled: break
                }
            }
            return state.startTimer()
        }
        // At most one waits, and what it is for is in the state.
        wake.yield()
        guard let timer else { return }
        Task { [weak self] in
            try? await Task.sleep(until: timer)
            self?.perform { $0.advance(after: timer) }
        }
    }
}

extension FleetFeed.State {
    /// Removes and returns the next changes. Observers come online before their peers arrive, and go after them, so
    /// that a division does not show.
    fileprivate mutating func takeChanges() -> [FleetChange] {
        if taken.isEmpty {
            let changes = changes.values
            self.changes = [:]
            guard changes.count > FleetFeed.changeLimit else { return Array(changes) }
            taken = changes.sorted { $0.rank < $1.rank }
        }
        let count = min(FleetFeed.changeLimit, taken.count)
        defer { taken.removeLast(count) }
        return Array(taken.suffix(count))
    }

    /// Notes what is to be taken by the reader.
    fileprivate mutating func note(_ actions: [FleetSubscriber.Action]) {
        for action in actions {
            switch action {
            case .subscribe, .unsubscribe: continue
            case .change(let change): changes[change.subject] = change
            case .notice(let code, let message): note(code, message)
            case .settled: isSettled = true
            }
            hasNews = true
        }
    }

    /// Returns the time for which a task is to wait; `nil` if none is, or if one waits already.
    fileprivate mutating func startTimer() -> ContinuousClock.Instant? {
        guard let deadline = subscriber.deadline, timer.map({ deadline < $0 }) ?? true else {
            return nil
        }
        timer = deadline
        return deadline
    }

    /// Lets the subscriber go on after a task has waited for a time.
    fileprivate mutating func advance(
        after time: ContinuousClock.Instant
    ) -> [FleetSubscriber.Action] {
        if timer == time { timer = nil }
        return subscriber.advance(to: .now)
    }

    fileprivate mutating func actions(for event: BrokerEvent) -> [FleetSubscriber.Action] {
        switch event {
        case .connected:
            if failure != nil { note(.brokerBack, "\(title) is back") }
            failure = nil
            return subscriber.connected(at: .now)
        case .lost(let reason, _):
            fail(.brokerLost, "\(title) is away: \(reason)")
            return subscriber.lost()
        case .refused(let reason):
            fail(.brokerRefused, "no connection to \(title): \(reason)")
            return subscriber.lost()
        case .message(let message):
            return subscriber.received(message.payload, on: message.topic, at: .now)
        case .oversized(let topic, let size): return subscriber.oversized(size, on: topic)
        case .subscribed(_, let reason):
            if let reason { fail(.brokerRefused, "\(title) refuses to be read: \(reason)") }
            return []
        case .unsubscribed(let filter): return subscriber.unsubscribed(filter, at: .now)
        case .published: return []
        }
    }

    private var title: String { broker.map { "the broker \($0)" } ?? "the broker" }

    /// Notes that the broker cannot be read, and reports it unless that was reported.
    private mutating func fail(_ code: Notice.Code, _ message: String) {
        if failure == nil { note(code, message) }
        (failure, isSettled) = (message, false)
    }

    private mutating func note(_ code: Notice.Code, _ message: String) {
        hasNews = true
        guard notices.count < FleetFeed.noticeLimit else { return }
        notices.append(Notice(code, message, broker: broker, time: .now()))
    }
}

extension FleetChange {
    /// The position among the changes that are taken one part after the other, the last ones first.
    fileprivate var rank: Int {
        switch self {
        case .status(_, let status): status?.state == .online ? 3 : 0
        // A device has its new identifier before it loses the old one.
        case .peer(_, _, let peer): peer == nil ? 1 : 2
        }
    }

    fileprivate var subject: FleetFeed.Subject {
        switch self {
        case .status(let name, _): .status(name)
        case .peer(let name, let id, _): .peer(name, id)
        }
    }
}
