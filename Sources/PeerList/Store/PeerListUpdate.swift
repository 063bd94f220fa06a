// The effect of one discovery event on the list.
public import DiffCore
public import FoundationEssentials

/// A snapshot of the list: sections by domain or service type, items by UUID.
public typealias PeerListSnapshot = DiffableDataSourceSnapshot<String, UUID>

/// A difference between two snapshots of the list.
public typealias PeerListDifference = SnapshotDifference<String, UUID>

/// The effect of one discovery event on the list.
public struct PeerListUpdate: Sendable {
    /// The kinds of events that cause a difference.
    public enum Cause: String, Sendable, Hashable, CaseIterable {
        /// A peer arrived.
        case arrived
        /// A peer departed.
        case departed
        /// A property of a peer changed.
        case changed
        /// Only the presence of peers changed.
        case presence
        /// A peer's identifier changed, because the evidence for it did.
        case identity
        /// The backend went away, or a backend came back.
        case backend
    }

    /// The reasons for which an item is deleted.
    public enum Departure: String, Sendable, Hashable, CaseIterable {
        /// The item was withdrawn, or it expired; Avahi does not distinguish these.
        case removed
        /// The identifier of the item changed.
        case identity
        /// The item was not seen again after a backend's return.
        case backend
    }

    /// A change of an item that stayed in the list.
    public struct Change: Sendable, Equatable {
        /// The item before the change.
        public let was: ListItem
        /// The item after the change.
        public let now: ListItem

        /// Creates a change.
        public init(was: ListItem, now: ListItem) {
            self.was = was
            self.now = now
        }

        /// Whether only the presence differs, including the presence in the views of observers.
        package var isOfPresenceOnly: Bool {
            var now = now
            now.peer.presence = was.peer.presence
            if now.peer.views.count == was.peer.views.count {
                for (index, view) in was.peer.views.enumerated() {
                    now.peer.views[index].presence = view.presence
                }
            }
            return now.isSame(as: was)
        }
    }

    /// The time of the event.
    public let time: Timestamp

    /// The kind of event.
    public let cause: Cause

    /// The list after the difference.
    public let snapshot: PeerListSnapshot

    /// The difference between the list before and ``snapshot``; changed items are reconfigured.
    public let difference: PeerListDifference

    /// The inserted items.
    public let arrivals: [UUID: ListItem]

    /// The deleted items as last known, and the reasons.
    public let departures: [UUID: (item: ListItem, reason: Departure)]

    /// The changes of the items that stayed: the reconfigured items of ``difference``.
    public let changes: [UUID: Change]

    /// The new identifiers of deleted items whose identifier changed.
    public let replacements: [UUID: UUID]

    /// Creates an update.
    public init(
        time: Timestamp, cause: Cause, snapshot: PeerListSnapshot, difference: PeerListDifference,
        arrivals: [UUID: ListItem], departures: [UUID: (item: ListItem, reason: Departure)],
        changes: [UUID: Change], replacements: [UUID: UUID] = [:]
    ) {
        self.time = time
        self.cause = cause
        self.snapshot = snapshot
        self.difference = difference
        self.arrivals = arrivals
        self.departures = departures
        self.changes = changes
        self.replacements = replacements
    }
}
