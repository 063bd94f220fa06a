// The command `peerlist expect`: its options, their checks and its help.
import PeerExpect
import PeerText

extension Command {
    static let expect = Command(
        .expect, "compare what is there with what should be",
        about: """
            Compare the devices on this network with those that FILE expects, for monitoring
            and for continuous integration. SOURCE is a recording, of which it tells when
            each expectation was broken, or the URL of a broker, of which the observers of
            a fleet are read, as in 'peerlist fleet'.

            FILE has a section for each device or set of devices: [device NAME] with what
            identifies it, [devices NAME] with a count, and [network]. docs/expect.md
            describes it; '--write' makes one of what is there.
            """,
        notes: """
            Examples:
              peerlist expect --write home.expect
              peerlist expect home.expect
              peerlist expect home.expect monday.jsonl
              peerlist expect --format nagios home.expect
              peerlist expect --format junit home.expect > expect.xml
              peerlist expect home.expect mqtt://broker.example
              peerlist expect --watch --json --exec ./alert home.expect

            Exit status:
              0    everything is as expected; with --watch, a signal such as Ctrl-C ended it
              1    something is missing or unexpected
              2    wrong usage, or errors in FILE
              3    failure, or it is not known whether everything is as expected
              130  interrupted
            With '--format nagios' it is 0, 2 for what is missing or unexpected, and else 3.
            """,
        operands: [
            .init(name: "FILE", example: "home.expect", candidates: .files),
            .init(name: "[SOURCE]...", example: "peers.jsonl", candidates: .recordings),
        ],
        missing:
            "a file of expectations; write 'peerlist expect FILE', or 'peerlist expect --write FILE' to "
            + "make one",
        defaults: Options(destination: .expect(ExpectOptions()), once: true),
        options: [
            .discovery: Options.link.map { $0.conflicting(with: "SOURCE") },
            .output: Options.expectOutput, .hooks: Options.expectHooks,
            .broker: (CommandOption.login(\.broker) + [Options.trust]).map {
                $0.requiring("SOURCE", advice: "name the URL of a broker at the end")
            },
        ],
        finish: finishExpect)

    private static func finishExpect(
        _ options: inout Options, _ operands: [String]
    ) throws(UsageError) -> Invocation {
        options.expect.path = operands[0]
        try readSources(&options, operands.dropFirst())
        let expect = options.expect
        if expect.watches, !expect.recordings.isEmpty {
            throw UsageError("'--watch' follows a network or a fleet; leave the recordings out")
        }
        guard expect.eventsBeforeHooks.isEmpty || expect.hooks.count == 1 else {
            throw UsageError(
                "of several '--exec', each '--on' applies to the one before it; write "
                    + "'--exec COMMAND --on EVENTS'")
        }
        for index in expect.hooks.indices {
            options.expect.hooks[index].events.formUnion(expect.eventsBeforeHooks)
            if options.expect.hooks[index].events.isEmpty {
                options.expect.hooks[index].events = Set(FaultEvent.Kind.allCases)
            }
        }
        options.expect.eventsBeforeHooks = []
        return .expect(options)
    }

    /// Reads the sources: recordings, or the URLs of brokers.
    private static func readSources(
        _ options: inout Options, _ operands: ArraySlice<String>
    ) throws(UsageError) {
        let urls = operands.filter { $0.hasPrefix("mqtt://") || $0.hasPrefix("mqtts://") }
        guard urls.isEmpty || urls.count == operands.count else {
            throw UsageError("recordings and brokers cannot be combined; name the one or the other")
        }
        if urls.isEmpty {
            guard operands.count(where: { $0 == "-" }) <= 1 else {
                throw UsageError("only one of the recordings can be standard input; name a file")
            }
            options.expect.recordings = Array(operands)
            return
        }
        try options.readBrokers(urls, of: "SOURCE")
    }
}

extension Options {
    fileprivate static let expectOutput: [Option] = [
        .value(
            "-f, --format", .choice("format", example: "junit"),
            "Write the result as the text of a monitoring plug-in (default; nagios: with its exit status), "
                + "as one line of JSON, as a JUnit report, or as metrics for the textfile collector of "
                + "Prometheus"
        ) { $0.expect.format = $1 }.conflicting(with: "--json").conflicting(with: "--write"),
        .flag("-j, --json", "The same as '--format json'; with --watch, write JSON lines") {
            $0.expect.format = .json
        },
        .flag(
            "--watch",
            "Stay, and write each fault when it has lasted for the time that FILE states, and its end"
        ) {
            $0.expect.watches = true
            $0.once = false
        }
        .conflicting(with: "--format", advice: "write '--json' for JSON lines")
        .conflicting(with: "--write"),
        .flag(
            "--write",
            "Make FILE instead, from what is there now; '-' is standard output"
        ) { $0.expect.writes = true },
        .flag(
            "--ledger", "With --write, make it of all devices that this user's lists have ever seen"
        ) { $0.expect.readsLedger = true }
        .requiring("--write", advice: "add '--write'").conflicting(with: "SOURCE"),
        Options.timeout("Wait at most SECONDS for discovery to be quiet (default: 5)")
            .conflicting(with: "--watch"),
        Options.noLedger("Know no labels, and remember no device"), .noProgress,
    ]

    fileprivate static let expectHooks: [Option] = [
        .value(
            "--exec", .command(example: "notify-send Hello"),
            "Run COMMAND for each fault and each end of one, without a shell, with a line of JSON on its "
                + "standard input and in PEERLIST_* variables; may be repeated; see docs/expect.md",
            .adds
        ) { $0.expect.hooks.append(FaultHook(arguments: $1.map(\.text))) }
        .requiring("--watch", advice: "add '--watch'"),
        .value(
            "--on", ValueKind<FaultEvent.Kind>.choice("event", example: "missing").list("EVENTS"),
            "Run the COMMAND of the '--exec' before it for these events (default: all): "
                + "\(FaultEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")); may be repeated, "
                + "or a list with commas", .adds
        ) { options, events in
            if let last = options.expect.hooks.indices.last {
                options.expect.hooks[last].events.formUnion(events)
            } else {
                options.expect.eventsBeforeHooks.formUnion(events)
            }
        }.requiring("--exec", advice: "add '--exec COMMAND'"),
    ]
}
