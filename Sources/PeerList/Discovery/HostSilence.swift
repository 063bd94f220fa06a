// Schedules probes of hosts without a sign of life for a while.

/// The hosts by their last sign of life.
///
/// The stack reports a silent host when its SRV or address records expire. Several responders announce these records
/// with TTLs of over an hour, so each host is probed, past the cache. A host that misses two probes is silent.
struct HostSilence {
    /// The time without a sign of life after which a host is probed.
    static let patience = Duration.seconds(100)
    /// The time from a missed probe to the next probe. A host is unanswered at most two minutes after its last sign of
    /// life.
    static let retry = Duration.seconds(7)
    /// The maximum number of hosts that are probed at once, equal to the number of lookups in flight.
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

    /// Returns the hosts to probe now: hosts that missed a probe, or else hosts without a sign of life for
    /// ``patience``.
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

    /// Records that a host did not answer a probe.
    ///
    /// - Returns: Whether the host is silent, because it also missed the previous probe.
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
