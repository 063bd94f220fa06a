// Gives a file another name, and never one that another file has.
import Glibc

/// Gives a file a name that nothing has yet.
///
/// - Returns: The `errno` of what failed, `EEXIST` if something has the name; or `nil`.
func renameToFree(_ old: String, _ new: String) -> Int32? {
    // The module does not name it; the C library has it.
    guard let symbol = unsafe dlsym(nil, "renameat2") else { return renameAfterLook(old, new) }
    typealias Rename =
        @convention(c) (
            Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
        ) -> Int32
    let rename = unsafe unsafeBitCast(symbol, to: Rename.self)
    let noReplacing: UInt32 = 1
    if unsafe rename(AT_FDCWD, old, AT_FDCWD, new, noReplacing) == 0 { return nil }
    let code = errno
    // Some file systems, such as those of a network, cannot do both in one step.
    return [EINVAL, ENOSYS].contains(code) ? renameAfterLook(old, new) : code
}

/// The same in two steps: what is made in between under the new name is replaced.
func renameAfterLook(_ old: String, _ new: String) -> Int32? {
    var status = stat()
    guard unsafe lstat(new, &status) != 0 else { return EEXIST }
    guard errno == ENOENT, unsafe rename(old, new) == 0 else { return errno }
    return nil
}
