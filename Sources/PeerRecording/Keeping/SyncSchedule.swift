// When a file has to be brought to the disk.

/// When a file has to be brought to the disk.
struct SyncSchedule {
    let policy: SyncPolicy
    /// When it must be on the disk, if something is not; only with ``SyncPolicy/second``.
    private(set) var due: ContinuousClock.Instant?

    init(_ policy: SyncPolicy) { self.policy = policy }

    /// Takes note that something was written; says whether the disk is to be waited for now.
    mutating func wrote(at now: ContinuousClock.Instant) -> Bool {
        switch policy {
        case .line: return true
        case .none: return false
        case .second:
            if due == nil { due = now + .seconds(1) }
            return isDue(at: now)
        }
    }

    /// Whether the disk is to be waited for now.
    func isDue(at now: ContinuousClock.Instant) -> Bool { due.map { now >= $0 } ?? false }

    /// Takes note that all is on the disk.
    mutating func synced() { due = nil }
}
