// The events of a terminal, and the outcomes and errors of using it.
import Glibc

/// An event at a terminal.
public enum TerminalEvent: Hashable, Sendable {
    /// A key was pressed. An interrupt (SIGINT) is Ctrl-C.
    case key(Key)
    /// Text was pasted, possibly from an untrusted source; only on terminals with bracketed paste.
    case pasted(String)
    /// A mouse event; only if the terminal was opened with `mouse`.
    case mouse(MouseEvent)
    /// The size of the window changed; ask for it and draw.
    case resized
    /// Ctrl-Z was pressed; call ``Terminal/suspend()``.
    case suspendRequested
    /// The program continues after it was stopped; draw.
    case resumed
    /// A signal asks the program to end (SIGTERM, SIGHUP).
    case terminated(signal: Int32)
    /// The terminal is gone; no more keys will come.
    case inputEnded
}

/// An event of the mouse, and its position.
public struct MouseEvent: Hashable, Sendable {
    /// The kinds of events.
    public enum Kind: Hashable, Sendable {
        /// The first button was pressed.
        case press
        /// The second button was pressed, the right one for most people.
        case secondaryPress
        /// The pointer was moved while the first button was down.
        case drag
        /// The first button was released.
        case release
        /// The wheel was turned by a notch, to see what is above, or below.
        case wheelUp, wheelDown
    }

    /// The kind of event.
    public var kind: Kind
    /// The line and the column, from zero.
    public var row, column: Int

    /// Creates an event.
    public init(_ kind: Kind, row: Int, column: Int) {
        self.kind = kind
        self.row = row
        self.column = column
    }
}

/// The outcome of copying a text.
public enum CopyOutcome: Hashable, Sendable {
    /// The text was sent to the terminal, which does not confirm it.
    case sent
    /// The text was sent to tmux, which ignores it unless its option `set-clipboard` is `on`.
    case sentToTmux
    /// The text is in tmux's paste buffer. No terminal that can copy shows the session.
    case buffered
    /// The text is in tmux's paste buffer, and tmux has sent it to its terminal, which does not confirm it.
    case bufferedAndSent
    /// Not sent: the terminal's description lacks the capability.
    case unsupported
    /// Not sent: the text is longer than 100,000 bytes.
    case tooLong
}

/// An error of opening a terminal, or of starting a program in it.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Standard input is not a terminal, so no key would arrive.
    case inputIsNoTerminal
    /// Standard output is not a terminal.
    case outputIsNoTerminal
    /// The process has no controlling terminal.
    case noControllingTerminal
    /// `TERM` is not set.
    case typeNotSet
    /// `TERM` is `dumb`, or another type without cursor addressing.
    case cannotPlaceText(type: String)
    /// `TERM` is a type that this machine's terminfo lacks.
    case unknownType(String)
    /// A program could not be started, with the system's `errno`.
    case cannotStart(String, code: Int32)
    /// A system call failed, with its `errno`.
    case system(code: Int32)

    /// The error, as text that fits after `peerlist: `.
    public var description: String {
        switch self {
        case .inputIsNoTerminal: "standard input is not a terminal"
        case .outputIsNoTerminal: "standard output is not a terminal"
        case .noControllingTerminal: "there is no terminal"
        case .typeNotSet: "TERM is not set"
        case .cannotPlaceText(let type): "a terminal of type \"\(type)\" cannot show a list"
        case .unknownType(let type): "the terminal type \"\(type)\" (TERM) is not known here"
        case .cannotStart(let program, ENOENT): "\(program) is not installed"
        case .cannotStart(let program, let code):
            "\(program) cannot be started: \(unsafe String(cString: strerror(code)))"
        case .system(let code): "the terminal cannot be used (error \(code))"
        }
    }
}
