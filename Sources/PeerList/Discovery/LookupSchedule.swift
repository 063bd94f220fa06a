// Decides which lookup is opened next, and which lookups stay open.

/// Decides which services or hosts are looked up next, and which lookups stay open after their answer.
///
/// A daemon handles few lookups at a time much faster than many, and every open lookup costs it work. So the
/// number of lookups in flight is limited. While there are few identifiers, every answered lookup stays open,
/// because only an open lookup reports changes and expiry. With more identifiers, answered lookups are closed
/// and refreshed in rotation.
///
/// Anyone can announce services for which no host answers. While other lookups wait, such slow lookups are at most half
/// of the lookups in flight.
///
/// Times are since any fixed moment. All operations are O(1) amortised except ``releaseKept(at:)``.
struct LookupSchedule<ID: Hashable> {
    struct Limits: Sendable {
        /// The maximum number of lookups that wait for their answer.
        var inFlight = 32
        /// The maximum number of identifiers for which every lookup stays open.
        var kept = 128
        /// The time after which an answered lookup that was closed is opened again.
        var refresh = Duration.seconds(100)
        /// The time after which a lookup without an answer is opened again.
        var retry = Duration.seconds(10)
        /// The time after which a lookup with a known answer is opened, if the lookup then stays open.
        var confirmation = Duration.seconds(1)
        /// The time in flight after which a lookup is slow.
        var slow = Duration.milliseconds(500)
        /// The additional time in flight after which a lookup is slow while the daemon is busy.
        var busyAllowance = Duration.seconds(3)
        /// The time for which a slow lookup is not preempted, because a host may have to be queried twice, a second
        /// apart (RFC 6762, sections 5.2 and 6).
        var grace = Duration.seconds(1)
    }

    private enum Stage {
        /// Waiting for a lookup as soon as there is room.
        case fresh
        /// Waiting to be looked up again after an answer.
        case refresh
        /// Waiting to be looked up again after a failure.
        case retry
        /// Waiting for a lookup that confirms a known answer.
        case confirmation
        /// Waiting because the lookup was slow and was closed in favour of another lookup.
        case preempted
        case inFlight
        /// In flight, slow, and answered before: the lookup is not preempted.
        case patient
        /// In flight, slow, and never answered.
        case slow
        case kept
    }

    private(set) var limits: Limits
    private var queues = StageQueues<ID, Stage>()
    private var answeredBefore: Set<ID> = []
    /// Whether the last identifier that was popped was the newest, while slow lookups fill their
    /// half.
    private var poppedNewest = false

    init(limits: Limits = Limits()) { self.limits = limits }

    var count: Int { queues.count }

    /// The number of lookups in flight, including slow lookups.
    private var inFlightCount: Int {
        queues.count(in: .inFlight) + queues.count(in: .patient) + queues.count(in: .slow)
    }

    var openCount: Int { inFlightCount + queues.count(in: .kept) }

    /// Lowers the limits to a number of open lookups, because the daemon refuses more.
    mutating func lowerLimits(to count: Int) {
        limits.kept = max(1, min(limits.kept, count))
        limits.inFlight = min(limits.inFlight, limits.kept)
    }

    mutating func allow(inFlight: Int, kept: Int) {
        (limits.inFlight, limits.kept) = (inFlight, kept)
    }

    /// The number of positions in all queues, at most a small multiple of the number of identifiers.
    var positionCount: Int { queues.positionCount }

    /// Whether lookups stay open after their answer.
    var keepsOpen: Bool { count <= limits.kept }

    /// Schedules a lookup as soon as there is room, also for a known identifier.
    mutating func schedule(_ id: ID, at now: Duration) { queues.move(id, to: .fresh, due: now) }

    mutating func remove(_ id: ID) {
        queues.remove(id)
        answeredBefore.remove(id)
    }

    /// Moves the next lookup that is due into flight, if there is room.
    ///
    /// - Returns: The identifier of the lookup, and of the lookup that must be closed to make room, if any.
    mutating func next(at now: Duration) -> (id: ID, evicted: ID?)? {
        let evicted = preempt(at: now)
        guard hasRoom(without: 0), let id = nextFresh(at: now) ?? nextRepeated(at: now) else {
            return nil
        }
        queues.move(id, to: .inFlight, due: now + limits.slow)
        return (id, evicted)
    }

    /// Preempts a slow lookup if other lookups wait and slow lookups exceed their half.
    ///
    /// The oldest slow lookups, up to half of the lookups in flight, are not preempted, because they are nearest to an
    /// answer or a time-out.
    private mutating func preempt(at now: Duration) -> ID? {
        guard let (id, due) = nextPreemption(), due <= now else { return nil }
        queues.move(id, to: .preempted, due: now)
        return id
    }

    private mutating func nextPreemption() -> (id: ID, due: Duration)? {
        guard !hasRoom(without: 0), hasRoom(without: 1), queues.count(in: .slow) > slowLimit,
            let awaited = firstDue(.fresh, .refresh)
        else { return nil }
        let (id, since) = queues.members(of: .slow)[slowLimit]
        return (id, max(awaited, since + limits.grace))
    }

    /// Returns the identifier that was scheduled first. While slow lookups fill their half, returns the first and the
    /// last scheduled identifier alternately, so that a new lookup does not wait until all others have timed out.
    private mutating func nextFresh(at now: Duration) -> ID? {
        poppedNewest = isHeldUp && !poppedNewest
        return poppedNewest ? queues.last(in: .fresh) : queues.first(in: .fresh, due: now)
    }

    /// Returns a preempted lookup, or else the most overdue lookup, so that unresponsive hosts do not starve the
    /// rest.
    private mutating func nextRepeated(at now: Duration) -> ID? {
        if isHeldUp, let id = queues.first(in: .refresh, due: now) { return id }
        if let id = queues.first(in: .preempted, due: now) { return id }
        let next = [Stage.refresh, .retry, .confirmation]
            .compactMap { stage in queues.firstDue(in: stage).map { (stage, $0) } }
            .min { $0.1 < $1.1 }
        return next.flatMap { queues.first(in: $0.0, due: now) }
    }

    /// Postpones a lookup that has not been opened, because its answer is known otherwise. If the lookup will stay open
    /// to report changes, it is opened after a second, or else in its turn.
    mutating func postpone(_ id: ID, at now: Duration) {
        guard queues.stage(of: id) == .fresh else { return }
        if keepsOpen {
            queues.move(id, to: .confirmation, due: now + limits.confirmation)
        } else {
            queues.move(id, to: .refresh, due: now + limits.refresh)
        }
    }

    /// Records that a lookup was answered.
    ///
    /// - Returns: Whether the lookup stays open.
    mutating func answered(_ id: ID, at now: Duration) -> Bool {
        guard queues.stage(of: id) != nil else { return false }
        answeredBefore.insert(id)
        queues.move(id, to: keepsOpen ? .kept : .refresh, due: now + limits.refresh)
        return keepsOpen
    }

    /// Records that a lookup was not answered, or could not be opened.
    ///
    /// - Returns: Whether the lookup stays open, so that it can be answered later.
    mutating func failed(_ id: ID, isOpen: Bool, at now: Duration) -> Bool {
        guard queues.stage(of: id) != nil else { return false }
        let staysOpen = isOpen && keepsOpen
        queues.move(
            id, to: staysOpen ? .kept : .retry,
            due: now + (staysOpen ? limits.refresh : limits.retry))
        return staysOpen
    }

    /// Pops the identifiers whose lookups became slow, each once; lookups may take longer while the
    /// daemon is busy.
    mutating func popSlow(busyUntil: Duration, at now: Duration) -> [ID] {
        var ids: [ID] = []
        let limit = now < busyUntil ? now - limits.busyAllowance : now
        while let id = queues.first(in: .inFlight, due: limit) {
            ids.append(id)
            queues.move(id, to: answeredBefore.contains(id) ? .patient : .slow, due: now)
        }
        return ids
    }

    /// Returns the identifiers whose lookups must be closed, because there are too many identifiers to
    /// keep answered lookups open.
    ///
    /// - Complexity: O(*n*) in the identifiers once the limit is passed; else O(1).
    mutating func releaseKept(at now: Duration) -> [ID] {
        guard !keepsOpen, queues.count(in: .kept) > 0 else { return [] }
        let ids = queues.members(of: .kept).map(\.id)
        for id in ids { queues.move(id, to: .refresh, due: now + limits.refresh) }
        return ids
    }

    /// Whether slow lookups fill their half of the places in flight.
    var isHeldUp: Bool { queues.count(in: .slow) >= slowLimit }

    /// Whether identifiers wait for their first lookup, or were scheduled again.
    var isBusy: Bool { queues.count(in: .fresh) > 0 }

    /// Returns the time at which the next lookup is to be opened or becomes slow, or `nil` for
    /// never.
    mutating func deadline(busyUntil: Duration) -> Duration? {
        let slowDue = firstDue(.inFlight).map { due in
            min(max(due, busyUntil), due + limits.busyAllowance)
        }
        let next =
            hasRoom(without: 0)
            ? firstDue(.fresh, .preempted, .retry, .refresh, .confirmation) : nextPreemption()?.due
        return [slowDue, next].compactMap { $0 }.min()
    }

    private mutating func firstDue(_ stages: Stage...) -> Duration? {
        stages.compactMap { queues.firstDue(in: $0) }.min()
    }

    /// Whether another lookup may be opened once `count` lookups in flight are closed.
    private func hasRoom(without count: Int) -> Bool {
        inFlightCount - count < limits.inFlight
            && openCount - count < max(limits.kept, limits.inFlight)
    }

    /// The maximum number of slow lookups while others wait.
    private var slowLimit: Int { limits.inFlight / 2 }
}
