// Which service is asked next, and which lookups stay open.
import FoundationEssentials

/// Decides which service is resolved next, and whose lookup stays open afterwards.
///
/// A daemon serves few lookups at once much faster than many, and every open
/// one costs it work. So a window of them is in flight at a time. While there
/// are few services every answered lookup stays open, because only an open one
/// tells of changes and of a host that fell silent. Beyond that, answered
/// lookups are closed and every service is asked again in rotation.
///
/// Times are since any fixed moment. All operations are O(1) amortised but for
/// ``releaseKept()``.
struct ResolveSchedule {
    /// How much may be going on at once.
    struct Limits: Sendable {
        /// Lookups that wait for their answer.
        var inFlight = 32
        /// Services up to which every lookup stays open.
        var kept = 128
        /// The time after which a service whose lookup is closed is asked again.
        var round = Duration.seconds(100)
        /// The time after which a service that did not answer is asked again.
        var retry = Duration.seconds(10)
        /// The time in flight after which a service counts as slow.
        var slow = Duration.milliseconds(500)
        /// How much later it counts as slow while the daemon has other work.
        var patience = Duration.seconds(3)
    }

    private enum Stage {
        case waiting
        case inFlight
        case kept
    }

    private struct Entry {
        var stage: Stage
        /// Tells the entry's place in a queue from places that it held before.
        var ticket: Int
    }

    private(set) var limits: Limits
    private var entries: [UUID: Entry] = [:]
    private var lastTicket = 0
    private var inFlightCount = 0
    private var keptCount = 0

    /// To be asked now; to be asked again after a while; did not answer; slow to. Each is in order of its times.
    private var fresh = TicketQueue()
    private var round = TicketQueue()
    private var retry = TicketQueue()
    private var slow = TicketQueue()

    init(limits: Limits = Limits()) { self.limits = limits }

    /// How many services are known.
    var count: Int { entries.count }

    /// How many lookups are open: those that wait for their answer, and those that stay open after it.
    var openCount: Int { inFlightCount + keptCount }

    /// Lets no more lookups be open than these, because the daemon allows no more.
    mutating func lowerLimits(to count: Int) {
        limits.kept = max(1, min(limits.kept, count))
        limits.inFlight = min(limits.inFlight, limits.kept)
    }

    /// How many places the queues hold: some times the services at the most, whoever comes and goes.
    var placeCount: Int {
        [fresh, round, retry, slow].reduce(0) { $0 + $1.placeCount }
    }

    /// Whether lookups stay open after their answer.
    var keepsOpen: Bool { entries.count <= limits.kept }

    /// A service is to be asked as soon as there is room; also one that is to be asked anew.
    mutating func ask(_ id: UUID, at now: Duration) {
        leaveStage(id)
        fresh.append(id, ticket: wait(id), due: now, isCurrent: isCurrent)
    }

    /// A service is gone.
    mutating func remove(_ id: UUID) {
        leaveStage(id)
        entries[id] = nil
    }

    /// The service whose lookup is to be opened now, if there is one and room for it.
    mutating func next(at now: Duration) -> UUID? {
        guard hasRoom else { return nil }
        guard
            let id = fresh.popFirst(due: now, isCurrent: isCurrent)
                ?? popRepeated(at: now)
        else { return nil }
        lastTicket += 1
        entries[id] = Entry(stage: .inFlight, ticket: lastTicket)
        inFlightCount += 1
        slow.append(id, ticket: lastTicket, due: now + limits.slow, isCurrent: isCurrent)
        return id
    }

    /// Who is to be asked again for longest: those who keep silent do not keep the others waiting.
    private mutating func popRepeated(at now: Duration) -> UUID? {
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
    mutating func answered(_ id: UUID, at now: Duration) -> Bool {
        settle(id) { schedule, ticket in
            schedule.round.append(
                id, ticket: ticket, due: now + schedule.limits.round, isCurrent: schedule.isCurrent)
        }
    }

    /// A lookup got no answer, or could not be opened.
    ///
    /// - Parameters:
    ///   - id: The service.
    ///   - isOpen: Whether there is a lookup that may stay open and find the service later.
    ///   - now: The time.
    /// - Returns: Whether the lookup stays open.
    mutating func failed(_ id: UUID, isOpen: Bool, at now: Duration) -> Bool {
        settle(id, mayStay: isOpen) { schedule, ticket in
            schedule.retry.append(
                id, ticket: ticket, due: now + schedule.limits.retry, isCurrent: schedule.isCurrent)
        }
    }

    /// Takes out the services that have been in flight for too long.
    ///
    /// - Parameters:
    ///   - calm: Until then the daemon has other work; only who has waited for longer is slow.
    ///   - now: The time.
    /// - Returns: The services, each once.
    mutating func takeSlow(calmFrom calm: Duration, at now: Duration) -> [UUID] {
        var ids: [UUID] = []
        let limit = now < calm ? now - limits.patience : now
        while let id = slow.popFirst(due: limit, isCurrent: isCurrent) { ids.append(id) }
        return ids
    }

    /// The services whose lookups are to be closed, because there are too many of them to keep any open.
    ///
    /// - Complexity: O(*n*), where *n* is the number of services, once the limit is passed; else O(1).
    mutating func releaseKept(at now: Duration) -> [UUID] {
        guard !keepsOpen, keptCount > 0 else { return [] }
        let ids = entries.filter { $0.value.stage == .kept }.map(\.key)
        for id in ids {
            leaveStage(id)
            round.append(
                id, ticket: wait(id), due: now + limits.round, isCurrent: isCurrent)
        }
        return ids
    }

    /// Whether some wait to be asked for the first time, or anew.
    mutating func isBusy() -> Bool { fresh.firstDue(isCurrent: isCurrent) != nil }

    /// When something becomes due by itself, or `nil` for never.
    mutating func deadline(calmFrom calm: Duration) -> Duration? {
        let slowDue = slow.firstDue(isCurrent: isCurrent).map { due in
            min(max(due, calm), due + limits.patience)
        }
        guard hasRoom else { return slowDue }
        return [
            slowDue, fresh.firstDue(isCurrent: isCurrent), retry.firstDue(isCurrent: isCurrent),
            round.firstDue(isCurrent: isCurrent),
        ].compactMap { $0 }.min()
    }

    private var hasRoom: Bool { inFlightCount < limits.inFlight && openCount < limits.kept }

    private var isCurrent: (UUID, Int) -> Bool {
        { [entries] id, ticket in entries[id]?.ticket == ticket }
    }

    private mutating func leaveStage(_ id: UUID) {
        switch entries[id]?.stage {
        case .inFlight: inFlightCount -= 1
        case .kept: keptCount -= 1
        case .waiting, nil: break
        }
    }

    private mutating func wait(_ id: UUID) -> Int {
        lastTicket += 1
        entries[id] = Entry(stage: .waiting, ticket: lastTicket)
        return lastTicket
    }

    private mutating func settle(
        _ id: UUID, mayStay: Bool = true, rest: (inout ResolveSchedule, Int) -> Void
    ) -> Bool {
        guard entries[id] != nil else { return false }
        leaveStage(id)
        guard mayStay, keepsOpen else {
            rest(&self, wait(id))
            return false
        }
        lastTicket += 1
        entries[id] = Entry(stage: .kept, ticket: lastTicket)
        keptCount += 1
        return true
    }
}
