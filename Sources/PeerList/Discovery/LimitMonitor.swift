// Reports the limits of the stack that are reached: refused lookups, and a full cache.
import FoundationEssentials

/// Decides when to report that the stack's limits are reached, and when to check for room again.
struct LimitMonitor {
    /// The time from a change to the check of the limits.
    static let checkDelay = Duration.seconds(1)
    /// The time after which services and types that found no room are browsed for again.
    static let roomInterval = Duration.seconds(60)

    /// Whether the stack refused a lookup, so that fewer lookups are kept open.
    private(set) var isRefused = false
    private var cache = LimitReport()
    private var lookups = LimitReport()
    private var checkDue: Duration?
    private var roomDue: Duration?
    private var reportedErrors: Set<StackError> = []

    /// Forgets all services; the limits that were reported stay reported.
    mutating func reset(at now: Duration) {
        (isRefused, roomDue, reportedErrors) = (false, nil, [])
        scheduleCheck(at: now)
    }

    /// Schedules a check, after the services have changed.
    mutating func scheduleCheck(at now: Duration) {
        if checkDue == nil { checkDue = now + Self.checkDelay }
    }

    /// Records that the stack refused a lookup because too many are open.
    mutating func lookupRefused(at now: Duration) {
        isRefused = true
        scheduleCheck(at: now)
    }

    /// Reports an error of a lookup, unless the same error was reported before. The loss of the stack is reported
    /// elsewhere.
    mutating func report(
        _ error: StackError, _ text: @autoclosure () -> String, _ step: inout DiscoveryStep
    ) {
        guard error.kind != .stackGone, reportedErrors.insert(error).inserted else { return }
        step.report(.notice(.lookupFailed, text()))
    }

    /// Schedules a check for room, after a service or a type found no room.
    mutating func scheduleRoomCheck(at now: Duration) {
        if roomDue == nil { roomDue = now + Self.roomInterval }
    }

    /// Returns whether it is time to check for room.
    mutating func popRoomCheck(at now: Duration) -> Bool {
        guard let due = roomDue, due <= now else { return false }
        roomDue = nil
        return true
    }

    var deadline: Duration? { [checkDue, roomDue].compactMap { $0 }.min() }

    /// Reports, if a report is due, the limits that were reached or lifted since the last report: the number of
    /// services and types that are not looked up, and the number of records that the backend caches for an
    /// interface and family.
    mutating func check(
        _ table: ServiceTable, failedBrowses: Int, isBusy: Bool, _ backend: Backend,
        cacheLimit: Int, _ step: inout DiscoveryStep
    ) {
        guard let due = checkDue, due <= step.now else { return }
        // The numbers are not final while services arrive.
        guard !isBusy || isRefused else {
            checkDue = step.now + Self.checkDelay
            return
        }
        let unresolved = isRefused ? table.unresolvedCount + failedBrowses : 0
        let waiting = unresolved > 0 ? unresolved : nil
        if let change = lookups.change(waiting, at: step.now) {
            step.report(Self.lookupNotice(change))
        }
        // The limit counts as reached when the cache is nearly full. Once reported, it counts as reached until there is
        // more room.
        let margin = cacheLimit / (cache.isReached ? 8 : 32)
        let full = table.largestCache >= max(1, cacheLimit - margin) ? cacheLimit : nil
        if let change = cache.change(full, at: step.now) {
            step.report(Self.cacheNotice(change, backend))
        }
        checkDue = [lookups.deadline(waiting), cache.deadline(full)].compactMap { $0 }.min()
            .map { max($0, step.now + Self.checkDelay) }
    }

    private static func lookupNotice(_ change: LimitReport.Change) -> DiscoveryEvent.Kind {
        switch change {
        case .reached(let count):
            let services =
                count == 1 ? "1 service or type is" : "\(count) services and types are"
            return .notice(
                .objectLimit,
                """
                avahi-daemon allows no more lookups at once, so \(services) not looked up yet; \
                raise objects-per-client-max in avahi-daemon.conf, or max_connections_per_user \
                of the D-Bus system bus
                """)
        case .lifted: return .notice(.objectRoom, "all services are resolved, though in turn")
        }
    }

    private static func cacheNotice(
        _ change: LimitReport.Change, _ backend: Backend
    ) -> DiscoveryEvent.Kind {
        switch change {
        case .reached(let room):
            let advice =
                backend == .daemon
                ? "raise cache-entries-max in avahi-daemon.conf"
                : "run avahi-daemon, whose cache-entries-max can be raised"
            let owner = backend == .daemon ? "avahi-daemon" : "the embedded stack"
            return .notice(
                .cacheLimit,
                """
                the cache of \(owner) is full, with \(room) records of an interface and \
                family, so it may not tell of all services; \(advice)
                """)
        case .lifted: return .notice(.cacheRoom, "the cache has room again")
        }
    }
}

/// Decides when to report that a limit is reached or lifted, and by how much it is exceeded.
///
/// A report is not repeated while it stays true, and reports are at least 5 s apart, so that a limit that is crossed
/// again and again does not cause a flood of notices.
struct LimitReport {
    enum Change: Hashable {
        /// The limit is reached, or is exceeded by another number than at the last report.
        case reached(Int)
        /// The limit is no longer reached.
        case lifted
    }

    /// The minimum time between two reports.
    static let interval = Duration.seconds(5)

    private var reported: Int?
    private var reportedAt: Duration?

    /// Whether the last report was that the limit is reached.
    var isReached: Bool { reported != nil }

    /// Returns the change to report now, or `nil` for none; `count` is the number by which the limit is exceeded, or
    /// `nil` if it is not reached.
    mutating func change(_ count: Int?, at now: Duration) -> Change? {
        guard count != reported, reportedAt.map({ now >= $0 + Self.interval }) ?? true else {
            return nil
        }
        (reported, reportedAt) = (count, now)
        return count.map(Change.reached) ?? .lifted
    }

    /// Returns the time at which a delayed change may be reported, or `nil` for never.
    func deadline(_ count: Int?) -> Duration? {
        guard count != reported, let reportedAt else { return nil }
        return reportedAt + Self.interval
    }
}
