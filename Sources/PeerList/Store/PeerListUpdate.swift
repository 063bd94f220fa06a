// One applied difference, with what is needed to show it or to write it.
public import DiffCore
public import FoundationEssentials

/// What the list's snapshots are made of: sections by domain or service type, items by UUID.
public typealias PeerListSnapshot = DiffableDataSourceSnapshot<String, UUID>

/// A difference between two snapshots of the list.
public typealias PeerListDifference = SnapshotDifference<String, UUID>

/// One discovery event's effect on the list.
public struct PeerListUpdate: Sendable {
    /// What brought the difference about.
    public enum Cause: String, Sendable, Hashable, CaseIterable {
        /// A peer came.
        case arrived
        /// A peer left.
        case departed
        /// Something about a peer changed.
        case changed
        /// Only the presence of peers changed.
        case presence
        /// A peer's identifier changed, because the evidence for it did.
        case identity
        /// The backend went away, or one came back.
        case backend
    }

    /// Why an item left the list.
    public enum Departure: String, Sendable, Hashable, CaseIterable {
        /// It was withdrawn, or it expired: Avahi does not tell which.
        case removed
        /// It goes on under another identifier.
        case identity
        /// It was not seen again after a backend's return.
        case backend
    }

    /// An item that stayed and changed.
    public struct Change: Sendable, Equatable {
        /// The item as it was.
        public let was: ListItem
        /// The item as it is.
        public let now: ListItem

        /// A change of one item.
        public init(was: ListItem, now: ListItem) {
            self.was = was
            self.now = now
        }
    }

    /// When the event arrived.
    public let time: Timestamp

    /// What brought the difference about.
    public let cause: Cause

    /// The list after the difference.
    public let snapshot: PeerListSnapshot

    /// What turns the list before into ``snapshot``; changed items are its reconfigured ones.
    public let difference: PeerListDifference

    /// The inserted items, whole.
    public let arrivals: [UUID: ListItem]

    /// The deleted items as last known, and why they left.
    public let departures: [UUID: (item: ListItem, reason: Departure)]

    /// The items that stayed and changed; the difference's reconfigured ones.
    public let changes: [UUID: Change]

    /// For deleted items that go on under another identifier, that identifier.
    public let replacements: [UUID: UUID]

    /// An update with all of its parts.
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
