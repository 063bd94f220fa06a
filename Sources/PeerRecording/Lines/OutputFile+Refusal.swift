// Why a file cannot be written to, and what to do.
import Glibc

extension OutputFile {
    /// Why a file cannot be written to.
    public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// The file's name as it was given.
        public let path: String

        /// Why not, and what to do, to be read after the file's name.
        public let reason: String

        /// Whether there is no room for it.
        let isDiskFull: Bool

        init(path: String, reason: String) {
            (self.path, self.reason) = (path, reason)
            isDiskFull = false
        }

        /// What an `errno` of `open` means to the user.
        init(path: String, code: Int32) {
            self.path = path
            reason = meaning(ofOpenError: code)
            isDiskFull = LineFailure(code: code) == .diskFull
        }

        /// The name in quotation marks and the reason; escape it before it reaches a terminal.
        public var description: String { "'\(path)' \(reason)" }
    }
}

/// What an `errno` of `open` means to the user.
private func meaning(ofOpenError code: Int32) -> String {
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
