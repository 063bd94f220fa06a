// Publishes the list of a session to a broker.
import Glibc
package import PeerFleet
import PeerHappenings
package import PeerList
package import PeerRecording
import PeerText

/// The output of a session that publishes its list to a broker.
package final class PublisherOutput: ListOutput {
    private let publisher: PeerPublisher
    private let access: BrokerAccess

    /// Creates the output of an observer of a fleet.
    ///
    /// - Parameters:
    ///   - access: The broker.
    ///   - name: The name of this observer.
    ///   - home: The options of the device trackers in Home Assistant; `nil` for none.
    ///   - interface: The only interface on which the list listens; `nil` for all.
    ///   - session: Receives notices, and the end if another observer takes over the name.
    package init(
        _ access: BrokerAccess, _ name: ObserverName, _ home: HomeOptions?, interface: String?,
        _ session: AsyncStream<SessionMessage>.Continuation
    ) {
        self.access = access
        let topics = FleetTopics(prefix: access.url.prefix)
        var status = ObserverStatus(.syncing)
        status.interfaces = LocalInterface.all().filter(\.isUsable).map(\.interface.name)
            .filter { interface == nil || interface == $0 }
        status.since = .now()
        status.version = Version.number
        publisher = PeerPublisher(
            name, topics: topics, status: status,
            trackers: HomeTrackers(of: name, topics, home)
        ) { report in
            switch report {
            case .notice(let code, let message): session.yield(.notice(code, message))
            case .takenOver(let reason): session.yield(.ended(.takenOver("--publish: \(reason)")))
            }
        }
    }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        switch event {
        case .began(let header): publisher.start(header, access)
        case .handedOver(let header): publisher.handedOver(header)
        case .updated(let items, _): publisher.updated(items)
        case .sources(let sources): publisher.updated(sources)
        case .fill(let fill): publisher.filling(fill == .running)
        case .lost, .happened, .sighted, .noticed, .answered, .tick, .reopened, .ended: break
        }
    }

    package func close(within limit: Duration) async -> LineFailure? {
        // The broker states that the observer is offline if this cannot.
        _ = await publisher.stop(within: limit)
        return nil
    }
}
