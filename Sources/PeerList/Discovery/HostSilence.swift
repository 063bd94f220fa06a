// Schedules a question to each host without a sign of life for a while.

/// The hosts by their last sign of life.
///
/// The stack reports a silent host when its SRV or address records expire. Several responders announce these
/// with TTLs of over an hour, so each host is asked past the cache. A host that misses two questions is
/// silent.
struct HostSilence {
    /// The time without a sign of life after which a host is asked.
    static let patience = Duration.seconds(100)
    /// The time from a missed question to the next one. A host is unanswered at most two minutes after its
    /// last sign of life.
    static let retry = Duration.seconds(7)
    /// The maximum number of hosts that are asked at once, equal to the number of lookups in
    /// flight.
    static let batch = 32

    private enum Stage {
        case heard
        case asked
        case missed
        case askedAgain
    }

    private var hosts = StageQueues<String, Stage>()

    mutating func heard(_ host: String, at now: Duration) {
        hosts.move(host, to: .heard, due: now + Self.patience)
    }

    /// Adds a host unless it is known.
    mutating func add(_ host: String, at now: Duration) {
        if hosts.stage(of: host) == nil { heard(host, at: now) }
    }

    mutating func remove(_ host: String) { hosts.remove(host) }

    /// Pops the hosts to ask now: hosts that missed a question, or else hosts without a sign of
    /// life for ``patience``.
    mutating func popDue(at now: Duration) -> (hosts: [String], haveMissed: Bool) {
        let second = move(.missed, to: .askedAgain, at: now)
        return second.isEmpty ? (move(.heard, to: .asked, at: now), false) : (second, true)
    }

    private mutating func move(_ from: Stage, to next: Stage, at now: Duration) -> [String] {
        var moved: [String] = []
        while moved.count < Self.batch, let host = hosts.first(in: from, due: now) {
            hosts.move(host, to: next, due: now)
            moved.append(host)
        }
        return moved
    }

    /// Records that a host did not answer a question.
    ///
    /// - Returns: Whether the host is silent: it also missed the previous question.
    mutating func missed(_ host: String, at now: Duration) -> Bool {
        switch hosts.stage(of: host) {
        case .asked: hosts.move(host, to: .missed, due: now + Self.retry)
        case .askedAgain:
            heard(host, at: now)
            return true
        case .heard, .missed, nil: break
        }
        return false
    }

    mutating func deadline() -> Duration? {
        [hosts.firstDue(in: .missed), hosts.firstDue(in: .heard)].compactMap { $0 }.min()
    }
}
