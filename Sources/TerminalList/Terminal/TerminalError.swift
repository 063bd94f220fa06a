// Why the terminal cannot show a list, or a program cannot be started.
import Glibc

/// Why the terminal cannot show a list.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Standard input is no terminal: no key would ever arrive.
    case inputIsNoTerminal
    /// Standard output is no terminal.
    case outputIsNoTerminal
    /// `TERM` is not set, so nothing is known about the terminal.
    case typeNotSet
    /// `TERM` is `dumb`, or another type that cannot place text anywhere on the screen.
    case cannotPlaceText(type: String)
    /// `TERM` names a type that this machine's terminfo does not have.
    case unknownType(String)
    /// A program cannot be started, with the system's `errno`.
    case cannotStart(String, code: Int32)
    /// The system refused something, with its `errno`.
    case system(code: Int32)

    /// What is wrong, in words that fit after `peerlist: `.
    public var description: String {
        switch self {
        case .inputIsNoTerminal: "standard input is not a terminal"
        case .outputIsNoTerminal: "standard output is not a terminal"
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
