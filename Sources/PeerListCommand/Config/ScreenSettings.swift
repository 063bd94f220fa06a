// The appearance and keys of the live list: the file of settings, overridden by options.
import Glibc
import TerminalList

struct ScreenSettings: Equatable, Sendable {
    var charset: Charset
    /// The characters of the signs of kinds.
    var kindCharset: Charset
    var usesColor: Bool
    var theme: Theme
    var takesMouse: Bool
    /// The keys that the user assigned, by the actions' names.
    var keymap: [String: [Key]]
    /// How long the row of a departed device stays in the list.
    var departure: Duration

    /// Combines options and settings; the colours of the settings are used with their theme only,
    /// not with that of an option. `charset` has the characters of the locale; `terminal` is the
    /// type of the terminal.
    init(
        _ options: ScreenOptions, _ config: Config, charset: Charset, terminal: String? = nil,
        environmentAllowsColor: Bool
    ) {
        let charset = options.isASCII ? .ascii : charset
        self.charset = charset
        // The fonts of the Linux console have no glyphs of kinds.
        kindCharset = terminal?.hasPrefix("linux") == true ? .ascii : charset
        usesColor = options.color == .auto ? environmentAllowsColor : options.color == .always
        theme = (options.theme ?? config.theme).flatMap(Theme.named) ?? .standard
        if options.theme == nil { for (tone, look) in config.colors { theme[tone] = look } }
        takesMouse = options.takesMouse
        keymap = config.keymap
        departure = .seconds(config.departureSeconds)
    }

    /// The settings of this process; the file is read only if the live list is shown.
    init(_ options: ScreenOptions, form: Options.Form) throws(UsageError) {
        let charset = Charset.adoptFromEnvironment()
        let isShown = form == .automatic && isatty(STDOUT_FILENO) == 1
        self.init(
            options, isShown ? try ConfigFile()?.config() ?? Config() : Config(), charset: charset,
            terminal: environmentVariable("TERM"),
            environmentAllowsColor: Terminal.environmentAllowsColor)
    }

    func terminal() throws(TerminalError) -> Terminal {
        try Terminal(usesColor: usesColor, theme: theme, charset: charset, mouse: takesMouse)
    }
}
