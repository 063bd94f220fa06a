// What the process gives up before it reads what strangers send.
import CSeccomp
import Glibc
import StackProtocol

/// Gives up what the stack has no use for.
enum Sandbox {
    /// The user and the group of nobody, by number: `/etc/passwd` may not be there.
    private static let nobody: UInt32 = 65_534

    /// Closes what the process was left with besides its three descriptors.
    static func closeInherited() {
        let first = UInt32(STDERR_FILENO + 1)
        if pl_close_from(first) == 0 { return }
        // A kernel before 5.9.
        for descriptor in Int32(first)..<1_024 { _ = Glibc.close(descriptor) }
    }

    /// Becomes nobody, where the process is root's, and gives up all capabilities.
    ///
    /// In a container that maps root alone there is no other user to become. Capabilities are given to
    /// ordinary users too, by a service manager.
    ///
    /// - Returns: What the system refused; so with ``close()``.
    static func dropRoot() -> Confinement {
        if geteuid() == 0 {
            if setgroups(0, nil) != 0 { log("peerlist-mdns: setgroups: \(errorText())") }
            if setgid(nobody) != 0 || setuid(nobody) != 0 {
                log("peerlist-mdns: it stays root: \(errorText())")
            }
        }
        guard pl_drop_capabilities() == 0 else {
            log("peerlist-mdns: it keeps its capabilities: \(errorText())")
            return .user
        }
        return []
    }

    /// Closes the process off: no file, no program, no other process, and memory within bounds.
    static func close() -> Confinement {
        var missing: Confinement = []
        _ = pl_forbid_dumps()
        for (resource, most) in limits where pl_limit(resource, most) != 0 {
            log("peerlist-mdns: limit \(resource): \(errorText())")
            missing.insert(.limits)
        }
        StackMemory.close()
        if pl_forbid_new_privileges() != 0 {
            log("peerlist-mdns: no_new_privs: \(errorText())")
            missing.insert(.privileges)
        }
        let status = SystemCallFilter.load()
        if status != 0 {
            log("peerlist-mdns: system calls are not filtered: error \(-status)")
            missing.insert(.systemCalls)
        }
        return missing
    }

    private static var limits: [(resource: Int32, most: UInt)] {
        [(pl_core, 0), (pl_file_size, 0), (pl_processes, 0), (pl_files, 256)]
    }

    private static func errorText() -> String { unsafe String(cString: strerror(errno)) }
}
