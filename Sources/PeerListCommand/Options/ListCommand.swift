// The live list and `peerlist types`: the tables of their options, and their help.
import PeerExpect
import PeerHooks
import PeerModel
import PeerRecording
import PeerScreen
import PeerText
import TerminalList

extension Command {
    static let list = Command(
        .list, "list the devices on this network",
        usage: ["peerlist [OPTION]...", "peerlist help [COMMAND]"],
        about: """
            A live list of the devices on your network that announce themselves by multicast
            DNS (Bonjour, DNS-SD), as they arrive and leave.
            """,
        notes: """
            Examples:
              peerlist                      the live list; q ends it, ? shows the keys
              peerlist -t ssh,sftp-ssh      devices with SSH or SFTP
              peerlist -1                   the devices that are there now, as a table
              peerlist --kind printer,nas   printers and network storage
              peerlist -o peers.jsonl       the list, and a recording of all changes
              peerlist -a="Anna's laptop"   the list, with this machine announced to others
              peerlist -1j -t ipp | jq .    printers, for a script
              peerlist -q --exec ./arrival  run a program at each arrival and departure

            Exit status:
              0    done; with --once, something was found
              1    with --once, nothing was found
              2    wrong usage
              3    failure, such as a full disk, or no mDNS backend
              4    with --publish, another observer has taken over the name of this one
              130  interrupted; in the live list q and Ctrl-C are the ordinary end, 0
            """,
        defaults: Options(),
        options: [
            .discovery: Options.discovery, .output: Options.output,
            .screen: CommandOption.screen(\.screen), .recording: Options.recording,
            .hooks: Options.hookOptions, .broker: Options.publishing,
        ],
        finish: finishList)

    static let types = Command(
        .types, "list the service types on this network",
        about: """
            List the service types on this network, with their titles and how many services
            and devices there are of each.
            """,
        notes: """
            Examples:
              peerlist types
              peerlist types --json | jq -r 'select(.devices > 1).type'

            Exit status:
              0    done; services were found
              1    no services were found
              2    wrong usage
              3    failure, such as a full disk, or no mDNS backend
              130  interrupted
            """,
        defaults: Options(
            destination: .types(isJSON: false), list: ListOptions(grouping: .type), once: true,
            usesLedger: false),
        options: [
            .discovery: Options.link,
            .output: [
                .flag("-j, --json", "Print a JSON line for each type instead of the table") {
                    $0.destination = .types(isJSON: true)
                },
                Options.timeout("Wait at most SECONDS for discovery to be quiet (default: 5)"),
                Options.noHeader, Options.Option.noProgress,
            ],
        ],
        finish: finishList)

    /// Refuses options of a list that contradict each other.
    static func finishList(
        _ options: inout Options, _: [String]
    ) throws(UsageError) -> Invocation {
        if options.once, options.destination == .screen { options.destination = .table }
        guard options.hasHeading || [.table, .types(isJSON: false)].contains(options.destination)
        else {
            throw UsageError(
                "'--no-header' applies to the tables of '--once' and 'types'; leave it out")
        }
        guard
            options.eventsBeforeHooks.isEmpty && options.absenceBeforeHooks == nil
                || options.hooks.count == 1
        else {
            throw UsageError(
                "of several '--exec', each '--on' and '--for' applies to the one before it; write "
                    + "'--exec COMMAND --on EVENTS'")
        }
        for index in options.hooks.indices {
            options.hooks[index].absence =
                options.hooks[index].absence ?? options.absenceBeforeHooks
            options.hooks[index].events.formUnion(options.eventsBeforeHooks)
            if options.hooks[index].events.isEmpty {
                options.hooks[index].events = Hook.standardEvents
            }
        }
        (options.eventsBeforeHooks, options.absenceBeforeHooks) = ([], nil)
        return .list(options)
    }
}

extension Options {
    /// Whether the senders of packets are needed: they are shown, listed by, or expected.
    var reportsSenders: Bool {
        showsVouching || !list.vouched.isEmpty
            || expect.file.expectations.contains { !$0.vouched.isEmpty }
    }
}

extension Options: LinkOptions {
    typealias Option = CommandOption<Options>

    static let link =
        Option.link("Browse") + [
            .value(
                "-d, --domain", .domain,
                "Browse this domain (default: that of the daemon, usually 'local')", .refused
            ) { $0.domain = $1 },
            .flag(
                "--no-witness",
                "Do not listen to the packets on the network, by which new types are found at once and "
                    + "devices are listed sooner"
            ) { $0.usesWitness = false },
            .value(
                "--also", ValueKind.discoveryProtocol.list("PROTOCOL"),
                "Find devices by PROTOCOL too: neighbours for what this machine has talked to; or ssdp for "
                    + "TVs, receivers and routers, wsd for Windows, printers and cameras, which are used "
                    + "anyhow unless '--type' or '--domain' is given; may be repeated, or a list with "
                    + "commas; see docs/silent.md", .adds
            ) { $0.protocols.formUnion($1) }
            .brief("Find devices by PROTOCOL too, such as neighbours"),
            .value(
                "--only", ValueKind.discoveryProtocol.list("PROTOCOL"),
                "Show only what is found by PROTOCOL, of mdns and those of '--also', and use no other; may "
                    + "be repeated, or a list with commas", .adds
            ) { options, protocols in
                options.protocols.formUnion(protocols)
                for type in protocols.map(\.typePrefix) where !options.list.types.contains(type) {
                    options.list.types.append(type)
                }
            },
            .flag(
                "--no-descriptions",
                "Do not fetch what devices that are found by ssdp or wsd describe at their own "
                    + "addresses, such as their names"
            ) { $0.fetchesDescriptions = false },
            .flag(
                "--vouching",
                "Tell who answers for each device, itself or another such as a router, in other outputs "
                    + "than the live list too; '--vouched' does so as well"
            ) { $0.showsVouching = true }
            .conflicting(with: "--no-witness"),
        ]

    /// The options that select services and devices, which are shown, or as `verb` says, and those of the link.
    static func selection(_ verb: String = "Show", on link: [Option] = link) -> [Option] {
        let vouched = Option.value(
            "--vouched", ValueKind.vouchingRule.list("RULE"),
            "\(verb) only devices for which RULE holds: own for those that answer themselves; "
                + "of others that answer for them, sleep-proxy, registrar, reflector or proxy; "
                + "unheard for those that were not heard yet; may be repeated, or a list with "
                + "commas", .adds
        ) { options, rules in
            for rule in rules where !options.list.vouched.contains(rule) {
                options.list.vouched.append(rule)
            }
        }
        return [
            .value(
                "-t, --type", ValueKind.serviceType.list("TYPE"),
                "\(verb) only services of TYPE, and the devices that offer them; may be repeated, "
                    + "or a list with commas; 'ssh' means _ssh._tcp, a subtype is "
                    + "_printer._sub._http._tcp", .adds
            ) { options, types in
                for type in types.map(\.description) where !options.list.types.contains(type) {
                    options.list.types.append(type)
                    options.protocols.insert(DiscoveryProtocol(ofType: type))
                }
            }.brief("Show only devices that offer TYPE, such as ssh"),
            .value(
                "--kind", ValueKind.deviceKind.list("KIND"),
                "\(verb) only devices of KIND, and their services; may be repeated, or a list with "
                    + "commas, of \(DeviceKind.allCases.map(\.rawValue).joined(separator: ", "))",
                .adds
            ) { options, kinds in
                for kind in kinds where !options.list.kinds.contains(kind) {
                    options.list.kinds.append(kind)
                }
            }.brief("Show only devices of KIND, such as printer,nas"),
            link.isEmpty ? vouched : vouched.conflicting(with: "--no-witness"),
        ] + link
    }

    fileprivate static let discovery: [Option] =
        selection() + [
            .value(
                "-a, --announce",
                .instanceName(whenEmpty: "leave '=' out to use the host name"),
                "Announce this machine while peerlist runs, under NAME or its host name", .refused,
                standard: ""
            ) { $0.announcement = $1 }
            .brief("Announce this machine to others, under NAME"),
            .value(
                "--capture", .file("night.pcapng", forStandardOutput: "name a file"),
                "Also append the packets that are heard to FILE, for Wireshark or 'peerlist replay'; reopen "
                    + "FILE on SIGHUP", .refused
            ) { $0.capture = $1 }
            .conflicting(with: "--no-witness"),
        ]

    fileprivate static let output: [Option] =
        [
            .value(
                "-g, --group-by", .choice("grouping", example: "type"),
                "Show devices with their services (default), or services by type"
            ) { ($0.list.grouping, $0.screen.grouping) = ($1, $1) }
            .brief("Show devices (default), or services by type")
        ] + forms + [
            noLedger(
                "Neither mark devices never seen before nor show labels, and remember no device"),
            timeout("With --once, wait at most SECONDS (default: 5)")
                .requiring("--once", advice: "add '--once'"),
            noHeader, .noProgress,
        ]

    /// The order and the form of the list.
    private static let forms: [Option] = [
        .value(
            "--sort", .choice("order", example: "address"),
            "Sort by name (default), by address, by the time first seen, by the first service type, or "
                + "by kind of device"
        ) { ($0.list.order, $0.screen.sort) = ($1, RowSort($1)) },
        .flag(
            "-p, --plain",
            "Print each change as a line of sentences with the local date and time, for screen "
                + "readers and logs; the default if standard output is not a terminal"
        ) { $0.destination = .sentences }
        .conflicting(with: "--json", advice: "for both, write '--plain --output FILE'")
        .brief("Print changes as sentences, for screen readers"),
        .flag("-j, --json", "Print JSON lines; with --once, the whole list in one line") {
            $0.destination = .lines
        }.brief("Print JSON lines; with --once, the list in one"),
        .flag(
            "-q, --quiet",
            "Leave standard output empty and write notices to standard error, for a service that "
                + "records or runs hooks"
        ) { $0.destination = .nothing }
        .conflicting(with: "--plain").conflicting(with: "--json").conflicting(with: "--once"),
        .flag(
            "-1, --once", "Wait until discovery is quiet, print the list as a table, and exit"
        ) { $0.once = true }
        .brief("Print a table of what is there now, and exit"),
    ]

    /// The options of the output of a fleet.
    static let fleetOutput =
        forms + [
            timeout("With --once, wait at most SECONDS (default: 10)")
                .requiring("--once", advice: "add '--once'"),
            noHeader, .noProgress,
        ]

    static func noLedger(_ help: String) -> Option {
        .flag("--no-ledger", help) { $0.usesLedger = false }
    }

    static func timeout(_ help: String) -> Option {
        .value("--timeout", .seconds, help) { $0.timeout = $1 }
    }

    fileprivate static let noHeader = Option.flag(
        "--no-header", "Print tables without a heading"
    ) { $0.hasHeading = false }

    static let recording: [Option] = [
        .value(
            "-o, --output", .file("peers.jsonl", forStandardOutput: "use '--json'"),
            "Also append the JSON lines to FILE; reopen FILE on SIGHUP", .refused
        ) { $0.output = $1 }
        .brief("Also append the JSON lines to FILE, a recording"),
        .value(
            "--sync", .choice("policy", example: "line"),
            "Sync FILE to disk after each line, every second (default), or never; unsynced lines can "
                + "be lost on power failure"
        ) { $0.sync = $1 }.requiring("--output", advice: "add '--output FILE'"),
    ]
}

extension Options {
    static let hookOptions: [CommandOption<Options>] = [
        .value(
            "--exec", .command(example: "notify-send Hello"),
            "Run COMMAND for each change, without a shell, with the change as a line of JSON on its "
                + "standard input and in PEERLIST_* variables; may be repeated; see docs/hooks.md",
            .adds
        ) { $0.hooks.append(Hook(events: [], arguments: $1.map(\.text))) }
        .conflicting(
            with: "--once",
            advice: "leave '--once' out, as what is there at the start has not arrived"
        )
        .brief("Run COMMAND at each arrival and departure"),
        .value(
            "--on", ValueKind.change.list("EVENTS", example: "arrived,departed"),
            "Run the COMMAND of the '--exec' before it at these changes "
                + "(default: arrived,departed): "
                + "\(Hook.Event.allCases.map(\.rawValue).joined(separator: ", ")); may be repeated, "
                + "or a list with commas", .adds
        ) { options, events in
            if let last = options.hooks.indices.last {
                options.hooks[last].events.formUnion(events)
            } else {
                options.eventsBeforeHooks.formUnion(events)
            }
        }.requiring("--exec", advice: "add '--exec COMMAND'"),
        .value(
            "--for", .seconds,
            "Run the COMMAND of the '--exec' before it only when a device has been gone or silent for "
                + "SECONDS; for one that is back earlier it is not run at all"
        ) { options, time in
            if let last = options.hooks.indices.last {
                options.hooks[last].absence = time
            } else {
                options.absenceBeforeHooks = time
            }
        }.requiring("--exec", advice: "add '--exec COMMAND'"),
    ]
}

extension CommandOption where Values: ProgressOptions {
    static var noProgress: Self {
        .flag(
            "--no-progress",
            "Show no line on the terminal about what was found or read so far and is waited for"
        ) { $0.showsProgress = false }
    }
}

extension CommandOption where Values: LinkOptions {
    /// The options that restrict browsing or announcing, as `verb` says.
    static func link(_ verb: String) -> [Self] {
        [
            .value(
                "-i, --interface", .interface, "\(verb) on this interface only", .refused
            ) { $0.interface = $1 }
            .brief("\(verb) on this interface only"),
            .flag("-4", "\(verb) over IPv4 only") { $0.family = .ipv4 }
                .conflicting(
                    with: "-6", advice: "leave both out to \(verb.lowercased()) over both"),
            .flag("-6", "\(verb) over IPv6 only") { $0.family = .ipv6 },
            .value(
                "--backend", .choice("backend", example: "embedded"),
                "Use avahi-daemon while it runs, otherwise the built-in mDNS stack (auto, the "
                    + "default); or only one of the two"
            ) { $0.backend = $1 },
        ]
    }
}

extension CommandOption {
    /// The options of the live list's appearance.
    static func screen(_ field: any WritableKeyPath<Values, ScreenOptions> & Sendable) -> [Self] {
        [
            .value(
                "--color", .choice("use of colours", example: "never"),
                "Use colours if the terminal has them and NO_COLOR is not set (default), even if "
                    + "NO_COLOR is set, or never"
            ) { $0[keyPath: field].color = $1 },
            .value(
                "--theme", .choice("theme", Theme.names, example: "bright"),
                "Use this theme instead of that of the settings; light is for light backgrounds, bright for "
                    + "dark ones, and mono has no colours"
            ) { $0[keyPath: field].theme = $1 },
            .flag(
                "--ascii",
                "Print only ASCII, with other characters as \\u{e9} or, in the live list, the "
                    + "letters nearest to them"
            ) { $0[keyPath: field].isASCII = true },
            .flag("--no-mouse", "Leave the mouse to the terminal, to select and copy text") {
                $0[keyPath: field].takesMouse = false
            },
        ]
    }
}
