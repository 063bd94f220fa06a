// The options that a command line is parsed into, and the errors of wrong ones.
@testable import PeerHooks
import PeerFleet
import PeerList
import PeerListTestSupport
import PeerRecording
import TerminalList
import Testing

@testable import PeerExport
@testable import PeerListCommand
@testable import PeerScreen
@testable import PeerText

@Suite struct OptionsTests {
    /// Parses the words as options of the list.
    private func options(_ words: String...) throws -> Options { try options(words) }

    private func options(_ words: [String]) throws -> Options {
        guard case .list(let options) = try Invocation(words, interfaces: .two) else {
            Issue.record("\(words) does not ask for the list")
            return Options()
        }
        return options
    }

    @Test func `a page for the wall is of this network, or of a fleet, and of recordings before`()
        throws
    {
        guard case .list(let link) = try Invocation(["report", "--watch", "w.html", "a.jsonl"])
        else {
            Issue.record("no list")
            return
        }
        #expect(link.source == .link && link.usesLedger)
        #expect(link.report.watched == "w.html" && link.report.recordings == ["a.jsonl"])
        let words = ["report", "--watch=w.html", "mqtt://a", "b.jsonl", "mqtts://c"]
        guard case .list(let fleet) = try Invocation(words) else {
            Issue.record("no list")
            return
        }
        #expect(fleet.source == .fleet && fleet.broker.others.count == 1 && !fleet.usesLedger)
        #expect(fleet.report.recordings == ["b.jsonl"])
        for (words, advice) in [
            (["report"], "needs a recording"), (["report", "mqtt://a"], "add '--watch FILE'"),
            (["report", "-t", "ssh", "a.jsonl"], "add '--watch FILE'"),
            (["report", "--watch", "a", "-o", "b"], "cannot be combined"),
            (["report", "--watch", "a", "-", "-"], "only one"),
        ] {
            let error = #expect(throws: UsageError.self) { try Invocation(words) }
            #expect(
                error?.description.contains(advice) == true,
                "\(words): \(String(describing: error))")
        }
    }

    @Test func `an empty command line gives the defaults`() throws {
        let options = try options()
        #expect(options == Options())
        #expect(options.list.grouping == .device)
        #expect(options.list.order == .name)
        #expect(options.timeout == .seconds(5))
        #expect(options.destination == .screen)
        #expect(!options.once)
    }

    @Test func `each option sets its value`() throws {
        #expect(try options("--group-by", "type").list.grouping == .type)
        #expect(try options("--sort", "seen").list.order == .seen)
        #expect(try options("--sort", "kind").list.order == .kind)
        #expect(try options("--sort", "type").list.order == .type)
        #expect(try options("--sort", "type").screen.sort == .type)
        #expect(try options("--kind", "media-player").list.kinds == [.mediaPlayer])
        #expect(
            try options("--vouched", "own,sleep-proxy", "--vouched=own").list.vouched == [
                .own, .sleepProxy,
            ])
        #expect(
            try options("--kind=tv,NAS", "--kind", "tv,printer").list.kinds == [
                .tv, .nas, .printer,
            ])
        #expect(try options("--interface", "eth0").interface == "eth0")
        #expect(try options("-4").family == .ipv4)
        #expect(try options("-6").family == .ipv6)
        #expect(try options("--domain", "example.org.").domain == "example.org")
        #expect(try options("--plain").destination == .sentences)
        #expect(try options("--json").destination == .lines)
        #expect(try options("--output", "a.jsonl").output == "a.jsonl")
        #expect(try options("--once") == Options(destination: .table, once: true))
        #expect(try options("--once", "--timeout", "0.25").timeout == .milliseconds(250))
        #expect(try options("--announce").announcement == "")
        #expect(try options("--announce=Anna's laptop").announcement == "Anna's laptop")
    }

    @Test func `pick takes a query, what is printed, and the filters of the list`() throws {
        #expect(try options("pick").pick == PickOptions())
        #expect(try options("pick", "-t", "ssh", "--kind", "nas").list.types == ["_ssh._tcp"])
        #expect(try options("pick", "-i", "eth0", "--no-ledger").interface == "eth0")
        for part in PickOptions.Part.allCases {
            #expect(try options("pick", "--print", part.rawValue).pick.part == part)
        }
        #expect(
            try options("pick", "--multi", "--one", "--timeout", "2", "büro").pick
                == PickOptions(query: "büro", isMulti: true, isOne: true))
        #expect(try options("pick", "--", "-x").pick.query == "-x")
        #expect(try options("pick").pick.height == .window)
        #expect(try options("pick", "--height", "12").pick.height == .lines(12))
        #expect(try options("pick", "--height=40%").pick.height == .percent(40))
        for height in ["0", "-3", "%", "101%", "half", "99999999999999999999"] {
            #expect(throws: UsageError.self) {
                try Invocation(["pick", "--height=\(height)"], interfaces: .two)
            }
        }
        for words in [
            ["a", "b"], ["--print", "name"], ["--timeout", "2"], ["--once"], ["--json"],
            ["-o", "a"],
        ] {
            #expect(throws: UsageError.self) { try Invocation(["pick"] + words, interfaces: .two) }
        }
    }

    @Test func `devices, label and the list take the options of the ledger`() throws {
        #expect(try options().usesLedger)
        #expect(try !options("--plain", "--no-ledger").usesLedger)
        #expect(try !options("--plain", "--no-witness").usesWitness)
        #expect(try options("pick").usesWitness)
        #expect(try options("--vouching").reportsSenders && options("--vouched=own").reportsSenders)
        #expect(try !options("types").usesLedger)
        func parse(_ words: String...) throws -> Invocation {
            try Invocation(words, interfaces: .two)
        }
        #expect(try parse("devices", "-j") == .devices(DevicesOptions(isJSON: true)))
        #expect(try parse("devices", "--forget", "57") == .devices(DevicesOptions(forgotten: "57")))
        #expect(try parse("label", "57", "") == .label(LabelOptions(device: "57", label: "")))
        let long = String(repeating: "x", count: 256)
        for words in [
            ["devices", "57"], ["devices", "--json", "--forget", "57"], ["label"], ["label", "57"],
            ["label", "57", "a", "b"], ["label", "57", long], ["label", "57", "a\u{1b}"],
        ] {
            #expect(throws: UsageError.self) { try Invocation(words, interfaces: .two) }
        }
    }

    @Test func `the list and fleet take the options of Home Assistant`() throws {
        let url = "mqtt://broker.example"
        for words in [["--publish", url], ["fleet", url]] {
            let standard = try options(words + ["--home-assistant"]).broker
            #expect(standard.homeAssistant == "homeassistant")
            #expect(standard.considerHome == .seconds(180))
            let own = try options(words + ["--home-assistant=ha", "--consider-home", "30"]).broker
            #expect(own.homeAssistant == "ha" && own.considerHome == .seconds(30))
            #expect(throws: UsageError.self) { try options(words + ["--consider-home", "30"]) }
        }
        #expect(throws: UsageError.self) { try options("fleet", url, "--once", "--home-assistant") }
    }

    @Test func `fleet reads several brokers, and some observers`() throws {
        let fleet = try options(
            "fleet", "--site", "office,lab", "--observer", "lab/door", "mqtts://a", "mqtt://b/x")
        #expect(fleet.broker.url?.host == "a")
        #expect(fleet.broker.others.map(\.prefix) == ["x"])
        #expect(fleet.broker.selection.sites == ["office", "lab"])
        #expect(fleet.broker.selection.observers == ["lab/door"])
        for wrong in [
            ["fleet", "mqtt://a", "http://b"], ["fleet", "--observer", "a/b/c", "mqtt://a"],
            ["fleet", "--forget", "x", "mqtt://a", "mqtt://b"],
        ] {
            #expect(throws: UsageError.self) { try Invocation(wrong, interfaces: .two) }
        }
    }

    @Test func `fleet forgets an observer, instead of a list`() throws {
        let words = ["fleet", "--forget", "office/hall", "mqtt://broker.example"]
        guard case .forget(let options) = try Invocation(words, interfaces: .two) else {
            Issue.record("\(words) asks for something else")
            return
        }
        #expect(options.observer == "office/hall")
        #expect(options.broker.url?.host == "broker.example")
        #expect(throws: UsageError.self) { try Invocation(words + ["--json"], interfaces: .two) }
    }

    @Test func `each exec is a hook, split into words, and on applies to the one before`() throws {
        #expect(try options("-q").destination == .nothing)
        #expect(
            try options("--exec", "notify-send 'a b' \"c\" $", "--exec=x").hooks == [
                Hook(arguments: ["notify-send", "a b", "c", "$"]), Hook(arguments: ["x"]),
            ])
        let several = try options(
            "--exec", "a", "--on", "new", "--on", "changed,unanswered", "--exec", "b", "--exec",
            "c", "--on", "departed")
        #expect(
            several.hooks == [
                Hook(events: [.new, .changed, .unanswered], arguments: ["a"]),
                Hook(events: [.arrived, .departed], arguments: ["b"]),
                Hook(events: [.departed], arguments: ["c"]),
            ])
        // Of one hook, the order does not matter.
        #expect(
            try options("--on", "new", "--exec", "a", "--on", "changed").hooks == [
                Hook(events: [.new, .changed], arguments: ["a"])
            ])
        for words in [
            ["--on", "new", "--exec", "a", "--exec", "b"], ["--on", "new"], ["--exec", ""],
            ["--exec", "'' a"], ["--exec", "a | b"], ["--exec", "a 'b"], ["--exec", "a $HOME"],
            ["--exec", "~/a"], ["--exec", "a", "--on", "here"], ["--exec", "a", "--on", ""],
            ["--exec", "a", "--on", "new,"], ["--exec", "a", "--once"], ["-q", "--once"],
            ["-q", "--json"], ["-q", "--plain"],
        ] {
            #expect(throws: UsageError.self, "\(words)") {
                try Invocation(words, interfaces: .two)
            }
        }
    }

    @Test func `the list and replay take the options of the screen`() throws {
        let words = ["--color=never", "--theme", "mono", "--ascii", "--no-mouse"]
        guard case .list(let list) = try Invocation(words, interfaces: .two),
            case .list(let replay) = try Invocation(["replay", "a"] + words, interfaces: .two)
        else {
            Issue.record("\(words) are refused")
            return
        }
        let wanted = ScreenOptions(color: .never, theme: "mono", isASCII: true, takesMouse: false)
        #expect(list.screen == wanted)
        #expect(replay.screen == wanted)
    }

    @Test func `config shows, prints or checks settings, and refuses several`() throws {
        func config(_ words: String...) throws -> Invocation {
            try Invocation(["config"] + words, interfaces: .two)
        }
        #expect(try config() == .config(.show))
        #expect(try config("--print") == .config(.print))
        #expect(try config("--check") == .config(.check(nil)))
        #expect(try config("--check", "a") == .config(.check("a")))
        #expect(try config("-h") == .help(.config))
        #expect(try Invocation(["--man"], interfaces: .two) == .manual)
        for words in [["a"], ["--print", "a"], ["--print", "--check"], ["--check", "a", "b"]] {
            #expect(throws: UsageError.self) {
                try Invocation(["config"] + words, interfaces: .two)
            }
        }
    }

    @Test func `repeated and comma-separated types are combined without duplicates`() throws {
        let types = try options("-t", "ssh, _ipp._tcp", "-tSSH", "--type=_printer._sub._http._tcp.")
            .list.types
        #expect(types == ["_ssh._tcp", "_ipp._tcp", "_printer._sub._http._tcp"])
    }

    @Test(arguments: [
        ["--type=ssh"], ["--type", "ssh"], ["-t", "ssh"], ["-tssh"], ["-t=ssh"],
        ["-t", "ssh", "--"],
    ])
    func `a value follows a space, an equals sign, or a short option`(words: [String])
        throws
    {
        #expect(
            try Invocation(words, interfaces: .two)
                == Invocation(["-t", "_ssh._tcp"], interfaces: .two))
    }

    @Test func `short options can be bundled, the last one with its value`() throws {
        let options = try options("-1jt", "ssh", "-4a")
        #expect(options.once)
        #expect(options.destination == .lines)
        #expect(options.list.types == ["_ssh._tcp"])
        #expect(options.family == .ipv4)
        #expect(options.announcement == "")
        #expect(try self.options("-1jotype").output == "type")
    }

    @Test func `the name to announce follows an equals sign only`() throws {
        #expect(try options("-a=bob").announcement == "bob")
        #expect(try options("-a1").announcement == "")
        #expect(try options("-a1").once)
    }

    @Test(arguments: [
        ("", [DiscoveryProtocol.ssdp, .wsd]), ("--also neighbours", [.ssdp, .wsd, .neighbours]),
        ("--only wsd", [.wsd]), ("--only mdns", []), ("--only mdns --also ssdp", [.ssdp]),
        ("-t upnp:MediaRenderer", [.ssdp]), ("-t ssh", []), ("-t ssh --also wsd", [.wsd]),
        ("-d example.com", []),
    ]) func `other protocols are those of the settings unless types or a domain are named`(
        arguments: String, expected: [DiscoveryProtocol]
    ) throws {
        let options = try options(arguments.split(separator: " ").map(String.init))
        #expect(options.otherProtocols(usual: [.ssdp, .wsd]) == Set(expected))
    }

    @Test func `--only selects the rows of a protocol`() throws {
        #expect(try options("--only", "wsd").list.types == ["wsd:"])
    }

    @Test func `times are seconds, minutes or hours`() throws {
        for (text, time) in [("0.5", 0.5), ("90s", 90), ("6m", 360), ("1.5h", 5_400)] {
            #expect(try options("-1", "--timeout", text).timeout == .seconds(time), "\(text)")
        }
        for text in ["m", "5x", "6mm", "25h", "0m", "-1m"] {
            #expect(throws: UsageError.self) { try options("-1", "--timeout", text) }
        }
    }

    @Test func `a later value overrides an earlier one`() throws {
        #expect(try options("--sort", "seen", "--sort", "name").list.order == .name)
        #expect(try options("-g", "type", "-g", "device").list.grouping == .device)
    }

    @Test func `repeating the same value is not an error`() throws {
        #expect(try options("-i", "eth0", "-i", "eth0").interface == "eth0")
    }

    @Test func `a value can look like an unknown option`() throws {
        #expect(try options("--output", "-x").output == "-x")
        #expect(try options("--output=--json").output == "--json")
    }

    @Test func `the file is synced every second unless another policy is given`() throws {
        #expect(try options("-o", "a").sync == .second)
        #expect(try options("-o", "a", "--sync", "none").sync == .none)
        #expect(try options("-o", "a", "--sync=line").sync == .line)
    }

    @Test func `completions takes the name of a shell`() throws {
        for shell in Shell.allCases {
            #expect(
                try Invocation(["completions", shell.rawValue], interfaces: .two)
                    == .completions(shell))
        }
    }

    @Test func `help and version end parsing when they are met`() throws {
        #expect(try Invocation(["-h"], interfaces: .two) == .help(.list))
        #expect(try Invocation(["--json", "--help", "--bogus"], interfaces: .two) == .help(.list))
        #expect(try Invocation(["diff", "--help", "--bogus"], interfaces: .two) == .help(.diff))
        for words in [["pick", "--help", "all"], ["pick", "-h", "all"], ["help", "pick", "all"]] {
            #expect(try Invocation(words, interfaces: .two) == .help(.pick, isAll: true))
        }
        for words in [["--help", "all"], ["help", "all"], ["-jh", "all"]] {
            #expect(try Invocation(words, interfaces: .two) == .help(.list, isAll: true))
        }
        #expect(try Invocation(["-V"], interfaces: .two) == .version)
        #expect(try Invocation(["--version"], interfaces: .two) == .version)
    }

    @Test(arguments: ["0.000001", "86400", "86400.000000", "00005", "5.", ".5"])
    func `a timeout is more than 0 and at most a day`(text: String) throws {
        let timeout = try options("-1", "--timeout", text).timeout
        #expect(timeout > .zero)
        #expect(timeout <= .seconds(86_400))
    }

    @Test func `a name of 63 bytes can be announced`() throws {
        let name = String(repeating: "é", count: 31) + "x"
        #expect(try options("--announce=\(name)").announcement == name)
    }

    @Test func `replay takes one recording, and options before and after it`() throws {
        #expect(
            try options("replay", "a")
                == Options(source: .recording(RecordingOptions(path: "a"))))
        #expect(
            try options("replay", "--speed=.5", "-", "-jf")
                == Options(
                    source: .recording(RecordingOptions(path: "-", speed: 0.5, follows: true)),
                    destination: .lines))
        let still = RecordingOptions(path: "-b", time: RecordingTime("2026-11-21"), speed: 0)
        #expect(
            try options("replay", "-p", "--at", "2026-11-21", "--speed", "0", "--", "-b")
                == Options(source: .recording(still), destination: .sentences))
        #expect(try Invocation(["help"], interfaces: .two) == .help(.list))
        #expect(try Invocation(["help", "pick"], interfaces: .two) == .help(.pick))
        #expect(try Invocation(["replay", "-h"], interfaces: .two) == .help(.replay))
    }

    @Test func `export takes the options of discovery or a recording, and a format`() throws {
        func export(_ words: String...) throws -> Options {
            guard case .list(let options) = try Invocation(["export"] + words, interfaces: .two)
            else { throw UsageError("no export") }
            return options
        }
        let live = try export("-f", "hosts", "-t", "ssh", "--kind", "nas", "-4", "--timeout", "9")
        #expect(live.once && live.export == ExportOptions(format: .hosts))
        #expect(live.list.types == ["_ssh._tcp"] && live.list.kinds == [.nas])
        #expect(live.family == .ipv4 && live.timeout == .seconds(9))
        let recording = try export("-f", "csv", "--at", "08:30", "--", "-b")
        #expect(recording.recording == RecordingOptions(path: "-b", time: RecordingTime("08:30")))
        #expect(recording.destination == .export(ExportOptions(format: .csv)))
        #expect(
            try export("--format", "ansible", "--host", "nas.local").export.query
                == .host("nas.local"))
        #expect(try export("--format=ansible", "--list").export.query == .list)
        let watching = try export("-f", "prometheus", "-t", "_my._tcp", "--watch", "a.json")
        #expect(!watching.once && watching.export.watched == "a.json")
        // Hosts without such a service have no use for ssh.
        #expect(
            try export("-f", "ssh-config").list.types == ["_ssh._tcp", "_sftp-ssh._tcp"])
    }

    @Test func `diff takes two recordings, and options before, between and after them`() throws {
        let time = RecordingTime("2026-11-21T08:30")
        var expected = DiffOptions(first: "a", second: "-b", time: time, isJSON: true)
        #expect(
            try Invocation(
                ["diff", "-j", "a", "--at=2026-11-21T08:30", "--", "-b"], interfaces: .two)
                == .diff(expected))
        expected = DiffOptions(first: "a", second: "-")
        #expect(try Invocation(["diff", "a", "-"], interfaces: .two) == .diff(expected))
    }
}

@Suite struct AnnounceOptionsTests {
    private func options(_ words: String...) throws -> AnnounceOptions {
        let invocation = try Invocation(["announce"] + words, interfaces: .two)
        guard case .announce(let options) = invocation else {
            throw UsageError("no announcement")
        }
        return options
    }

    @Test func `each option of announce sets a part of the service`() throws {
        let browse = try options(
            "--name", "Attic: Laser", "--type", "ipp", "--port", "631", "--txt", "rp=a=b",
            "--txt", "flag", "--subtype", "printer", "--subtype", "_color", "--subtype",
            "_color._sub._ipp._tcp", "-6"
        ).browseOptions

        #expect(
            browse.announcement
                == Announcement(
                    name: "Attic: Laser", type: "_ipp._tcp", port: 631, txt: ["rp=a=b", "flag"],
                    subtypes: ["_printer", "_color"]))
        #expect(browse.announcesOnly)
        #expect(browse.family == .ipv6)
    }

    @Test func `a name of 63 bytes, an attribute of 255 bytes and port 65535 are accepted`() throws
    {
        let name = String(repeating: "n", count: 63)
        let text = "k=" + String(repeating: "v", count: 253)
        let taken = try options("-n", name, "-t", "_a1._udp", "--port", "65535", "--txt", text)
        #expect(taken.name == name)
        #expect(taken.txt == [text])
        #expect(taken.port == 65_535)
    }

    @Test func `a TXT key ends at the first equals sign, also before a combining character`() throws
    {
        let text = "key=\u{301}value"
        #expect(
            try options("-n", "a", "-t", "http", "--port", "1", "--txt", text).txt == [text])
    }
}

@Suite struct UsageErrorTests {
    /// Returns the error of a command line.
    private func message(_ words: [String]) -> String? {
        do {
            _ = try Invocation(words, interfaces: .two)
            return nil
        } catch {
            return error.description
        }
    }

    /// Each case is a command line and what is printed, in `Screens/errors.txt`.
    @Test func `each wrong command line has an error that says what to do`() throws {
        let errors = wrongLines.map { words in
            let shown = words.map { $0.isEmpty || $0.contains(" ") ? "'\($0)'" : $0 }
            return
                "$ peerlist \(shown.joined(separator: " "))\npeerlist: \(message(words) ?? "fine")\n"
        }
        try expectCommitted(errors.joined(separator: "\n"), "errors.txt")
    }

    @Test func `errors contain no control characters`() {
        for hostile in ["\u{1b}[2J", "a\nb", "\u{9b}31m", "\u{202e}txt", "\u{2028}", "\u{7f}"] {
            for words in [
                [hostile], ["-t", hostile], ["-t", "a.\(hostile)"], ["-i", hostile],
                ["--\(hostile)"], ["-d", hostile],
                ["--sort", hostile], ["announce", "-n", hostile],
                announcing("--txt", hostile + "="), announcing("--subtype", hostile),
                ["-1", "--timeout", hostile], ["-\(hostile)"],
            ] {
                let text = message(words)
                #expect(text != nil, "\(words)")
                #expect(
                    text?.unicodeScalars.contains {
                        $0.properties.generalCategory == .control
                            || $0.properties.generalCategory == .format || $0.value == 0x2028
                    } == false, "\(words)")
            }
        }
    }

    @Test func `an error cuts a long value`() {
        let text = message(["--sort", String(repeating: "x", count: 100_000)])
        #expect((text?.count ?? .max) < 300)
    }
}

private let wrongLines: [[String]] = [
    ["-t", "bogus"], ["-t", "htp"], ["-t", ""], ["-t", "ssh,"], ["-t", "_ssh"], ["-t", "ssh._tcp"],
    ["-t", "ssh.tcp"],
    ["-t", "_ssh._tcp.local"], ["-t", "_a._tcp"], ["-t", "_._tcp"],
    ["-t", "_sixteen-letters-._tcp"], ["-t", "_-a._tcp"], ["-t", "_a b._tcp"],
    ["-t", "_42._udp"], ["-t", "_ssh._sctp"], ["-t", "_x._y._ssh._tcp"], ["-t"], ["-t", "-j"],
    ["--jsn"], ["--bogus"], ["-x"], ["--json=yes"], ["-j=1"], ["ssh"], ["help", "pcik"],
    ["help", "x"], ["hlep"], ["--signs", "letters"], ["help", "pick", "x"], ["-a", "bob"],
    ["--kind", "pritner"],
    ["fleet", "http://x"], ["fleet", "http://me:secret@x"], ["--", "x"], ["-"],
    ["--group-by", "devices"], ["--sort", "age"], ["--kind", "tvs"], ["--kind", "tv,"], ["--kind"],
    ["-i", "eth9"], ["-i", "eth0", "-i", "lo"],
    ["-4", "-6"],
    ["-d", "a..b"], ["-d", "."], ["-p", "-j"], ["-o", ""], ["-o", "-"], ["-o", "a", "-o", "b"],
    ["--rotate", "daily"], ["--keep=3"], ["--sync", "line"],
    ["-o", "a", "--sync", "lines"], ["-o", "a", "--sync", "always"], ["-qj"], ["-q1"],
    ["--no-witness", "--vouched", "own"],
    ["--timeout", "5"], ["--no-header"], ["-1j", "--no-header"], ["types", "-j", "--no-header"],
    ["-1", "--timeout", "0"], ["-1", "--timeout", "-5"], ["-1", "--timeout", "5x"],
    ["-1", "--timeout", "86401"], ["-1", "--timeout", "1e3"],
    ["-1", "--timeout"], ["--announce="], ["--announce=\(String(repeating: "é", count: 32))"],
    ["dif", "a", "b"], ["-j", "diff", "a", "b"], ["diff"], ["diff", "a"], ["diff", "a", "b", "c"],
    ["diff", "-", "-"],
    ["diff", "--bogus", "a", "b"], ["diff", "--plain", "a", "b"],
    ["diff", "--at", "noon", "a", "b"], ["diff", "--at", "2026-11-21T8:30", "a", "b"],
    ["diff", "a", "b", "--at"],
    ["reply", "a"], ["-j", "replay", "a"], ["replay"], ["replay", "a", "b"], ["replay", "-x", "a"],
    ["replay", "--speed", "fast", "a"], ["replay", "--speed", "-1", "a"],
    ["replay", "--speed", "1.2.3", "a"], ["replay", "--speed", "1e9", "a"],
    ["replay", "--speed", "1000001", "a"], ["replay", "--speed", "0.0000000000001", "a"],
    ["replay", "--speed"], ["replay", "-p", "-j", "a"],
    ["replay", "-f", "--at", "2026-11-21", "a"], ["replay", "--at", "noon", "a"],
    ["announce"], ["announce", "-n", "Web", "-t", "http"], ["announce", "--port", "80"],
    announcing("--name", ""), announcing("-n", "Other"),
    announcing("-n", String(repeating: "é", count: 32)), announcing("-t", "bogus"),
    announcing("-t", "_printer._sub._http._tcp"), announcing("--port", "0"),
    announcing("--port", "65536"), announcing("--port", "+80"), announcing("--txt", "=1"),
    announcing("--txt", "é=1"), announcing("--txt", "a=" + String(repeating: "x", count: 254)),
    announcing("--txt", "a=1", "--txt", "A"), announcing("--subtype", "a.b"),
    announcing("--subtype", ""), announcing("--subtype", "_x._sub._ipp._tcp"),
    announcing("-4", "-6"), announcing("-i", "eth9"), announcing("--once"), announcing("Web"),
    announcing(
        (0..<40).flatMap { ["--txt", "k\($0)=" + String(repeating: "x", count: 250)] }),
    announcing((0..<32).flatMap { ["--subtype", "kind\($0)"] }),
    ["types", "--once"], ["types", "ssh"], ["types", "-4", "-6"], ["types", "--timeout", "0"],
    ["-j", "types"], ["doctor", "h2"], ["doctor", "--timeout", "0"], ["doctor", "--config", ""],
    ["doctor", "--config"], ["docter"], ["doctor", "--bogus"],
    ["export"], ["export", "-f", "yaml"], ["export", "-f", "prometheus"], ["exprot"],
    ["export", "-f", "csv", "--list"], ["export", "-f", "csv", "--host", "a"],
    ["export", "-f", "ansible", "--list", "--host", "a"],
    ["export", "-f", "ansible", "--list", "--watch", "a"], ["export", "-f", "csv", "--watch", "-"],
    ["export", "-f", "csv", "--at", "08:30"], ["export", "-f", "csv", "--at", "noon", "a"],
    ["export", "-f", "csv", "a", "b"], ["export", "-f", "csv", "-i", "eth0", "a"],
    ["export", "-f", "csv", "--watch", "b", "a"], ["export", "-f", "csv", "--timeout", "9", "a"],
    ["config", "a"], ["config", "--print", "a"], ["config", "--print", "--check"],
    ["completions"], ["completions", "csh"], ["completions", "bahs"],
    ["completions", "bash", "zsh"],
]

/// Returns a complete announcement, followed by the words.
private func announcing(_ words: String...) -> [String] { announcing(words) }

private func announcing(_ words: [String]) -> [String] {
    let isNamed = words.contains("-n") || words.contains("--name")
    let right = (isNamed && words != ["-n", "Other"] ? [] : ["-n", "Web"])
    let typed = words.contains("-t") ? [] : ["-t", "http"]
    return ["announce"] + right + typed + (words.contains("--port") ? [] : ["--port", "80"]) + words
}
