// The options of how the live list looks, and those of the settings.

extension OptionRow {
    /// The options of how the live list looks.
    static let screenRows = [
        OptionRow(
            name: .color, flag: "--color", short: nil,
            argument: .required("auto|always|never", example: "never"), repetition: .overrules,
            group: .screen,
            help: """
                use colours where the terminal has them and NO_COLOR is not set (default), \
                whatever NO_COLOR says, or never
                """),
        OptionRow(
            name: .theme, flag: "--theme", short: nil,
            argument: .required(
                ConfigVocabulary.usual.themes.joined(separator: "|"), example: "bright"),
            repetition: .overrules, group: .screen,
            help: "how the list is drawn, whatever the settings say; mono has no colours"),
        OptionRow(
            name: .ascii, flag: "--ascii", short: nil, argument: .none, repetition: .overrules,
            group: .screen,
            help: """
                write nothing but ASCII, and other characters as \\u{e9}: for terminals and \
                readers that lack them
                """),
        OptionRow(
            name: .noMouse, flag: "--no-mouse", short: nil, argument: .none,
            repetition: .overrules, group: .screen,
            help: "leave the mouse to the terminal, for marking and copying text"),
    ]

    /// The options of `peerlist config`, in the order of its help.
    static let forConfig: [OptionRow] =
        [
            OptionRow(
                name: .print, flag: "--print", short: nil, argument: .none,
                repetition: .overrules, group: .other,
                help: "print all settings as they usually are, with what they mean"),
            OptionRow(
                name: .check, flag: "--check", short: nil, argument: .none,
                repetition: .overrules, group: .other,
                help: "say whether FILE, or else the usual file, is understood"),
        ] + otherRows.filter { $0.name == .help }
}
