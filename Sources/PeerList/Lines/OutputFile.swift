// Opens the file that lines are appended to.
import Glibc

/// A file, open for appending lines.
public struct OutputFile: Sendable {
    /// The file's name as it was given.
    public let path: String

    /// What becomes of the file in the long run; `nil`: it grows.
    public let keeping: Keeping?

    /// Whether it is a file of its own, and no device or pipe.
    public let isRegular: Bool

    /// Open for appending; whoever writes closes it, by ``close()``.
    let descriptor: Int32

    /// Whether the file ends in the middle of a line, as after a power cut.
    let isTorn: Bool

    /// What the system said of the file when it was opened, or closed.
    private var status: stat

    /// The old files beside it, where it really is.
    let keptFiles: KeptFiles

    /// Opens a file, and makes it if it is not there.
    ///
    /// Regular files, character devices and pipes that somebody reads are
    /// taken; if the file is to be rotated, regular files that nobody else of
    /// us writes, in a directory whose names may be changed.
    ///
    /// - Throws: ``Refusal`` if it cannot be written to.
    public init(path: String, keeping: Keeping? = nil) throws(Refusal) {
        try self.init(path: path, keeping: keeping, formerStatus: nil)
    }

    private init(path: String, keeping: Keeping?, formerStatus: stat?) throws(Refusal) {
        let descriptor = try Self.open(path, formerStatus)
        var status = stat()
        unsafe fstat(descriptor, &status)
        self.path = path
        self.keeping = keeping
        self.descriptor = descriptor
        self.status = status
        isRegular = status.kind == S_IFREG
        isTorn =
            isRegular && status.st_size > 0 && !endsInLineFeed(path, status.st_size)
        keptFiles = KeptFiles(of: realPath(path))
        if let reason = obstacle {
            Glibc.close(descriptor)
            throw Refusal(path: path, reason: reason)
        }
        // Opened without waiting, so that a pipe that nobody reads is told of; written with.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    /// The bytes that were in the file when it was opened.
    var size: Int { isRegular ? Int(status.st_size) : 0 }

    /// When the file was written last before it was opened.
    var modified: Timestamp {
        Timestamp(
            microseconds: Int64(status.st_mtim.tv_sec) * 1_000_000
                + Int64(status.st_mtim.tv_nsec) / 1000)
    }

    /// Whether the file still stands under its name.
    var isInPlace: Bool {
        var named = stat()
        return unsafe stat(path, &named) == 0
            && (named.st_dev, named.st_ino) == (status.st_dev, status.st_ino)
    }

    /// Opens what stands under the file's name now; what has to be made is made like this one.
    ///
    /// - Throws: ``Refusal`` if it cannot be written to.
    func reopened() throws(Refusal) -> OutputFile {
        try OutputFile(path: path, keeping: keeping, formerStatus: status)
    }

    /// Closes the file; what is opened in its place later is made with the rights that it has now.
    ///
    /// - Returns: Why lines may be lost, or `nil`.
    mutating func close() -> LineFailure? {
        unsafe fstat(descriptor, &status)
        // A process that is just being started has the file open too for a moment, and the lock with it.
        _ = flock(descriptor, LOCK_UN)
        return Glibc.close(descriptor) == 0 ? nil : LineFailure(code: errno)
    }
}

extension OutputFile {
    /// Opens a file; one that is made gets the rights and the owner of a former one.
    private static func open(_ path: String, _ former: stat?) throws(Refusal) -> Int32 {
        let flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        var descriptor = unsafe Glibc.open(path, flags)
        if descriptor < 0, errno == ENOENT {
            descriptor = unsafe Glibc.open(path, flags | O_CREAT, former.map { $0.rights } ?? 0o644)
            if descriptor >= 0, let former {
                // Only root may give a file away; for anybody else it is his already.
                _ = fchown(descriptor, former.st_uid, former.st_gid)
                fchmod(descriptor, former.rights)
            }
        }
        guard descriptor >= 0 else { throw Refusal(path: path, code: errno) }
        return descriptor
    }

    /// Why an open file is not one to write to, or `nil`.
    private var obstacle: String? {
        guard [S_IFREG, S_IFCHR, S_IFIFO].contains(status.kind) else {
            return "is not a file that lines can be appended to"
        }
        guard isRegular else {
            return keeping == nil
                ? nil : "is a pipe or a device, of which nothing can be put away; name a file"
        }
        // A file that is put away by one is lost to another who writes it.
        if flock(descriptor, (keeping == nil ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0,
            errno == EWOULDBLOCK
        {
            return "is written by another peerlist already, and files that are rotated are "
                + "written by one alone; name another"
        }
        if keeping != nil, let code = keptFiles.obstacle {
            let cause = unsafe String(cString: strerror(code))
            return "cannot be put away in its directory (\(cause)); name a file elsewhere"
        }
        return nil
    }
}

extension stat {
    fileprivate var kind: mode_t { st_mode & S_IFMT }
    fileprivate var rights: mode_t { st_mode & 0o7777 }
}

/// The name of a file without symbolic links, so that what is put away stays beside the file itself.
private func realPath(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
}

/// Whether a file of `size` bytes ends in a line feed; where that cannot be read, no.
private func endsInLineFeed(_ path: String, _ size: off_t) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var last: UInt8 = 0
    return unsafe pread(descriptor, &last, 1, size - 1) == 1 && last == UInt8(ascii: "\n")
}
