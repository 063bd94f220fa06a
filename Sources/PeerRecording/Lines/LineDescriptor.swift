// A file descriptor to which whole lines are written, and nothing else.
import Glibc

/// Writes whole lines to a file descriptor; used by one thread alone.
struct LineDescriptor {
    private let descriptor: Int32
    private let isRegular: Bool

    /// Whether what was written last ends in the middle of a line.
    private var isTorn: Bool

    /// Lines for an open descriptor, whose last line may be torn already.
    init(_ descriptor: Int32, isTorn: Bool) {
        self.descriptor = descriptor
        self.isTorn = isTorn
        var status = stat()
        isRegular =
            unsafe fstat(descriptor, &status) == 0 && (status.st_mode & S_IFMT) == S_IFREG
    }

    /// Writes lines, however long it takes.
    ///
    /// If that fails in the middle of a line, the part is taken back where it
    /// can be; where it cannot, the next call ends the torn line first, so that
    /// no line is ever joined to it.
    ///
    /// - Returns: Why it failed, or `nil`.
    mutating func write(_ lines: [UInt8]) -> LineFailure? {
        let text = isTorn ? [newline] + lines : lines
        var done = 0
        while done < text.count {
            let end = isRegular ? text.count : endOfPiece(of: text, from: done)
            let count = unsafe text.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), end - done)
            }
            if count >= 0 {
                done += count
                continue
            }
            let code = errno
            if code == EINTR { continue }
            if code == EAGAIN {
                waitUntilWritable()
                continue
            }
            if done > 0 { takeBack(text[..<done]) }
            return LineFailure(code: code)
        }
        isTorn = false
        return nil
    }

    /// Brings a file's lines to the disk; anything else has none.
    ///
    /// - Returns: Why it failed, or `nil`.
    func sync() -> LineFailure? {
        guard isRegular, fdatasync(descriptor) != 0 else { return nil }
        return LineFailure(code: errno)
    }

    /// How far to write at once: whole lines of at most `PIPE_BUF` bytes together, or one longer line.
    ///
    /// So much is written to a pipe wholly or not at all (POSIX, `write`); a
    /// reader that stalls until we are gone finds no torn line but a long one.
    private func endOfPiece(of text: [UInt8], from start: Int) -> Int {
        let limit = start + Int(PIPE_BUF)
        if text.count <= limit { return text.count }
        if let last = text[start..<limit].lastIndex(of: newline) { return last + 1 }
        return (text[limit...].firstIndex(of: newline) ?? text.count - 1) + 1
    }

    /// Waits for a descriptor that somebody who shares it has made non-blocking.
    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe _ = poll(&request, 1, -1)
    }

    /// Cuts the torn line off a file's end, unless somebody else has written behind it.
    private mutating func takeBack(_ written: ArraySlice<UInt8>) {
        let whole = written.lastIndex(of: newline).map { $0 + 1 } ?? 0
        let torn = off_t(written.count - whole)
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
}

private let newline = UInt8(ascii: "\n")
