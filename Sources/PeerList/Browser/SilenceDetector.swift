// Detects hosts that fell silent while their records are still cached.
import FoundationEssentials

/// Schedules a question to each host that has given no sign of life for a while.
///
/// The stack reports a silent host when its SRV or address records expire. Several stacks announce these with
/// TTLs of over an hour, so each host is asked past the cache. One that misses two questions is silent.
struct SilenceDetector {
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

    /// Returns the hosts to ask now: those that missed a question, or else those not heard for long.
    mutating func takeDue(at now: Duration) -> (hosts: [String], haveMissed: Bool) {
        let second = take(\.missed, at: now)
        return second.isEmpty ? (take(\.heard, at: now), false) : (second, true)
    }

    private mutating func take(
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

extension LinkBrowser {
    /// The services that the second question to a host asks for; the one of the first may be gone alone.
    private static let secondServices = 4

    /// Asks the hosts that are due, unless a question is out.
    func continueListening() {
        guard let due = listeningDeadline(), due <= now, !mayHaveExpiredByClock() else { return }
        let (hosts, haveMissed) = silence.takeDue(at: now)
        Task {
            let services = haveMissed ? Self.secondServices : 1
            let silent = await silentHosts(among: hosts, services: services)
            silence.finish()
            guard isRunning, !mayHaveExpiredByClock() else { return }
            for host in hosts { settleQuestion(host, isSilent: silent?.contains(host) ?? false) }
            proceed()
        }
    }

    /// When hosts are to be asked, or `nil` for never.
    func listeningDeadline() -> Duration? {
        isRunning ? silence.deadline() : nil
    }

    /// Notes that the host of a service answered.
    func noteSignOfLife(of service: UUID) {
        guard let host = resolving.services[service]?.host else { return }
        silence.heard(Identity.canonical(host), at: now)
    }

    private func settleQuestion(_ host: String, isSilent: Bool) {
        guard let services = addressing.hosts[host]?.services else { return }
        if !isSilent {
            silence.heard(host, at: now)
        } else if silence.missed(host, at: now) {
            for service in services { fellSilent(service) }
        }
    }

    /// Asks the link for services of hosts.
    ///
    /// - Parameters:
    ///   - hosts: The hosts, in canonical form.
    ///   - count: The maximum number of services of each. Unanswered ones are left out; they are asked for
    ///     already.
    /// - Returns: The hosts that were asked and did not answer; `nil` where the link cannot be asked.
    func silentHosts(among hosts: [String], services count: Int) async -> Set<String>? {
        let room = min(count, max(1, Self.verifyLimit / max(1, hosts.count)))
        var questions: [LinkProbe.Question] = []
        var owners: [UUID: String] = [:]
        for host in hosts {
            let services = addressing.hosts[host]?.services.filter {
                !verifying.doubts.contains($0)
            }
            let asked = (services ?? []).sorted().lazy.compactMap(question)
            for question in asked.prefix(room) {
                questions.append(question)
                owners[question.service.id] = host
            }
        }
        guard let answered = try? await verifying.ask(questions) else { return nil }
        for question in questions where answered.contains(question.service.id) {
            report(.answered(question.service))
        }
        return Set(owners.values).subtracting(answered.compactMap { owners[$0] })
    }
}
