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
