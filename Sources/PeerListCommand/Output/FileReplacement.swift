// Replaces whole files, so that a reader finds the old or the new one.
import Glibc

/// Writes a new file beside the old one, syncs it, and renames it.
///
/// - Parameters:
///   - path: The file, which need not exist.
///   - bytes: Its new content.
///   - fresh: The path of the new file until it is renamed, in the same directory; `nil` for a hidden name,
///     which programs that read all files of the directory skip. A file there is removed.
///   - mode: The permissions of the file; `nil` for those of the old one, with its owner and group if
///     possible, or the usual ones of a new file.
/// - Returns: The `errno` of a failure, after which the old file is as it was.
func replaceFile(
    _ path: String, by bytes: [UInt8], through fresh: String? = nil, mode: mode_t? = nil
) -> Int32? {
    let name = path.split(separator: "/").last ?? ""
    let fresh = fresh ?? directory(of: path) + "/.\(name).\(getpid()).new"
    unsafe unlink(fresh)
    var old = stat()
    let isKept = unsafe mode == nil && lstat(path, &old) == 0
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    // Nobody else may open it before it has the group and the permissions of the old one.
    let descriptor = unsafe open(fresh, flags, isKept ? 0o600 : mode ?? 0o666)
    guard descriptor >= 0 else { return errno }
    var mode = mode
    if isKept {
        let kept = old.st_mode & 0o777
        // Only root can give a file away; others can keep a group that they are in.
        let hasGroup =
            fchown(descriptor, old.st_uid, old.st_gid) == 0
            || fchown(descriptor, uid_t.max, old.st_gid) == 0
        // Another group gets what it had: the permissions of all others.
        mode = hasGroup ? kept : kept & ~0o070 | (kept & 0o007) << 3
    }
    var code = mode.flatMap { fchmod(descriptor, $0) == 0 ? nil : errno }
    code = code ?? writeAll(bytes, to: descriptor)
    code = code ?? (fsync(descriptor) == 0 ? nil : errno)
    close(descriptor)
    code = code ?? (unsafe rename(fresh, path) == 0 ? nil : errno)
    guard code == nil else {
        unsafe unlink(fresh)
        return code
    }
    // The renaming is synced too. Where a directory cannot be, the file is whole all the same.
    let parent = unsafe open(directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if parent >= 0 {
        fsync(parent)
        close(parent)
    }
    return nil
}

/// Returns the path of the directory that holds a file.
func directory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}
