// The file of settings with everything as usual, for users to begin with.
import TerminalList

/// The file of settings with everything in it as it usually is.
enum ConfigText {
    /// The file; read back, it says what holds without one.
    static var text: String {
        let colors = Style.Tone.allCases.flatMap { tone in
            [
                "# \(meaning(of: tone))",
                "\(tone.name) = \(Theme.standard[tone])",
            ]
        }
        let keys = NamedKeys.all.flatMap { named in
            [
                "# \(named.help)",
                "\(named.name) = \(named.keys.map(\.name).joined(separator: ", "))",
            ]
        }
        let parts = [introduction, list, colorsIntroduction] + colors + [keysIntroduction] + keys
        return parts.map { $0 + "\n" }.joined()
    }

    private static func meaning(of tone: Style.Tone) -> String {
        switch tone {
        case .plain: "ordinary text"
        case .good: "arrivals, and success"
        case .caution: "changes, and doubt"
        case .bad: "departures, and failure"
        case .accent: "titles"
        case .muted: "less important than the rest"
        case .own: "this machine"
        case .kind: "service types"
        }
    }

    private static let introduction = """
        # The default settings of peerlist.
        #
        # They are read from $XDG_CONFIG_HOME/peerlist/config, usually
        # ~/.config/peerlist/config. Keep only the lines you change there.
        # After a change, 'peerlist config --check' finds errors.

        """

    private static let list = """
        [list]
        # \(Theme.names.joined(separator: ", ")); the option --theme overrules it
        theme = default
        # how long the row of a departed device stays in the list, in seconds
        departed-seconds = \(Config().departureSeconds)

        """

    private static let colorsIntroduction = """
        [colors]
        # TONE = COLOUR ATTRIBUTE...
        # A colour is none, a number from 0 to 255, or one of black, red, green, yellow,
        # blue, magenta, cyan, white, bright-black and so on; /NUMBER after it is the
        # colour on terminals with 256 colours. Attributes are bold, dim,
        # reverse and underline. What stands here overrules the theme, and the option
        # --theme overrules both.

        """

    private static let keysIntroduction = """

        [keys]
        # ACTION = KEY, KEY...
        # A key is a character, or one of Ctrl-A, F1, Space, Comma, Hash, Enter, Esc,
        # Tab, Shift-Tab, Backspace, Up, Down, Left, Right, Home, End, PgUp, PgDn, Ins
        # and Del.
        # An action may be left without a key. A key that is given to one is taken from
        # the others. Ctrl-C always quits, and F1 shows the help if no other key does.

        """
}
