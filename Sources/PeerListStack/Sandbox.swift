// Confines the process before it reads packets from strangers.
import CAvahiCore
import CSeccomp
import Glibc
import StackProtocol

/// Drops the privileges that the stack does not need.
enum Sandbox {
    /// The task of the process.
    enum Role {
        /// An mDNS stack, with sockets of its own.
        case stack
        /// A listener on sockets that it is given, which sends nothing and writes to no file but a capture.
        case witness
        /// A reader of sockets and streams that it is given, which sends nothing but the requests for descriptions, and
        /// writes to no file but a capture.
        case reader
    }

    /// The unprivileged user and group, by number, as `/etc/passwd` may be missing.
    private static let nobody: UInt32 = 65_534

    /// Closes all inherited descriptors except the standard ones.
    static func closeInherited() {
        let first = UInt32(STDERR_FILENO + 1)
        if pl_close_from(first) == 0 { return }
        // A kernel before 5.9 has no close_range.
        for descriptor in Int32(first)..<1_024 { _ = Glibc.close(descriptor) }
    }

    /// Changes the user from root to the unprivileged user, and drops all capabilities, which a service
    /// manager may give to ordinary users too; returns the parts that the system refused.
    ///
    /// A container that maps only root has no other user.
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

    /// Prevents the process from opening files, starting programs and signalling other processes, and
    /// limits its memory; returns the parts that the system refused.
    static func close(as role: Role) -> Confinement {
        var missing: Confinement = []
        _ = pl_forbid_dumps()
        let limits: [(Int32, UInt)] = [
            (pl_core, 0), (pl_file_size, role == .stack ? 0 : PacketCapture.limit),
            (pl_processes, 0), (pl_files, 256),
        ]
        // A limit that is lower already stays.
        for (resource, most) in limits where pl_limit(resource, most) != 0 {
            log("peerlist-mdns: limit \(resource): \(errorText())")
            missing.insert(.limits)
        }
        // Fails if more is reserved already, such as by a sanitizer.
        _ = pl_limit_data(StackMemory.limit)
        if pl_forbid_new_privileges() != 0 {
            log("peerlist-mdns: no_new_privs: \(errorText())")
            missing.insert(.privileges)
        }
        let status = SystemCallFilter.load(role)
        if status != 0 {
            log("peerlist-mdns: system calls are not filtered: error \(-status)")
            missing.insert(.systemCalls)
        }
        return missing
    }

    private static func errorText() -> String { unsafe String(cString: strerror(errno)) }
}

/// The limit of the memory that announcements of strangers can take.
///
/// libavahi limits the number of cached records, not their bytes: 20,000 ordinary records on several
/// interfaces take a third of the limit, and one TXT record of thousands of short strings takes 200 KB.
/// At the limit, the process exits with a message, and the next one starts with an empty cache.
enum StackMemory {
    fileprivate static let limit: UInt = 80 << 20

    /// Installs an allocator in libavahi that exits with a message when memory is exhausted.
    static func watch() {
        // libavahi keeps the pointer until the process exits.
        let allocator = UnsafeMutablePointer<AvahiAllocator>.allocate(capacity: 1)
        unsafe allocator.initialize(
            to: AvahiAllocator(
                malloc: { unsafe StackMemory.orExit(malloc($0)) },
                free: { unsafe free($0) },
                realloc: { unsafe StackMemory.orExit(realloc($0, $1)) },
                calloc: { unsafe StackMemory.orExit(calloc($0, $1)) }))
        unsafe avahi_set_allocator(allocator)
    }

    private static func orExit(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let memory = unsafe memory { return unsafe memory }
        // The rest must not allocate memory.
        let message: StaticString = "peerlist-mdns: what others announce takes more than 80 MiB\n"
        unsafe _ = write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
        _exit(EXIT_FAILURE)
    }
}

/// The filter of system calls; calls that are not allowed fail with EPERM.
enum SystemCallFilter {
    /// The calls of every role: reading, writing, polling, clocks, memory and exiting.
    private static let allowed = [
        "read", "readv", "write", "writev", "recvmsg", "recvfrom", "poll", "ppoll", "close", "brk",
        "munmap", "mremap", "madvise", "futex", "clock_gettime", "clock_getres", "gettimeofday",
        "time", "getrandom", "getpid", "gettid", "sched_yield", "rt_sigaction", "rt_sigprocmask",
        "rt_sigreturn", "sigreturn", "restart_syscall", "exit", "exit_group",
    ]
    /// The other calls of a role: of a stack with open sockets, sending and joining groups; of a witness and a
    /// reader, removing what was written of a block that found no room.
    private static let others: [Sandbox.Role: [String]] = [
        .stack: [
            "recvmmsg", "sendmsg", "sendto", "ioctl", "setsockopt", "getsockopt", "getsockname",
            "shutdown", "fcntl", "clock_nanosleep", "nanosleep", "uname", "getuid", "geteuid",
            "getgid", "getegid",
        ],
        .witness: ["lseek", "ftruncate"],
        .reader: ["lseek", "ftruncate"],
    ]
    /// Calls that may not make memory executable, which their third argument requests.
    private static let allowedUnlessExecutable = ["mmap", "mmap2", "mprotect"]

    /// The value of libseccomp's macro `SCMP_ACT_ERRNO` for EPERM.
    private static let refusal = UInt32(0x0005_0000) | UInt32(EPERM)
    private static let permission = UInt32(0x7fff_0000)

    /// Installs the filter; returns 0, or a negative error number of the kernel or the library.
    static func load(_ role: Sandbox.Role) -> Int32 {
        guard let filter = unsafe seccomp_init(refusal) else { return -ENOMEM }
        defer { unsafe seccomp_release(filter) }
        let isExecutable = scmp_arg_cmp(
            arg: 2, op: SCMP_CMP_MASKED_EQ, datum_a: UInt64(PROT_EXEC), datum_b: 0)
        // abort(3) sends a signal to the process itself; the stack sends no other signals.
        let isItself = scmp_arg_cmp(
            arg: 0, op: SCMP_CMP_EQ, datum_a: UInt64(getpid()), datum_b: 0)
        let rules =
            (allowed + (others[role] ?? [])).map { ($0, []) }
            + allowedUnlessExecutable.map { ($0, [isExecutable]) }
            + [("tgkill", [isItself])]
        for (name, conditions) in rules {
            let number = unsafe seccomp_syscall_resolve_name(name)
            // This architecture may lack the call.
            guard number >= 0 else { continue }
            let status = unsafe seccomp_rule_add_array(
                filter, permission, number, UInt32(conditions.count), conditions)
            guard status == 0 else { return status }
        }
        return unsafe seccomp_load(filter)
    }
}
