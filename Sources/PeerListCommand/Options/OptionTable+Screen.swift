// The options of how the live list looks, and those of the settings.

extension OptionRow {
    /// The options of how the live list looks.
    static let screenRows = [
        OptionRow(
            name: .color, flag: "--color", short: nil,
            argument: .required("auto|always|never", example: "never"), repetition: .overrules,
            group: .screen,
            help: """
                Use colours if the terminal has them and NO_COLOR is not set (default), even if \
                NO_COLOR is set, or never
                """),
        OptionRow(
            name: .theme, flag: "--theme", short: nil,
            argument: .required(
                ConfigVocabulary.usual.themes.joined(separator: "|"), example: "bright"),
            repetition: .overrules, group: .screen,
            help: "Use this theme instead of that of the settings; mono has no colours"),
        OptionRow(
            name: .ascii, flag: "--ascii", short: nil, argument: .none, repetition: .overrules,
            group: .screen,
            help: """
                Print only ASCII, with other characters as \\u{e9}, for terminals and readers \
                that lack them
                """),
        OptionRow(
            name: .noMouse, flag: "--no-mouse", short: nil, argument: .none,
            repetition: .overrules, group: .screen,
            help: "Leave the mouse to the terminal, to select and copy text"),
    ]

    /// The options of `peerlist config`, in the order of its help.
    static let forConfig: [OptionRow] =
        [
            OptionRow(
                name: .print, flag: "--print", short: nil, argument: .none,
                repetition: .overrules, group: .other,
                help: "Print the default settings, with comments"),
            OptionRow(
                name: .check, flag: "--check", short: nil, argument: .none,
                repetition: .overrules, group: .other,
                help: "Check FILE, or the usual file, for errors"),
        ] + otherRows.filter { $0.name == .help }
}
