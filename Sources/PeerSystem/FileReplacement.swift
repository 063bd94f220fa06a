// Replaces whole files, so that a reader finds the old or the new one.
import Glibc

extension FileEntry {
    /// Writes a new file beside the old one, syncs it, and renames it.
    ///
    /// The file is readable by this user alone, unless the permissions of an old one are kept, with its
    /// group and, for root, its owner.
    ///
    /// - Parameters:
    ///   - bytes: The new content.
    ///   - fresh: The name of the new file until it is renamed, in the same directory; `nil` for a hidden
    ///     name, which programs that read all files of the directory skip. A file there is removed.
    ///   - keepsPermissions: Whether the permissions of the old file are kept.
    /// - Throws: ``FileRefusal``, after which the old file is as it was.
    package func replace(
        by bytes: [UInt8], through fresh: String? = nil, keepsPermissions: Bool = true
    ) throws(FileRefusal) {
        try refuseOtherKinds()
        let fresh = fresh ?? ".\(name).\(getpid()).new"
        unsafe unlinkat(directory.number, fresh, 0)
        // Other users may not open the file before it has the group and the permissions of the old
        // one.
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let descriptor = unsafe openat(directory.number, fresh, flags, 0o600)
        guard descriptor >= 0 else { throw FileRefusal(path, code: errno) }
        let mode = keepsPermissions ? status.map { keptMode(of: $0, on: descriptor) } : nil
        var code = fchmod(descriptor, mode ?? 0o600) == 0 ? nil : errno
        code = code ?? writeAll(bytes, to: descriptor)
        code = code ?? (fsync(descriptor) == 0 ? nil : errno)
        close(descriptor)
        let number = directory.number
        code = code ?? (unsafe renameat(number, fresh, number, name) == 0 ? nil : errno)
        if let code {
            unsafe unlinkat(number, fresh, 0)
            throw FileRefusal(path, code: code)
        }
        syncDirectory()
    }

    /// Throws if the file certainly cannot be replaced, before anything is written.
    package func checkReplacement() throws(FileRefusal) {
        try refuseOtherKinds()
        guard unsafe faccessat(directory.number, ".", W_OK | X_OK, AT_EACCESS) == 0 else {
            throw FileRefusal(path, code: errno)
        }
    }

    private func refuseOtherKinds() throws(FileRefusal) {
        guard !isRegularOrFree else { return }
        throw status?.kind == S_IFDIR
            ? FileRefusal(path, code: EISDIR)
            : FileRefusal(path, "is not a regular file, and would be replaced; name another")
    }

    /// Passes the owner and the group of an old file to a new one as far as possible, and returns the
    /// permissions that fit them.
    private func keptMode(of old: stat, on descriptor: Int32) -> mode_t {
        let mode = old.st_mode & 0o777
        // Only root can change the owner; other users can set a group that they are in.
        let hasGroup =
            fchown(descriptor, old.st_uid, old.st_gid) == 0
            || fchown(descriptor, uid_t.max, old.st_gid) == 0
        // If the group cannot be kept, the new group gets the permissions of all other users.
        return hasGroup ? mode : mode & ~0o070 | (mode & 0o007) << 3
    }

    /// Syncs the renaming. Where a directory cannot be synced, the file is whole all the same.
    private func syncDirectory() {
        let number = unsafe openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return }
        fsync(number)
        close(number)
    }
}

/// Writes all bytes, also to a non-blocking descriptor; returns the `errno` of a failure.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { bytes in
            unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        }
        if count < 0 {
            switch errno {
            case EINTR: break
            case EAGAIN:
                // Another process that shares the descriptor has made it non-blocking.
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                unsafe _ = poll(&request, 1, -1)
            case let code: return code
            }
        }
        rest = rest.dropFirst(max(0, count))
    }
    return nil
}
