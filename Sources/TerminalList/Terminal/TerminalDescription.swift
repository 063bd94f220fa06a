// Descriptions of common terminals, for machines whose terminfo database has none of the terminal.
import CNcurses
import Glibc

/// A description of a terminal type, in the compiled form of term(5), that is part of the program.
///
/// A machine often does not know the terminal from which a user has logged in, and a container may know none. The
/// descriptions come from ncurses.
struct TerminalDescription {
    /// The terminal type that is described; the terminal of the user may be of a newer type that understands the same.
    let type: String
    private let bytes: [UInt8]

    /// Finds the description for a terminal type by its first word, such as `xterm-256color` for `xterm-ghostty`; `nil` if
    /// none is known to fit.
    init?(for type: String) {
        switch type.prefix(while: { $0.isLetter || $0.isNumber }) {
        case "xterm", "alacritty", "contour", "foot", "ghostty", "gnome", "iterm2", "kitty",
            "konsole", "rio", "st", "vte", "wezterm":
            self.init(type: "xterm-256color", bytes: PackageResources.xterm_256color)
        case "screen", "tmux":
            self.init(type: "screen-256color", bytes: PackageResources.screen_256color)
        case "linux": self.init(type: "linux", bytes: PackageResources.linux)
        default: return nil
        }
    }

    private init(type: String, bytes: [UInt8]) {
        (self.type, self.bytes) = (type, bytes)
    }

    /// Runs an action that makes curses read this description in place of the database.
    ///
    /// It is in the environment meanwhile, where curses takes one in hexadecimal digits (see terminfo(5), *Fetching
    /// Compiled Descriptions*).
    func provide<Result>(to action: (String) -> Result) -> Result {
        let digits = bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
        let before = unsafe getenv("TERMINFO").map { unsafe String(cString: $0) }
        unsafe setenv("TERMINFO", "hex:\(digits)", 1)
        defer {
            if let before {
                unsafe setenv("TERMINFO", before, 1)
            } else {
                unsafe unsetenv("TERMINFO")
            }
        }
        return action(type)
    }
}
