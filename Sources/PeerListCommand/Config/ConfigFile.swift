// The file of settings, and the command `peerlist config`, which prints the defaults and checks a file.
import Glibc
import PeerHooks
import PeerModel
import PeerRecording
import PeerScreen
import PeerSystem
import PeerText
import TerminalList

struct ConfigFile: Equatable {
    static let sizeLimit = 64 << 10

    let path: String
    /// The path for messages, with `~` for the home directory.
    let shownPath: String

    init(path: String) { (self.path, shownPath) = (path, path) }

    /// The usual file, `$XDG_CONFIG_HOME/peerlist/config`, or the file below `~/.config` if the
    /// variable is no absolute path; `nil` if neither is known.
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
        guard errors.count > 1 else { throw UsageError("\(first); see 'peerlist config --print'") }
        let count = errors.count == 2 ? "another error" : "\(errors.count - 1) more errors"
        throw UsageError("\(first); 'peerlist config --check' shows \(count)")
    }

    /// Returns the settings and the errors in the file, or `nil` if there is no such file; a program that
    /// this machine does not have is an error if the programs are checked.
    fileprivate func parsed(
        checksPrograms: Bool = false
    ) throws(UsageError) -> (config: Config, errors: [UsageError])? {
        guard let bytes = try read() else { return nil }
        var (config, errors) = ConfigParser.parse(
            bytes, path: shownPath, checksPrograms: checksPrograms)
        if !(config.screen.actions.isEmpty && config.screen.hooks.isEmpty), let obstacle {
            errors.insert(
                UsageError("\(shownPath): its actions and hooks are refused: \(obstacle)"), at: 0)
        }
        return (config, errors)
    }

    /// Returns the path, and below it the sections and settings of the file, without comments; `nil` if there
    /// is no such file.
    fileprivate func summary() throws(UsageError) -> String? {
        guard let bytes = try read() else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { printable(String(String($0).withoutComment.trimmed)) }
            .filter { !$0.isEmpty }
        return ([shownPath] + lines.map { $0.hasPrefix("[") ? $0 : "  \($0)" })
            .map { $0 + "\n" }.joined()
    }

    private func read() throws(UsageError) -> [UInt8]? {
        do throws(SmallFileError) {
            return try readFile(path, limit: Self.sizeLimit)
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
        case .show: try check(nil, isShown: true)
        case .print: printOut(Self.defaults)
        case .check(let path): try check(path)
        }
    }

    /// Prints what a valid file sets, in a sentence or, if `isShown`, in lines; or all errors of an invalid file.
    private func check(_ path: String?, isShown: Bool = false) throws(UsageError) -> ExitStatus {
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
        guard errors.isEmpty else {
            complain("for the settings and their values, see 'peerlist config --print'")
            return .usage
        }
        if isShown { return printOut(try file.summary() ?? "") }
        return printOut("\(file.shownPath) has no errors; it sets \(Self.summary(of: config)).\n")
    }

    private static func summary(of config: Config) -> String {
        let counts = [
            (config.counts[.list] ?? 0, "option", " of the list"),
            (config.counts[.colors] ?? 0, "tone", ""),
            (config.counts[.keys] ?? 0, "key assignment", ""),
            (config.screen.actions.count, "custom action", ""),
            (config.screen.hooks.count, "hook", ""),
        ].filter { $0.0 > 0 }
        let parts = counts.map { counted($0, $1) + $2 }
        return parts.isEmpty ? "nothing" : listed(parts)
    }

    /// The file of settings with every default, to start from.
    static var defaults: String {
        let sections = ConfigSection.allCases.map { section in
            let rows = section.settings.compactMap { row in
                row.standard.map {
                    "\(commented(row.help))\n\(row.name) =\($0.isEmpty ? "" : " " + $0)\n"
                }
            }
            let introduction = section.introduction.isEmpty ? "" : commented(section.introduction)
            let parts = [introduction + "\n", rows.joined()].filter { $0.count > 1 }
            return "\n[\(section)]\n" + parts.joined(separator: "\n")
        }
        return commented(introduction) + "\n" + sections.joined()
    }

    private static func commented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "#" : "# \($0)" }.joined(separator: "\n")
    }

    private static let introduction = """
        The default settings of peerlist.

        They are read from $XDG_CONFIG_HOME/peerlist/config, usually
        ~/.config/peerlist/config. Keep only the lines you change there.
        After a change, 'peerlist config --check' finds errors.
        """
}

extension ConfigSection {
    /// The comment above the settings of the section.
    fileprivate var introduction: String {
        switch self {
        case .list: ""
        case .colors:
            """
            TONE = COLOUR ATTRIBUTE...
            A colour is none, a number from 0 to 255, or one of black, red, green, yellow,
            blue, magenta, cyan, white, bright-black and so on; /NUMBER after it is the
            colour on terminals with 256 colours. Attributes are bold, dim, reverse and
            underline. The colours here override those of the theme, and the option
            --theme overrides both.
            """
        case .keys:
            """
            ACTION = KEY, KEY...
            A key is a character, or one of Ctrl-A, F1, Space, Comma, Hash, Enter, Esc,
            Tab, Shift-Tab, Backspace, Up, Down, Left, Right, Home, End, PgUp, PgDn, Ins
            and Del.
            An action may be left without keys. A key that is assigned to one action is
            removed from the others. Ctrl-C always quits, and F1 shows the help if no
            other key does.
            """
        case .actions:
            """
            Commands of your own for the selected row. The key of 'actions' above lists
            those that fit it, with their arguments, and Enter runs one. Each begins with
            its title:

            title = Ping
            key = F6                       # any number of keys, or none
            command = ping -c 3 {address}

            title = Watch the camera
            types = rtsp                   # only for services of these types
            kinds = camera                 # only for these kinds of devices
            wait = no                      # after a success, the list returns at once
            command = mpv -- rtsp://{host}:{port}/{txt.path}

            Values are \(CommandTemplate.Value.placeholders.joined(separator: " ")),
            where KEY is a key of the TXT record. No shell runs the command: quotes and
            backslashes keep words together, nothing else is special, and a value stays
            within its argument. An argument that begins with a value is refused if that
            begins with '-'. A device chooses its name and its TXT values, so these are
            refused unless the program is known neither to run nor to write what it gets:
            after '--' of \(CommandTemplate.readers.prefix(4).joined(separator: ", ")),
            \(CommandTemplate.readers.dropFirst(4).joined(separator: ", ")),
            in a URL after '--' of \(CommandTemplate.players.joined(separator: " and ")), and as an argument of a script:

            title = Say the name
            command = sh -c 'echo "$1"; read x' sh {name}

            title = Show the queue
            types = ipp
            unchecked = yes                # {name} and {txt.KEY} are allowed anywhere
            command = lpq -h {host}:{port} -P {txt.rp}
            """
        case .hooks:
            """
            Programs that the list runs at changes, without a shell, as the option --exec
            does, which overrides these. A program gets the change on its standard input
            and in PEERLIST_NAME and so on. The changes are
            \(listed(Hook.Event.allCases.map(\.rawValue))):

            on = arrived, departed         # for the next program; these are the default
            exec = notify-send "Somebody came or left"
            """
        }
    }
}
