// Combines the options and the file of settings to the settings of the live list.
import PeerScreen
import PeerSystem
import PeerText
import TerminalList

extension ScreenSettings {
    /// Combines options and settings; the colours of the settings are used with their theme only,
    /// not with an option's theme. `charset` has the characters of the locale; `terminal` is the
    /// type of the terminal.
    init(
        _ options: ScreenOptions, _ config: Config, charset: Charset, terminal: String? = nil,
        environmentAllowsColor: Bool
    ) {
        self = config.screen
        let isConsole = charset == .unicode && terminal?.hasPrefix("linux") == true
        self.charset = options.isASCII ? .ascii : isConsole ? .console : charset
        usesColor = options.color == .auto ? environmentAllowsColor : options.color == .always
        theme = (options.theme ?? config.theme).flatMap(Theme.named) ?? .standard
        if options.theme == nil { for (tone, look) in config.colors { theme[tone] = look } }
        takesMouse = options.takesMouse
        isDemo = options.isDemo
        if let sort = options.sort { (self.sort, isDescending) = (sort, false) }
        grouping = options.grouping ?? grouping
    }

    /// The settings of this process; the file is read only if the live list is shown.
    init(_ options: ScreenOptions, isShown: Bool) throws(UsageError) {
        let charset = Charset.adoptFromEnvironment()
        self.init(
            options, isShown ? try ConfigFile()?.config() ?? Config() : Config(), charset: charset,
            terminal: environmentVariable("TERM"),
            environmentAllowsColor: Terminal.environmentAllowsColor)
        guard charset == .ascii, !options.isASCII else { return }
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        asciiReason =
            names.lazy.compactMap { name in
                environmentVariable(name).flatMap { $0.isEmpty ? nil : "\(name)=\($0)" }
            }.first
    }
}
