// The file of settings: its path, parsing, errors, and combination with options.
@testable import PeerHooks
import Glibc
import LabSupport
import PeerModel
import PeerListTestSupport
import PeerRecording
import TerminalList
import Testing
import TestSupport

@testable import PeerListCommand
@testable import PeerScreen
@testable import PeerText

@Suite struct ConfigTests {
    /// Returns the settings of a text without errors.
    private func config(_ text: String) throws -> Config {
        let (config, errors) = ConfigParser.parse(Array(text.utf8), path: "config")
        try #require(errors.isEmpty, "\(errors.map(\.description))")
        return config
    }

    /// Returns the errors of a text, a line each.
    private func messages(_ text: String) -> String {
        let errors = ConfigParser.parse(Array(text.utf8), path: "config").errors
        return errors.isEmpty ? "fine" : errors.map(\.description).joined(separator: "\n")
    }

    @Test func `an empty file and one of comments set nothing`() throws {
        #expect(try config("") == Config())
        #expect(try config("# nothing\n\n   # here\n[keys]\n") == Config())
    }

    @Test func `a file sets keys, colours and the theme`() throws {
        let config = try config(
            """
            [keys]
            search = /, Ctrl-F   # two of them
            quit=F10
            verify =
            expand-all = +, =
            copy = Comma, Hash, Space
            [colors]
            good = bright-green bold underline
            muted = none  dim
            accent = 39
            [list]
            theme = mono
            """)
        #expect(config.screen.keymap["search"] == [.character("/"), .control("f")])
        #expect(config.screen.keymap["quit"] == [.function(10)])
        #expect(config.screen.keymap["verify"] == [])
        #expect(config.screen.keymap["expand-all"] == [.character("+"), .character("=")])
        #expect(
            config.screen.keymap["copy"] == [.character(","), .character("#"), .character(" ")])
        #expect(config.colors[.good] == Theme.Look(.palette(10), [.bold, .underline]))
        #expect(config.colors[.muted] == Theme.Look(.none, .dim))
        #expect(config.colors[.accent] == Theme.Look(.palette(39)))
        #expect(config.theme == "mono")
    }

    @Test func `a file sets order, grouping, columns and details`() throws {
        let config = try config(
            """
            [list]
            sort = seen  reversed
            group-by = type
            columns = kind, last-hour
            details = beside
            departed-seconds = 0
            also = ssdp, neighbours
            """)
        #expect(config.screen.protocols == [.ssdp, .neighbours])
        #expect(config.screen.sort == .arrival)
        #expect(config.screen.isDescending)
        #expect(config.screen.grouping == .type)
        #expect(config.screen.columns == ["kind", "last-hour"])
        #expect(config.screen.showsDetails)
        #expect(config.screen.departure == .zero)
        #expect(try self.config("[list]\ncolumns =\n").screen.columns == [])
        for sort in RowSort.allCases {
            #expect(try self.config("[list]\nsort = \(sort.setting)\n").screen.sort == sort)
        }
    }

    @Test func `a file sets actions, each from its title on`() throws {
        let config = try config(
            """
            [actions]
            title = Ping   # often
            command = ping -c 3 {address}   # three times
            key = F6, Ctrl-P
            title = Watch
            types = rtsp, _http._tcp
            kinds = camera, media-player
            wait = no
            unchecked = yes
            command = mpv '# {name}' --x="{host}"
            [list]
            [actions]
            title = Ping
            command = ping6 {address}
            """)
        func template(_ text: String) throws -> CommandTemplate {
            try CommandTemplate(CommandWord.split(text[...]))
        }
        #expect(
            config.screen.actions == [
                CustomAction(
                    title: "Ping", keys: [.function(6), .control("p")],
                    command: try template("ping -c 3 {address}")),
                CustomAction(
                    title: "Watch", types: ["_rtsp._tcp", "_http._tcp"],
                    kinds: [.camera, .mediaPlayer],
                    command: try template("mpv '# {name}' '--x={host}'"), isUnchecked: true,
                    waits: false),
                CustomAction(title: "Ping", command: try template("ping6 {address}")),
            ])
    }

    @Test(arguments: [
        ("command = tee {name}\nunchecked = yes", nil),
        ("unchecked = yes\ncommand = tee {name}", nil),
        ("command = tee {name}\nunchecked = no", "config:3:15: "),
        ("command = tee {name}", "config:3:15: "), ("command = tee {host}", nil),
        ("command = notify-send -- {name}", nil),
        // What is a program or a script is never the text of a device.
        ("command = sh {name}\nunchecked = yes", "config:3:14: the program must not be a value"),
        // The other action is checked.
        ("command = tee {name}\ntitle = B\nunchecked = yes\ncommand = true", "config:3:15: "),
        (
            "unchecked = yes\ncommand = true\ntitle = B\ncommand = tee {name}\n[list]",
            "config:6:15: "
        ),
    ])
    func `a text of a device is refused where it may do harm, unless its action is unchecked`(
        lines: String, error: String?
    ) {
        let (_, errors) = ConfigParser.parse(
            Array("[actions]\ntitle = A\n\(lines)\n".utf8), path: "config")
        #expect(errors.count == (error == nil ? 0 : 1), "\(errors)")
        if let error { #expect(errors.first?.description.hasPrefix(error) == true, "\(errors)") }
    }

    @Test func `a file sets hooks, each with the changes before it`() throws {
        let config = try config(
            """
            [hooks]
            exec = notify-send 'It changed # now'  # aloud
            on = new,unanswered
            exec = /usr/bin/mail -s "Somebody new" me
            exec = again
            """)
        #expect(
            config.screen.hooks == [
                Hook(arguments: ["notify-send", "It changed # now"]),
                Hook(
                    events: [.new, .unanswered],
                    arguments: ["/usr/bin/mail", "-s", "Somebody new", "me"]),
                Hook(events: [.arrived, .departed], arguments: ["again"]),
            ])
    }

    @Test func `the examples of the printed settings are settings`() throws {
        let lines = ConfigOptions.defaults.split(separator: "\n")
        let start = try #require(lines.firstIndex(of: "[actions]"))
        let examples = lines[start...].compactMap { line -> String? in
            if line.hasPrefix("[") { return String(line) }
            let text = line.dropFirst(2)
            return text.wholeMatch(of: /[a-z]+ = .*/) == nil ? nil : String(text)
        }
        let config = try config(examples.joined(separator: "\n"))
        #expect(config.screen.actions.count == 4)
        #expect(config.screen.hooks.count == 1)
    }

    @Test func `the examples of the manual are settings`() throws {
        let manual = try TextFile.read(BuiltProducts.package + "/docs/list.md")
        let blocks = manual.split(separator: "```\n").filter { $0.hasPrefix("[") }
        let (actions, others) = (try #require(blocks.first), try #require(blocks.last))
        #expect(blocks.count == 2)
        #expect(try config(String(actions)).screen.actions.count == 4)
        let config = try config(String(others))
        #expect(
            config.screen.sort == .arrival && config.screen.columns?.count == 3
                && config.screen.hooks.count == 1)
    }

    @Test func `lines can end in CR LF`() throws {
        #expect(try config("[list]\r\ntheme = mono\r\n").theme == "mono")
    }

    @Test func `the printed settings are the defaults`() throws {
        let printed = try config(ConfigOptions.defaults)
        #expect(printed.theme == "default")
        #expect(
            printed.screen.sort == .name && !printed.screen.isDescending
                && printed.screen.grouping == .device)
        for grouping in Grouping.allCases {
            #expect(
                RowColumn.all(of: grouping, named: printed.screen.columns).map(\.name)
                    == RowColumn.all(of: grouping).map(\.name))
        }
        #expect(
            !printed.screen.showsDetails && printed.screen.departure == ScreenSettings().departure)
        #expect(printed.screen.actions.isEmpty && printed.screen.hooks.isEmpty)
        #expect(printed.colors.count == Style.Tone.allCases.count)
        for (tone, look) in printed.colors { #expect(look == Theme.standard[tone]) }
        #expect(printed.screen.keymap.count == ListKeys.all.count)
        for binding in ListKeys.all {
            #expect(printed.screen.keymap[binding.name ?? ""] == binding.keys)
        }
    }

    @Test func `the printed settings are the committed text and fit 80 columns`() throws {
        try expectCommitted(ConfigOptions.defaults, "config.txt")
        #expect(ConfigOptions.defaults.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    /// Each case is a text and its error, in `Screens/config-errors.txt`.
    @Test func `each error has a line and a column`() throws {
        let errors = wrongTexts.map { text in
            let found = messages(text).split(separator: "\n").map { "=> \($0)\n" }
            return "\(text)\n\(found.joined())"
        }
        try expectCommitted(errors.joined(separator: "\n"), "config-errors.txt")
    }

    @Test func `invalid UTF-8 is an error with its line`() throws {
        let bytes = Array("[list]\n# ".utf8) + [0xFF, 0x0A]
        let errors = ConfigParser.parse(bytes, path: "config").errors
        #expect(errors.count == 1)
        #expect(errors[0].description.hasPrefix("config:2:1: the line is not valid UTF-8"))
    }

    @Test func `errors contain no control characters`() {
        for hostile in ["\u{1b}[2J", "\u{202e}txt", "\u{9b}31m", "\u{7f}"] {
            for text in [
                "[\(hostile)]", "[keys]\n\(hostile) = x", "[keys]\nsearch = \(hostile)",
                "[actions]\ntitle = \(hostile)\ntypes = \(hostile)\ncommand = a '\(hostile)",
                "[hooks]\non = \(hostile)\n\(hostile) = a",
            ] {
                #expect(
                    !messages(text).unicodeScalars.contains {
                        $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
                    }, "\(text.debugDescription)")
            }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `any bytes are settings, and errors at positions in them, in their order`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array((ConfigOptions.defaults + examples).utf8)
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[index] = .random(in: 0...255, using: &generator)
        }
        let (config, errors) = ConfigParser.parse(bytes, path: "config")
        #expect(config.screen.keymap.count <= ListKeys.all.count)
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        var last = (0, 0)
        for error in errors {
            let parts = error.description.split(separator: ":")
            let (line, column) = (try #require(Int(parts[1])), try #require(Int(parts[2])))
            #expect(1...lines.count ~= line)
            #expect(1...lines[line - 1].count + 1 ~= column)
            #expect(last <= (line, column))
            last = (line, column)
        }
    }

    @Test func `actions have distinct names and distinct default keys`() {
        let names = ListKeys.all.compactMap(\.name)
        #expect(names.count == ListKeys.all.count)
        #expect(Set(names).count == names.count)
        #expect(Set(ListKeys.Name.allCases.map(\.setting)).isSubset(of: names))
        let keys = ListKeys.all.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
    }
}

private let examples = """

    title = Ping
    key = F6
    types = rtsp, http
    kinds = camera
    wait = no
    unchecked = yes
    command = ping -c 3 "{address}" '{txt.path}' \\ {{
    [hooks]
    on = arrived, new
    exec = notify-send "Somebody is new"
    """

private let wrongTexts = [
    "theme = mono", "[colours]", "[keys", "[keys]\nsearch", "[keys]\n= x",
    "[keys]\nserch = x", "[keys]\nsearch = Ctrl-Q", "[keys]\nsearch = x,", "[keys]\n  search = , x",
    "[keys]\nsearch = xy", "[keys]\nsearch = x, y\ncopy = z, y", "[keys]\nsearch = Ctrl-C",
    "[keys]\nsearch = x\nsearch = y", "[colors]\ngod = red", "[colors]\ngood =",
    "[colors]\ngood = gren", "[colors]\ngood = bold red green", "[colors]\ngood = 256",
    "[colors]\ngood = green blink",
    "[colors]\ngood = #00ff00", "[list]\ntheme = dark", "[list]\nsorted = name",
    "[list]\nsort = age", "[list]\nsort = name descending", "[list]\nsort =",
    "[list]\ngroup-by = kind", "[list]\ncolumns = kind, adresses, model", "[list]\ndetails = yes",
    "[list]\ndeparted-seconds = 3601", "[actions]\ncommand = a", "[actions]\ntitle =\ncommand = a",
    "[actions]\ntitle = A", "[actions]\ntitle = A\ntitle = B\ncommand = b",
    "[actions]\ntitle = A\nkey = x\nkey = y\ncommand = a\nrun = b",
    "[keys]\nsearch = x\n[actions]\ntitle = A\nkey = x, F99\ncommand = a",
    "[actions]\ntitle = quit\nkey = Ctrl-C\ncommand = a",
    "[actions]\ntitle = A\ncommand =", "[actions]\ntitle = A\ncommand = ''",
    "[actions]\ntitle = A\ncommand = a 'b", "[actions]\ntitle = A\ncommand = a | b",
    "[actions]\ntitle = A\ncommand = {name}", "[actions]\ntitle = A\ncommand = a {ip}",
    "[actions]\ntitle = A\ncommand = sh -c 'x {name}'",
    "[actions]\ntitle = A\ncommand = tee {name}",
    "[actions]\ntitle = A\ncommand = mpv {txt.path}", "[keys]\nobserver = 1, 2, 3",
    "[actions]\ntitle = A\ncommand = printf '%s' {name}\nunchecked = sure",
    "[actions]\ntitle = A\ntypes = http, -, _printer._sub._http._tcp\nkinds = robot\n"
        + "wait = never\ncommand = a",
    "[hooks]\non = arrived", "[hooks]\non = arrived\non = new\nexec = a",
    "[hooks]\non =\nexec = a", "[hooks]\non = gone, new\nexec = a $HOME\nevery = day",
    "theme = mono\n[kyes]\nx = y\n[list]\ntheme = dark\n[colors]\ngood = gren\n[keys\nx = y",
]

@Suite struct ConfigFileTests {
    private func file(_ variables: [String: String]) -> ConfigFile? {
        ConfigFile { variables[$0] }
    }

    @Test func `the file is in the directory of settings, shown with a tilde`() {
        let usual = file(["HOME": "/u/me"])
        #expect(usual?.path == "/u/me/.config/peerlist/config")
        #expect(usual?.shownPath == "~/.config/peerlist/config")
        let chosen = file(["HOME": "/u/me", "XDG_CONFIG_HOME": "/u/me/etc"])
        #expect(chosen?.shownPath == "~/etc/peerlist/config")
        let outside = file(["HOME": "/u/me", "XDG_CONFIG_HOME": "/u/meandyou"])
        #expect(outside?.shownPath == "/u/meandyou/peerlist/config")
    }

    @Test(arguments: ["", "etc"])
    func `a directory of settings that is not absolute is ignored`(folder: String) {
        let file = file(["HOME": "/u/me", "XDG_CONFIG_HOME": folder])
        #expect(file?.path == "/u/me/.config/peerlist/config")
        #expect(self.file(["XDG_CONFIG_HOME": folder]) == nil)
    }

    @Test func `a missing file sets nothing`() async throws {
        let directory = try TemporaryDirectory()
        for name in ["none", "none/config"] {
            #expect(try ConfigFile(path: "\(directory.path)/\(name)").config() == nil)
        }
        await directory.remove()
    }

    @Test func `a file that cannot be read is an error`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(String(repeating: "#", count: ConfigFile.sizeLimit + 1), to: "big")
        try directory.write(String(repeating: "#", count: ConfigFile.sizeLimit), to: "full")
        #expect(unsafe mkfifo("\(directory.path)/pipe", 0o600) == 0)
        for (name, reason) in [
            ("", "not a regular file"), ("pipe", "not a regular file"), ("big", "more than 64 KiB"),
        ] {
            let file = ConfigFile(path: "\(directory.path)/\(name)")
            let error = #expect(throws: UsageError.self) { try file.config() }
            #expect(error?.description.hasPrefix("\(file.path) cannot be read: ") == true)
            #expect(error?.description.contains(reason) == true)
        }
        #expect(try ConfigFile(path: "\(directory.path)/full").config() == Config())
        await directory.remove()
    }

    @Test(
        .enabled(if: geteuid() == 0, "giving files away needs root"),
        arguments: ["[hooks]\nexec = true\n", "[actions]\ntitle = A\ncommand = true\n"])
    func `commands that other users may have written are refused`(commands: String) async throws {
        let directory = try TemporaryDirectory()
        try directory.write(commands, to: "folder/config")
        let path = "\(directory.path)/folder/config"
        let file = ConfigFile(path: path)
        #expect(try file.config() != nil)
        for (changed, mode, owner) in [
            (path, 0o666, 0), (path, 0o644, 4343), ("\(directory.path)/folder", 0o777, 0),
            ("\(directory.path)/folder", 0o755, 4343),
        ] as [(String, mode_t, uid_t)] {
            unsafe chmod(changed, mode)
            unsafe chown(changed, owner, owner)
            let error = #expect(throws: UsageError.self) { try file.config() }
            #expect(error?.description.contains("actions and hooks are refused") == true)
            unsafe chown(changed, 0, 0)
            unsafe chmod(changed, changed == path ? 0o644 : 0o755)
        }
        // A link of another user, in a directory where everybody may make files.
        unsafe chmod(directory.path, 0o1777)
        unsafe symlink("folder/config", "\(directory.path)/link")
        unsafe lchown("\(directory.path)/link", 4343, 4343)
        #expect(throws: UsageError.self) {
            try ConfigFile(path: "\(directory.path)/link").config()
        }
        // Without commands, the settings of anybody are read.
        try directory.write("[list]\nsort = kind\n", to: "folder/config", mode: 0o666)
        unsafe chown(path, 4343, 4343)
        #expect(try file.config()?.screen.sort == .kind)
        await directory.remove()
    }

    @Test func `the command prints the settings and checks a file`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let environment = ["XDG_CONFIG_HOME": directory.path, "HOME": "/u/me"]
        func run(_ words: String...) async throws -> FinishedProcess {
            try await FinishedProcess(
                [BuiltProducts.peerlist, "config"] + words, environment: environment)
        }
        let printed = try await run("--print")
        #expect(printed.output + "\n" == ConfigOptions.defaults)
        for none in [try await run(), try await run("--check")] {
            #expect(none.status == 0 && none.output.hasPrefix("There is no "))
        }
        try directory.write(
            "# mine\n[list]\nsort = seen  # first\n\n[keys]\nquit = q, F10\n", to: "peerlist/config"
        )
        #expect(
            try await run().output == """
                \(directory.path)/peerlist/config
                [list]
                  sort = seen
                [keys]
                  quit = q, F10
                """)

        try directory.write(printed.output, to: "peerlist/config")
        let good = try await run("--check")
        #expect(good.status == 0 && good.output.contains("has no errors"))

        try directory.write("[keys]\nsearch = xy\n", to: "peerlist/config")
        let path = "\(directory.path)/peerlist/config"
        for finished in [try await run("--check"), try await run("--check", path)] {
            #expect(finished.status == 2)
            #expect(finished.errors.hasPrefix("peerlist: \(path):2:10: 'xy' is not a key; "))
            #expect(finished.errors.hasSuffix("see 'peerlist config --print'\n"))
        }
        try directory.write("[keys]\nsearch = xy\n[list]\nsort = age\n[x]\n", to: "peerlist/config")
        let several = try await run("--check")
        #expect(several.status == 2 && several.output.isEmpty)
        // The advice is given once, at the end.
        let advice = "peerlist: for the settings and their values, see 'peerlist config --print'"
        #expect(several.errors.split(separator: "\n").last == advice[...])
        let lines = several.errors.split(separator: "\n").dropLast()
            .map { $0.split(separator: ":")[2] }
        #expect(lines == ["2", "4", "5"], "\(several.errors)")
        #expect(try await run().errors == several.errors)

        try directory.write(
            "[list]\nsort = seen reversed\ndetails = beside\n[keys]\nsearch = x\n"
                + "[actions]\ntitle = A\ncommand = sh\n[hooks]\nexec = sh\nexec = /bin/sh\n",
            to: "peerlist/config")
        #expect(
            try await run("--check").output.hasSuffix(
                "it sets 2 options of the list, 1 key assignment, 1 custom action and 2 hooks."))

        // Programs are looked for, by the check only.
        try directory.write(
            "[actions]\ntitle = A\ncommand = no-such-program {port}\n[hooks]\nexec = /etc/passwd x\n",
            to: "peerlist/config")
        let programs = try await run("--check")
        #expect(programs.status == 2)
        #expect(
            programs.errors.contains(
                "config:3:11: 'no-such-program' cannot be run: there is no such program in PATH"))
        #expect(
            programs.errors.contains(
                "config:5:8: '/etc/passwd' cannot be run: the program is not an executable file"))
        #expect(try ConfigFile(path: "\(directory.path)/peerlist/config").config() != nil)

        let missing = try await run("--check", "\(directory.path)/none")
        #expect(missing.status == 2 && missing.errors.contains("there is no file"))
        await directory.remove()
    }
}

@Suite struct ScreenSettingsTests {
    private func settings(
        _ options: ScreenOptions = ScreenOptions(), _ config: Config = Config(),
        terminal: String? = "xterm", allowsColor: Bool = true
    ) -> ScreenSettings {
        ScreenSettings(
            options, config, charset: .unicode, terminal: terminal,
            environmentAllowsColor: allowsColor)
    }

    @Test(arguments: [
        (ScreenOptions.Color.auto, true, true), (.auto, false, false), (.always, false, true),
        (.never, true, false),
    ])
    func `the option --color overrides NO_COLOR`(
        color: ScreenOptions.Color, allowed: Bool, used: Bool
    ) {
        #expect(settings(ScreenOptions(color: color), allowsColor: allowed).usesColor == used)
    }

    @Test func `colours of the settings are used with their theme, not with that of an option`() {
        var config = Config(theme: "bright", colors: [.good: Theme.Look(.palette(39))])
        config.screen.keymap = ["search": [.function(3)]]
        #expect(settings().theme == .standard)
        var both = Theme.bright
        both[.good] = Theme.Look(.palette(39))
        #expect(settings(ScreenOptions(), config).theme == both)
        let chosen = settings(ScreenOptions(theme: "mono"), config)
        #expect(chosen.theme == .mono)
        #expect(chosen.keymap == config.screen.keymap)
    }

    @Test func `the options --sort and --group-by override the settings`() {
        var config = Config()
        config.screen.sort = .kind
        config.screen.isDescending = true
        config.screen.grouping = .type
        let set = settings(ScreenOptions(), config)
        #expect(set.sort == .kind && set.isDescending && set.grouping == .type)
        let chosen = settings(ScreenOptions(sort: .address, grouping: .device), config)
        #expect(chosen.sort == .address && !chosen.isDescending && chosen.grouping == .device)
        let standard = settings()
        #expect(standard.sort == .name && !standard.isDescending && standard.grouping == nil)
    }

    @Test func `the option --ascii overrides the locale`() {
        #expect(settings().charset == .unicode)
        #expect(settings(ScreenOptions(isASCII: true)).charset == .ascii)
        #expect(settings(ScreenOptions(isASCII: true)).signs == .letters)
    }

    @Test func `on the Linux console, whose fonts lack the glyphs, kinds have letters`() {
        let console = settings(terminal: "linux")
        #expect(console.charset == .console)
        #expect(console.signs == .letters)
        #expect(settings(ScreenOptions(isASCII: true), terminal: "linux").charset == .ascii)
        #expect(settings(terminal: "xterm-256color").signs == .symbols)
    }
}

/// Errors of the settings, in a real terminal.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: ShellWindow.obstacle == nil, "\(ShellWindow.obstacle ?? "")"))
struct SettingsInTerminalTests {
    private func screen(of command: String, environment: String) async throws -> String {
        let window = try await ShellWindow(columns: 100, rows: 24, environment: environment)
        try await window.run("\(command); echo status $?")
        let screen = try await window.wait { $0.contains(/status [0-9]/) }
        await window.close()
        return screen
    }

    @Test func `an error in the settings is reported with its position`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("[keys]\nsearch = xy\n", to: "peerlist/config")
        let environment = "XDG_CONFIG_HOME=\(directory.path)"
        for words in ["", "replay none.jsonl"] {
            let screen = try await screen(
                of: "\(BuiltProducts.peerlist) \(words)", environment: environment)
            #expect(screen.contains("config:2:10: 'xy' is not a key"))
            #expect(screen.contains("status 2"))
        }
        try directory.write("[keys]\nsearch = xy\n[list]\nx = y\nz =\n", to: "peerlist/config")
        let several = try await self.screen(
            of: BuiltProducts.peerlist, environment: environment)
        // The window wraps the line somewhere, which depends on the length of the path.
        #expect(
            several.filter { !$0.isWhitespace }.contains(
                "'peerlistconfig--check'shows2moreerrors"))
        // Without a list on the screen, settings are not read.
        let screen = try await screen(
            of: "\(BuiltProducts.peerlist) replay --json none.jsonl", environment: environment)
        #expect(!screen.contains("is not a key"))
        await directory.remove()
    }

    /// A recording of a device with hostile values, and one with a hostile name that begins with `-`.
    private func recording(in directory: TemporaryDirectory) throws -> String {
        var (first, second) = (device("nas", "http", address: "10.0.0.4"), device("x", "http"))
        first.name = "a $(touch ran) 'b' \"c\" {host} ; ls"
        second.name = "-rf ~"
        var (script, encoder) = (ListScript(), LineEncoder())
        let update = script.change(
            .arrived, at: House.time(1),
            to: [ListSection(id: "local", items: [.peer(first), .peer(second)])])
        let lines = [
            encoder.begin(House.header(.device), at: House.time(0)), encoder.update(update),
        ]
        try directory.write(
            String(decoding: Array(lines.compactMap(\.self).joined()), as: UTF8.self),
            to: "hostile.jsonl")
        return directory.path + "/hostile.jsonl"
    }

    @Test func `an action gets hostile values as single arguments, and its status is shown`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let path = try recording(in: directory)
        try directory.write(
            """
            [actions]
            title = Show
            key = F6
            command = printf -- '<%s>\\n' {name} --at={address}:{port}
            title = Fail
            key = F7
            wait = no
            command = sh -c 'exit 7' sh {host}
            title = Succeed
            key = F8
            wait = no
            command = true {host}
            title = Inherit
            key = F9
            command = sh -c 'echo $(ls /proc/self/fd) "<$NOTIFY_SOCKET$WATCHDOG_USEC>"'

            """, to: "peerlist/config")
        let window = try await ShellWindow(
            columns: 80, rows: 24,
            environment: "LC_ALL=C.UTF-8 TZ=UTC XDG_CONFIG_HOME=\(directory.path) "
                + "NOTIFY_SOCKET=/none WATCHDOG_USEC=1")
        try await window.run("\(BuiltProducts.peerlist) replay --speed 0 \(path); echo status $?")
        try await window.wait(for: "■ end")
        try await window.press("F6")
        try await window.wait(for: "-rf ~")
        try await window.wait(for: "not possible for -rf ~: the name begins with '-'")
        try await window.press("Down", "F6")
        try await window.wait(for: #"'a $(touch ran) '\''b'\'' "c" {host} ; ls'"#)
        try await window.press("Enter")
        try await window.wait(for: "(status 0; Enter goes back)")
        let shown = try await window.wait { $0.contains("<--at=10.0.0.4:80>") }
        #expect(shown.contains(#"<a $(touch ran) 'b' "c" {host} ; ls>"#), "\(shown)")
        #expect(unsafe access(window.directory.path + "/ran", F_OK) != 0)
        try await window.press("Enter")
        try await window.wait(for: "printf ended with status 0")
        try await window.press("F7")
        try await window.wait(for: "Enter picks")
        try await window.press("Enter")
        try await window.wait(for: "(status 7; Enter goes back)")
        try await window.press("Enter")
        try await window.wait(for: "sh ended with status 7")
        try await window.press("F8")
        try await window.wait(for: "Enter picks")
        try await window.press("Enter")
        try await window.wait(for: "true ended with status 0")
        // The program has what it needs only; Ctrl-C at its end goes back, as Enter does.
        try await window.press("F9")
        try await window.wait(for: "Enter picks")
        try await window.press("Enter")
        // The status of an earlier program is still above.
        try await window.wait(for: "\n0 1 2 3 <>\n(status 0; Enter goes back)")
        try await window.press("C-c")
        try await window.wait(for: "sh ended with status 0")
        try await window.press("q")
        try await window.wait(for: "status 0")
        await window.close()
        await directory.remove()
    }
}
