// Opens the file that lines are appended to.
import Glibc

/// A file, open for appending lines.
public struct OutputFile: Sendable {
    /// Why a file cannot be written to.
    public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// The file's name as it was given.
        public let path: String

        /// Why not, and what to do, to be read after the file's name.
        public let reason: String

        /// The name in quotation marks and the reason; escape it before it reaches a terminal.
        public var description: String { "'\(path)' \(reason)" }
    }

    /// Open for appending; ``LineOutput`` closes it.
    public let descriptor: Int32

    /// Whether the file ends in the middle of a line, as after a power cut.
    public let isTorn: Bool

    /// Opens a file, and makes it if it is not there.
    ///
    /// Regular files, character devices and pipes that somebody reads are taken.
    ///
    /// - Throws: ``Refusal`` if it cannot be written to.
    public init(path: String) throws(Refusal) {
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        let descriptor = unsafe open(path, flags, 0o644)
        guard descriptor >= 0 else { throw Refusal(path: path, reason: reason(errno)) }

        var status = stat()
        unsafe fstat(descriptor, &status)
        let kind = status.st_mode & S_IFMT
        guard [S_IFREG, S_IFCHR, S_IFIFO].contains(kind) else {
            close(descriptor)
            throw Refusal(path: path, reason: "is not a file that lines can be appended to")
        }
        // Opened without waiting, so that a pipe that nobody reads is told of; written with.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        self.descriptor = descriptor
        isTorn =
            kind == S_IFREG && status.st_size > 0 && !endsInLineFeed(path, status.st_size)
    }
}

/// Whether a file of `size` bytes ends in a line feed; where that cannot be read, no.
private func endsInLineFeed(_ path: String, _ size: off_t) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var last: UInt8 = 0
    return unsafe pread(descriptor, &last, 1, size - 1) == 1 && last == UInt8(ascii: "\n")
}

/// What an `errno` of `open` means to the user.
private func reason(_ code: Int32) -> String {
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
