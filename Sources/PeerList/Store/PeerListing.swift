// Maintains the list: applies discovery events one at a time and returns the changes.
public import DiffCore
public import FoundationEssentials

/// A list of peers that follows discovery events.
///
/// Every event builds a new snapshot from the known services and hosts, and the update is the
/// difference from the previous snapshot, so the list always agrees with the known services.
public final class PeerListing {
    /// The result of an event.
    public struct Outcome: Sendable {
        /// The change of the list, or `nil` if nothing changed.
        public let update: PeerListUpdate?
        /// The notices for the user.
        public let notices: [Notice]
    }

    private typealias Row = (item: ListItem, source: RowSource)

    private(set) var store: PeerStore
    private var order = ListOrder()

    /// The list as of the last event.
    public private(set) var snapshot = PeerListSnapshot()

    /// The rows by identifier, each with its source.
    private var rows: [UUID: Row] = [:]
    /// The identifiers of the rows of all sources, shown or waiting.
    private var identifiers: [RowSource: UUID] = [:]
    /// The sources whose rows are not shown because another row has their identifier.
    private var waitingSources: [UUID: Set<RowSource>] = [:]
    /// The peers as in the rows of their services, by host, in a list that is grouped by type.
    private var serviceOwners: [String: Peer] = [:]

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - options: The types and the grouping of the list.
    ///   - makerOf: Returns the maker to which a MAC address is registered; called for a peer whose
    ///     records do not name a maker, at each change of the peer.
    public init(
        options: ListOptions = ListOptions(),
        makerOf: @escaping @Sendable (MACAddress) -> String? = { _ in nil }
    ) {
        store = PeerStore(options: options, makerOf: makerOf)
    }

    /// Returns the item with an identifier in ``snapshot``.
    public func item(_ id: UUID) -> ListItem? { rows[id]?.item }

    /// The sections of ``snapshot`` with their items.
    ///
    /// - Complexity: O(*n*), where *n* is the number of rows.
    public var sections: [ListSection] {
        order.rows.map { ListSection(id: $0.section, items: $0.items.compactMap(item)) }
    }

    /// Returns the services of a row, or of a device without a row of its own; listed or not, in no
    /// order.
    ///
    /// - Complexity: O(1) for a row, else O(*n*), where *n* is the number of hosts.
    public func services(of id: UUID) -> [UUID] {
        switch rows[id]?.source {
        case .service(let service): [service]
        case .host(let name): Array(store.device(name)?.serviceIDs ?? [])
        case nil: store.services(ofDevice: id)
        }
    }

    /// Returns the time of the last sign of life of the services of rows, or of devices without rows
    /// of their own; `nil` if there are no services.
    public func lastSeen(of ids: [UUID]) -> Timestamp? {
        ids.flatMap(services(of:)).compactMap { store.services[$0]?.lastSeen }.max()
    }

    /// Returns the paths on which services are announced, given the identifiers of rows, or of
    /// devices without rows of their own. Each path is returned once, ordered by interface, then by
    /// family.
    public func paths(of ids: [UUID]) -> [NetworkPath] {
        paths(ofServices: ids.flatMap(services(of:)))
    }

    /// Returns the paths on which services are announced, each once, ordered by interface, then by
    /// family.
    func paths(ofServices ids: [UUID]) -> [NetworkPath] {
        let sightings = ids.compactMap { store.services[$0] }.flatMap(\.sightings.keys)
        return Set(sightings.map(\.path)).sorted()
    }

    /// The number of services that wait for their first answer and hosts that wait for their addresses.
    public var openCount: Int { store.openCount }

    /// The names of the services and hosts that ``openCount`` counts, in order; O(*n*).
    package var openNames: [String] { store.openNames }

    /// Applies an event; copies O(*n*) bytes, where *n* is the number of rows.
    public func apply(_ event: DiscoveryEvent) -> Outcome {
        let touched = store.apply(event)
        let changes = replaceRows(of: sources(touched), event)
        return Outcome(update: applySnapshot(changes, event), notices: touched.notices)
    }
}

// MARK: Rows

extension PeerListing {
    private struct RowChanges {
        var arrivals: [UUID: ListItem] = [:]
        var departures: [UUID: (item: ListItem, reason: PeerListUpdate.Departure)] = [:]
        var changes: [UUID: PeerListUpdate.Change] = [:]
        var replacements: [UUID: UUID] = [:]
    }

    /// Returns the sources whose rows may have changed. In a list that is grouped by type, these are
    /// the changed services, and all services of a host if the part of the host in their rows has
    /// changed.
    private func sources(_ touched: PeerStore.Touched) -> Set<RowSource> {
        var sources = Set(touched.services.map(RowSource.service))
        for host in touched.hosts {
            guard store.options.grouping == .type else {
                sources.insert(.host(host))
                continue
            }
            let owner = store.serviceOwner(host)
            guard serviceOwners[host] != owner else { continue }
            serviceOwners[host] = owner
            sources.formUnion((store.hosts[host]?.serviceIDs ?? []).map(RowSource.service))
        }
        return sources
    }

    private func replaceRows(of touched: Set<RowSource>, _ event: DiscoveryEvent) -> RowChanges {
        var before: [UUID: Row] = [:]
        for source in touched {
            guard let (id, row) = removeRow(of: source) else { continue }
            before[id] = row
        }
        for source in touched.sorted() { makeRow(of: source) }
        // A waiting source gets its identifier if that is free now.
        var sources = touched
        for id in before.keys.sorted() where rows[id] == nil {
            guard let source = waitingSources[id]?.min() else { continue }
            _ = removeRow(of: source)
            makeRow(of: source)
            sources.insert(source)
        }
        return changes(of: sources, from: before, event)
    }

    /// Makes the row of a source, or adds the source to the waiting ones if another row has the
    /// identifier.
    private func makeRow(of source: RowSource) {
        guard let item = store.row(source) else { return }
        identifiers[source] = item.id
        if rows[item.id] == nil {
            rows[item.id] = (item, source)
        } else {
            waitingSources[item.id, default: []].insert(source)
        }
    }

    /// Removes the row of a source and returns it, unless the source was waiting.
    private func removeRow(of source: RowSource) -> (id: UUID, row: Row)? {
        guard let id = identifiers.removeValue(forKey: source) else { return nil }
        if rows[id]?.source == source { return rows.removeValue(forKey: id).map { (id, $0) } }
        waitingSources[id]?.remove(source)
        if waitingSources[id]?.isEmpty == true { waitingSources[id] = nil }
        return nil
    }

    /// Returns the identifier under which a source is shown.
    private func shownIdentifier(of source: RowSource) -> UUID? {
        identifiers[source].flatMap { rows[$0]?.source == source ? $0 : nil }
    }

    /// Returns the changes of the rows of sources, and puts them in order.
    private func changes(
        of sources: Set<RowSource>, from before: [UUID: Row], _ event: DiscoveryEvent
    ) -> RowChanges {
        var changes = RowChanges()
        for source in sources {
            guard let id = shownIdentifier(of: source), let now = rows[id]?.item else { continue }
            if let was = before[id]?.item {
                guard !now.isSame(as: was) else {
                    // A sign of life alone is not a difference, so the row keeps the old time.
                    rows[id] = (was, source)
                    continue
                }
                changes.changes[id] = PeerListUpdate.Change(was: was, now: now)
            } else {
                changes.arrivals[id] = now
            }
            let key = SortKey(now, by: store.options.order)
            order.insert(id, inSection: now.section, by: key)
        }
        for (id, row) in before where rows[id] == nil {
            order.remove(id)
            let successor = successor(of: row.source)
            changes.replacements[id] = successor
            let reason: PeerListUpdate.Departure = event.kind == .caughtUp ? .backend : .removed
            changes.departures[id] = (row.item, successor == nil ? reason : .identity)
        }
        return changes
    }

    /// Returns the new identifier of a source whose row is gone, or the new identifier of its host.
    private func successor(of source: RowSource) -> UUID? {
        if let id = shownIdentifier(of: source) { return id }
        let host: String? =
            switch source {
            case .service(let id): store.services[id]?.host
            case .host(let name): store.hosts[name] == nil ? nil : name
            }
        return host.flatMap { shownIdentifier(of: .host(store.listedName(of: $0))) }
    }

    private func applySnapshot(_ changes: RowChanges, _ event: DiscoveryEvent) -> PeerListUpdate? {
        let before = snapshot
        snapshot = order.snapshot()
        var marked = snapshot
        marked.reconfigureItems(Array(changes.changes.keys))
        let difference = marked.difference(from: before)
        guard !difference.isEmpty else { return nil }
        return PeerListUpdate(
            time: event.time, cause: cause(changes, event), snapshot: snapshot,
            difference: difference, arrivals: changes.arrivals, departures: changes.departures,
            changes: changes.changes, replacements: changes.replacements)
    }

    private func cause(_ changes: RowChanges, _ event: DiscoveryEvent) -> PeerListUpdate.Cause {
        switch event.kind {
        case .running, .lost, .handedOver, .caughtUp: return .backend
        default: break
        }
        if !changes.replacements.isEmpty { return .identity }
        if !changes.arrivals.isEmpty { return .arrived }
        if !changes.departures.isEmpty { return .departed }
        return changes.changes.values.allSatisfy(\.isOfPresenceOnly) ? .presence : .changed
    }
}
