// The terminals that a list can be shown on: the terminal of the standard streams, or the controlling
// terminal.
import Glibc

/// A terminal to show a list on.
public enum TerminalDevice: Sendable {
    /// The terminal of standard input and output.
    case standardStreams
    /// The controlling terminal of the process, `/dev/tty`; standard input and output are free for
    /// data.
    ///
    /// Ctrl-C and Ctrl-Z are keys there, and send no signal. A signal would also reach the shell
    /// that reads the output of the program, as in `$(…)`. After an interrupt the shell would use
    /// the terminal before it is restored, and it would wait forever for a stopped program.
    case controlling

    /// Opens the controlling terminal; returns `nil` for the terminal of the standard streams.
    ///
    /// - Throws: ``TerminalError`` if there is no such terminal.
    func open() throws(TerminalError) -> TerminalFile? {
        switch self {
        case .standardStreams:
            guard isatty(STDOUT_FILENO) == 1 else { throw .outputIsNoTerminal }
            guard isatty(STDIN_FILENO) == 1 else { throw .inputIsNoTerminal }
            return nil
        case .controlling:
            guard let file = TerminalFile() else { throw .noControllingTerminal }
            return file
        }
    }
}

/// The controlling terminal, open for reading and writing until it is deallocated.
@safe final class TerminalFile: @unchecked Sendable {
    // @unchecked: both are constant, and curses uses no more of the stream than its descriptor.
    let stream: UnsafeMutablePointer<FILE>
    let descriptor: Int32

    init?() {
        descriptor = unsafe Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard let stream = unsafe fdopen(descriptor, "r+") else {
            close(descriptor)
            return nil
        }
        unsafe self.stream = stream
    }

    deinit { unsafe fclose(stream) }
}
