// Decides when lines in a file are synced to disk.

/// How soon lines in a file are synced to disk, so that a power failure cannot lose them.
///
/// A crash of the program loses no written line with any policy, because the kernel has it.
public enum SyncPolicy: String, Sendable, Hashable, CaseIterable {
    /// Sync after each line. Lines that arrive during a sync share the next sync.
    case line
    /// Sync at most one second after a line was written.
    case second
    /// Leave it to the kernel, which usually writes within 30 seconds.
    case none

    /// The default policy: ``second``.
    public static let standard = SyncPolicy.second
}

struct SyncSchedule {
    let policy: SyncPolicy
    /// The time by which unsynced lines must be on disk; only set with ``SyncPolicy/second``.
    private(set) var due: ContinuousClock.Instant?

    init(_ policy: SyncPolicy) { self.policy = policy }

    /// Records that something was written; returns whether to sync now.
    mutating func wrote(at now: ContinuousClock.Instant) -> Bool {
        switch policy {
        case .line: return true
        case .none: return false
        case .second:
            if due == nil { due = now + .seconds(1) }
            return due.map { now >= $0 } ?? false
        }
    }

    mutating func synced() { due = nil }
}
