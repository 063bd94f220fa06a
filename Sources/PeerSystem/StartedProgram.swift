// Starts programs in sessions of their own, with three descriptors, and ends them with the programs that
// they started.
import CSpawn
import Glibc

/// A program that was started in a session and process group of its own, so that no key at the terminal
/// reaches it.
///
/// Its process identifier is not reused before ``end()``, which must be called once.
package struct StartedProgram: Sendable {
    /// The error that prevented the start of a program.
    package struct StartError: Error, CustomStringConvertible {
        /// The number of the error, an `errno`.
        package let code: Int32

        /// Creates an error with an `errno`.
        package init(code: Int32) { self.code = code }

        /// The system's text for the error.
        package var description: String { unsafe String(cString: strerror(code)) }
    }

    /// The identifier of the process, and of its process group.
    package let pid: Int32

    /// Starts a program with its first three descriptors only, and with the default action of every
    /// signal.
    ///
    /// - Parameters:
    ///   - arguments: The program, looked up in `PATH` unless it contains a slash, and its arguments.
    ///   - environment: The program's environment, as `NAME=value`.
    ///   - descriptors: The descriptors of this process that become the program's standard input,
    ///     output and error.
    /// - Throws: ``StartError`` if the program cannot be started.
    package init(
        _ arguments: [String], environment: [String], descriptors: (Int32, Int32, Int32)
    ) throws(StartError) {
        precondition(!arguments.isEmpty, "a program has a name")
        let words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        let files = [descriptors.0, descriptors.1, descriptors.2]
        // The program must not inherit ignored signals.
        pid = unsafe pl_spawn(words, variables, files, .max, pl_own_session, -1)
        guard pid > 0 else { throw StartError(code: -pid) }
    }

    /// Waits until the program has ended.
    package func waitForEnd() {
        var info = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    }

    /// Sends a signal to the program and the other processes of its group.
    package func send(_ signal: Int32) { kill(-pid, signal) }

    /// Kills the program and its process group, and returns the way in which it ended, such as "signal
    /// 11"; `nil` for exit status 0.
    package func end() -> String? {
        send(SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        if signal != 0 { return "signal \(signal)" }
        return status == 0 ? nil : "exit status \(status >> 8 & 0xff)"
    }

    /// Opens an unnamed file in memory with these bytes, to be read from its start.
    package static func memoryFile(_ bytes: [UInt8]) throws(StartError) -> Int32 {
        let descriptor = unsafe pl_memory_file(bytes, bytes.count)
        guard descriptor >= 0 else { throw StartError(code: -descriptor) }
        return descriptor
    }
}
