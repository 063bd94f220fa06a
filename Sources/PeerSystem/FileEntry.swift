// Finds the files that are to be written, without following links that other users planted.
package import Glibc

/// A name in an open directory: a file that is about to be written, or a free name.
///
/// The path is followed one component at a time. In a directory that other users may write, such as
/// /tmp or the home directory of another user, a link or a file is refused unless it belongs to this
/// user or to root: a link could lead to any file of this user, and the owner of the file could read
/// the written text. Linux itself refuses less: only in sticky directories, only with the settings
/// `fs.protected_symlinks`, `_regular` and `_fifos`, and not a rename onto the target of a link.
///
/// All operations use the open directory and follow no link, so an entry that is exchanged meanwhile
/// is detected.
package struct FileEntry: ~Copyable {
    /// The maximum number of links in a path.
    private static let linkLimit = 16

    /// The path as it was given.
    package let path: String

    /// The name in the directory, which differs from the last component of the path if that is a
    /// link.
    package let name: String

    /// Whether the last component of the path is a link, so that the file is another one than the path names.
    package let isBehindLink: Bool

    /// The status of the file; `nil` if the name is free.
    package let status: stat?

    let directory: Descriptor

    /// Finds a file or a free name.
    ///
    /// - Throws: ``FileRefusal`` if another user may have planted the entry or a link to it, and for
    ///   every error except a missing file.
    package init(_ path: String) throws(FileRefusal) {
        var rest = Self.components(of: path)
        if path.hasSuffix("/") { rest.insert(".", at: 0) }
        var directory = try Descriptor(openingDirectory: path.hasPrefix("/") ? "/" : ".", of: path)
        var (linkCount, isBehindLink) = (0, false)
        while let name = rest.popLast() {
            let number = unsafe openat(directory.number, name, openPath | O_NOFOLLOW | O_CLOEXEC)
            guard number >= 0 else {
                guard errno == ENOENT, rest.isEmpty else { throw FileRefusal(path, code: errno) }
                (self.path, self.name, self.isBehindLink, status) = (path, name, isBehindLink, nil)
                self.directory = directory
                return
            }
            let entry = Descriptor(number)
            let isLink = entry.status.kind == S_IFLNK
            if isLink || rest.isEmpty {
                try Self.refuse(entry.status, of: path, in: directory.status)
            }
            if isLink {
                linkCount += 1
                isBehindLink = isBehindLink || rest.isEmpty
                guard linkCount <= Self.linkLimit else { throw FileRefusal(path, code: ELOOP) }
                let target = entry.linkTarget
                guard !target.isEmpty else { throw FileRefusal(path, code: EINVAL) }
                if target.hasPrefix("/") {
                    directory = try Descriptor(openingDirectory: "/", of: path)
                }
                rest += Self.components(of: target)
            } else if rest.isEmpty {
                (self.path, self.name, self.isBehindLink) = (path, name, isBehindLink)
                status = entry.status
                self.directory = directory
                return
            } else {
                directory = entry
            }
        }
        throw FileRefusal(path, code: path.isEmpty ? ENOENT : EISDIR)
    }

    /// The path without links.
    package var target: String { directory.path + "/" + name }

    /// Whether the file is a regular one; `true` for a free name.
    package var isRegularOrFree: Bool { status.map { $0.kind == S_IFREG } ?? true }

    /// Whether other users may change the file, or exchange it in its directory.
    package var mayBeChangedByOthers: Bool {
        directory.status.mayBeChanged() || status?.mayBeChanged() == true
    }

    /// Opens the file without waiting, so that a pipe without a reader is an error.
    ///
    /// - Parameter flags: The access mode of open(2), and flags such as `O_APPEND`.
    /// - Returns: A non-blocking descriptor, which the caller closes.
    /// - Throws: ``FileRefusal``, also if the entry has been exchanged meanwhile.
    package func open(_ flags: Int32) throws(FileRefusal) -> Int32 {
        let flags = flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        let number = unsafe openat(directory.number, name, flags)
        guard number >= 0 else { throw FileRefusal(path, code: errno) }
        let opened = Descriptor(number)
        // The entry may have been exchanged since it was found.
        try Self.refuse(opened.status, of: path, in: directory.status)
        return opened.release()
    }

    /// Creates the file with exactly these permissions, and opens it.
    ///
    /// - Parameters:
    ///   - flags: The access mode of open(2), and flags such as `O_APPEND`.
    ///   - mode: The permissions, whatever the umask.
    /// - Returns: A descriptor, which the caller closes.
    /// - Throws: ``FileRefusal``, with the code `EEXIST` if the name is not free.
    package func create(_ flags: Int32, mode: mode_t = 0o600) throws(FileRefusal) -> Int32 {
        let flags = flags | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let number = unsafe openat(directory.number, name, flags, mode)
        guard number >= 0 else { throw FileRefusal(path, code: errno) }
        fchmod(number, mode)
        return number
    }

    /// Opens a file for reading and writing, and creates it for this user alone if the name is free.
    package func openOrCreate() throws(FileRefusal) -> Int32 {
        guard status == nil else { return try open(O_RDWR) }
        do throws(FileRefusal) {
            return try create(O_RDWR)
        } catch {
            guard error.code == EEXIST else { throw error }
            return try open(O_RDWR)
        }
    }

    /// Renames the file to a free name, its own with a suffix and a number, and returns its new path.
    package func setAside(under suffix: String) throws(FileRefusal) -> String {
        var number = 1
        while unsafe faccessat(directory.number, "\(name)\(suffix)\(number)", F_OK, 0) == 0 {
            number += 1
        }
        let kept = "\(name)\(suffix)\(number)"
        guard unsafe renameat(directory.number, name, directory.number, kept) == 0 else {
            throw FileRefusal(path, code: errno)
        }
        return directory.path + "/" + kept
    }

    /// Makes a directory of a free name, for this user alone.
    func makeDirectory() throws(FileRefusal) {
        guard unsafe mkdirat(directory.number, name, 0o700) == 0 || errno == EEXIST
        else { throw FileRefusal(path, code: errno) }
    }

    /// Refuses an entry if other users may write the directory, unless it is this user's or root's.
    private static func refuse(
        _ entry: stat, of path: String, in directory: stat
    ) throws(FileRefusal) {
        let isShared = !directory.isTrusted || directory.st_mode & (S_IWGRP | S_IWOTH) != 0
        guard isShared, !entry.isTrusted else { return }
        throw FileRefusal(
            path,
            "belongs to another user, in a directory where others may create files; name a file "
                + "elsewhere")
    }

    /// The components of a path, the last one first.
    private static func components(of path: String) -> [String] {
        path.split(separator: "/").reversed().map(String.init)
    }
}

/// Whether a path names an open descriptor, whose file the shell has opened.
package func namesDescriptor(_ path: String) -> Bool {
    ["/dev/std", "/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) }
}

/// The flag `O_PATH` of open(2), which Glibc declares for `_GNU_SOURCE` alone.
private let openPath: Int32 = 0o10_000_000

/// An open descriptor, closed with its value.
struct Descriptor: ~Copyable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    init(openingDirectory name: String, of path: String) throws(FileRefusal) {
        number = unsafe Glibc.open(name, openPath | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw FileRefusal(path, code: errno) }
    }

    deinit { close(number) }

    var status: stat {
        var status = stat()
        unsafe fstat(number, &status)
        return status
    }

    /// The target of an open link.
    var linkTarget: String { Self.target(of: "", in: number) }

    /// The path of an open directory.
    var path: String { Self.target(of: "/proc/self/fd/\(number)", in: AT_FDCWD) }

    private static func target(of link: String, in directory: Int32) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlinkat(directory, link, &bytes, bytes.count)
        return String(
            decoding: bytes.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns the descriptor, which the caller closes.
    consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }
}
