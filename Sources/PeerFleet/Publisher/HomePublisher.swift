// Publishes the device trackers of a fleet's list to the broker.
import FoundationEssentials
package import PeerHappenings
package import PeerModel
import PeerRecording
import Synchronization

/// The connection by which the list of a fleet tells Home Assistant which devices are at home.
///
/// It is not the connection of ``FleetFeed``, which reads: its will states that the list is offline.
package final class HomePublisher: Sendable {
    fileprivate struct State {
        var trackers: HomeTrackers
        var connection: BrokerConnection?
        /// Whether the messages of earlier connections were read.
        var isPublishing = false
        /// The filters by which these are read.
        var filters: [String] = []
        /// The number of messages that the broker has not confirmed.
        var unconfirmed = 0
        var isFailing = false
        var timer: Task<Void, Never>?
    }

    /// The interval at which is done what is due.
    private static let interval = Duration.seconds(5)

    private let state: Mutex<State>
    private let status: String
    private let mark: String
    private let report: @Sendable (Notice.Code, String) -> Void

    /// Creates the publisher of an empty list.
    ///
    /// - Parameters:
    ///   - trackers: The trackers of the list of the fleet.
    ///   - topics: The topics of the fleet.
    ///   - report: Called with what the user should be told, on any thread; must not block.
    package init(
        _ trackers: HomeTrackers, _ topics: FleetTopics,
        report: @escaping @Sendable (Notice.Code, String) -> Void
    ) {
        state = Mutex(State(trackers: trackers))
        (status, mark) = (topics.trackerStatus(of: nil), topics.statusMark)
        self.report = report
    }

    /// Connects to the broker, again and again until ``stop(within:)``.
    package func start(_ access: BrokerAccess) {
        let options = ConnectionOptions(
            clientID: "peerlist-home-" + UUID.randomByKernel().uuidString.lowercased(), will: will)
        let connection = BrokerConnection(access, options) { [weak self] in self?.handle($0) }
        let timer = Task { [weak self] in
            while (try? await Task.sleep(for: Self.interval)) != nil {
                self?.update { $0.advance(to: .now, .now()) }
            }
        }
        state.withLock { ($0.connection, $0.timer) = (connection, timer) }
        connection.start()
    }

    /// Applies changes of the list.
    package func updated(_ items: ItemChanges) { update { $0.apply(items, at: .now) } }

    /// Notes through what devices cannot be heard.
    package func updated(_ sources: AbsentSources) { update { $0.apply(sources, at: .now) } }

    /// States that the list is offline, and disconnects.
    package func stop(within limit: Duration) async {
        let connection = state.withLock { state in
            state.timer?.cancel()
            return state.connection
        }
        _ = await connection?.stop(will, within: limit)
    }

    private var will: RetainedMessage {
        .init(topic: status, payload: ObserverStatus(.offline).payload)
    }

    private func update(_ change: (inout HomeTrackers) -> Void) {
        state.withLock { state in
            change(&state.trackers)
            state.proceed()
        }
    }

    private func handle(_ event: BrokerEvent) {
        state.withLock { state in
            switch event {
            case .connected:
                (state.isPublishing, state.unconfirmed) = (false, 0)
                state.trackers.beginRead()
                state.filters = state.trackers.filters
                for filter in [status] + state.filters { state.connection?.subscribe(filter) }
                state.connection?.unsubscribe(mark)
            case .unsubscribed(mark):
                state.isPublishing = true
                state.trackers.endRead(at: .now)
                for filter in state.filters { state.connection?.unsubscribe(filter) }
                stateOnline(&state)
                state.proceed()
            case .message(let message) where message.topic == status:
                // The will of an earlier connection, or the end of another list.
                let status = try? ObserverStatus(message.payload)
                if state.isPublishing, status?.state != .online { stateOnline(&state) }
            case .message(let message):
                guard !state.isPublishing, !message.payload.isEmpty else { return }
                state.trackers.readBack(message.payload, on: message.topic)
            case .published(_, let failure):
                state.unconfirmed = max(0, state.unconfirmed - 1)
                if let failure, !state.isFailing {
                    state.isFailing = true
                    report(
                        .brokerRefused, "the broker refused a message to Home Assistant: \(failure)"
                    )
                }
                state.proceed()
            // The connection of the list reports it.
            case .lost, .refused: state.isPublishing = false
            case .subscribed, .unsubscribed, .oversized: break
            }
        }
    }

    private func stateOnline(_ state: inout State) {
        state.publish(ObserverStatus(.online).payload, to: status)
    }
}

extension HomePublisher.State {
    /// Publishes as many messages as the broker may be sent before it confirms some.
    fileprivate mutating func proceed() {
        guard isPublishing else { return }
        while unconfirmed < ObserverPublisher.windowSize, let (payload, topic) = trackers.next() {
            publish(payload, to: topic)
        }
    }

    fileprivate mutating func publish(_ payload: [UInt8], to topic: String) {
        unconfirmed += 1
        connection?.publish(payload, to: topic, retained: true)
    }
}
