// Decides which services are listed and resolved by records heard on the link, before the backend does that.
import FoundationEssentials
import HeardRecords
import StackProtocol

/// The services whose records were heard on the link.
///
/// A backend reports one service after the other, and resolves none meanwhile. So if many services were heard that the
/// backend has not reported, the backend is behind, and the services are listed by heard records. Otherwise the backend
/// finds them just as soon.
struct HeardServices {
    /// The number of services not found by the backend above which the backend is behind.
    static let backlogLimit = 32
    /// The time within which a backend that is not behind finds a service.
    static let backlogTime = Duration.seconds(1)
    /// The time after which a listed service is dropped if the backend has not found it.
    static let patience = Duration.seconds(10)

    /// The bounds of what is kept of heard records; a service with a larger TXT record is resolved by the backend.
    private static var limits: RecordServices.Limits {
        var limits = RecordServices.Limits()
        (limits.names, limits.addresses) = (4_096, 16)
        limits.txtSize = DiscoveryRules.smallRecord
        return limits
    }

    /// The records that are believed.
    var records = RecordServices(Self.limits)
    /// The services that may be resolved by heard records if they have to wait for the backend.
    private var unresolved: [UUID] = []
    /// The services that are not listed, with the times at which they were heard.
    private var backlog = DueQueue<UUID>()
    /// The listed services that the backend has not found, with the times at which they are dropped.
    private var listed = DueQueue<UUID>()

    /// The time at which the next listed service is dropped.
    var deadline: Duration? { listed.deadline }

    /// Forgets what the backend has found, but not the records.
    mutating func browsingEnded() { (unresolved, backlog, listed) = ([], DueQueue(), DueQueue()) }

    /// Forgets the records: without the witness, they would be believed for ever.
    mutating func witnessFailed() { records = RecordServices(Self.limits) }

    /// Applies a change of a record.
    ///
    /// - Returns: The services that the record is of, and the announcement that its sender withdrew, if any.
    mutating func apply(
        _ record: HeardRecord, at now: Duration
    ) -> (services: [UUID], withdrawn: (id: UUID, path: NetworkPath)?) {
        switch records.apply(record, at: now) {
        case .addressed(let host, nil): (Array(records.popWaiting(for: host)), nil)
        case .ended(let key, let path, let end) where end.departure == .removed:
            ([key.id], (key.id, path))
        case let change: ([change?.service].compactMap(\.self), nil)
        }
    }

    /// Handles a service after one of its records was heard or withdrawn.
    ///
    /// - Returns: Whether the service is to be dropped, because only records listed it that are withdrawn.
    mutating func update(
        _ id: UUID, _ table: ServiceTable, _ types: TypeBrowsing, cacheLimit: Int,
        at now: Duration
    ) -> Bool {
        guard table[id] != nil else {
            if let sighting = sighting(of: id, table, types, cacheLimit: cacheLimit)?.sighting,
                records.resolution(of: id, on: [sighting.place.path]) != nil,
                !listed.contains(id), !backlog.contains(id)
            {
                backlog.add(id, at: now)
            }
            return false
        }
        unresolved.append(id)
        return listed.contains(id) && records.announcement(of: id) == nil
    }

    /// Returns the sighting of a service whose announcement was heard, if the backend browses for the service's type
    /// and has room for its records.
    func sighting(
        of id: UUID, _ table: ServiceTable, _ types: TypeBrowsing, cacheLimit: Int
    ) -> (instance: ServiceInstance, sighting: Sighting)? {
        guard let (key, path) = records.announcement(of: id),
            case let instance = ServiceInstance(key),
            types.isBrowsed(instance.type, through: path.family),
            types.domain.isSame(as: instance.domain), !table.lostPaths.contains(path),
            (table.services.count + 1) * ServiceTable.recordsPerService < cacheLimit
        else { return nil }
        return (instance, table.sighting(of: instance, on: path, browsedAs: instance.type))
    }

    /// Handles a service that is listed and not resolved.
    mutating func found(_ id: UUID) { unresolved.append(id) }

    /// Handles a service that the backend has found, or that is no longer listed.
    mutating func remove(_ id: UUID) {
        backlog.remove(id)
        listed.remove(id)
    }

    /// Whether a service is listed that the backend has not found.
    func isListed(_ id: UUID) -> Bool { listed.contains(id) }

    /// Pops the services to list now: if the backend is behind, all services that wait.
    mutating func popBacklog(at now: Duration) -> [UUID] {
        _ = backlog.pop(upTo: now - Self.backlogTime)
        guard backlog.count + listed.count > Self.backlogLimit else { return [] }
        let ids = backlog.pop(upTo: now)
        for id in ids { listed.add(id, at: now + Self.patience) }
        return ids
    }

    /// Pops the listed services that the backend has not found in time.
    mutating func popUnfound(at now: Duration) -> [UUID] { listed.pop(upTo: now) }

    /// Pops the services to resolve by heard records: if services have to wait for the backend, because the wait grows
    /// with their number. Otherwise the backend resolves them just as soon.
    mutating func popUnresolved(_ table: ServiceTable, isBusy: Bool) -> [UUID] {
        guard isBusy else {
            unresolved.removeAll { table[$0].map { $0.host != nil } ?? true }
            return []
        }
        defer { unresolved = [] }
        return unresolved
    }
}
