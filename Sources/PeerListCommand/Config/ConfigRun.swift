// The command `peerlist config`: prints the default settings, and checks a file.
import TerminalList

/// A run of `peerlist config`.
struct ConfigRun {
    private let options: ConfigOptions

    init(_ options: ConfigOptions) { self.options = options }

    /// Prints the default settings, or the errors of a file.
    ///
    /// - Returns: The exit status; errors have been reported on standard error.
    func run() -> ExitStatus {
        switch options {
        case .print: return printOut(Self.defaults)
        case .check(let path):
            do throws(UsageError) {
                return printOut(try check(path) + "\n")
            } catch {
                complain(error.description)
                return .usage
            }
        }
    }

    /// Returns what a valid file sets, in a sentence.
    private func check(_ path: String?) throws(UsageError) -> String {
        guard
            let file = path.map(ConfigFile.init(path:))
                ?? ConfigFile(environment: environmentVariable)
        else {
            throw UsageError(
                "there is no directory for settings, because HOME is not set; name the file")
        }
        let config = try Config(file)
        if try file.bytes() == nil {
            guard path == nil else {
                throw UsageError("there is no file \(quoted(file.shownPath)); check the name")
            }
            return
                "There is no \(file.shownPath); 'peerlist config --print' shows the settings in use."
        }
        let parts = [
            config.theme.map { "the theme \($0)" },
            counted(config.colors.count, "tone"), counted(config.keymap.count, "action"),
        ].compactMap(\.self)
        let set = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
        return "\(file.shownPath) has no errors; it sets \(set)."
    }

    private func counted(_ count: Int, _ noun: String) -> String? {
        count == 0 ? nil : "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}

extension ConfigRun {
    /// The file of settings with every default, to start from.
    static var defaults: String {
        let colors = Style.Tone.allCases.map { tone in
            "# \(meaning(of: tone))\n\(tone.name) = \(Theme.standard[tone])"
        }
        let keys = NamedKeys.all.map { named in
            "# \(named.help)\n\(named.name) = \(named.keys.map(\.name).joined(separator: ", "))"
        }
        let parts = [introduction] + colors + [keysIntroduction] + keys
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

        [list]
        # \(Theme.names.joined(separator: ", ")); the option --theme overrides it
        theme = default
        # how long the row of a departed device stays in the list, in seconds
        departed-seconds = \(Config().departureSeconds)

        [colors]
        # TONE = COLOUR ATTRIBUTE...
        # A colour is none, a number from 0 to 255, or one of black, red, green, yellow,
        # blue, magenta, cyan, white, bright-black and so on; /NUMBER after it is the
        # colour on terminals with 256 colours. Attributes are bold, dim, reverse and
        # underline. The colours here override those of the theme, and the option
        # --theme overrides both.

        """

    private static let keysIntroduction = """

        [keys]
        # ACTION = KEY, KEY...
        # A key is a character, or one of Ctrl-A, F1, Space, Comma, Hash, Enter, Esc,
        # Tab, Shift-Tab, Backspace, Up, Down, Left, Right, Home, End, PgUp, PgDn, Ins
        # and Del.
        # An action may be left without keys. A key that is assigned to one action is
        # removed from the others. Ctrl-C always quits, and F1 shows the help if no
        # other key does.

        """
}
