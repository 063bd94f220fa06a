// The commands `peerlist replay`, `peerlist diff` and `peerlist report`: their options and help.
import PeerText

extension Command {
    static let replay = Command(
        .replay, "play a recording",
        about: """
            Play a recording, written by '--output' or '--json', or a capture of packets
            (pcap, pcapng), plain or compressed by gzip, in the list; '-' is standard input.
            Times are local.
            """,
        notes: """
            Keys in the list:
              Space             pause, resume
              Left, Right       one step back, forward
              [, ]              5 % back, forward
              Home, End         to the start, to the end
              +, -              twice, half as fast
              ?                 all keys

            Examples:
              peerlist replay --speed 60 monday.jsonl       an hour in a minute
              peerlist replay --at 08:30 today.jsonl | head
              peerlist replay --follow /var/log/peers.jsonl
              ssh h2 cat monday.jsonl.gz | peerlist replay -
              tcpdump -U -w - host 224.0.0.251 or host ff02::fb | peerlist replay --plain -

            Exit status:
              0    done
              1    with --at, outside of the list: the list was empty then
              2    wrong usage
              3    failure, such as a recording that cannot be read, or parts of it; a last
                   line that is cut off is reported, and no failure
              130  interrupted; in the list q and Ctrl-C are the ordinary end, 0
            """,
        operands: [.init(name: "FILE", example: "peers.jsonl", candidates: .recordings)],
        missing: "a recording; write 'peerlist replay FILE', or '-' for FILE",
        defaults: Options(source: .recording(RecordingOptions())),
        options: [
            .output: [
                .value(
                    "--speed", .speed,
                    "Play N times as fast as recorded; 0 plays at once (default: 1 in the list, 0 elsewhere "
                        + "and with '--follow')"
                ) { $0.recording.speed = $1 },
                .value(
                    "--at", .recordingTime,
                    "Show the list as it was at TIME, such as 08:30 on the day on which the recording begins, "
                        + "2026-11-21T08:30, or 2026-11-21T08:30:00Z; local time unless it ends in Z or an "
                        + "offset; in the list, pause there"
                ) { $0.recording.time = $1 }.conflicting(with: "--follow"),
                .flag(
                    "-f, --follow",
                    "At the end of FILE, wait for new lines, also after FILE is rotated"
                ) { $0.recording.follows = true },
            ] + Options.played("Print the recorded lines themselves, byte for byte")
                + [.noProgress],
            .screen: CommandOption.screen(\.screen),
        ]
    ) { options, operands in
        options.recording.path = operands[0]
        return .list(options)
    }

    static let demo = Command(
        .demo, "show what this is, without a network",
        about: """
            Play half a minute of a home with ten devices, which the program brings along.
            Neither a network nor avahi-daemon nor any right is needed, and nothing is
            written. One device is only known by way of the router, and one has an address
            that no other machine reaches; then one arrives, one gets another name, and one
            leaves. All keys of the list and of a recording work.
            """,
        notes: """
            Examples:
              peerlist demo
              peerlist demo --plain      what happens, as sentences
              peerlist demo -1           the devices at the end, as a table

            Exit status:
              0    done
              2    wrong usage
              3    failure, such as no memory
              130  interrupted; in the list q and Ctrl-C are the ordinary end, 0
            """,
        defaults: Options(source: .recording(RecordingOptions())),
        options: [
            .output: Options.played("Print JSON lines; with --once, the list in one")
                + [
                    .flag("-1, --once", "Print the list as it is at the end, and exit") {
                        $0.once = true
                    }
                ],
            .screen: CommandOption.screen(\.screen),
        ]
    ) { options, _ in
        if options.once, options.destination == .screen { options.destination = .table }
        options.screen.isDemo = true
        return .demo(options)
    }

    static let diff = Command(
        .diff, "compare two recordings",
        about: """
            Compare two recordings, written by '--output' or '--json', or captures of
            packets (pcap, pcapng), plain or compressed by gzip; '-' is standard input.
            Recordings of two machines show what one of them sees and the other does not.
            Times, and what depends on the observer, are not compared.
            """,
        notes: """
            Examples:
              peerlist -1j > mine.jsonl; ssh h2 peerlist -1j > theirs.jsonl
              peerlist diff mine.jsonl theirs.jsonl
              peerlist diff --at 2026-11-21T08:30 monday.jsonl.gz today.jsonl

            Exit status:
              0    the lists are the same
              1    they differ
              2    wrong usage, or recordings that cannot be compared; damage after which
                   the list is known is reported, and no failure
            """,
        operands: [
            .init(name: "FIRST", example: "mine.jsonl", candidates: .recordings),
            .init(name: "SECOND", example: "theirs.jsonl", candidates: .recordings),
        ],
        missing: "two recordings; write 'peerlist diff FIRST SECOND'",
        defaults: DiffOptions(),
        options: [
            .output: [
                .value(
                    "--at", .recordingTime,
                    "Compare the lists as they were at TIME, such as 08:30 on the day on which each recording "
                        + "begins, 2026-11-21T08:30, or 2026-11-21T08:30:00Z; local time unless it ends in Z "
                        + "or an offset (default: the ends of the recordings)"
                ) { $0.time = $1 },
                .flag(
                    "-j, --json",
                    "Print the differences as one JSON line, a 'diff' as '--json' writes it"
                ) { $0.isJSON = true }, .noProgress,
            ]
        ]
    ) { options, operands throws(UsageError) in
        guard operands != ["-", "-"] else {
            throw UsageError("only one of the recordings can be standard input; name a file")
        }
        (options.first, options.second) = (operands[0], operands[1])
        return .diff(options)
    }

    static let report = Command(
        .report, "make a page about recordings, or the list",
        usage: [
            "peerlist report [OPTION]... RECORDING...",
            "peerlist report --watch FILE [OPTION]... [RECORDING]... [URL]...",
        ],
        about: """
            Write an HTML page about recordings: who was there when, arrivals and departures
            per hour, newcomers, devices that stopped answering, and services by kind of
            device. The page is one file that loads nothing from anywhere.

            Recordings, written by '--output' or '--json', and captures of packets (pcap,
            pcapng), plain or compressed by gzip, are merged by time, those of several
            machines too; '-' is standard input. Times in the page are in the local time of
            this machine.

            With --watch, the page shows who is here now, on this network or, with the URL
            of a broker, in its fleet, and below who was there in the last 7 days, which
            recordings tell of the time before. It is rewritten as a whole, and loads itself
            again, for a screen on the wall; any web server can serve it.
            """,
        notes: """
            Examples:
              peerlist report -o report.html peers.jsonl
              peerlist report -o report.html peers.jsonl*   with the rotated files
              ssh h2 cat peers.jsonl | peerlist report - > h2.html
              peerlist report --watch wall.html peers.jsonl
              peerlist report --watch wall.html mqtt://broker.example
              peerlist report --watch wall.html --expect home.expect

            Exit status:
              0    done; parts of recordings that cannot be read are reported and left out;
                   with --watch, a signal such as Ctrl-C ended it
              2    wrong usage
              3    failure, such as recordings that cannot be opened or hold no list
            """,
        operands: [
            .init(name: "[RECORDING]...", example: "peers.jsonl", candidates: .recordings)
        ],
        defaults: Options(destination: .report(ReportOptions())),
        options: [
            .discovery: Options.selection().map(watching),
            .output: [
                .value(
                    "-o, --output",
                    .file(
                        "report.html",
                        whenEmpty: "write one such as 'report.html', or '-' for standard output"),
                    "Write the page to FILE, which is replaced if it is an earlier page; '-' is "
                        + "standard output (default: standard output, unless it is a terminal)",
                    .refused
                ) { $0.report.output = $1 }.conflicting(with: "--watch"),
                .value(
                    "--watch", .file("wall.html", forStandardOutput: "name a file"),
                    "Keep FILE up to date until interrupted: replace it as a whole after changes, at most "
                        + "every 10 seconds, and each minute", .refused
                ) { $0.report.watched = $1 },
                watching(
                    .value(
                        "--expect", .file("home.expect"),
                        "Show first what is not as FILE expects; see docs/expect.md", .refused
                    ) { $0.report.expected = $1 }),
                watching(
                    Options.noLedger("Show no labels and no newcomers, and remember no device")),
                .noProgress,
            ],
            .broker: (CommandOption.login(\.broker) + [Options.trust]).map(watching),
        ]
    ) { options, operands throws(UsageError) in
        let urls = operands.filter { $0.hasPrefix("mqtt://") || $0.hasPrefix("mqtts://") }
        options.report.recordings = operands.filter { !urls.contains($0) }
        options.report.showsProgress = options.showsProgress
        guard options.report.recordings.count(where: { $0 == "-" }) <= 1 else {
            throw UsageError("only one of the recordings can be standard input; name a file")
        }
        guard options.report.watched != nil else {
            if let url = urls.first {
                throw UsageError(
                    "\(quoted(url)) is a broker, whose fleet '--watch' shows; add '--watch FILE'")
            }
            guard !operands.isEmpty else {
                throw UsageError(
                    "'peerlist report' needs a recording; write for instance "
                        + "'peerlist report -o report.html peers.jsonl'")
            }
            return .report(options.report)
        }
        try options.readBrokers(urls, of: "URL")
        return .list(options)
    }

    private static func watching(_ option: CommandOption<Options>) -> CommandOption<Options> {
        option.requiring("--watch", advice: "add '--watch FILE'")
    }
}

extension Options {
    /// The forms in which a recording is printed.
    fileprivate static func played(_ linesHelp: String) -> [Option] {
        [
            .flag(
                "-p, --plain",
                "Print each change as a line of sentences; the default if standard output is not a "
                    + "terminal"
            ) { $0.destination = .sentences }.conflicting(with: "--json"),
            .flag("-j, --json", linesHelp) { $0.destination = .lines },
        ]
    }
}
