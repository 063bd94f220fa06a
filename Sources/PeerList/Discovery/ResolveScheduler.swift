// Schedules service resolution within the backend's limits.
import FoundationEssentials

/// Opens and closes the lookups that resolve services, and the record browsers beside the lookups that stay
/// open.
struct ResolveScheduler {
    /// The state of a service after a lookup has timed out.
    enum TimeOut {
        /// The service is also announced on a path that was not tried.
        case hasOtherPath
        /// The service answers on no path.
        case isUnanswered
    }

    private struct Lookup {
        /// The path of the open lookup.
        var path: NetworkPath?
        /// The paths that timed out since the last answer.
        var failedPaths: Set<NetworkPath> = []
    }

    /// The time from which a lookup is slow until its service is reported as pending: a service is a row without a host
    /// only when it has waited for a second.
    private static let pendingDelay = Duration.milliseconds(500)

    private(set) var schedule = LookupSchedule<UUID>()
    /// The services whose lookups are slow, until they are reported as pending.
    private var waiting: [(due: Duration, id: UUID)] = []
    private var watches = RecordWatches()
    private var lookups: [UUID: Lookup] = [:]

    func isOpen(_ id: UUID) -> Bool { lookups[id]?.path != nil }

    mutating func add(_ id: UUID, at now: Duration) {
        lookups[id] = Lookup()
        schedule.schedule(id, at: now)
    }

    mutating func remove(_ id: UUID, _ step: inout DiscoveryStep) {
        close(id, &step)
        watches.remove(id, &step)
        schedule.remove(id)
        lookups[id] = nil
    }

    mutating func removeAll(_ step: inout DiscoveryStep) {
        for id in Array(lookups.keys) { close(id, &step) }
        watches.removeAll(&step)
        self = ResolveScheduler()
    }

    /// Handles a path on which a service is not seen any more; resolves it on another path if necessary.
    mutating func pathRemoved(
        _ path: NetworkPath, of service: ServiceTable.Service, _ step: inout DiscoveryStep
    ) {
        let id = service.key.id
        lookups[id]?.failedPaths.remove(path)
        guard lookups[id]?.path == path, !service.paths.contains(path) else { return }
        close(id, &step)
        schedule.schedule(id, at: step.now)
    }

    /// Resolves a service again, on any of its paths.
    mutating func resolveAgain(_ id: UUID, _ step: inout DiscoveryStep) {
        lookups[id]?.failedPaths = []
        close(id, &step)
        schedule.schedule(id, at: step.now)
    }

    /// Resolves a service again if a path has timed out, preferably on another path.
    mutating func resolveOnOtherPath(_ id: UUID, _ step: inout DiscoveryStep) {
        guard lookups[id]?.failedPaths.isEmpty == false else { return }
        close(id, &step)
        schedule.schedule(id, at: step.now)
    }

    /// Handles a service whose records were heard: a lookup that has not been opened yet can wait.
    mutating func heard(_ id: UUID, at now: Duration) { schedule.postpone(id, at: now) }

    /// Handles an answer; `hasRoom` tells whether there is room for record browsers.
    mutating func answered(_ id: UUID, watches hasRoom: Bool, _ step: inout DiscoveryStep) {
        lookups[id]?.failedPaths = []
        if !schedule.answered(id, at: step.now) {
            close(id, &step)
        } else if hasRoom, let path = lookups[id]?.path {
            watches.add(id, on: path, &step)
        }
    }

    /// Records a time-out and returns the state of the service; `nil` if the lookup was not open.
    mutating func timedOut(_ service: ServiceTable.Service) -> TimeOut? {
        let id = service.key.id
        guard let path = lookups[id]?.path else { return nil }
        lookups[id]?.failedPaths.insert(path)
        let failed = lookups[id]?.failedPaths ?? []
        return service.paths.contains { $0 != path && !failed.contains($0) }
            ? .hasOtherPath : .isUnanswered
    }

    /// Treats a lookup whose answer or time-out does not count as answered: the lookup stays open if there is room.
    mutating func wait(_ id: UUID, _ step: inout DiscoveryStep) {
        if !schedule.answered(id, at: step.now) { close(id, &step) }
    }

    /// Schedules the next attempt for a service that answers on no path.
    mutating func unanswered(_ id: UUID, _ step: inout DiscoveryStep) {
        guard !schedule.failed(id, isOpen: true, at: step.now) else { return }
        close(id, &step)
        lookups[id]?.failedPaths = []
    }

    /// Handles a lookup that could not be opened or has ended.
    mutating func failed(_ id: UUID, _ step: inout DiscoveryStep) {
        close(id, &step)
        _ = schedule.failed(id, isOpen: false, at: step.now)
    }

    mutating func recordAppeared(_ type: ServiceRecord, of id: UUID, at now: Duration) {
        watches.appeared(type, of: id, at: now)
    }

    /// Makes room, because the stack refuses lookups: closes the record browsers. If there are none, and no other
    /// lookups have made room, resolves fewer services at a time.
    mutating func lowerLimits(hasRoom: Bool, _ step: inout DiscoveryStep) {
        if watches.isEmpty, !hasRoom {
            schedule.lowerLimits(to: schedule.openCount)
        } else {
            watches.removeAll(&step)
        }
    }

    mutating func deadline(busyUntil: Duration) -> Duration? {
        [schedule.deadline(busyUntil: busyUntil), watches.deadline, waiting.first?.due]
            .compactMap { $0 }.min()
    }

    /// Opens the lookups for which there is room, reports slow lookups, and closes lookups that need not stay
    /// open.
    ///
    /// While the daemon is busy, lookups take longer to count as slow.
    mutating func advance(_ table: ServiceTable, busyUntil: Duration, _ step: inout DiscoveryStep) {
        let slow = schedule.popSlow(busyUntil: busyUntil, at: step.now)
        waiting += slow.map { (step.now + Self.pendingDelay, $0) }
        while let (due, id) = waiting.first, due <= step.now {
            waiting.removeFirst()
            guard let service = table[id], service.host == nil, !service.isHidden else { continue }
            step.report(.pending(service.key))
        }
        for id in schedule.releaseKept(at: step.now) {
            close(id, &step)
            watches.remove(id, &step)
        }
        for id in watches.popDue(at: step.now) { schedule.schedule(id, at: step.now) }
        while let turn = schedule.next(at: step.now) {
            if let id = turn.evicted { close(id, &step) }
            if let service = table[turn.id] { open(service, table, &step) }
        }
        if !schedule.isBusy { watches.openWaiting(table, &step) }
    }

    private mutating func open(
        _ service: ServiceTable.Service, _ table: ServiceTable, _ step: inout DiscoveryStep
    ) {
        let id = service.key.id
        close(id, &step)
        guard let path = preferredPath(of: service, table.lostPaths) else { return }
        lookups[id]?.path = path
        step.open(.resolver(id), .resolve(service.instance, path.lookupPath))
    }

    private mutating func close(_ id: UUID, _ step: inout DiscoveryStep) {
        guard lookups[id]?.path != nil else { return }
        lookups[id]?.path = nil
        step.close(.resolver(id))
    }

    /// Returns a path that is not lost and has not timed out, or else any path. The loopback interface comes last,
    /// because this machine's only address there is 127.0.0.1.
    private func preferredPath(
        of service: ServiceTable.Service, _ lost: Set<NetworkPath>
    ) -> NetworkPath? {
        let failed = lost.union(lookups[service.key.id]?.failedPaths ?? [])
        let untried = service.sightings.filter { !failed.contains($0.path) }
        return (untried.isEmpty ? service.sightings : untried)
            .map(\.path).min { Self.preference($0) < Self.preference($1) }
    }

    private static func preference(_ path: NetworkPath) -> (Int, Int, Int32) {
        (
            path.interface.isLoopback ? 1 : 0, path.family == .ipv6 ? 1 : 0, path.interface.index
        )
    }
}
