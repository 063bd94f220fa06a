// The live list and `peerlist types`: the tables of their options, and their help.
import PeerList
import PeerRecording
import TerminalList

extension Command {
    static let list = Command(
        .list, "list the devices on this network",
        usage: ["peerlist [OPTION]..."],
        about: """
            A live list of the devices on your network that announce themselves by multicast
            DNS (Bonjour, DNS-SD), as they arrive and leave.
            """,
        sections: [
            Section(
                "Examples",
                """
                  peerlist                      the live list; q ends it, ? shows the keys
                  peerlist -t ssh,sftp-ssh      devices with SSH or SFTP
                  peerlist -1                   the devices that are there now, as a table
                  peerlist -1j -t ipp | jq .    printers, for a script
                  peerlist -o peers.jsonl       the list, and a recording of all changes
                  peerlist -a="Anna's laptop"   the list, with this machine announced to others
                """),
            Section(
                "Exit status",
                """
                  0    done; with --once, something was found
                  1    with --once, nothing was found
                  2    wrong usage
                  3    failure, such as a full disk, or no mDNS backend
                  130  interrupted; in the live list q and Ctrl-C are the ordinary end, 0
                """),
        ],
        defaults: Options(),
        options: Options.discovery + Options.output
            + ScreenOptions.table.map { .part($0, of: \.screen) }
            + Options.recording + [
                .ending("--man", nil, "Print the manual page, for 'man -l -', and exit", .manual),
                .ending("--version", "V", "Print the version and exit", .version),
            ],
        finish: finish)

    static let types = Command(
        .types, "list the service types on this network",
        usage: ["peerlist types [OPTION]..."],
        about: """
            List the service types on this network, with their titles and how many services
            and devices there are of each.
            """,
        sections: [
            Section(
                "Examples",
                """
                  peerlist types
                  peerlist types --json | jq -r 'select(.devices > 1).type'
                """),
            Section(
                "Exit status",
                """
                  0    done; services were found
                  1    no services were found
                  2    wrong usage
                  3    failure, such as a full disk, or no mDNS backend
                  130  interrupted
                """),
        ],
        defaults: Options(subject: .types, grouping: .type, once: true),
        options: Options.link + [
            .flag("--json", "j", .output, "Print a JSON line for each type instead of the table") {
                $0.form = .json
            },
            .value(
                "--timeout", nil, .init("SECONDS", example: "2.5"), .output,
                "Wait at most SECONDS for discovery to be quiet (default: 5)"
            ) { options, given throws(UsageError) in options.timeout = try given.seconds() },
            Options.noHeader,
        ],
        finish: finish)

    private static func finish(_ options: Options, _: [String]) throws(UsageError) -> Invocation {
        guard options.hasHeading || options.once && options.form == .automatic else {
            throw UsageError(
                "'--no-header' applies to the tables of '--once' and 'types'; leave it out")
        }
        return .list(options)
    }
}

extension Options {
    fileprivate static let link: [CommandOption<Options>] =
        CommandOption.link("Browse", .discovery, \.interface, \.family, \.backend) + [
            .value(
                "--domain", "d", .init("DOMAIN", example: "local"), .discovery,
                "Browse this domain (default: that of the daemon, usually 'local')", .refused
            ) { options, given throws(UsageError) in options.domain = try given.domain() }
        ]

    fileprivate static let discovery: [CommandOption<Options>] =
        [
            .value(
                "--type", "t", .init("TYPE", example: "ssh", .serviceTypes), .discovery,
                """
                Show only services of TYPE, and the devices that offer them; may be repeated, or a \
                list with commas; 'ssh' means _ssh._tcp, a subtype is _printer._sub._http._tcp
                """, .adds
            ) { options, given throws(UsageError) in
                for type in try given.serviceTypes() where !options.types.contains(type) {
                    options.types.append(type)
                }
            }
        ] + link + [
            .value(
                "--announce", "a", .init("NAME", example: "", isOptional: true), .discovery,
                "Announce this machine while peerlist runs, under NAME or its host name", .refused
            ) { options, given throws(UsageError) in
                let advice = "leave '=' out to use the host name"
                options.announcement =
                    given.value == nil
                    ? .hostName : .name(try given.instanceName(whenEmpty: advice))
            }
        ]

    fileprivate static let output: [CommandOption<Options>] = [
        .choice(
            "--group-by", "g", .output, example: "type",
            "Show devices with their services (default), or services by type", \.grouping),
        .choice(
            "--sort", nil, .output, example: "address",
            "Sort by name (default), by address, or by the time first seen", \.sort),
        .flag(
            "--plain", "p", .output,
            """
            Print each change as a line of sentences with the local date and time, for screen \
            readers and logs; the default if standard output is not a terminal
            """
        ) { $0.form = .plain }
        .conflicting(with: "--json", advice: "for both, write '--plain --output FILE'"),
        .flag("--json", "j", .output, "Print JSON lines; with --once, the whole list in one line") {
            $0.form = .json
        },
        .flag(
            "--once", "1", .output,
            "Wait until discovery is quiet, print the list as a table, and exit"
        ) { $0.once = true },
        .value(
            "--timeout", nil, .init("SECONDS", example: "2.5"), .output,
            "With --once, wait at most SECONDS (default: 5)"
        ) { options, given throws(UsageError) in
            options.timeout = try given.seconds()
        }.requiring("--once", advice: "add '--once'"),
        noHeader,
    ]

    fileprivate static let noHeader = CommandOption<Options>.flag(
        "--no-header", nil, .output, "Print tables without a heading"
    ) { $0.hasHeading = false }

    fileprivate static let recording: [CommandOption<Options>] = [
        .value(
            "--output", "o", .init("FILE", example: "peers.jsonl", .files), .recording,
            "Also append the JSON lines to FILE; reopen FILE on SIGHUP", .refused
        ) { options, given throws(UsageError) in
            if given.text == "-" {
                throw UsageError("--output: '-' is not a file; use '--json' for standard output")
            }
            options.output = try given.file(whenEmpty: "write one such as 'peers.jsonl'")
        },
        .choice(
            "--sync", nil, .recording, example: "line",
            """
            Sync FILE to disk after each line, every second (default), or never; unsynced lines can \
            be lost on power failure
            """, \.sync
        ).requiring("--output", advice: "add '--output FILE'"),
    ]
}

extension CommandOption {
    /// The options that restrict a command that browses or announces, as `verb` says, to an interface,
    /// a family or a backend.
    static func link(
        _ verb: String, _ group: OptionRow.Group,
        _ interface: Field<String?>, _ family: Field<AddressFamily?>,
        _ backend: Field<BackendChoice>
    ) -> [Self] {
        [
            .value(
                "--interface", "i", .init("NAME", example: "eth0", .interfaces), group,
                "\(verb) on this interface only", .refused
            ) { values, given throws(UsageError) in
                values[keyPath: interface] = try given.interface()
            },
            .flag(nil, "4", group, "\(verb) over IPv4 only") { $0[keyPath: family] = .ipv4 }
                .conflicting(
                    with: "-6", advice: "leave both out to \(verb.lowercased()) over both"),
            .flag(nil, "6", group, "\(verb) over IPv6 only") { $0[keyPath: family] = .ipv6 },
            .choice(
                "--backend", nil, group, example: "embedded",
                """
                Use avahi-daemon while it runs, otherwise the built-in mDNS stack (auto, the \
                default); or only one of the two
                """, backend),
        ]
    }
}

extension ScreenOptions {
    static let table: [CommandOption<ScreenOptions>] = [
        .choice(
            "--color", nil, .screen, example: "never",
            """
            Use colours if the terminal has them and NO_COLOR is not set (default), even if \
            NO_COLOR is set, or never
            """, \.color),
        .value(
            "--theme", nil, .choice(Theme.names, example: "bright"), .screen,
            "Use this theme instead of that of the settings; mono has no colours"
        ) { options, given throws(UsageError) in
            options.theme = try given.name(among: Theme.names)
        },
        .flag(
            "--ascii", nil, .screen,
            """
            Print only ASCII, with other characters as \\u{e9}, for terminals and readers that \
            lack them
            """
        ) { $0.isASCII = true },
        .flag(
            "--no-mouse", nil, .screen,
            "Leave the mouse to the terminal, to select and copy text"
        ) { $0.takesMouse = false },
    ]
}
