// Schedules a question to each host that has given no sign of life for a while.

/// The hosts by their last sign of life.
///
/// The stack reports a silent host when its SRV or address records expire. Several stacks announce these with
/// TTLs of over an hour, so each host is asked past the cache. One that misses two questions is silent.
struct HostSilence {
    /// The time without a sign of life after which a host is asked.
    static let patience = Duration.seconds(100)
    /// The time from a missed question to the next one. A host is unanswered at most two minutes after its
    /// last sign of life.
    static let retry = Duration.seconds(7)
    /// The maximum number of hosts that are asked at once, as many as lookups are in flight.
    static let batch = 32

    private struct Entry {
        var ticket: Int
        var isAsked = false
        var hasMissed = false
    }

    private var entries: [String: Entry] = [:]
    private var lastTicket = 0
    private var heard = TicketQueue<String>()
    private var missed = TicketQueue<String>()
    /// Whether a question is out.
    private(set) var isAsking = false

    /// Notes a sign of life of a host.
    mutating func heard(_ host: String, at now: Duration) {
        lastTicket += 1
        entries[host] = Entry(ticket: lastTicket)
        heard.append(host, ticket: lastTicket, due: now + Self.patience, isCurrent: isCurrent)
    }

    /// Adds a host unless it is known.
    mutating func add(_ host: String, at now: Duration) {
        if entries[host] == nil { heard(host, at: now) }
    }

    /// Removes a host.
    mutating func remove(_ host: String) { entries[host] = nil }

    /// Pops the hosts to ask now: those that missed a question, or else those not heard for long.
    mutating func popDue(at now: Duration) -> (hosts: [String], haveMissed: Bool) {
        let second = pop(\.missed, at: now)
        return second.isEmpty ? (pop(\.heard, at: now), false) : (second, true)
    }

    private mutating func pop(
        _ queue: WritableKeyPath<Self, TicketQueue<String>>, at now: Duration
    ) -> [String] {
        var hosts: [String] = []
        while hosts.count < Self.batch,
            let host = self[keyPath: queue].popFirst(due: now, isCurrent: isCurrent)
        {
            entries[host]?.isAsked = true
            hosts.append(host)
        }
        isAsking = isAsking || !hosts.isEmpty
        return hosts
    }

    /// Notes that a host that was asked did not answer.
    ///
    /// - Returns: Whether it is silent: it missed the question before as well.
    mutating func missed(_ host: String, at now: Duration) -> Bool {
        guard let entry = entries[host], entry.isAsked else { return false }
        if entry.hasMissed {
            heard(host, at: now)
            return true
        }
        lastTicket += 1
        entries[host] = Entry(ticket: lastTicket, hasMissed: true)
        missed.append(host, ticket: lastTicket, due: now + Self.retry, isCurrent: isCurrent)
        return false
    }

    /// Notes that the time for answers is over.
    mutating func finish() { isAsking = false }

    /// When the next host is to be asked, or `nil` for never or not before the current question is over.
    mutating func deadline() -> Duration? {
        isAsking
            ? nil
            : [missed.firstDue(isCurrent: isCurrent), heard.firstDue(isCurrent: isCurrent)]
                .compactMap { $0 }.min()
    }

    private var isCurrent: (String, Int) -> Bool {
        { [entries] host, ticket in entries[host]?.ticket == ticket }
    }
}
