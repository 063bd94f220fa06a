// The options that a command line is parsed into.
import PeerList
import PeerRecording
import Testing

@testable import PeerListCommand

@Suite struct OptionsTests {
    /// Parses the words as options of the list.
    private func options(_ words: String...) throws -> Options {
        guard case .list(let options) = try Invocation(words, interfaces: .two) else {
            Issue.record("\(words) does not ask for the list")
            return Options()
        }
        return options
    }

    @Test func `an empty command line gives the defaults`() throws {
        let options = try options()
        #expect(options == Options())
        #expect(options.grouping == .device)
        #expect(options.sort == .name)
        #expect(options.timeout == .seconds(5))
        #expect(options.form == .automatic)
        #expect(!options.once)
    }

    @Test func `each option sets its value`() throws {
        #expect(try options("--group-by", "type").grouping == .type)
        #expect(try options("--sort", "seen").sort == .seen)
        #expect(try options("--interface", "eth0").interface == "eth0")
        #expect(try options("-4").family == .ipv4)
        #expect(try options("-6").family == .ipv6)
        #expect(try options("--domain", "example.org.").domain == "example.org")
        #expect(try options("--plain").form == .plain)
        #expect(try options("--json").form == .json)
        #expect(try options("--output", "a.jsonl").output == "a.jsonl")
        #expect(try options("--once").once)
        #expect(try options("--once", "--timeout", "0.25").timeout == .milliseconds(250))
        #expect(try options("--announce").announcement == .hostName)
        #expect(try options("--announce=Anna's laptop").announcement == .name("Anna's laptop"))
    }

    @Test func `the list and replay take the options of the screen`() throws {
        let words = ["--color=never", "--theme", "mono", "--ascii", "--no-mouse"]
        guard case .list(let list) = try Invocation(words, interfaces: .two),
            case .replay(let replay) = try Invocation(["replay", "a"] + words, interfaces: .two)
        else {
            Issue.record("\(words) are refused")
            return
        }
        let wanted = ScreenOptions(color: .never, theme: "mono", isASCII: true, takesMouse: false)
        #expect(list.screen == wanted)
        #expect(replay.screen == wanted)
    }

    @Test func `config prints or checks settings, and refuses both or neither`() throws {
        func config(_ words: String...) throws -> Invocation {
            try Invocation(["config"] + words, interfaces: .two)
        }
        #expect(try config("--print") == .config(.print))
        #expect(try config("--check") == .config(.check(nil)))
        #expect(try config("--check", "a") == .config(.check("a")))
        #expect(try config("-h") == .help(.config))
        #expect(try Invocation(["--man"], interfaces: .two) == .manual)
        for words in [
            [], ["a"], ["--print", "a"], ["--print", "--check"], ["--check", "a", "b"],
        ] {
            #expect(throws: UsageError.self) {
                try Invocation(["config"] + words, interfaces: .two)
            }
        }
    }

    @Test func `repeated and comma-separated types are combined without duplicates`() throws {
        let types = try options("-t", "ssh, _ipp._tcp", "-tSSH", "--type=_printer._sub._http._tcp.")
            .types
        #expect(types.map(\.description) == ["_ssh._tcp", "_ipp._tcp", "_printer._sub._http._tcp"])
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
        #expect(options.form == .json)
        #expect(options.types.map(\.name) == ["_ssh._tcp"])
        #expect(options.family == .ipv4)
        #expect(options.announcement == .hostName)
        #expect(try self.options("-1jotype").output == "type")
    }

    @Test func `the name to announce follows an equals sign only`() throws {
        #expect(try options("-a=bob").announcement == .name("bob"))
        #expect(try options("-a1").announcement == .hostName)
        #expect(try options("-a1").once)
    }

    @Test func `a later value overrides an earlier one`() throws {
        #expect(try options("--sort", "seen", "--sort", "name").sort == .name)
        #expect(try options("-g", "type", "-g", "device").grouping == .device)
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
        #expect(try options("--announce=\(name)").announcement == .name(name))
    }

    @Test func `replay takes one recording, and options before and after it`() throws {
        #expect(
            try Invocation(["replay", "a"], interfaces: .two) == .replay(ReplayOptions(path: "a")))
        let followed = ReplayOptions(path: "-", form: .json, speed: 0.5, follows: true)
        #expect(
            try Invocation(["replay", "--speed=.5", "-", "-jf"], interfaces: .two)
                == .replay(followed))
        let still = ReplayOptions(
            path: "-b", form: .plain, speed: 0, time: RecordingTime("2026-11-21"))
        #expect(
            try Invocation(
                ["replay", "-p", "--at", "2026-11-21", "--speed", "0", "--", "-b"],
                interfaces: .two)
                == .replay(still))
        #expect(try Invocation(["replay", "-h"], interfaces: .two) == .help(.replay))
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
