// The reasons for which lines cannot be written, and when they are synced to disk.
import Glibc

/// The reason for which lines could not be written.
public enum LineFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reading end of the pipe is closed.
    case readerGone
    /// The disk, or the user's quota, is full.
    case diskFull
    /// The reader or disk is too slow: this many bytes wait, and no more may.
    case tooSlow(waiting: Int)
    /// The file could not be reopened.
    case notOpened(OutputFile.Refusal)
    /// The system reports this `errno`.
    case system(code: Int32)

    /// The failure for an `errno` of `write`.
    public init(code: Int32) {
        switch code {
        case EPIPE: self = .readerGone
        case ENOSPC, EDQUOT: self = .diskFull
        default: self = .system(code: code)
        }
    }

    /// The failure and advice, to be read after the name of the output.
    public var description: String {
        switch self {
        case .readerGone: "nobody reads it any more"
        case .diskFull: "the disk is full; make room on it, or write to another"
        case .tooSlow(let waiting):
            "it is read too slowly: \(waiting >> 10) KiB wait; use a faster reader, or a file"
        case .notOpened(let refusal): refusal.description
        case .system(EBADF): "it is closed; open it, or leave it out"
        case .system(EFBIG): "the file may not grow any more; write to another one"
        case .system(let code): unsafe String(cString: strerror(code))
        }
    }
}

extension OutputFile {
    /// The reason for which a file cannot be written to.
    public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// The path as it was given.
        public let path: String

        /// The reason and what to do, to be read after the path.
        public let reason: String

        /// Whether the disk is full.
        let isDiskFull: Bool

        init(path: String, reason: String) {
            (self.path, self.reason, isDiskFull) = (path, reason, false)
        }

        /// The refusal for an `errno` of `open`.
        init(path: String, code: Int32) {
            self.path = path
            isDiskFull = LineFailure(code: code) == .diskFull
            reason =
                switch code {
                case EISDIR: "is a directory; name a file in it"
                case ENOENT: "is in a directory that does not exist; make it first"
                case EACCES, EPERM: "may not be written to; name a file that you may write"
                case EROFS: "is on a file system that is read-only; name a file elsewhere"
                case ENOTDIR: "goes through a file as if it were a directory; check the name"
                case ENXIO: "is a pipe or device that nobody reads; start its reader first"
                case ENAMETOOLONG: "is too long a name; shorten it"
                case ENOSPC, EDQUOT: "cannot be made, because the disk is full; make room on it"
                default: "cannot be opened: \(unsafe String(cString: strerror(code)))"
                }
        }

        /// The path in quotation marks and the reason; escape it before it reaches a terminal.
        public var description: String { "'\(path)' \(reason)" }
    }
}

/// How soon lines in a file are synced to disk, where a power failure cannot reach them.
///
/// A crash of the program loses nothing that was written, whatever the policy:
/// the kernel has it.
public enum SyncPolicy: String, Sendable, Hashable, CaseIterable {
    /// Sync after each line. Lines that arrive during a sync share the next one.
    case line
    /// Sync at most one second after a line was written.
    case second
    /// Leave it to the kernel, which usually writes within 30 seconds.
    case none

    /// The default policy: ``second``.
    public static let standard = SyncPolicy.second
}

/// Decides when a file is synced to disk.
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

    /// Records that everything written is on disk.
    mutating func synced() { due = nil }
}
