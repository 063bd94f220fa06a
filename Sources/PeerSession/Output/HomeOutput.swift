// Publishes the device trackers of a fleet's list for Home Assistant.
package import PeerFleet
package import PeerModel
package import PeerRecording
import PeerText

/// The options of the device trackers in Home Assistant.
package struct HomeOptions: Sendable, Equatable {
    /// The topic below which Home Assistant looks for devices.
    package var prefix: String
    /// The time after which a device that is gone is not at home.
    package var time: Duration
    /// Whether the list has only devices of kinds that the user has chosen.
    package var isOfKinds: Bool

    package init(prefix: String, after time: Duration, isOfKinds: Bool) {
        (self.prefix, self.time, self.isOfKinds) = (prefix, time, isOfKinds)
    }
}

extension HomeTrackers {
    /// Creates the trackers of an observer, or of the list of a fleet; without options, only removes trackers
    /// of earlier runs.
    init(of name: ObserverName?, _ topics: FleetTopics, _ options: HomeOptions?) {
        let home = HomeAssistant(
            of: name, topics: topics, prefix: options?.prefix ?? HomeAssistant.standardPrefix,
            version: Version.number)
        self.init(home, after: options?.time, isOfKinds: options?.isOfKinds ?? false)
    }
}

/// The output of the session of a fleet that tells Home Assistant which devices are at home.
package final class HomeOutput: ListOutput {
    private let publisher: HomePublisher
    private let access: BrokerAccess

    /// Creates the output of the list of a fleet; `session` receives notices.
    package init(
        _ access: BrokerAccess, _ options: HomeOptions,
        _ session: AsyncStream<SessionMessage>.Continuation
    ) {
        self.access = access
        let topics = FleetTopics(prefix: access.url.prefix)
        publisher = HomePublisher(HomeTrackers(of: nil, topics, options), topics) {
            session.yield(.notice($0, $1))
        }
    }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        switch event {
        case .began: publisher.start(access)
        case .updated(let items, _): publisher.updated(items)
        case .sources(let sources): publisher.updated(sources)
        case .lost, .handedOver, .fill, .happened, .sighted, .noticed, .answered, .tick, .reopened,
            .ended:
            break
        }
    }

    package func close(within limit: Duration) async -> LineFailure? {
        await publisher.stop(within: limit)
        return nil
    }
}
