// Writes whole lines to a file or a pipe, syncs the file to disk, and reopens it.
import Glibc

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

/// The file, pipe or device that whole lines are written to. Used by one thread.
struct LineSink {
    private var file: OutputFile
    /// Whether the file is open; not after it could not be reopened.
    private var isOpen = true
    /// Whether the output ends with an incomplete line.
    private var isTorn: Bool
    private var schedule: SyncSchedule

    /// A sink for a file, which ``close()`` closes.
    init(file: OutputFile, sync: SyncPolicy) {
        (self.file, isTorn, schedule) = (file, file.isTorn, SyncSchedule(sync))
    }

    /// The time at which ``sync()`` must be called even if nothing more is written.
    var syncDue: ContinuousClock.Instant? { schedule.due }

    /// Writes whole lines, for as long as that takes. Retries opening a file that could not be reopened.
    ///
    /// If writing fails in the middle of a line, a regular file is cut back to the
    /// line's start. Where that is impossible, the next call first ends the torn
    /// line, so that no line is ever joined to it.
    ///
    /// - Returns: The failure, or `nil`.
    mutating func write(_ lines: [UInt8]) -> LineFailure? {
        if !isOpen, let failure = open() { return failure }
        let (descriptor, isRegular) = (file.descriptor, file.isRegular)
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
                if done > 0 { removeTornLine(text[..<done]) }
                return LineFailure(code: code)
            }
        }
        isTorn = false
        return schedule.wrote(at: .now) ? sync() : nil
    }

    /// Syncs a regular file to disk.
    ///
    /// - Returns: The failure, or `nil`.
    mutating func sync() -> LineFailure? {
        schedule.synced()
        guard file.isRegular, fdatasync(file.descriptor) != 0 else { return nil }
        return LineFailure(code: errno)
    }

    /// Closes the file and opens its path again, so that lines go on in a new file after the old one was renamed.
    ///
    /// - Returns: The failure, or `nil`. ``write(_:)`` tries again to open the file.
    mutating func reopen() -> LineFailure? { close() ?? open() }

    /// Syncs and closes the file.
    ///
    /// - Returns: The failure, after which lines may be lost, or `nil`.
    mutating func close() -> LineFailure? {
        guard isOpen else { return nil }
        let failure = schedule.policy == .none ? nil : sync()
        isOpen = false
        // Some file systems report a full disk only on closing.
        return file.close() ?? failure
    }

    private mutating func open() -> LineFailure? {
        do throws(OutputFile.Refusal) {
            file = try file.reopened()
            (isOpen, isTorn) = (true, file.isTorn)
            return nil
        } catch {
            return error.isDiskFull ? .diskFull : .notOpened(error)
        }
    }

    /// Returns the end of the next piece for a pipe: whole lines of at most `PIPE_BUF` bytes together, or one longer line.
    ///
    /// Writes of at most `PIPE_BUF` bytes are atomic (POSIX, `write`), so a reader
    /// that stalls until this process exits finds no torn line but a long one.
    private func endOfPiece(of text: [UInt8], from start: Int) -> Int {
        let limit = start + Int(PIPE_BUF)
        if text.count <= limit { return text.count }
        if let last = text[start..<limit].lastIndex(of: newline) { return last + 1 }
        return (text[limit...].firstIndex(of: newline) ?? text.count - 1) + 1
    }

    /// Cuts a torn line off the end of a regular file, unless another process has appended to it.
    private mutating func removeTornLine(_ written: ArraySlice<UInt8>) {
        let whole = written.lastIndex(of: newline).map { $0 + 1 } ?? 0
        let torn = off_t(written.count - whole)
        isTorn = torn > 0
        guard isTorn, file.isRegular else { return }
        let descriptor = file.descriptor
        var status = stat()
        let end = lseek(descriptor, 0, SEEK_CUR)
        guard end >= torn, unsafe fstat(descriptor, &status) == 0, status.st_size == end,
            ftruncate(descriptor, end - torn) == 0
        else { return }
        lseek(descriptor, end - torn, SEEK_SET)
        isTorn = false
    }
}

private let newline = UInt8(ascii: "\n")
