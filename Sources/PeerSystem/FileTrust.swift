// Whether other users may change a file that this process trusts.
package import Glibc

extension stat {
    /// The type of the file, such as `S_IFREG`.
    package var kind: mode_t { st_mode & S_IFMT }

    /// Whether the file belongs to this user or to root.
    package var isTrusted: Bool { [0, geteuid()].contains(st_uid) }

    /// Whether the file belongs to another user than `owner` and root, or other users may write it.
    ///
    /// A group that has no other member counts as its user.
    package func mayBeChanged(byOthersThan owner: uid_t = geteuid()) -> Bool {
        guard [0, owner].contains(st_uid), st_mode & S_IWOTH == 0 else { return true }
        return st_mode & S_IWGRP != 0 && !isOfPrivateGroup
    }

    /// Whether the group is the owner's private group, which distributions make for each user.
    private var isOfPrivateGroup: Bool {
        guard let user = unsafe getpwuid(st_uid), unsafe user.pointee.pw_gid == st_gid else {
            return false
        }
        let name = unsafe String(cString: user.pointee.pw_name)
        guard let group = unsafe getgrgid(st_gid), var member = unsafe group.pointee.gr_mem else {
            return false
        }
        while let other = unsafe member.pointee {
            guard unsafe String(cString: other) == name else { return false }
            unsafe member += 1
        }
        return true
    }
}
