// The file of settings, and the command `peerlist config`, which prints the defaults and checks a file.
import Glibc
import PeerList
import TerminalList

struct ConfigFile: Equatable {
    static let sizeLimit = 64 << 10

    let path: String
    /// The path for messages, with `~` for the home directory.
    let shownPath: String

    init(path: String) { (self.path, shownPath) = (path, path) }

    /// The usual file, `$XDG_CONFIG_HOME/peerlist/config`, or the one below `~/.config` if that
    /// variable is not an absolute path; `nil` if neither is known.
    init?(environment variable: (String) -> String? = environmentVariable) {
        let home = variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let chosen = variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let folder = chosen ?? home.map({ $0 + "/.config" }) else { return nil }
        path = folder + "/peerlist/config"
        let isInHome = home.map { folder.hasPrefix($0 + "/") } ?? false
        shownPath = isInHome ? "~" + path.dropFirst(home?.count ?? 0) : path
    }

    /// Returns the settings, or `nil` if there is no such file.
    func config() throws(UsageError) -> Config? {
        let bytes: [UInt8]
        do throws(SmallFileError) {
            bytes = try readFile(path, limit: Self.sizeLimit)
        } catch {
            let reason: String
            switch error {
            case .system(ENOENT), .system(ENOTDIR): return nil
            case .system(let code): reason = unsafe String(cString: strerror(code))
            case .notRegular: reason = "it is not a regular file"
            case .tooLarge: reason = "it has more than \(Self.sizeLimit >> 10) KiB"
            }
            throw UsageError("\(shownPath) cannot be read: \(reason)")
        }
        return try ConfigParser.config(from: bytes, path: shownPath)
    }
}

func environmentVariable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
}

extension ConfigOptions {
    /// Prints the default settings, or what a file sets.
    func run() throws(UsageError) -> ExitStatus {
        switch self {
        case .print: printOut(Self.defaults)
        case .check(let path): printOut(try check(path) + "\n")
        }
    }

    /// Returns what a valid file sets, in a sentence.
    private func check(_ path: String?) throws(UsageError) -> String {
        guard let file = path.map(ConfigFile.init(path:)) ?? ConfigFile() else {
            throw UsageError(
                "there is no directory for settings, because HOME is not set; name the file")
        }
        guard let config = try file.config() else {
            guard path == nil else {
                throw UsageError("there is no file \(quoted(file.shownPath)); check the name")
            }
            return
                "There is no \(file.shownPath); 'peerlist config --print' shows the settings in use."
        }
        let counts = [(config.colors.count, "tone"), (config.keymap.count, "action")]
        let parts =
            (config.theme.map { ["the theme \($0)"] } ?? [])
            + counts.filter { $0.0 > 0 }.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }
        let set = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
        return "\(file.shownPath) has no errors; it sets \(set)."
    }

    /// The file of settings with every default, to start from.
    static var defaults: String {
        let colors = Style.Tone.allCases.map { tone in
            "# \(meaning(of: tone))\n\(tone.name) = \(Theme.standard[tone])"
        }
        let keys = KeyRow.all.map { binding in
            let names = binding.keys.map(\.name).joined(separator: ", ")
            return "# \(binding.help)\n\(binding.name ?? "") = \(names)"
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
        case .category1, .category2, .category3, .category4, .category5, .category6:
            "the kinds "
                + listed(
                    DeviceKind.categories.filter { $0.tone == tone }.flatMap(\.kinds).map(\.title))
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
