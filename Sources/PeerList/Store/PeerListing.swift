// The way of an event: into the store, a fresh snapshot from it, the difference applied, one update out.
public import DiffCore
public import FoundationEssentials

/// The list: takes discovery events one at a time, and says what each changed.
///
/// On every event an empty snapshot is filled from what is known and applied,
/// so the list can never drift from it: there is no other way to change it.
public final class PeerListing {
    /// What an event brought about.
    public struct Outcome: Sendable {
        /// What changed in the list, if anything did.
        public let update: PeerListUpdate?
        /// What the user should be told.
        public let notices: [Notice]
    }

    private(set) var store: PeerStore
    private var order = ListOrder()
    private let view = UnseenList()
    private let dataSource: DiffableDataSource<String, UUID>

    /// Every row by its identifier.
    private var rows: [UUID: (row: Row, source: RowSource)] = [:]
    private var identifiers: [RowSource: UUID] = [:]
    /// What should be a row, but whose identifier is in use, by that identifier; and the other way round.
    private var shadowed: [UUID: Set<RowSource>] = [:]
    private var shadows: [RowSource: UUID] = [:]
    private var offerers: [String: ServiceListing.Offerer] = [:]

    /// An empty list.
    public init(options: ListOptions = ListOptions()) {
        store = PeerStore(options: options)
        dataSource = DiffableDataSource(view: view) { _, _, _ in }
    }

    /// What the list holds.
    public var snapshot: PeerListSnapshot { dataSource.snapshot() }

    /// The item of an identifier in ``snapshot``.
    public func item(_ id: UUID) -> ListItem? { rows[id]?.row.item }

    /// The list with everything in it.
    ///
    /// - Complexity: O(*n*), where *n* is the number of rows.
    public var sections: [ListSection] {
        let snapshot = snapshot
        return snapshot.sectionIdentifiers.map { section in
            let ids = snapshot.itemIdentifiers(inSection: section)
            return ListSection(id: section, items: ids.compactMap(item))
        }
    }

    /// The services behind a row, or behind a device that is no row here; listed or not, in no order.
    ///
    /// - Complexity: O(1) for a row, else O(*n*), where *n* is the number of hosts.
    public func services(of id: UUID) -> [UUID] {
        switch rows[id]?.source {
        case .service(let service): [service]
        case .host(let name): Array(store.device(name)?.serviceIDs ?? [])
        case nil: store.services(ofDevice: id)
        }
    }

    /// When something was last heard of the services behind rows, or behind devices that are no rows
    /// here; `nil` where there are none.
    ///
    /// - Complexity: as that of ``services(of:)``.
    public func lastSeen(of ids: [UUID]) -> Timestamp? {
        ids.flatMap(services(of:)).compactMap { store.services[$0]?.lastSeen }.max()
    }

    /// The paths on which the services behind rows, or behind devices that are no rows here, are
    /// announced now; each once, by interface, then by family.
    ///
    /// - Complexity: O(*s*), where *s* is the number of sightings, and as that of ``services(of:)``.
    public func paths(of ids: [UUID]) -> [NetworkPath] {
        var paths: Set<NetworkPath> = []
        for service in ids.flatMap(services(of:)) {
            for sighting in store.services[service]?.sightings.keys.map(\.self) ?? [] {
                paths.insert(
                    NetworkPath(interface: sighting.interface.name, family: sighting.family))
            }
        }
        return paths.sorted {
            ($0.interface, $0.family.rawValue) < ($1.interface, $1.family.rawValue)
        }
    }

    /// How many services still wait for their first answer, and hosts for the first look at their
    /// addresses.
    public var openCount: Int { store.openCount }

    /// Folds an event into the list.
    ///
    /// - Complexity: O(*n*) copying, where *n* is the number of rows, and a few
    ///   look-ups for each row that the event touches.
    public func apply(_ event: DiscoveryEvent) -> Outcome {
        let touched = store.apply(event)
        var notices = touched.notices.map { Notice($0.code, $0.message, time: event.time) }
        if let notice = Notice(event) { notices.append(notice) }
        let changes = replaceRows(touched, event)
        return Outcome(update: applySnapshot(changes, event), notices: notices)
    }

    /// The rows before and after, of those that an event touched.
    private struct RowChanges {
        var before: [UUID: (row: Row, source: RowSource)] = [:]
        var arrived: [UUID: ListItem] = [:]
        var departed: [UUID: (item: ListItem, reason: PeerListUpdate.Departure)] = [:]
        var changed: [UUID: PeerListUpdate.Change] = [:]
        var replacements: [UUID: UUID] = [:]
    }

    /// What may make another row now. By type, a host makes one for each of its services when what it says changes.
    private func sources(_ touched: PeerStore.Touched) -> Set<RowSource> {
        var sources = Set(touched.services.map(RowSource.service))
        for host in touched.hosts {
            guard store.options.grouping == .type else {
                sources.insert(.host(host))
                continue
            }
            let offerer = store.offerer(host)
            guard offerers[host] != offerer else { continue }
            offerers[host] = offerer
            sources.formUnion((store.hosts[host]?.serviceIDs ?? []).map(RowSource.service))
        }
        return sources
    }

    private func replaceRows(_ touched: PeerStore.Touched, _ event: DiscoveryEvent) -> RowChanges {
        var changes = RowChanges()
        var sources = sources(touched)
        for source in sources {
            leaveShadow(source)
            guard let id = identifiers.removeValue(forKey: source) else { continue }
            changes.before[id] = rows.removeValue(forKey: id)
        }
        for source in sources.sorted() { makeRow(source) }
        // Who has waited for an identifier that is free now gets it.
        for id in changes.before.keys.sorted() where rows[id] == nil {
            guard let heir = shadowed[id]?.min() else { continue }
            leaveShadow(heir)
            makeRow(heir)
            sources.insert(heir)
        }
        compare(&changes, sources, event)
        return changes
    }

    private func makeRow(_ source: RowSource) {
        guard let row = store.row(source) else { return }
        let id = row.item.id
        guard rows[id] == nil else {
            shadowed[id, default: []].insert(source)
            shadows[source] = id
            return
        }
        rows[id] = (row, source)
        identifiers[source] = id
    }

    private func leaveShadow(_ source: RowSource) {
        guard let id = shadows.removeValue(forKey: source) else { return }
        shadowed[id]?.remove(source)
        if shadowed[id]?.isEmpty == true { shadowed[id] = nil }
    }

    private func compare(
        _ changes: inout RowChanges, _ sources: Set<RowSource>, _ event: DiscoveryEvent
    ) {
        for source in sources {
            guard let id = identifiers[source], let now = rows[id]?.row.item else { continue }
            guard let before = changes.before[id] else {
                changes.arrived[id] = now
                continue
            }
            let was = before.row.item
            if now.isSame(as: was) {
                // A sign of life alone is no difference, and what is not told is not in the list.
                rows[id] = (before.row, source)
            } else {
                changes.changed[id] = PeerListUpdate.Change(was: was, now: now)
            }
        }
        for (id, before) in changes.before where rows[id] == nil {
            let successor = successor(of: before.source)
            changes.replacements[id] = successor
            let reason: PeerListUpdate.Departure = event.kind == .caughtUp ? .backend : .removed
            changes.departed[id] = (before.row.item, successor == nil ? reason : .identity)
        }
    }

    /// The identifier under which something that made a row goes on: its own new one, or its host's.
    private func successor(of source: RowSource) -> UUID? {
        if let id = identifiers[source] { return id }
        let host: String? =
            switch source {
            case .service(let id): store.services[id]?.host
            case .host(let name): store.hosts[name] == nil ? nil : PeerStore.otherName(of: name)
            }
        return host.flatMap { identifiers[.host($0)] }
    }

    private func applySnapshot(_ changes: RowChanges, _ event: DiscoveryEvent) -> PeerListUpdate? {
        for id in changes.departed.keys { order.remove(id) }
        for id in changes.arrived.keys { place(id) }
        for id in changes.changed.keys { place(id) }
        var snapshot = order.snapshot()
        snapshot.reconfigureItems(Array(changes.changed.keys))
        let difference = dataSource.apply(snapshot, animatingDifferences: false)
        guard !difference.isEmpty else { return nil }
        return PeerListUpdate(
            time: event.time, cause: cause(changes, event), snapshot: dataSource.snapshot(),
            difference: difference, arrivals: changes.arrived, departures: changes.departed,
            changes: changes.changed, replacements: changes.replacements)
    }

    private func place(_ id: UUID) {
        guard let row = rows[id]?.row else { return }
        order.place(id, inSection: row.section, by: SortKey(row.item, by: store.options.order))
    }

    private func cause(_ changes: RowChanges, _ event: DiscoveryEvent) -> PeerListUpdate.Cause {
        switch event.kind {
        case .running, .lost, .handedOver, .caughtUp: return .backend
        default: break
        }
        if !changes.replacements.isEmpty { return .identity }
        if !changes.arrived.isEmpty { return .arrived }
        if !changes.departed.isEmpty { return .departed }
        return changes.changed.values.allSatisfy(\.isOfPresenceOnly) ? .presence : .changed
    }
}

extension Notice {
    /// What the user should be told of an event by itself.
    fileprivate init?(_ event: DiscoveryEvent) {
        switch event.kind {
        case .lost(let reason):
            self.init(
                .backendLost, "\(reason); what it told is unknown until it is seen again",
                time: event.time)
        case .served(let backend, let message):
            self.init(.backendBack, message, backend: backend, time: event.time)
        case .notice(let code, let message):
            self.init(code, message, time: event.time)
        default:
            return nil
        }
    }
}
