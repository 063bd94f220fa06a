// Maintains the list: applies discovery events one at a time and returns what each changed.
public import FoundationEssentials

/// A list of peers that follows discovery events; a copy goes on by itself.
public struct PeerListing: Sendable {
    /// The result of an event.
    public struct Outcome: Sendable {
        /// The change of the list, or `nil` if nothing changed.
        public let update: PeerListUpdate?
        /// The change of the list of devices, whatever the grouping; `nil` if nothing changed.
        package let devices: PeerListUpdate?
        /// The notices for the user.
        public let notices: [Notice]
    }

    private(set) var store: PeerStore
    /// The devices as of the last event, whatever the grouping.
    package private(set) var devices: ListBuilder
    /// The rows of services; `nil` unless the list is grouped by type.
    private var serviceRows: ServiceRows?

    /// The sources of the devices' rows by identifier.
    private var shown: [UUID: RowSource] = [:]
    /// The identifiers of the sources' rows, whether shown or waiting.
    private var identifiers: [RowSource: UUID] = [:]
    /// The sources whose rows are not shown because another row has their identifier.
    private var waitingSources: [UUID: Set<RowSource>] = [:]

    private var names = DistinctNames()

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
        devices = ListBuilder(by: options.order)
        if options.grouping == .type { serviceRows = ServiceRows(by: options.order) }
    }

    /// Remembers the devices that had services when they were seen before, for services that cannot be resolved.
    ///
    /// - Parameter known: Returns the device that had a service; `nil` if it was never seen.
    package mutating func remember(_ known: @escaping @Sendable (ServiceKey) -> KnownDevice?) {
        store.remember(known)
    }

    /// The rows of a list that is grouped by type; `nil` if it is not.
    package var services: ListBuilder? { serviceRows?.rows }

    /// The rows of the list.
    private var rows: ListBuilder { services ?? devices }

    /// The list as of the last event.
    public var snapshot: PeerListSnapshot { rows.snapshot }

    /// Returns the item with an identifier in ``snapshot``.
    public func item(_ id: UUID) -> ListItem? { rows.item(id) }

    /// The sections of ``snapshot`` with their items.
    ///
    /// - Complexity: O(*n*), where *n* is the number of rows.
    public var sections: [ListSection] { rows.sections }

    /// Returns the services of a row, or of a device without a row of its own; listed or not, in no
    /// order.
    ///
    /// - Complexity: O(1) for a row, else O(*n*), where *n* is the number of hosts.
    public func services(of id: UUID) -> [UUID] {
        switch shown[id] {
        case .unresolved(let group): Array(store.unresolved.services[group] ?? [])
        case .host(let name): Array(store.hostTable.device(name)?.serviceIDs ?? [])
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
    package func paths(ofServices ids: [UUID]) -> [NetworkPath] {
        let sightings = ids.compactMap { store.services[$0] }.flatMap(\.sightings.keys)
        return Set(sightings.map(\.path)).sorted()
    }

    /// The host name of this machine, canonical; `nil` while it is unknown.
    package var ownHost: String? { store.hostTable.ownName }

    /// Returns the addresses of a host, given its key; empty if there is no such host.
    package func addresses(ofHost name: String) -> [HostAddress] {
        store.hosts[name]?.addresses ?? []
    }

    /// The number of services that wait for their first answer and hosts that wait for their addresses.
    public var openCount: Int { store.openCount }

    /// The names of the services and hosts that ``openCount`` counts, in order; O(*n*).
    package var openNames: [String] { store.openNames }

    /// Applies an event; copies O(*n*) bytes, where *n* is the number of rows.
    public mutating func apply(_ event: DiscoveryEvent) -> Outcome {
        let touched = store.apply(event)
        var (before, after) = replaceRows(of: touched.rowSources)
        nameApart(&before, &after)
        let gone = before.filter { shown[$0.key] == nil }
        let (cause, reason): (PeerListUpdate.Cause?, Departure) =
            switch event.kind {
            case .running, .lost, .handedOver: (.backend, .removed)
            case .caughtUp: (.backend, .backend)
            case .linkLost, .linkBack, .linkCaughtUp, .linkExpired: (.link, .link)
            case .removed(_, let reason): (nil, reason)
            default: (nil, .removed)
            }
        let update = devices.update(
            Set(before.keys).union(after.keys), at: event.time,
            replacements: gone.compactMapValues(successor), reason: reason, cause: cause
        ) { after[$0] }
        let services = serviceRows?.update(touched, in: store, reason: reason, cause: cause)
        return Outcome(
            update: serviceRows == nil ? update : services, devices: update,
            notices: touched.notices)
    }
}

// MARK: Rows

extension PeerListing {
    /// Rebuilds the rows of sources; returns the sources of the removed rows, and the new rows.
    private mutating func replaceRows(
        of touched: Set<RowSource>
    ) -> (before: [UUID: RowSource], after: [UUID: ListItem]) {
        var before: [UUID: RowSource] = [:]
        for source in touched {
            if let id = removeRow(of: source) { before[id] = source }
        }
        var after: [UUID: ListItem] = [:]
        for source in touched.sorted() { makeRow(of: source, &after) }
        // An identifier that is free now goes to a source that waits for it.
        for id in before.keys.sorted() where shown[id] == nil {
            guard let source = waitingSources[id]?.min() else { continue }
            _ = removeRow(of: source)
            makeRow(of: source, &after)
        }
        return (before, after)
    }

    /// Gives devices with the same name distinct names, including devices that were not touched.
    private mutating func nameApart(
        _ before: inout [UUID: RowSource], _ after: inout [UUID: ListItem]
    ) {
        for id in Set(before.keys).union(after.keys) {
            // A service whose host is unknown does not count, because it may belong to a listed device.
            names.set(after[id].flatMap { $0.peer.host == nil ? nil : $0.peer.name }, of: id)
        }
        for id in names.removeAffected() where after[id] == nil {
            guard let source = shown[id] else { continue }
            (before[id], after[id]) = (source, store.row(source))
        }
        for (id, item) in after {
            guard case .host(let host)? = shown[id] else { continue }
            let name = names.name(of: item.peer, longer: store.longerName(of: host))
            // Only if the name differs, because changing a row copies it.
            if name != item.peer.name { after[id]?.peer.name = name }
        }
    }

    /// Makes the row of a source, or has the source wait if another row has the identifier.
    private mutating func makeRow(of source: RowSource, _ rows: inout [UUID: ListItem]) {
        guard let item = store.row(source) else { return }
        identifiers[source] = item.id
        if shown[item.id] == nil {
            (shown[item.id], rows[item.id]) = (source, item)
        } else {
            waitingSources[item.id, default: []].insert(source)
        }
    }

    /// Removes the row of a source and returns its identifier, unless the source was waiting.
    private mutating func removeRow(of source: RowSource) -> UUID? {
        guard let id = identifiers.removeValue(forKey: source) else { return nil }
        if shown[id] == source {
            shown[id] = nil
            return id
        }
        waitingSources[id]?.remove(source)
        if waitingSources[id]?.isEmpty == true { waitingSources[id] = nil }
        return nil
    }

    /// Returns the identifier under which a source is shown.
    private func shownIdentifier(of source: RowSource) -> UUID? {
        identifiers[source].flatMap { shown[$0] == source ? $0 : nil }
    }

    /// Returns the new identifier of a source whose row is gone, or the new identifier of its host.
    private func successor(of source: RowSource) -> UUID? {
        if let id = shownIdentifier(of: source) { return id }
        let hosts =
            switch source {
            case .unresolved(let group): store.unresolved.hosts(of: group)
            case .host(let name): store.hosts[name] == nil ? [] : [name]
            }
        return hosts.lazy.compactMap {
            self.shownIdentifier(of: .host(self.store.listedName(of: $0)))
        }.first
    }
}
