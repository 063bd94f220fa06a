// The file of settings: its path, parsing, errors, and combination with options.
import Glibc
import LabSupport
import TerminalList
import Testing
import TestSupport

@testable import PeerListCommand

@Suite struct ConfigTests {
    private func config(_ text: String) throws(UsageError) -> Config {
        try ConfigParser.config(from: Array(text.utf8), path: "config")
    }

    private func message(_ text: String) -> String {
        do {
            _ = try config(text)
            return "fine"
        } catch {
            return error.description
        }
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
        #expect(config.keymap["search"] == [.character("/"), .control("f")])
        #expect(config.keymap["quit"] == [.function(10)])
        #expect(config.keymap["verify"] == [])
        #expect(config.keymap["expand-all"] == [.character("+"), .character("=")])
        #expect(config.keymap["copy"] == [.character(","), .character("#"), .character(" ")])
        #expect(config.colors[.good] == Theme.Look(.palette(10), [.bold, .underline]))
        #expect(config.colors[.muted] == Theme.Look(.none, .dim))
        #expect(config.colors[.accent] == Theme.Look(.palette(39)))
        #expect(config.theme == "mono")
    }

    @Test func `lines can end in CR LF`() throws {
        #expect(try config("[list]\r\ntheme = mono\r\n").theme == "mono")
    }

    @Test func `the printed settings are the defaults`() throws {
        let printed = try config(ConfigOptions.defaults)
        #expect(printed.theme == "default")
        #expect(printed.colors.count == Style.Tone.allCases.count)
        for (tone, look) in printed.colors { #expect(look == Theme.standard[tone]) }
        #expect(printed.keymap.count == KeyRow.all.count)
        for binding in KeyRow.all { #expect(printed.keymap[binding.name ?? ""] == binding.keys) }
    }

    @Test func `the printed settings are the committed text and fit 80 columns`() throws {
        try expectCommitted(ConfigOptions.defaults, "config.txt")
        #expect(ConfigOptions.defaults.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    /// Each case is a text and its error, in `Screens/config-errors.txt`.
    @Test func `each error has a line and a column`() throws {
        let errors = wrongTexts.map { "\($0)\n=> \(message($0))\n" }
        try expectCommitted(errors.joined(separator: "\n"), "config-errors.txt")
    }

    @Test func `invalid UTF-8 is an error with its line`() throws {
        let bytes = Array("[list]\n# ".utf8) + [0xFF, 0x0A]
        let error = #expect(throws: UsageError.self) {
            try ConfigParser.config(from: bytes, path: "config")
        }
        #expect(error?.description.hasPrefix("config:2:1: the line is not valid UTF-8;") == true)
    }

    @Test func `errors contain no control characters`() {
        for hostile in ["\u{1b}[2J", "\u{202e}txt", "\u{9b}31m", "\u{7f}"] {
            for text in ["[\(hostile)]", "[keys]\n\(hostile) = x", "[keys]\nsearch = \(hostile)"] {
                #expect(
                    !message(text).unicodeScalars.contains {
                        [.control, .format].contains($0.properties.generalCategory)
                    }, "\(text.debugDescription)")
            }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `any bytes are settings or an error at a position in them`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array(ConfigOptions.defaults.utf8)
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[index] = .random(in: 0...255, using: &generator)
        }
        do {
            let config = try ConfigParser.config(from: bytes, path: "config")
            #expect(config.keymap.count <= KeyRow.all.count)
        } catch {
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            let parts = error.description.split(separator: ":")
            let (line, column) = (try #require(Int(parts[1])), try #require(Int(parts[2])))
            #expect(1...lines.count ~= line)
            #expect(1...lines[line - 1].count + 1 ~= column)
        }
    }

    @Test func `actions have distinct names and distinct default keys`() {
        let names = KeyRow.all.compactMap(\.name)
        #expect(names.count == KeyRow.all.count)
        #expect(Set(names).count == names.count)
        #expect(Set(KeyRow.Name.allCases.map(\.setting)).isSubset(of: names))
        let keys = KeyRow.all.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
    }
}

private let wrongTexts = [
    "theme = mono", "[colours]", "[keys", "[keys]\nsearch", "[keys]\n= x",
    "[keys]\nserch = x", "[keys]\nsearch = Ctrl-Q", "[keys]\nsearch = x,", "[keys]\n  search = , x",
    "[keys]\nsearch = xy", "[keys]\nsearch = x, y\ncopy = z, y", "[keys]\nsearch = Ctrl-C",
    "[keys]\nsearch = x\nsearch = y", "[colors]\ngod = red", "[colors]\ngood =",
    "[colors]\ngood = gren", "[colors]\ngood = bold red green", "[colors]\ngood = 256",
    "[colors]\ngood = green blink",
    "[colors]\ngood = #00ff00", "[list]\ntheme = dark", "[list]\nsort = name",
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
        let none = try await run("--check")
        #expect(none.status == 0 && none.output.hasPrefix("There is no "))

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
        let config = Config(
            keymap: ["search": [.function(3)]], colors: [.good: Theme.Look(.palette(39))],
            theme: "bright")
        #expect(settings().theme == .standard)
        var both = Theme.bright
        both[.good] = Theme.Look(.palette(39))
        #expect(settings(ScreenOptions(), config).theme == both)
        let chosen = settings(ScreenOptions(theme: "mono"), config)
        #expect(chosen.theme == .mono)
        #expect(chosen.keymap == config.keymap)
    }

    @Test func `the option --ascii overrides the locale`() {
        #expect(settings().charset == .unicode)
        #expect(settings(ScreenOptions(isASCII: true)).charset == .ascii)
        #expect(settings(ScreenOptions(isASCII: true)).kindCharset == .ascii)
    }

    @Test func `on the Linux console, whose fonts lack the glyphs, kinds have letters`() {
        let console = settings(terminal: "linux")
        #expect(console.charset == .unicode)
        #expect(console.kindCharset == .ascii)
        #expect(settings(terminal: "xterm-256color").kindCharset == .unicode)
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
        // Without a list on the screen, settings are not read.
        let screen = try await screen(
            of: "\(BuiltProducts.peerlist) replay --json none.jsonl", environment: environment)
        #expect(!screen.contains("is not a key"))
        await directory.remove()
    }
}
