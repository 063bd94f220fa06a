// How the live list looks and which keys it has: the file of settings, overruled by the options.
import Glibc
import TerminalList

/// How the live list looks, and which keys it has.
struct ScreenSettings: Equatable, Sendable {
    /// The characters that may be written.
    var charset: Charset
    /// Whether colours may be used.
    var usesColor: Bool
    /// How what the list means is to look.
    var theme: Theme
    /// Whether the list takes the mouse.
    var takesMouse: Bool
    /// The keys that the user chose, by the actions' names.
    var keymap: [String: [Key]]
    /// How long the row of a departed device stays in the list.
    var departure: Duration

    /// What options and settings come to.
    ///
    /// A theme that is asked for by an option is shown as it is: the colours of
    /// the settings go with the theme of the settings.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - config: The settings.
    ///   - charset: The characters that the locale allows.
    ///   - environmentAllowsColor: Whether `NO_COLOR` leaves colours allowed.
    init(
        _ options: ScreenOptions, _ config: Config, charset: Charset, environmentAllowsColor: Bool
    ) {
        self.charset = options.isASCII ? .ascii : charset
        usesColor =
            switch options.color {
            case .auto: environmentAllowsColor
            case .always: true
            case .never: false
            }
        var theme = (options.theme ?? config.theme).flatMap(Theme.named) ?? .standard
        if options.theme == nil { for (tone, look) in config.colors { theme[tone] = look } }
        self.theme = theme
        takesMouse = options.takesMouse
        keymap = config.keymap
        departure = .seconds(config.departureSeconds)
    }

    /// What holds in this process; the file of settings is read where the live list is shown.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - form: How the list is given out.
    /// - Throws: ``UsageError`` where the file cannot be read or is not understood.
    init(_ options: ScreenOptions, form: Options.Form) throws(UsageError) {
        let charset = Charset.adoptFromEnvironment()
        let isShown = form == .automatic && isatty(STDOUT_FILENO) == 1
        let file = isShown ? ConfigFile(environment: environmentVariable) : nil
        var config = Config()
        if let file { config = try Config(file, .usual) }
        self.init(
            options, config, charset: charset,
            environmentAllowsColor: Terminal.environmentAllowsColor)
    }

    /// Takes the terminal, as the settings have it.
    ///
    /// - Throws: ``TerminalError``, with the terminal as it was.
    func terminal() throws(TerminalError) -> Terminal {
        try Terminal(usesColor: usesColor, theme: theme, charset: charset, mouse: takesMouse)
    }
}
