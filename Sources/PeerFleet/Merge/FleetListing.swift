// Maintains the list of a fleet: applies its events one at a time and returns what each changed.
import DiffCore
package import FoundationEssentials
package import PeerList
package import PeerRecording

/// The report of a fleet at a time: changes of what its observers publish, and of the connection.
package struct FleetEvent: Sendable {
    package var time: Timestamp
    /// The changes, at most one of each status and each peer.
    package var changes: [FleetChange] = []
    package var notices: [Notice] = []
    /// Whether everything that the broker keeps has been read.
    package var isSettled = false
    /// The reason why the broker cannot be reached or read; `nil` while it can.
    package var failure: String?

    package init(at time: Timestamp) { self.time = time }
}

/// The list of a fleet.
///
/// As for the peers on the link, every event builds a new snapshot of what is known, and the update is the
/// difference from the one before.
package struct FleetListing {
    /// A class, because an item is large for a table.
    private final class Row: Sendable {
        let item: ListItem

        init(_ item: ListItem) { self.item = item }
    }

    private let options: ListOptions
    private var merge = FleetMerge()
    private var order = ListOrder()
    private var rows: [UUID: Row] = [:]

    /// The list as of the last event.
    package private(set) var snapshot = PeerListSnapshot()

    /// Whether everything that the broker kept was read by the last event.
    package private(set) var isSettled = false

    /// The observers that have a status, also those that see no device, and whether they are online.
    package var online: [ObserverName: Bool] { merge.online }

    /// The statuses of the observers, by their names.
    package var statuses: [(name: ObserverName, status: ObserverStatus)] { merge.statuses }

    /// Creates an empty list of devices.
    package init(options: ListOptions = ListOptions()) { self.options = options }

    /// Returns the item with an identifier in ``snapshot``.
    package func item(_ id: UUID) -> ListItem? { rows[id]?.item }

    /// The sections of ``snapshot`` with their items.
    ///
    /// - Complexity: O(*n*), where *n* is the number of devices.
    package var sections: [ListSection] {
        order.rows.map { ListSection(id: $0.section, items: $0.items.compactMap(item)) }
    }

    /// Applies an event, and returns the change of the list; `nil` if nothing changed.
    ///
    /// - Complexity: O(*v*) for the views of the devices that changed; copies O(*n*) bytes for *n* devices.
    package mutating func apply(_ event: FleetEvent) -> PeerListUpdate? {
        isSettled = event.isSettled
        let touched = event.changes.reduce(into: Set<UUID>()) { $0.formUnion(merge.apply($1)) }
        var arrivals: [UUID: ListItem] = [:]
        var departures: [UUID: (item: ListItem, reason: PeerListUpdate.Departure)] = [:]
        var changes: [UUID: PeerListUpdate.Change] = [:]
        // A status can change all devices, and a table that grows is there twice.
        changes.reserveCapacity(touched.count { rows[$0] != nil })
        var placed: [(item: UUID, section: String, key: SortKey)] = []
        for id in touched {
            let was = rows[id]?.item
            guard let now = row(id) else {
                rows[id] = nil
                if let was { departures[id] = (was, .removed) }
                continue
            }
            // A sign of life alone is not a difference, so the list keeps the old time.
            if let was, now.isSame(as: was) { continue }
            rows[id] = Row(now)
            if let was { changes[id] = .init(was: was, now: now) } else { arrivals[id] = now }
            placed.append((id, now.section, SortKey(now, by: options.order)))
        }
        order.update(removing: Array(departures.keys), placing: placed)

        let before = snapshot
        snapshot = order.snapshot()
        var marked = snapshot
        marked.reconfigureItems(Array(changes.keys))
        let difference = marked.difference(from: before)
        guard !difference.isEmpty else { return nil }
        let cause: PeerListUpdate.Cause =
            if !arrivals.isEmpty {
                .arrived
            } else if !departures.isEmpty {
                .departed
            } else {
                changes.values.allSatisfy(\.isOfPresenceOnly) ? .presence : .changed
            }
        return PeerListUpdate(
            time: event.time, cause: cause, snapshot: snapshot, difference: difference,
            arrivals: arrivals, departures: departures, changes: changes)
    }

    /// Returns the row of a device, if it is listed, with its listed services.
    private func row(_ id: UUID) -> ListItem? {
        guard var peer = merge.peer(id), options.includes(peer.kind) else { return nil }
        if !options.types.isEmpty {
            peer.services = peer.services.filter(options.includes)
            if peer.services.isEmpty { return nil }
        }
        return .peer(peer)
    }
}
