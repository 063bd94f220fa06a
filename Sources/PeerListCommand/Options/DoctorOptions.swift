// What the user asks of `peerlist doctor`.

/// How the checks are made, and how they are told.
struct DoctorOptions: Equatable, Sendable {
    /// Where the daemon's settings are; `nil`: where they usually are.
    var configuration: String?
    /// How long others are given to answer.
    var patience = Duration.seconds(5)
    /// Whether it is told in JSON.
    var isJSON = false

    /// The options of `peerlist doctor`, in the order of its help.
    static let rows: [OptionRow] =
        [
            OptionRow(
                name: .json, flag: "--json", short: "j", argument: .none, repetition: .overrules,
                group: .shown, help: "Print everything as one JSON line, at the end"),
            OptionRow(
                name: .timeout, flag: "--timeout", short: nil,
                argument: .required("SECONDS", example: "2.5"), repetition: .overrules,
                group: .shown, help: "Wait SECONDS for replies of other machines (default: 5)"),
            OptionRow(
                name: .config, flag: "--config", short: nil,
                argument: .required("FILE", example: "/etc/avahi/avahi-daemon.conf"),
                repetition: .overrules, group: .shown,
                help: """
                    Read the daemon's settings from FILE instead of \
                    /etc/avahi/avahi-daemon.conf
                    """),
        ] + OptionRow.otherRows.filter { $0.name == .help }

    /// Reads the words behind `peerlist doctor`; `nil` asks for the help.
    ///
    /// - Throws: ``UsageError`` for the first word that is wrong.
    static func reading(_ words: [String]) throws(UsageError) -> DoctorOptions? {
        var scanner = OptionScanner(words, of: .doctor)
        var options = DoctorOptions()
        while let given = try scanner.next() {
            switch given.row.name {
            case .json: options.isJSON = true
            case .timeout: options.patience = try OptionValue.seconds(given.value ?? "")
            case .config:
                options.configuration = given.value ?? ""
                guard options.configuration?.isEmpty == false else {
                    throw UsageError(
                        "--config: the file name is empty; leave the option out")
                }
            default: return nil
            }
        }
        return options
    }
}
