// Opens the file that lines are appended to.
import Glibc
import PeerList

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
    /// Accepts a recording that no other peerlist writes, a character device,
    /// or a pipe that has a reader; to be rotated, a recording in a directory
    /// whose names may be changed. A new file is private to its user.
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
        isTorn = isRegular && status.st_size > 0 && !endsInLineFeed(descriptor, status.st_size)
        let place = realPath(path)
        keptFiles = KeptFiles(of: place)
        if let reason = obstacle(at: place) {
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
    /// The maximum number of links from a name to a file that does not exist yet.
    private static let linkLimit = 8

    /// Opens a file, or creates it: readable by its user alone, or with the mode and the owner of a former one.
    ///
    /// Creates it under the exact name (`O_EXCL`), so that a link that appears there meanwhile does not
    /// have the file behind it given away.
    private static func open(_ path: String, _ former: stat?) throws(Refusal) -> Int32 {
        let flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        var name = path
        for _ in 0...linkLimit {
            let opened = unsafe Glibc.open(name, flags)
            if opened >= 0 { return opened }
            guard errno == ENOENT else { break }
            let created = unsafe Glibc.open(
                name, flags | O_CREAT | O_EXCL, former.map(\.rights) ?? 0o600)
            if created >= 0 {
                if let former {
                    // Only root may change the owner; anybody else owns the file already.
                    _ = fchown(created, former.st_uid, former.st_gid)
                    fchmod(created, former.rights)
                }
                return created
            }
            guard errno == EEXIST else { break }
            // A link to nothing; a file that has just appeared is opened in the next pass.
            guard !isForeign(name, nil) else { throw Refusal(path: path, reason: foreignText) }
            name = linkTarget(name) ?? name
            errno = ELOOP
        }
        throw Refusal(path: path, code: errno)
    }

    /// Returns why an open file cannot be written to, or `nil`.
    private func obstacle(at place: String) -> String? {
        guard [S_IFREG, S_IFCHR, S_IFIFO].contains(status.kind) else {
            return "is not a file that lines can be appended to"
        }
        guard isDescriptor || !(isForeign(path, status) || isForeign(place, status)) else {
            return foreignText
        }
        guard isRegular else {
            return keeping == nil
                ? nil : "is a pipe or a device, of which nothing can be put away; name a file"
        }
        // The lines of two runs, one between the other, are no recording; and a file that one process
        // rotates is lost to another.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            return "is written by another peerlist already; name another"
        }
        if !holdsRecording {
            return "is no recording, and nothing is appended to other files; name another"
        }
        if keeping != nil, let code = keptFiles.obstacle {
            let cause = unsafe String(cString: strerror(code))
            return "cannot be put away in its directory (\(cause)); name a file elsewhere"
        }
        return nil
    }

    /// Whether the name is that of a descriptor, whose file a shell has opened.
    private var isDescriptor: Bool {
        ["/dev/std", "/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) }
    }

    /// Whether a regular file begins as lines do, or is empty; a shell may have written before us.
    private var holdsRecording: Bool {
        guard status.st_size > 0, !isDescriptor else { return true }
        let start = Array("{\"type\":\"".utf8)
        let found = bytes(of: descriptor, at: 0, start.count)
        return found.map { start.starts(with: $0) } ?? true
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

/// Why an entry that ``isForeign(_:_:)`` is refused.
private let foreignText =
    "belongs to another user, in a directory where everybody may create files; name a file elsewhere"

/// Whether another user has put an entry into a directory where everybody may create files, such as /tmp.
///
/// Linux refuses these where `fs.protected_symlinks`, `_regular` and `_fifos` are set: the owner of such
/// a file reads what we write, and a link may lead to any file that we may write.
///
/// - Parameters:
///   - name: The entry, which is missing if it has been replaced since it was opened.
///   - opened: The file that was opened by that name, or `nil`.
/// - Returns: Whether it is such an entry.
private func isForeign(_ name: String, _ opened: stat?) -> Bool {
    var (entry, directory) = (stat(), stat())
    guard unsafe stat(parent(of: name), &directory) == 0,
        directory.st_mode & S_ISVTX != 0, directory.st_mode & (S_IWOTH | S_IWGRP) != 0
    else { return false }
    guard unsafe lstat(name, &entry) == 0 else { return true }
    if let opened, entry.kind != S_IFLNK,
        (entry.st_dev, entry.st_ino) != (opened.st_dev, opened.st_ino)
    {
        return true
    }
    return entry.st_uid != geteuid() && entry.st_uid != directory.st_uid
}

/// The directory that a name is in.
private func parent(of name: String) -> String {
    name.lastIndex(of: "/").map { String(name[...$0]) } ?? "."
}

/// The name that a symbolic link leads to, or `nil`.
private func linkTarget(_ name: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(name, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let target = String(
        decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return target.hasPrefix("/") ? target : "\(parent(of: name))/\(target)"
}

/// Whether a file of `size` bytes ends in a line feed; where that cannot be read, no.
private func endsInLineFeed(_ descriptor: Int32, _ size: off_t) -> Bool {
    bytes(of: descriptor, at: size - 1, 1) == [UInt8(ascii: "\n")]
}

/// Some bytes of a file that is open for writing; `nil` where they cannot be read.
private func bytes(of descriptor: Int32, at offset: off_t, _ count: Int) -> [UInt8]? {
    // By its descriptor, since its name may be another file's by now.
    let reading = unsafe open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
    guard reading >= 0 else { return nil }
    defer { close(reading) }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = unsafe pread(reading, &bytes, count, offset)
    return got < 0 ? nil : Array(bytes.prefix(got))
}
