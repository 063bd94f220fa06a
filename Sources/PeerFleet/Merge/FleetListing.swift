// Maintains the list of a fleet: applies its events one at a time and returns what each changed.
import FoundationEssentials
package import PeerList
package import PeerRecording

/// The report of a fleet at a time: changes of what its observers publish, and of the connection.
package struct FleetEvent: Sendable {
    package var time: Timestamp
    /// The changes, at most one of each status and each peer.
    package var changes: [FleetChange] = []
    package var notices: [Notice] = []
    /// The number of the broker, from 0.
    package var broker = 0
    /// Whether everything that the broker keeps has been read.
    package var isSettled = false
    /// The reason why the broker cannot be reached or read; `nil` while it can.
    package var failure: String?

    package init(at time: Timestamp) { self.time = time }
}

/// The list of a fleet.
package struct FleetListing {
    private let options: ListOptions
    private var merge = FleetMerge()
    /// The devices as of the last event.
    package private(set) var rows: ListBuilder

    /// The number of brokers.
    private let brokerCount: Int
    /// The brokers of which everything that they kept was read by their last events.
    private var settled: Set<Int> = []

    /// Whether everything that the brokers kept was read by their last events.
    package var isSettled: Bool { settledCount == brokerCount }
    /// The number of brokers of which everything was read.
    package var settledCount: Int { settled.count }

    /// The observers that have a status, also those that see no device, and whether they are online.
    package var online: [ObserverName: Bool] { merge.online }

    /// The statuses of the observers, by their names.
    package var statuses: [(name: ObserverName, status: ObserverStatus)] { merge.statuses }

    /// Returns the number of peers that an observer has published.
    package func peerCount(of observer: ObserverName) -> Int { merge.peerCount(of: observer) }

    /// Creates an empty list of devices.
    package init(options: ListOptions = ListOptions(), brokers brokerCount: Int = 1) {
        (self.options, rows) = (options, ListBuilder(by: options.order))
        self.brokerCount = brokerCount
    }

    /// Applies an event, and returns the change of the list; `nil` if nothing changed.
    ///
    /// - Complexity: O(*v*) for the views of the devices that changed; copies O(*n*) bytes for *n* devices.
    package mutating func apply(_ event: FleetEvent) -> PeerListUpdate? {
        if event.isSettled {
            settled.insert(event.broker)
        } else {
            settled.remove(event.broker)
        }
        let touched = event.changes.reduce(into: Set<UUID>()) { touched, change in
            touched.formUnion(merge.apply(change, from: event.broker))
        }
        return Self.update(touched, of: &rows, from: &merge, options, at: event.time)
    }

    private static func update(
        _ touched: Set<UUID>, of rows: inout ListBuilder, from merge: inout FleetMerge,
        _ options: ListOptions, at time: Timestamp
    ) -> PeerListUpdate? {
        rows.update(touched, at: time) { id in
            guard let item = merge.item(id), let listed = options.listed(item.peer) else {
                return nil
            }
            return options.types.isEmpty ? item : .peer(listed)
        }
    }
}
