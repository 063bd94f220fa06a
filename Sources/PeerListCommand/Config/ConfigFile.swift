// The file of settings, and the command `peerlist config`, which prints the defaults and checks a file.
import Glibc
import PeerList
import PeerRecording
import PeerScreen
import PeerSession
import PeerSystem
import PeerText
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
    ///
    /// - Throws: ``UsageError`` if the file cannot be read, or for the first error in it.
    func config() throws(UsageError) -> Config? {
        guard let (config, errors) = try parsed() else { return nil }
        guard let first = errors.first else { return config }
        guard errors.count > 1 else { throw first }
        let count = errors.count == 2 ? "another error" : "\(errors.count - 1) more errors"
        throw UsageError("\(first); 'peerlist config --check' shows \(count)")
    }

    /// Returns the settings and the errors in the file, or `nil` if there is no such file; a program that
    /// this machine does not have is an error if the programs are checked.
    fileprivate func parsed(
        checksPrograms: Bool = false
    ) throws(UsageError) -> (config: Config, errors: [UsageError])? {
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
        var (config, errors) = ConfigParser.parse(
            bytes, path: shownPath, checksPrograms: checksPrograms)
        if !(config.actions.isEmpty && config.hooks.isEmpty), let obstacle {
            errors.insert(
                UsageError("\(shownPath): its actions and hooks are refused: \(obstacle)"), at: 0)
        }
        return (config, errors)
    }

    /// Returns why the commands of the file must not be run, or `nil`: another user could have them run by
    /// this one.
    private var obstacle: String? {
        do throws(FileRefusal) {
            guard try FileEntry(path).mayBeChangedByOthers else { return nil }
            return "the file or its directory belongs to another user, or others may write it; "
                + "run 'chown' or 'chmod go-w', or leave them out"
        } catch {
            return error.description
        }
    }
}

extension ConfigOptions {
    /// Prints the default settings, or what a file sets.
    func run() throws(UsageError) -> ExitStatus {
        switch self {
        case .print: printOut(Self.defaults)
        case .check(let path): try check(path)
        }
    }

    /// Prints what a valid file sets, in a sentence, or all errors of another one.
    private func check(_ path: String?) throws(UsageError) -> ExitStatus {
        guard let file = path.map(ConfigFile.init(path:)) ?? ConfigFile() else {
            throw UsageError(
                "there is no directory for settings, because HOME is not set; name the file")
        }
        guard let (config, errors) = try file.parsed(checksPrograms: true) else {
            guard path == nil else {
                throw UsageError("there is no file \(quoted(file.shownPath)); check the name")
            }
            return printOut(
                "There is no \(file.shownPath); 'peerlist config --print' shows the settings in use.\n"
            )
        }
        for error in errors { complain(error.description) }
        guard errors.isEmpty else { return .usage }
        return printOut("\(file.shownPath) has no errors; it sets \(Self.summary(of: config)).\n")
    }

    private static func summary(of config: Config) -> String {
        let isSet = [
            config.sort != nil, config.grouping != nil, config.columns != nil, config.showsDetails,
            config.departureSeconds != Config().departureSeconds,
        ]
        let counts = [
            (isSet.count { $0 }, "option", " of the list"), (config.colors.count, "tone", ""),
            (config.keymap.count, "key assignment", ""),
            (config.actions.count, "custom action", ""),
            (config.hooks.count, "hook", ""),
        ]
        let parts =
            (config.theme.map { ["the theme \($0)"] } ?? [])
            + counts.filter { $0.0 > 0 }.map { "\($0) \($1)\($0 == 1 ? "" : "s")\($2)" }
        return parts.isEmpty ? "nothing" : listed(parts)
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
        let parts = [introduction] + colors + [keysIntroduction] + keys + [actionsAndHooks]
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
        # \(RowSort.allCases.map(\.setting).joined(separator: ", ")), with 'reversed' after it
        # for the opposite order; the option --sort overrides both
        sort = name
        # device or type; the option --group-by overrides it
        group-by = device
        # the columns besides the name; a narrow window has fewer of them, and some are
        # shown by device or by type only
        columns = \(RowColumn.names.dropFirst().joined(separator: ", "))
        # hidden, or beside the list from the start on
        details = hidden
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

    private static let actionsAndHooks = """

        [actions]
        # Commands of your own for the selected row. The key of 'actions' above lists
        # those that fit it, with their arguments, and Enter runs one. Each begins with
        # its title:
        #
        # title = Ping
        # key = F6                       # any number of keys, or none
        # command = ping -c 3 {address}
        #
        # title = Watch the camera
        # types = rtsp                   # only for services of these types
        # kinds = camera                 # only for these kinds of devices
        # wait = no                      # after a success, the list returns at once
        # command = mpv -- rtsp://{host}:{port}/{txt.path}
        #
        # Values are \(CommandTemplate.Value.placeholders.joined(separator: " ")),
        # where KEY is a key of the TXT record. No shell runs the command: quotes and
        # backslashes keep words together, nothing else is special, and a value stays
        # within its argument. An argument that begins with a value is refused if that
        # begins with '-'.

        [hooks]
        # Programs that the list runs at changes, without a shell, as the option --exec
        # does, which overrides these. A program gets the change on its standard input
        # and in PEERLIST_NAME and so on. The changes are
        # \(listed(Hook.Event.allCases.map(\.rawValue))):
        #
        # on = arrived, departed         # for the next program; these are the default
        # exec = notify-send "Somebody came or left"
        """
}
