// A program that is started with a socket for standard input and output, and one for standard error.
import CSpawn
import Glibc

/// A running helper program, and our ends of its sockets.
///
/// It is in a session of its own, so that no key at the terminal reaches it, and has no
/// descriptor but those three.
struct HelperProcess {
    /// Reads what it writes to standard output, and writes what it reads; never waits.
    let channel: Int32
    /// Reads what it writes to standard error; never waits.
    let errors: Int32
    let pid: pid_t
    /// `POSIX_SPAWN_SETSID` of glibc, which Swift's Glibc leaves out.
    private static let ownSession: Int32 = 0x80

    /// Starts a program, without arguments and with an empty environment.
    ///
    /// - Throws: ``BackendError`` where it cannot be started.
    init(_ path: String) throws(BackendError) {
        // All ends, and only the helper's once it runs.
        var unused: [Int32] = []
        defer { for descriptor in unused { close(descriptor) } }
        let (channel, itsChannel) = try HelperProcess.socketPair()
        unused = [channel, itsChannel]
        let (errors, itsErrors) = try HelperProcess.socketPair()
        unused += [errors, itsErrors]
        pid = try HelperProcess.spawn(path, itsChannel, itsErrors)
        unused = [itsChannel, itsErrors]
        (self.channel, self.errors) = (channel, errors)
    }

    /// Ends it and what it has started, and returns how it ended, such as "signal 11".
    func end() -> String {
        // First, because a program that writes to a closed socket would end by SIGPIPE.
        kill(-pid, SIGKILL)
        close(channel)
        close(errors)
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? "exit status \(status >> 8 & 0xff)" : "signal \(signal)"
    }

    /// Our end, which never waits and is closed to programs that are started; and the other one.
    private static func socketPair() throws(BackendError) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw BackendError("no socket for the embedded stack: \(errorText(errno))")
        }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return (ends[0], ends[1])
    }

    private static func spawn(
        _ path: String, _ channel: Int32, _ errors: Int32
    ) throws(BackendError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, channel, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, channel, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        // Whatever else the process has open, libavahi's pipes among it, is not for the program.
        unsafe pl_spawn_close_from(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // What the program ignores or blocks is its own affair.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = Int32(ownSession) | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

        var pid: pid_t = 0
        let status = unsafe path.withCString { name in
            var arguments = unsafe [UnsafeMutablePointer(mutating: name), nil]
            var environment: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
            return unsafe posix_spawn(
                &pid, name, &actions, &attributes, &arguments, &environment)
        }
        guard status == 0 else {
            throw BackendError("\(path) cannot be started: \(errorText(status))")
        }
        return pid
    }

    private static func errorText(_ code: Int32) -> String {
        unsafe String(cString: strerror(code))
    }
}
