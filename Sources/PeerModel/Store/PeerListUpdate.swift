// The changes of a list's items at one time, and the update of the list with its difference.
public import DiffCore
public import FoundationEssentials

/// A snapshot of the list: sections by domain or service type, items by UUID.
public typealias PeerListSnapshot = DiffableDataSourceSnapshot<String, UUID>

/// A difference between two snapshots of the list.
public typealias PeerListDifference = SnapshotDifference<String, UUID>

/// The arrivals, departures and changes of items at one time.
public struct ItemChanges: Sendable {
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

    /// The time of the changes.
    public var time: Timestamp

    /// The inserted items.
    public var arrivals: [UUID: ListItem]

    /// The deleted items as last known, and the reasons.
    public var departures: [UUID: (item: ListItem, reason: Departure)]

    /// The changes of the items that stayed.
    public var changes: [UUID: Change]

    /// The new identifiers of deleted items whose identifier changed.
    public var replacements: [UUID: UUID]

    /// The former identifiers of items that were another item before, or a part of one, although that item stays or goes
    /// on as a further one.
    package var predecessors: [UUID: UUID] = [:]

    /// Creates changes; none by default.
    public init(
        at time: Timestamp, arrivals: [UUID: ListItem] = [:],
        departures: [UUID: (item: ListItem, reason: Departure)] = [:],
        changes: [UUID: Change] = [:], replacements: [UUID: UUID] = [:]
    ) {
        self.time = time
        self.arrivals = arrivals
        self.departures = departures
        self.changes = changes
        self.replacements = replacements
    }

    /// Creates the changes from one list to another.
    ///
    /// - Parameters:
    ///   - time: The time of the changes.
    ///   - old: The identifiers of the items before.
    ///   - former: Returns the item with an identifier before.
    ///   - new: The items after.
    ///   - replaced: The replacements meanwhile, by the former identifier.
    package init(
        at time: Timestamp, from old: some Sequence<UUID>, _ former: (UUID) -> ListItem?,
        to new: [UUID: ListItem], replaced: [UUID: UUID] = [:]
    ) {
        self.init(at: time)
        /// Follows the replacements of an item to the first replacement in the new list.
        func successor(of id: UUID) -> UUID? {
            var (last, visited) = (id, Set([id]))
            while let next = replaced[last], visited.insert(next).inserted {
                if new[next] != nil { return next }
                last = next
            }
            return nil
        }
        for id in old where new[id] == nil {
            guard let item = former(id) else { continue }
            replacements[id] = successor(of: id)
            departures[id] = (item, replacements[id] == nil ? .removed : .identity)
        }
        for (id, now) in new {
            if let was = former(id) {
                if !now.isSame(as: was) { changes[id] = Change(was: was, now: now) }
            } else {
                arrivals[id] = now
            }
        }
    }

    /// Whether no item arrived, departed or changed.
    public var isEmpty: Bool { arrivals.isEmpty && departures.isEmpty && changes.isEmpty }

    /// The cause that follows from the changes alone, which do not show a change of a backend or a link.
    fileprivate var cause: PeerListUpdate.Cause {
        if !replacements.isEmpty { return .identity }
        if !arrivals.isEmpty { return .arrived }
        if !departures.isEmpty { return .departed }
        return changes.values.allSatisfy(\.isOfPresenceOnly) ? .presence : .changed
    }
}

/// The effect of one event on the list.
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
        /// The backend went away, or one came back.
        case backend
        /// An interface of this machine went down, or came back.
        case link
    }

    /// The changes of the items.
    public var items: ItemChanges

    /// The kind of event.
    public let cause: Cause

    /// The list after the difference.
    public let snapshot: PeerListSnapshot

    /// The difference between the list before and ``snapshot``; changed items are reconfigured.
    public let difference: PeerListDifference

    /// Creates the update from one list to another.
    ///
    /// - Parameters:
    ///   - items: The changes of the items between both.
    ///   - cause: The cause of the changes; by default it is derived from the items.
    ///   - before: The list before.
    ///   - after: The list after.
    public init(
        _ items: ItemChanges, cause: Cause? = nil, from before: PeerListSnapshot,
        to after: PeerListSnapshot
    ) {
        self.items = items
        self.cause = cause ?? items.cause
        snapshot = after
        var marked = after
        marked.reconfigureItems(Array(items.changes.keys))
        difference = marked.difference(from: before)
    }
}
