// Which service or host is asked next, and which lookups stay open.

/// Decides what is looked up next, services or hosts, and whose lookup stays open afterwards.
///
/// A daemon serves few lookups at once much faster than many, and every open
/// one costs it work. So a window of them is in flight at a time. While there
/// are few of them every answered lookup stays open, because only an open one
/// tells of changes and of a host that fell silent. Beyond that, answered
/// lookups are closed and everyone is asked again in rotation.
///
/// Strangers can announce any number of services that nobody answers for. Half
/// of the window is all that such can hold while others wait.
///
/// Times are since any fixed moment. All operations are O(1) amortised but for
/// ``releaseKept(at:)``.
struct LookupSchedule<ID: Hashable> {
    /// How much may be going on at once.
    struct Limits: Sendable {
        /// Lookups that wait for their answer.
        var inFlight = 32
        /// Services or hosts up to which every lookup stays open.
        var kept = 128
        /// The time after which one whose lookup is closed is asked again.
        var round = Duration.seconds(100)
        /// The time after which one that did not answer is asked again.
        var retry = Duration.seconds(10)
        /// The time in flight after which one counts as slow.
        var slow = Duration.milliseconds(500)
        /// How much later it counts as slow while the daemon has other work.
        var patience = Duration.seconds(3)
        /// How long a slow one stays though others wait: who has just come may have to be asked twice,
        /// a second apart (RFC 6762, sections 5.2 and 6).
        var grace = Duration.seconds(1)
    }

    private enum Stage {
        case waiting
        case inFlight
        /// In flight, slow, and without an answer ever.
        case late
        case kept
    }

    private struct Entry {
        var stage = Stage.waiting
        /// Whether it has answered at some time.
        var hasAnswered = false
        /// Tells the entry's place in a queue from places that it held before.
        var ticket = 0
    }

    private(set) var limits: Limits
    private var entries: [ID: Entry] = [:]
    private var lastTicket = 0
    /// Those in flight, the late ones among them, and the late ones alone.
    private var inFlightCount = 0
    private var lateCount = 0
    private var keptCount = 0
    /// Whether it was the newest one's turn last, while late ones fill their half of the window.
    private var wasNewest = false

    /// To be asked now; to be asked again after a while; did not answer; gave way to others; in flight;
    /// in flight for too long without an answer ever. Each is in order of its times.
    private var fresh = TicketQueue<ID>()
    private var round = TicketQueue<ID>()
    private var retry = TicketQueue<ID>()
    private var patient = TicketQueue<ID>()
    private var slow = TicketQueue<ID>()
    private var late = TicketQueue<ID>()

    init(limits: Limits = Limits()) { self.limits = limits }

    /// How many services or hosts are known.
    var count: Int { entries.count }

    /// How many lookups are open: those that wait for their answer, and those that stay open after it.
    var openCount: Int { inFlightCount + keptCount }

    /// Lets no more lookups be open than these, because the daemon allows no more.
    mutating func lowerLimits(to count: Int) {
        limits.kept = max(1, min(limits.kept, count))
        limits.inFlight = min(limits.inFlight, limits.kept)
    }

    /// Lets so many lookups be in flight and stay open from now on.
    mutating func allow(inFlight: Int, kept: Int) {
        (limits.inFlight, limits.kept) = (inFlight, kept)
    }

    /// How many places the queues hold: some times the members at the most, whoever comes and goes.
    var placeCount: Int {
        [fresh, round, retry, patient, slow, late].reduce(0) { $0 + $1.placeCount }
    }

    /// Whether lookups stay open after their answer.
    var keepsOpen: Bool { entries.count <= limits.kept }

    /// One is to be asked as soon as there is room; also one that is to be asked anew.
    mutating func ask(_ id: ID, at now: Duration) {
        leaveStage(id)
        fresh.append(id, ticket: wait(id), due: now, isCurrent: isCurrent)
    }

    /// One is gone.
    mutating func remove(_ id: ID) {
        leaveStage(id)
        entries[id] = nil
    }

    /// Whose lookup is to be opened now, and whose is to be closed for it.
    struct Turn {
        let id: ID
        var predecessor: ID?
    }

    /// Who is to be asked now, if anyone is and there is room.
    mutating func next(at now: Duration) -> Turn? {
        let predecessor = giveWay(at: now)
        guard hasRoom(without: 0), let id = popFresh(at: now) ?? popRepeated(at: now) else {
            return nil
        }
        let ticket = enter(.inFlight, id)
        inFlightCount += 1
        slow.append(id, ticket: ticket, due: now + limits.slow, isCurrent: isCurrent)
        return Turn(id: id, predecessor: predecessor)
    }

    /// Makes room where others wait and late ones fill more than their half of the window.
    ///
    /// Those that have waited for longest stay: they are nearest to an answer, or to the certainty that
    /// there is none. The others are asked again as soon as nobody waits who never was.
    private mutating func giveWay(at now: Duration) -> ID? {
        guard let due = givingWayDue(), due <= now,
            let id = late.member(at: lateLimit, isCurrent: isCurrent)?.id
        else { return nil }
        leaveStage(id)
        patient.append(id, ticket: wait(id), due: now, isCurrent: isCurrent)
        return id
    }

    /// When a late one is to give way, if others wait for room and too many are late.
    private mutating func givingWayDue() -> Duration? {
        let others = [fresh.firstDue(isCurrent: isCurrent), round.firstDue(isCurrent: isCurrent)]
        guard !hasRoom(without: 0), hasRoom(without: 1), lateCount > lateLimit,
            let awaited = others.compactMap({ $0 }).min(),
            let (_, since) = late.member(at: lateLimit, isCurrent: isCurrent)
        else { return nil }
        return max(awaited, since + limits.grace)
    }

    /// Who has waited for longest; while late ones fill their half of the window, in turn with who came
    /// last, so that nobody has to wait until all of those have had their time.
    private mutating func popFresh(at now: Duration) -> ID? {
        wasNewest = isHeldUp && !wasNewest
        return wasNewest
            ? fresh.popLast(isCurrent: isCurrent)
            : fresh.popFirst(due: now, isCurrent: isCurrent)
    }

    /// Who gave way, or else who is to be asked again for longest: those who keep silent do not keep the
    /// others waiting.
    private mutating func popRepeated(at now: Duration) -> ID? {
        if isHeldUp, let id = round.popFirst(due: now, isCurrent: isCurrent) {
            return id
        }
        if let id = patient.popFirst(due: now, isCurrent: isCurrent) { return id }
        let isRetry: Bool
        switch (retry.firstDue(isCurrent: isCurrent), round.firstDue(isCurrent: isCurrent)) {
        case (let retryDue?, let roundDue?): isRetry = retryDue < roundDue
        case (let retryDue, _): isRetry = retryDue != nil
        }
        return isRetry
            ? retry.popFirst(due: now, isCurrent: isCurrent)
            : round.popFirst(due: now, isCurrent: isCurrent)
    }

    /// A lookup got its answer.
    ///
    /// - Returns: Whether the lookup stays open.
    mutating func answered(_ id: ID, at now: Duration) -> Bool {
        entries[id]?.hasAnswered = true
        return settle(id) { schedule, ticket in
            schedule.round.append(
                id, ticket: ticket, due: now + schedule.limits.round, isCurrent: schedule.isCurrent)
        }
    }

    /// A lookup got no answer, or could not be opened.
    ///
    /// - Parameters:
    ///   - id: Whose it was.
    ///   - isOpen: Whether there is a lookup that may stay open and get an answer later.
    ///   - now: The time.
    /// - Returns: Whether the lookup stays open.
    mutating func failed(_ id: ID, isOpen: Bool, at now: Duration) -> Bool {
        settle(id, mayStay: isOpen) { schedule, ticket in
            schedule.retry.append(
                id, ticket: ticket, due: now + schedule.limits.retry, isCurrent: schedule.isCurrent)
        }
    }

    /// Finds those that have been in flight for too long.
    ///
    /// - Parameters:
    ///   - calm: Until then the daemon has other work; only who has waited for longer is slow.
    ///   - now: The time.
    /// - Returns: Each of them once.
    mutating func takeSlow(calmFrom calm: Duration, at now: Duration) -> [ID] {
        var ids: [ID] = []
        let limit = now < calm ? now - limits.patience : now
        while let id = slow.popFirst(due: limit, isCurrent: isCurrent) {
            ids.append(id)
            // Of one that was there it is to be found out that it is gone.
            if entries[id]?.hasAnswered == true { continue }
            let ticket = enter(.late, id)
            lateCount += 1
            late.append(id, ticket: ticket, due: now, isCurrent: isCurrent)
        }
        return ids
    }

    /// Whose lookups are to be closed, because there are too many of them to keep any open.
    ///
    /// - Complexity: O(*n*), where *n* is how many are known, once the limit is passed; else O(1).
    mutating func releaseKept(at now: Duration) -> [ID] {
        guard !keepsOpen, keptCount > 0 else { return [] }
        let ids = entries.filter { $0.value.stage == .kept }.map(\.key)
        for id in ids {
            leaveStage(id)
            round.append(id, ticket: wait(id), due: now + limits.round, isCurrent: isCurrent)
        }
        return ids
    }

    /// Whether those who keep silent hold as much of the window as they may.
    var isHeldUp: Bool { lateCount >= lateLimit }

    /// Whether some wait to be asked for the first time, or anew.
    mutating func isBusy() -> Bool { fresh.firstDue(isCurrent: isCurrent) != nil }

    /// When something becomes due by itself, or `nil` for never.
    mutating func deadline(calmFrom calm: Duration) -> Duration? {
        let slowDue = slow.firstDue(isCurrent: isCurrent).map { due in
            min(max(due, calm), due + limits.patience)
        }
        guard hasRoom(without: 0) else { return [slowDue, givingWayDue()].compactMap { $0 }.min() }
        return [
            slowDue, fresh.firstDue(isCurrent: isCurrent), patient.firstDue(isCurrent: isCurrent),
            retry.firstDue(isCurrent: isCurrent), round.firstDue(isCurrent: isCurrent),
        ].compactMap { $0 }.min()
    }

    /// Whether another lookup may be opened once some of those in flight are closed.
    private func hasRoom(without count: Int) -> Bool {
        inFlightCount - count < limits.inFlight
            && openCount - count < max(limits.kept, limits.inFlight)
    }

    /// So many late ones stay in flight though others wait.
    private var lateLimit: Int { limits.inFlight / 2 }

    private var isCurrent: (ID, Int) -> Bool {
        { [entries] id, ticket in entries[id]?.ticket == ticket }
    }

    private mutating func leaveStage(_ id: ID) {
        switch entries[id]?.stage {
        case .inFlight: inFlightCount -= 1
        case .late:
            inFlightCount -= 1
            lateCount -= 1
        case .kept: keptCount -= 1
        case .waiting, nil: break
        }
    }

    private mutating func wait(_ id: ID) -> Int { enter(.waiting, id) }

    /// Puts one into a stage; returns its ticket there.
    private mutating func enter(_ stage: Stage, _ id: ID) -> Int {
        lastTicket += 1
        entries[id, default: Entry()].stage = stage
        entries[id]?.ticket = lastTicket
        return lastTicket
    }

    private mutating func settle(
        _ id: ID, mayStay: Bool = true, rest: (inout LookupSchedule, Int) -> Void
    ) -> Bool {
        guard entries[id] != nil else { return false }
        leaveStage(id)
        guard mayStay, keepsOpen else {
            rest(&self, wait(id))
            return false
        }
        _ = enter(.kept, id)
        keptCount += 1
        return true
    }
}
