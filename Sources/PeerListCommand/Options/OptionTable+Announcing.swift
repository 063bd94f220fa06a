// The options of `peerlist announce` and `peerlist types`.

extension OptionRow {
    /// The options of `peerlist announce`, in the order of its help.
    static let forAnnounce: [OptionRow] =
        announcedRows
        + wantedRows.filter { [.interface, .ipv4, .ipv6, .backend].contains($0.name) }
        .map { $0.saying(announcingHelp[$0.name] ?? $0.help, in: .announced) }
        + [
            OptionRow(
                name: .json, flag: "--json", short: "j", argument: .none, repetition: .overrules,
                group: .shown, help: "Print JSON lines instead of sentences")
        ] + otherRows.filter { $0.name == .help }

    /// The options of `peerlist types`, in the order of its help.
    static let forTypes: [OptionRow] =
        wantedRows.filter { [.interface, .ipv4, .ipv6, .domain, .backend].contains($0.name) }
        + [
            OptionRow(
                name: .json, flag: "--json", short: "j", argument: .none, repetition: .overrules,
                group: .shown, help: "Print a JSON line for each type instead of the table"),
            OptionRow(
                name: .timeout, flag: "--timeout", short: nil,
                argument: .required("SECONDS", example: "2.5"), repetition: .overrules,
                group: .shown,
                help: "Wait at most SECONDS for discovery to be quiet (default: 5)"),
            noHeader,
        ] + otherRows.filter { $0.name == .help }

    private static let announcingHelp: [Name: String] = [
        .interface: "Announce on this interface only",
        .ipv4: "Announce over IPv4 only",
        .ipv6: "Announce over IPv6 only",
        .backend: """
        Use avahi-daemon while it runs, otherwise the built-in mDNS stack (auto, the default); or \
        only one of the two
        """,
    ]

    private static let announcedRows = [
        OptionRow(
            name: .name, flag: "--name", short: "n", argument: .required("NAME", example: "Web"),
            repetition: .refused, group: .announced,
            help: "Instance name, at most 63 bytes; a number is added if the name is taken"),
        OptionRow(
            name: .type, flag: "--type", short: "t", argument: .required("TYPE", example: "http"),
            repetition: .refused, group: .announced,
            help: "Service type, such as _http._tcp; 'http' means the same"),
        OptionRow(
            name: .port, flag: "--port", short: nil, argument: .required("PORT", example: "80"),
            repetition: .refused, group: .announced,
            help: "Port of the service on this machine, 1 to 65535"),
        OptionRow(
            name: .txt, flag: "--txt", short: nil,
            argument: .required("KEY[=VALUE]", example: "path=/"), repetition: .adds,
            group: .announced,
            help: "Attribute of the TXT record, at most 255 bytes; may be repeated"),
        OptionRow(
            name: .subtype, flag: "--subtype", short: nil,
            argument: .required("SUBTYPE", example: "_printer"), repetition: .adds,
            group: .announced,
            help: "Subtype of TYPE to announce as well; may be repeated"),
    ]

    /// The same option in another command, where it means something of its own.
    private func saying(_ help: String, in group: Group) -> OptionRow {
        OptionRow(
            name: name, flag: flag, short: short, argument: argument, repetition: repetition,
            group: group, help: help)
    }
}
