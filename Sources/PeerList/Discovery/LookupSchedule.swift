// Decides which lookup is opened next, and which lookups stay open.

/// Decides which services or hosts are looked up next, and whose lookup stays open afterwards.
///
/// A daemon serves few lookups at once much faster than many, and every open lookup costs it work. So a limited
/// number is in flight at a time. While there are few identifiers every answered lookup stays open, because only
/// an open one reports changes and expiry. Beyond that, answered lookups are closed and refreshed in rotation.
///
/// Anyone can announce services for which no host answers. Their slow lookups hold at most half of the places in
/// flight while others wait.
///
/// Times are since any fixed moment. All operations are O(1) amortised except ``releaseKept(at:)``.
struct LookupSchedule<ID: Hashable> {
    /// The limits and times of a schedule.
    struct Limits: Sendable {
        /// The maximum number of lookups that wait for their answer.
        var inFlight = 32
        /// The maximum number of identifiers for which every lookup stays open.
        var kept = 128
        /// The time after which an answered lookup that was closed is opened again.
        var refresh = Duration.seconds(100)
        /// The time after which a lookup without an answer is opened again.
        var retry = Duration.seconds(10)
        /// The time in flight after which a lookup is slow.
        var slow = Duration.milliseconds(500)
        /// The additional time while the daemon is busy.
        var busyAllowance = Duration.seconds(3)
        /// The time for which a slow lookup is not preempted: a host may have to be asked twice, a second
        /// apart (RFC 6762, sections 5.2 and 6).
        var grace = Duration.seconds(1)
    }

    private enum Stage {
        case waiting
        case inFlight
        /// In flight, slow, and never answered.
        case slow
        case kept
    }

    private struct Entry {
        var stage = Stage.waiting
        var hasAnswered = false
        /// Identifies the entry's current position in a queue.
        var ticket = 0
    }

    private(set) var limits: Limits
    private var entries: [ID: Entry] = [:]
    private var lastTicket = 0
    /// The number of lookups in flight, slow ones included.
    private var inFlightCount = 0
    private var slowCount = 0
    private var keptCount = 0
    /// Whether the newest identifier was popped last, while slow lookups fill their half.
    private var poppedNewest = false

    /// The waiting identifiers by what they wait for, and those in flight; each in order of its times.
    private var fresh = TicketQueue<ID>()
    private var refresh = TicketQueue<ID>()
    private var retry = TicketQueue<ID>()
    private var preempted = TicketQueue<ID>()
    private var inFlight = TicketQueue<ID>()
    private var slow = TicketQueue<ID>()

    init(limits: Limits = Limits()) { self.limits = limits }

    /// The number of identifiers.
    var count: Int { entries.count }

    /// The number of open lookups.
    var openCount: Int { inFlightCount + keptCount }

    /// Lowers the limits to a number of open lookups, because the daemon refuses more.
    mutating func lowerLimits(to count: Int) {
        limits.kept = max(1, min(limits.kept, count))
        limits.inFlight = min(limits.inFlight, limits.kept)
    }

    /// Sets the limits.
    mutating func allow(inFlight: Int, kept: Int) {
        (limits.inFlight, limits.kept) = (inFlight, kept)
    }

    /// The number of positions in all queues: a small multiple of the identifiers, however many come and go.
    var positionCount: Int {
        [fresh, refresh, retry, preempted, inFlight, slow].reduce(0) { $0 + $1.positionCount }
    }

    /// Whether lookups stay open after their answer.
    var keepsOpen: Bool { entries.count <= limits.kept }

    /// Schedules a lookup as soon as there is room, also for an identifier that is known.
    mutating func schedule(_ id: ID, at now: Duration) {
        leaveStage(id)
        fresh.append(id, ticket: wait(id), due: now, isCurrent: isCurrent)
    }

    /// Removes an identifier.
    mutating func remove(_ id: ID) {
        leaveStage(id)
        entries[id] = nil
    }

    /// A lookup to open, and the one to close for it.
    struct Turn {
        let id: ID
        var evicted: ID?
    }

    /// Pops the next identifier whose lookup is due, if there is room.
    mutating func next(at now: Duration) -> Turn? {
        let evicted = preempt(at: now)
        guard hasRoom(without: 0), let id = popFresh(at: now) ?? popRepeated(at: now) else {
            return nil
        }
        let ticket = enter(.inFlight, id)
        inFlightCount += 1
        inFlight.append(id, ticket: ticket, due: now + limits.slow, isCurrent: isCurrent)
        return Turn(id: id, evicted: evicted)
    }

    /// Preempts a slow lookup if others wait and slow ones fill more than their half.
    ///
    /// Those that have waited longest stay: they are nearest to an answer or a time-out.
    private mutating func preempt(at now: Duration) -> ID? {
        guard let due = preemptionDue(), due <= now,
            let id = slow.member(at: slowLimit, isCurrent: isCurrent)?.id
        else { return nil }
        leaveStage(id)
        preempted.append(id, ticket: wait(id), due: now, isCurrent: isCurrent)
        return id
    }

    private mutating func preemptionDue() -> Duration? {
        let others = [fresh.firstDue(isCurrent: isCurrent), refresh.firstDue(isCurrent: isCurrent)]
        guard !hasRoom(without: 0), hasRoom(without: 1), slowCount > slowLimit,
            let awaited = others.compactMap({ $0 }).min(),
            let (_, since) = slow.member(at: slowLimit, isCurrent: isCurrent)
        else { return nil }
        return max(awaited, since + limits.grace)
    }

    /// Pops the identifier that was scheduled first; while slow lookups fill their half, every other time the
    /// one that was scheduled last, which need not wait until all others have timed out.
    private mutating func popFresh(at now: Duration) -> ID? {
        poppedNewest = isHeldUp && !poppedNewest
        return poppedNewest
            ? fresh.popLast(isCurrent: isCurrent)
            : fresh.popFirst(due: now, isCurrent: isCurrent)
    }

    /// Pops a preempted lookup, or else the one overdue longest, so that unresponsive hosts do not starve the
    /// rest.
    private mutating func popRepeated(at now: Duration) -> ID? {
        if isHeldUp, let id = refresh.popFirst(due: now, isCurrent: isCurrent) { return id }
        if let id = preempted.popFirst(due: now, isCurrent: isCurrent) { return id }
        let isRetry: Bool
        switch (retry.firstDue(isCurrent: isCurrent), refresh.firstDue(isCurrent: isCurrent)) {
        case (let retryDue?, let refreshDue?): isRetry = retryDue < refreshDue
        case (let retryDue, _): isRetry = retryDue != nil
        }
        return isRetry
            ? retry.popFirst(due: now, isCurrent: isCurrent)
            : refresh.popFirst(due: now, isCurrent: isCurrent)
    }

    /// Notes that a lookup was answered.
    ///
    /// - Returns: Whether the lookup stays open.
    mutating func answered(_ id: ID, at now: Duration) -> Bool {
        guard entries[id] != nil else { return false }
        entries[id]?.hasAnswered = true
        leaveStage(id)
        if keep(id) { return true }
        refresh.append(id, ticket: wait(id), due: now + limits.refresh, isCurrent: isCurrent)
        return false
    }

    /// Notes that a lookup was not answered, or could not be opened.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - isOpen: Whether there is a lookup that may stay open and be answered later.
    ///   - now: The time.
    /// - Returns: Whether the lookup stays open.
    mutating func failed(_ id: ID, isOpen: Bool, at now: Duration) -> Bool {
        guard entries[id] != nil else { return false }
        leaveStage(id)
        if isOpen, keep(id) { return true }
        retry.append(id, ticket: wait(id), due: now + limits.retry, isCurrent: isCurrent)
        return false
    }

    /// Pops the identifiers that became slow.
    ///
    /// - Parameters:
    ///   - busyUntil: The time until which the daemon is busy, so that slow lookups get more time.
    ///   - now: The time.
    /// - Returns: Each of them once.
    mutating func popSlow(busyUntil: Duration, at now: Duration) -> [ID] {
        var ids: [ID] = []
        let limit = now < busyUntil ? now - limits.busyAllowance : now
        while let id = inFlight.popFirst(due: limit, isCurrent: isCurrent) {
            ids.append(id)
            // A lookup that was answered before is to run until its time-out.
            if entries[id]?.hasAnswered == true { continue }
            let ticket = enter(.slow, id)
            slowCount += 1
            slow.append(id, ticket: ticket, due: now, isCurrent: isCurrent)
        }
        return ids
    }

    /// Returns the identifiers whose lookups are to be closed because there are too many to keep any open.
    ///
    /// - Complexity: O(*n*) in the identifiers once the limit is passed; else O(1).
    mutating func releaseKept(at now: Duration) -> [ID] {
        guard !keepsOpen, keptCount > 0 else { return [] }
        let ids = entries.filter { $0.value.stage == .kept }.map(\.key)
        for id in ids {
            leaveStage(id)
            refresh.append(id, ticket: wait(id), due: now + limits.refresh, isCurrent: isCurrent)
        }
        return ids
    }

    /// Whether slow lookups fill their half of the places in flight.
    var isHeldUp: Bool { slowCount >= slowLimit }

    /// Whether identifiers wait for their first lookup, or were scheduled again.
    mutating func isBusy() -> Bool { fresh.firstDue(isCurrent: isCurrent) != nil }

    /// When the next lookup is to be opened or becomes slow, or `nil` for never.
    mutating func deadline(busyUntil: Duration) -> Duration? {
        let slowDue = inFlight.firstDue(isCurrent: isCurrent).map { due in
            min(max(due, busyUntil), due + limits.busyAllowance)
        }
        guard hasRoom(without: 0) else {
            return [slowDue, preemptionDue()].compactMap { $0 }.min()
        }
        return [
            slowDue, fresh.firstDue(isCurrent: isCurrent), preempted.firstDue(isCurrent: isCurrent),
            retry.firstDue(isCurrent: isCurrent), refresh.firstDue(isCurrent: isCurrent),
        ].compactMap { $0 }.min()
    }

    /// Whether another lookup may be opened once a number of those in flight are closed.
    private func hasRoom(without count: Int) -> Bool {
        inFlightCount - count < limits.inFlight
            && openCount - count < max(limits.kept, limits.inFlight)
    }

    /// The maximum number of slow lookups while others wait.
    private var slowLimit: Int { limits.inFlight / 2 }

    private var isCurrent: (ID, Int) -> Bool {
        { [entries] id, ticket in entries[id]?.ticket == ticket }
    }

    private mutating func leaveStage(_ id: ID) {
        switch entries[id]?.stage {
        case .inFlight: inFlightCount -= 1
        case .slow:
            inFlightCount -= 1
            slowCount -= 1
        case .kept: keptCount -= 1
        case .waiting, nil: break
        }
    }

    private mutating func wait(_ id: ID) -> Int { enter(.waiting, id) }

    /// Enters a stage, and returns the ticket for its queue.
    private mutating func enter(_ stage: Stage, _ id: ID) -> Int {
        lastTicket += 1
        entries[id, default: Entry()].stage = stage
        entries[id]?.ticket = lastTicket
        return lastTicket
    }

    private mutating func keep(_ id: ID) -> Bool {
        guard keepsOpen else { return false }
        _ = enter(.kept, id)
        keptCount += 1
        return true
    }
}
