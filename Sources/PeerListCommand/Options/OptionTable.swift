// The one table of options: the parser and the help are made from it.

/// One option of the command.
struct OptionRow: Sendable {
    /// Names an option in the code.
    enum Name: String, CaseIterable, Sendable {
        case type, interface, ipv4, ipv6, domain, backend, announce
        case groupBy, sort, plain, json, once, noHeader, timeout
        case output, sync
        case at, speed, follow
        case name, port, txt, subtype
        case config
        case color, theme, ascii, noMouse
        case print, check
        case help, manual, version
    }

    /// What stands behind an option.
    enum Argument: Equatable, Sendable {
        /// Nothing.
        case none
        /// A value that must be given, such as `ssh`.
        case required(String, example: String)
        /// A value that may be given, and only with `=`.
        case optional(String)
    }

    /// What it means when an option is given more than once.
    enum Repetition: Equatable, Sendable {
        /// All values count.
        case adds
        /// The last value counts, so that an alias can be overruled.
        case overrules
        /// Another value is refused, because one of the two would be lost.
        case refused
    }

    /// The headings of the help.
    enum Group: String, CaseIterable, Sendable {
        case announced = "Announcement"
        case wanted = "Discovery"
        case shown = "Output"
        case screen = "Live list"
        case recorded = "Recording"
        case other = "Other"
    }

    let name: Name
    let flag: String?
    let short: Character?
    let argument: Argument
    let repetition: Repetition
    let group: Group
    let help: String

    /// What the user calls it: the long form, or the short one where there is no long one.
    var title: String { flag ?? short.map { "-\($0)" } ?? name.rawValue }
}

extension OptionRow {
    /// The options of the list, in the order of the help.
    static let all: [OptionRow] = wantedRows + shownRows + screenRows + recordedRows + otherRows

    /// The options of `peerlist diff`, in the order of its help.
    static let forDiff: [OptionRow] =
        [
            OptionRow(
                name: .at, flag: "--at", short: nil,
                argument: .required("TIME", example: "08:30"),
                repetition: .overrules,
                group: .shown,
                help: """
                    Compare the lists as they were at TIME, such as 08:30 on the day on which \
                    each recording begins, 2026-11-21T08:30, or 2026-11-21T08:30:00Z; local time \
                    unless it ends in Z or an offset (default: the ends of the recordings)
                    """),
            OptionRow(
                name: .json, flag: "--json", short: "j", argument: .none, repetition: .overrules,
                group: .shown,
                help: "Print the differences as one JSON line, a 'diff' as '--json' writes it"),
        ] + otherRows.filter { $0.name == .help }

    /// The options of `peerlist replay`, in the order of its help.
    static let forReplay: [OptionRow] =
        [
            OptionRow(
                name: .speed, flag: "--speed", short: nil,
                argument: .required("N", example: "10"), repetition: .overrules, group: .shown,
                help: """
                    Play N times as fast as recorded; 0 plays at once (default: 1 in the list, 0 \
                    elsewhere and with '--follow')
                    """),
            OptionRow(
                name: .at, flag: "--at", short: nil,
                argument: .required("TIME", example: "08:30"),
                repetition: .overrules, group: .shown,
                help: """
                    Show the list as it was at TIME, such as 08:30 on the day on which the \
                    recording begins, 2026-11-21T08:30, or 2026-11-21T08:30:00Z; local time unless \
                    it ends in Z or an offset; in the list, pause there
                    """),
            OptionRow(
                name: .follow, flag: "--follow", short: "f", argument: .none,
                repetition: .overrules, group: .shown,
                help: "At the end of FILE, wait for new lines, also after FILE is rotated"),
            OptionRow(
                name: .plain, flag: "--plain", short: "p", argument: .none, repetition: .overrules,
                group: .shown,
                help: """
                    Print each change as a line of sentences; the default if standard output is \
                    not a terminal
                    """),
            OptionRow(
                name: .json, flag: "--json", short: "j", argument: .none, repetition: .overrules,
                group: .shown,
                help: "Print the recorded lines themselves, byte for byte"),
        ] + screenRows + otherRows.filter { $0.name == .help }

    static let wantedRows = [
        OptionRow(
            name: .type, flag: "--type", short: "t", argument: .required("TYPE", example: "ssh"),
            repetition: .adds, group: .wanted,
            help: """
                Show only services of TYPE, and the devices that offer them; may be repeated, or \
                a list with commas; 'ssh' means _ssh._tcp, a subtype is _printer._sub._http._tcp
                """),
        OptionRow(
            name: .interface, flag: "--interface", short: "i",
            argument: .required("NAME", example: "eth0"), repetition: .refused, group: .wanted,
            help: "Browse on this interface only"),
        OptionRow(
            name: .ipv4, flag: nil, short: "4", argument: .none, repetition: .overrules,
            group: .wanted, help: "Browse over IPv4 only"),
        OptionRow(
            name: .ipv6, flag: nil, short: "6", argument: .none, repetition: .overrules,
            group: .wanted, help: "Browse over IPv6 only"),
        OptionRow(
            name: .domain, flag: "--domain", short: "d",
            argument: .required("DOMAIN", example: "local"), repetition: .refused, group: .wanted,
            help: "Browse this domain (default: that of the daemon, usually 'local')"),
        OptionRow(
            name: .backend, flag: "--backend", short: nil,
            argument: .required("auto|daemon|embedded", example: "embedded"),
            repetition: .overrules, group: .wanted,
            help: """
                Use avahi-daemon while it runs, otherwise the built-in mDNS stack (auto, the \
                default); or only one of the two
                """),
        OptionRow(
            name: .announce, flag: "--announce", short: "a", argument: .optional("NAME"),
            repetition: .refused, group: .wanted,
            help: """
                Announce this machine while peerlist runs, under NAME or its host name
                """),
    ]

    static let shownRows = [
        OptionRow(
            name: .groupBy, flag: "--group-by", short: "g",
            argument: .required("device|type", example: "type"), repetition: .overrules,
            group: .shown,
            help: "Show devices with their services (default), or services by type"),
        OptionRow(
            name: .sort, flag: "--sort", short: nil,
            argument: .required("name|address|seen", example: "address"), repetition: .overrules,
            group: .shown,
            help: "Sort by name (default), by address, or by the time first seen"),
        OptionRow(
            name: .plain, flag: "--plain", short: "p", argument: .none, repetition: .overrules,
            group: .shown,
            help: """
                Print each change as a line of sentences with the local date and time, for \
                screen readers and logs; the default if standard output is not a terminal
                """),
        OptionRow(
            name: .json, flag: "--json", short: "j", argument: .none, repetition: .overrules,
            group: .shown, help: "Print JSON lines; with --once, the whole list in one line"),
        OptionRow(
            name: .once, flag: "--once", short: "1", argument: .none, repetition: .overrules,
            group: .shown,
            help: "Wait until discovery is quiet, print the list as a table, and exit"),
        OptionRow(
            name: .timeout, flag: "--timeout", short: nil,
            argument: .required("SECONDS", example: "2.5"), repetition: .overrules, group: .shown,
            help: "With --once, wait at most SECONDS (default: 5)"),
        noHeader,
    ]

    static let noHeader = OptionRow(
        name: .noHeader, flag: "--no-header", short: nil, argument: .none,
        repetition: .overrules, group: .shown, help: "Print tables without a heading")

    static let otherRows = [
        OptionRow(
            name: .help, flag: "--help", short: "h", argument: .none, repetition: .overrules,
            group: .other, help: "Print this help and exit"),
        OptionRow(
            name: .manual, flag: "--man", short: nil, argument: .none, repetition: .overrules,
            group: .other, help: "Print the manual page, for 'man -l -', and exit"),
        OptionRow(
            name: .version, flag: "--version", short: "V", argument: .none, repetition: .overrules,
            group: .other, help: "Print the version and exit"),
    ]
}
