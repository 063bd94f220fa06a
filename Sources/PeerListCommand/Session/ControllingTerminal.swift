// What SIGHUP means: that a file was put away, or that the terminal is gone.
import Glibc

/// The terminal that a process was started in, if it was.
struct ControllingTerminal {
    /// Whether there was one when this was made.
    private let existed = ControllingTerminal.exists

    /// Whether it is gone: closed, or disconnected.
    ///
    /// A hang-up takes a session's terminal away before SIGHUP is sent, so a
    /// SIGHUP that finds it in its place was sent by somebody.
    var isGone: Bool { existed && !Self.exists }

    /// `/dev/tty` stands for the terminal of the session, and cannot be opened without one.
    private static var exists: Bool {
        let descriptor = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }
}
