// The commands `peerlist replay`, `peerlist diff` and `peerlist report`: their options and help.
import PeerList
import PeerRecording
import PeerReport
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
              tcpdump -U -w - udp port 5353 | peerlist replay --plain -

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
                .flag(
                    "-p, --plain",
                    "Print each change as a line of sentences; the default if standard output is not a "
                        + "terminal"
                ) { $0.destination = .sentences }.conflicting(with: "--json"),
                .flag("-j, --json", "Print the recorded lines themselves, byte for byte") {
                    $0.destination = .lines
                }, .noProgress,
            ],
            .screen: CommandOption.screen(\.screen),
        ]
    ) { options, operands in
        options.recording.path = operands[0]
        return .list(options)
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
        .report, "make a page about recordings",
        about: """
            Write an HTML page about recordings: who was there when, arrivals and departures
            per hour, newcomers, devices that stopped answering, and services by kind of
            device. The page is one file that loads nothing from anywhere.

            Recordings, written by '--output' or '--json', and captures of packets (pcap,
            pcapng), plain or compressed by gzip, are merged by time, those of several
            machines too; '-' is standard input. Times in the page are in the local time of
            this machine.
            """,
        notes: """
            Examples:
              peerlist report -o report.html peers.jsonl
              peerlist report -o report.html peers.jsonl*   with the rotated files
              ssh h2 cat peers.jsonl | peerlist report - > h2.html

            Exit status:
              0    done; parts of recordings that cannot be read are reported and left out
              2    wrong usage
              3    failure, such as recordings that cannot be opened or hold no list
            """,
        operands: [.init(name: "RECORDING...", example: "peers.jsonl", candidates: .recordings)],
        missing: "a recording; write for instance 'peerlist report -o report.html peers.jsonl'",
        defaults: ReportOptions(),
        options: [
            .output: [
                .value(
                    "-o, --output",
                    .file(
                        "report.html",
                        whenEmpty: "write one such as 'report.html', or '-' for standard output"),
                    "Write the page to FILE, which is replaced if it is an earlier page; '-' is "
                        + "standard output (default: standard output, unless it is a terminal)",
                    .refused
                ) { $0.output = $1 }, .noProgress,
            ]
        ]
    ) { options, operands throws(UsageError) in
        guard operands.count(where: { $0 == "-" }) <= 1 else {
            throw UsageError("only one of the recordings can be standard input; name a file")
        }
        options.recordings = operands
        return .report(options)
    }
}
