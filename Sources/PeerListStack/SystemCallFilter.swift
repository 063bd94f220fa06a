// The system calls that the stack may make once it runs.
import CSeccomp
import Glibc

/// The filter of system calls; what is not allowed fails with EPERM.
enum SystemCallFilter {
    /// What a stack does whose sockets are open: wait, read, send, join groups, tell the time, and end.
    private static let allowed = [
        "read", "readv", "write", "writev", "recvmsg", "recvfrom", "recvmmsg", "sendmsg", "sendto",
        "poll", "ppoll", "ioctl", "setsockopt", "getsockopt", "getsockname", "close", "shutdown",
        "fcntl", "brk", "munmap", "mremap", "madvise", "futex", "clock_gettime", "clock_getres",
        "clock_nanosleep", "nanosleep", "gettimeofday", "time", "getrandom", "uname", "getpid",
        "gettid", "getuid", "geteuid", "getgid", "getegid", "sched_yield", "rt_sigaction",
        "rt_sigprocmask", "rt_sigreturn", "sigreturn", "restart_syscall", "exit", "exit_group",
    ]
    /// These may take memory, but none that can be run; their third argument says what it is for.
    private static let allowedUnlessExecutable = ["mmap", "mmap2", "mprotect"]

    /// What libseccomp's macro `SCMP_ACT_ERRNO` makes of EPERM.
    private static let refusal = UInt32(0x0005_0000) | UInt32(EPERM)
    private static let permission = UInt32(0x7fff_0000)

    /// Filters from now on.
    ///
    /// - Returns: 0, or a negative error number where the kernel or the library refuses.
    static func load() -> Int32 {
        guard let filter = unsafe seccomp_init(refusal) else { return -ENOMEM }
        defer { unsafe seccomp_release(filter) }
        let isExecutable = scmp_arg_cmp(
            arg: 2, op: SCMP_CMP_MASKED_EQ, datum_a: UInt64(PROT_EXEC), datum_b: 0)
        for name in allowed {
            let status = unsafe allow(name, [], in: filter)
            guard status == 0 else { return status }
        }
        for name in allowedUnlessExecutable {
            let status = unsafe allow(name, [isExecutable], in: filter)
            guard status == 0 else { return status }
        }
        // To end by abort(3); a signal to anybody else is nothing that the stack sends.
        let isItself = scmp_arg_cmp(
            arg: 0, op: SCMP_CMP_EQ, datum_a: UInt64(getpid()), datum_b: 0)
        let status = unsafe allow("tgkill", [isItself], in: filter)
        guard status == 0 else { return status }
        return unsafe seccomp_load(filter)
    }

    /// Allows a call by name; one that this machine does not have is passed over.
    private static func allow(
        _ name: String, _ conditions: [scmp_arg_cmp], in filter: scmp_filter_ctx
    ) -> Int32 {
        let number = unsafe seccomp_syscall_resolve_name(name)
        guard number >= 0 else { return 0 }
        return unsafe seccomp_rule_add_array(
            filter, permission, number, UInt32(conditions.count), conditions)
    }
}
