// A file, pipe or device for whole lines: opens it unless that is unsafe, writes, syncs and reopens it.
import Glibc
package import PeerSystem

/// A file, open for appending lines.
public struct OutputFile: Sendable {
    private let path: String
    private let descriptor: Int32
    /// The file's status when it was opened or closed.
    private var status: stat
    private var isOpen = true
    /// Whether the file ends with an incomplete line, as after a power failure.
    private var isTorn: Bool
    /// The number of bytes written of a line that has not ended.
    private var pendingSize = 0
    var schedule = SyncSchedule(.none)

    /// Whether the file is a regular file, not a device or pipe.
    public var isRegular: Bool { status.kind == S_IFREG }

    /// Opens a file, or creates it.
    ///
    /// Accepts an empty file or a recording that no other peerlist writes, a
    /// character device, and a pipe that has a reader. A new file is readable by
    /// its user alone.
    ///
    /// - Throws: ``Refusal`` if the file cannot be written to.
    public init(path: String) throws(Refusal) { try self.init(path: path, former: nil) }

    private init(path: String, former: stat?) throws(Refusal) {
        self.path = path
        descriptor = try Self.open(path, former)
        status = stat()
        unsafe fstat(descriptor, &status)
        isTorn =
            status.kind == S_IFREG && status.st_size > 0
            && bytes(of: descriptor, at: status.st_size - 1, 1) != [newline]
        if let reason = refusalReason {
            Glibc.close(descriptor)
            throw Refusal(path: path, reason: reason)
        }
        // Opened non-blocking, so that a pipe without a reader is an error; written blocking.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    init(descriptor: Int32) {
        (path, self.descriptor, isTorn, status) = ("", descriptor, false, stat())
        unsafe fstat(descriptor, &status)
    }

    // MARK: Writing

    /// Writes lines, for as long as that takes, and returns the failure, or `nil`; the last line may be a
    /// piece, which the next call continues. Retries opening a file that could not be reopened.
    ///
    /// If writing fails in the middle of a line, a regular file is cut back to the line's start. If
    /// that is impossible, the next call first ends the torn line, so that no line is ever joined
    /// to it.
    mutating func write(_ lines: [UInt8]) -> LineFailure? {
        if !isOpen, let failure = open() { return failure }
        let text = isTorn ? [newline] + lines : lines
        var done = 0
        while done < text.count {
            let end = isRegular ? text.count : endOfPiece(of: text, from: done)
            let count = unsafe text.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), end - done)
            }
            switch (count, errno) {
            case (0..., _): done += count
            case (_, EINTR): continue
            case (_, EAGAIN):
                // Another process that shares the pipe has made it non-blocking.
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                unsafe _ = poll(&request, 1, -1)
            case (_, let code):
                if done + pendingSize > 0 { removeTornLine(text[..<done]) }
                pendingSize = 0
                return LineFailure(code: code)
            }
        }
        isTorn = false
        pendingSize = sizeOfLastLine(text[...])
        return schedule.wrote(at: .now) ? sync() : nil
    }

    /// Syncs a regular file to disk; returns the failure, or `nil`.
    ///
    /// After a failure, the pieces of an unfinished line are cut off, because the rest will not
    /// follow.
    mutating func sync() -> LineFailure? {
        schedule.synced()
        guard isRegular, fdatasync(descriptor) != 0 else { return nil }
        let failure = LineFailure(code: errno)
        if pendingSize > 0 { removeTornLine([]) }
        pendingSize = 0
        return failure
    }

    /// Closes the file and opens its path again, so that later lines go to a new file after the old one
    /// was renamed; returns the failure, or `nil`.
    mutating func reopen() -> LineFailure? { close() ?? open() }

    private mutating func open() -> LineFailure? {
        do throws(Refusal) {
            let schedule = schedule
            self = try reopened()
            self.schedule = schedule
            return nil
        } catch {
            return error.isDiskFull ? .diskFull : .notOpened(error)
        }
    }

    /// Opens the path again; a new file gets this file's mode and owner.
    package func reopened() throws(Refusal) -> OutputFile {
        try OutputFile(path: path, former: status)
    }

    /// Syncs and closes the file, but not a descriptor of the caller; returns the failure, after which
    /// lines may be lost, or `nil`.
    package mutating func close() -> LineFailure? {
        guard isOpen, !path.isEmpty else { return nil }
        let failure = schedule.policy == .none ? nil : sync()
        isOpen = false
        unsafe fstat(descriptor, &status)  // for the mode of the next file
        // A child process that is being started shares the file and its lock for a moment, so the
        // lock is released explicitly.
        _ = flock(descriptor, LOCK_UN)
        // Some file systems report a full disk only on closing.
        return Glibc.close(descriptor) == 0 ? failure : LineFailure(code: errno)
    }

    /// Returns the end of the next piece for a pipe: whole lines of at most `PIPE_BUF` bytes together, or one longer
    /// line.
    ///
    /// Writes of at most `PIPE_BUF` bytes are atomic (POSIX, `write`). So only a line that is
    /// longer can be torn if the reader stalls until this process exits.
    private func endOfPiece(of text: [UInt8], from start: Int) -> Int {
        let limit = start + Int(PIPE_BUF)
        if text.count <= limit { return text.count }
        if let last = text[start..<limit].lastIndex(of: newline) { return last + 1 }
        return (text[limit...].firstIndex(of: newline) ?? text.count - 1) + 1
    }

    /// Returns the size of the unfinished line at the end of a text that was written.
    private func sizeOfLastLine(_ text: ArraySlice<UInt8>) -> Int {
        text.lastIndex(of: newline).map { text.endIndex - $0 - 1 } ?? pendingSize + text.count
    }

    /// Cuts a torn line off the end of a regular file, unless another process has appended to it.
    private mutating func removeTornLine(_ written: ArraySlice<UInt8>) {
        let torn = off_t(sizeOfLastLine(written))
        isTorn = torn > 0
        guard isTorn, isRegular else { return }
        var status = stat()
        let end = lseek(descriptor, 0, SEEK_CUR)
        guard end >= torn, unsafe fstat(descriptor, &status) == 0, status.st_size == end,
            ftruncate(descriptor, end - torn) == 0
        else { return }
        lseek(descriptor, end - torn, SEEK_SET)
        isTorn = false
    }

    // MARK: Opening and checking

    /// The maximum number of attempts to open a file that others create or remove meanwhile.
    private static let tryLimit = 8

    /// Opens a file, or creates it: readable by its user alone, or with the mode and the owner of a former
    /// file.
    private static func open(_ path: String, _ former: stat?) throws(Refusal) -> Int32 {
        let flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        if namesDescriptor(path) {
            let descriptor = unsafe Glibc.open(path, flags)
            if descriptor >= 0 { return descriptor }
            throw Refusal(FileRefusal(path, code: errno))
        }
        var attempt = 1
        while true {
            do throws(FileRefusal) {
                let entry = try FileEntry(path)
                guard entry.status == nil else { return try entry.open(flags) }
                let created = try entry.create(flags, mode: former?.rights ?? 0o600)
                // Only root may change the owner; any other user owns the file already.
                if let former {
                    _ = fchown(created, former.st_uid, former.st_gid)
                    fchmod(created, former.rights)
                }
                return created
            } catch {
                let isExchanged = error.code == EEXIST || error.code == ENOENT
                guard isExchanged, attempt < tryLimit else { throw Refusal(error) }
                attempt += 1
            }
        }
    }

    /// The reason for which the open file must not be written to, or `nil`.
    private var refusalReason: String? {
        guard [S_IFREG, S_IFCHR, S_IFIFO].contains(status.kind) else {
            return "is not a file that lines can be appended to"
        }
        guard isRegular else { return nil }
        // Interleaved lines of two runs would not be a recording.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            return "is written by another peerlist already; name another"
        }
        if !holdsRecording {
            return "is no recording, and nothing is appended to other files; name another"
        }
        return nil
    }

    /// Whether a regular file is empty or starts like a recording. A file that the shell opened may hold
    /// anything.
    private var holdsRecording: Bool {
        guard status.st_size > 0, !namesDescriptor(path) else { return true }
        let start = Array("{\"type\":\"".utf8)
        return bytes(of: descriptor, at: 0, start.count).map(start.starts) ?? true
    }
}

extension stat {
    fileprivate var rights: mode_t { st_mode & 0o7777 }
}

private func bytes(of descriptor: Int32, at offset: off_t, _ count: Int) -> [UInt8]? {
    // By its descriptor, because the path may lead to another file by now.
    let reading = unsafe open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
    guard reading >= 0 else { return nil }
    defer { close(reading) }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = unsafe pread(reading, &bytes, count, offset)
    return got < 0 ? nil : Array(bytes.prefix(got))
}

/// The reason for which lines could not be written.
public enum LineFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reading end of the pipe is closed.
    case readerGone
    /// The disk, or the user's quota, is full.
    case diskFull
    /// The reader or disk is too slow; `waiting` bytes wait for it.
    case tooSlow(waiting: Int)
    /// The file could not be reopened.
    case notOpened(OutputFile.Refusal)
    /// A system call failed with an `errno`.
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
            "it is read too slowly: \((waiting + 1023) >> 10) KiB wait; use a faster reader or disk"
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

        let isDiskFull: Bool

        init(path: String, reason: String) {
            (self.path, self.reason, isDiskFull) = (path, reason, false)
        }

        package init(_ refusal: FileRefusal) {
            (path, reason) = (refusal.path, refusal.reason)
            isDiskFull = refusal.code == ENOSPC || refusal.code == EDQUOT
        }

        /// The path in quotation marks and the reason; escape it before it reaches a terminal.
        public var description: String { "'\(path)' \(reason)" }
    }
}
