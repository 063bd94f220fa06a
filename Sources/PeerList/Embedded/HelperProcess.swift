// A program that is started with a socket for standard input and output, and one for standard error.
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
    private let program: StartedProgram

    var pid: pid_t { program.pid }

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
        do throws(StartedProgram.Failure) {
            program = try StartedProgram(
                [path], environment: [], descriptors: (itsChannel, itsChannel, itsErrors))
        } catch {
            throw BackendError("\(path) cannot be started: \(error)")
        }
        unused = [itsChannel, itsErrors]
        (self.channel, self.errors) = (channel, errors)
    }

    /// Ends it and what it has started, and returns how it ended, such as "signal 11".
    func end() -> String {
        // First, because a program that writes to a closed socket would end by SIGPIPE.
        program.send(SIGKILL)
        close(channel)
        close(errors)
        return program.end() ?? "exit status 0"
    }

    /// Our end, which never waits and is closed to programs that are started; and the other one.
    private static func socketPair() throws(BackendError) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw BackendError(
                "no socket for the embedded stack: \(StartedProgram.Failure(code: errno))")
        }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return (ends[0], ends[1])
    }
}
