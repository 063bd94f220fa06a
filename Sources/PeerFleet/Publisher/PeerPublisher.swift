// Publishes the list of an observer to a broker.
import FoundationEssentials
package import PeerHappenings
package import PeerModel
package import PeerRecording
import Synchronization

/// The connection of an observer with its broker.
///
/// It never waits for the broker: messages are queued, at most 64 that the broker has not confirmed, and
/// what changes meanwhile is read from the list once they are.
package final class PeerPublisher: Sendable {
    /// A report of the publisher.
    package enum Report: Sendable {
        case notice(Notice.Code, String)
        /// Another observer has taken over the name; nothing is published any more.
        case takenOver(String)
    }

    private struct State {
        var publisher: ObserverPublisher
        var connection: BrokerConnection?
        /// Whether it was reported that the broker is away.
        var isAway = false
    }

    /// The interval at which is done what is due.
    private static let interval = Duration.seconds(5)

    private let state: Mutex<State>
    private let report: @Sendable (Report) -> Void
    private let timer: Mutex<Task<Void, Never>?> = Mutex(nil)

    /// Creates the publisher of an empty list.
    ///
    /// - Parameters:
    ///   - name: The name of the observer.
    ///   - topics: The topics of its fleet.
    ///   - status: The parts of its status that stay.
    ///   - trackers: The device trackers of Home Assistant.
    ///   - report: Called with what the user should be told, on any thread; must not block.
    package init(
        _ name: ObserverName, topics: FleetTopics, status: ObserverStatus,
        trackers: HomeTrackers, report: @escaping @Sendable (Report) -> Void
    ) {
        self.report = report
        state = Mutex(
            State(
                publisher: ObserverPublisher(
                    name, topics: topics, status: status, trackers: trackers)))
    }

    /// Begins the list and connects to the broker, again and again until ``stop(within:)``.
    package func start(_ header: LineHeader, _ access: BrokerAccess) {
        let will = state.withLock { state in
            state.publisher.began(header)
            return state.publisher.will
        }
        // A random identifier: if another client, of any user, takes it, the broker ends this connection,
        // and does not always tell the reason.
        let options = ConnectionOptions(
            clientID: "peerlist-" + UUID.randomByKernel().uuidString.lowercased(), will: will)
        let connection = BrokerConnection(access, options) { [weak self] in self?.handle($0) }
        state.withLock { $0.connection = connection }
        connection.start()
        let task = Task { [weak self] in
            while (try? await Task.sleep(for: Self.interval)) != nil {
                self?.perform { $0.advance() }
            }
        }
        timer.withLock { $0 = task }
    }

    /// Notes another backend or another name of this machine.
    package func handedOver(_ header: LineHeader) {
        state.withLock { $0.publisher.handedOver(header) }
    }

    /// Notes whether the initial fill of the list goes on; until it is over, the observer is not online.
    package func filling(_ isFilling: Bool) { perform { $0.filling(isFilling) } }

    /// Publishes changes of the list.
    package func updated(_ items: ItemChanges) { perform { $0.updated(items) } }

    /// Notes through what devices cannot be heard.
    package func updated(_ sources: AbsentSources) { perform { $0.updated(sources) } }

    /// States that the observer is offline and disconnects; returns whether the broker confirmed it.
    package func stop(within limit: Duration) async -> Bool {
        timer.withLock { $0?.cancel() }
        let (connection, last) = state.withLock { ($0.connection, $0.publisher.will) }
        return await connection?.stop(last, within: limit) ?? true
    }

    private func handle(_ event: BrokerEvent) {
        switch event {
        case .connected:
            state.withLock { state in
                if state.isAway { report(.notice(.brokerBack, "the broker is back")) }
                state.isAway = false
            }
            perform { $0.connected() }
        case .lost(let reason, _): lose(.brokerLost, "the broker is away: \(reason)")
        case .refused(let reason):
            lose(.brokerRefused, "no connection to the broker: \(reason)")
        case .message(let message):
            perform {
                $0.received(message.payload, on: message.topic, isKept: message.isRetained)
            }
        case .subscribed(let filter, let reason):
            guard let reason, !state.withLock({ $0.publisher.isOptional(filter) }) else { return }
            report(.notice(.brokerRefused, "the broker refuses to be read: \(reason)"))
        case .unsubscribed(let filter): perform { $0.unsubscribed(filter) }
        case .published(_, let failure): perform { $0.confirmed(failure: failure) }
        case .oversized: break
        }
    }

    private func lose(_ code: Notice.Code, _ message: String) {
        let wasAway = state.withLock { state in
            defer { state.isAway = true }
            state.publisher.lost()
            return state.isAway
        }
        if !wasAway { report(.notice(code, message)) }
    }

    /// Has the publisher decide, and does what it says.
    private func perform(_ decide: (inout ObserverPublisher) -> [ObserverPublisher.Action]) {
        state.withLock { state in
            // In the order of the decisions, so with the lock; the connection only queues the messages.
            for action in decide(&state.publisher) {
                switch action {
                case .subscribe(let filter): state.connection?.subscribe(filter)
                case .unsubscribe(let filter): state.connection?.unsubscribe(filter)
                case .keep(let payload, let topic):
                    state.connection?.publish(payload, to: topic, retained: true)
                case .notice(let code, let message): report(.notice(code, message))
                case .takenOver(let reason): report(.takenOver(reason))
                }
            }
        }
    }
}
