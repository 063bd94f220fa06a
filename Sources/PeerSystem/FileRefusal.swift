// The reason for which a file cannot be written.
import Glibc

/// The reason for which a file cannot be written to.
package struct FileRefusal: Error, Hashable, CustomStringConvertible {
    /// The path as it was given.
    package let path: String

    /// The reason and what to do, to be read after the path.
    package let reason: String

    /// The `errno` of the system call that failed.
    package let code: Int32?

    package init(_ path: String, _ reason: String) {
        (self.path, self.reason, code) = (path, reason, nil)
    }

    /// The refusal for an `errno` of open(2) or rename(2).
    package init(_ path: String, code: Int32) {
        self.path = path
        self.code = code
        reason =
            switch code {
            case EISDIR: "is a directory; name a file in it"
            case ENOENT: "is in a directory that does not exist; make it first"
            case EACCES, EPERM: "may not be written to; name a file that you may write"
            case EROFS: "is on a file system that is read-only; name a file elsewhere"
            case ENOTDIR: "goes through a file as if it were a directory; check the name"
            case ENXIO: "is a pipe or device that nobody reads; start its reader first"
            case ENAMETOOLONG: "is too long a name; shorten it"
            case ENOSPC, EDQUOT: "cannot be written, because the disk is full; make room on it"
            default: "cannot be opened: \(unsafe String(cString: strerror(code)))"
            }
    }

    /// The path in quotation marks and the reason; escape it before it reaches a terminal.
    package var description: String { "'\(path)' \(reason)" }
}
