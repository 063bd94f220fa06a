// How soon what is written to a file is on the disk.

/// How soon lines in a file are on the disk, where a power cut cannot reach them.
///
/// A crash of the program loses nothing that was written, under any of them:
/// the system has it.
public enum SyncPolicy: String, Sendable, Hashable, CaseIterable {
    /// At once: the disk is waited for after each line. Lines that come while it
    /// is busy go together.
    case line
    /// A second after they were written at the latest.
    case second
    /// When the system thinks fit, usually within half a minute.
    case none

    /// What counts unless another is given: ``second``.
    public static let standard = SyncPolicy.second
}

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
