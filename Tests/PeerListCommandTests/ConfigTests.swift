// Parsing of the file of settings, and its errors.
import LabSupport
import TerminalList
import TestSupport
import Testing

@testable import PeerListCommand

@Suite struct ConfigTests {
    private func config(_ text: String) throws(ConfigError) -> Config {
        try ConfigParser.config(from: Array(text.utf8))
    }

    private func message(_ text: String) -> String {
        do {
            _ = try config(text)
            return "fine"
        } catch {
            return error.description(in: "config")
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
        let printed = try config(ConfigRun.defaults)
        #expect(printed.theme == "default")
        #expect(printed.colors.count == Style.Tone.allCases.count)
        for (tone, look) in printed.colors { #expect(look == Theme.standard[tone]) }
        #expect(printed.keymap.count == NamedKeys.all.count)
        for named in NamedKeys.all { #expect(printed.keymap[named.name] == named.keys) }
    }

    @Test func `the printed settings are the committed text and fit 80 columns`() throws {
        try expectCommitted(ConfigRun.defaults, "config.txt")
        #expect(ConfigRun.defaults.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    /// Each case is a text and its error, in `Screens/config-errors.txt`.
    @Test func `each error has a line and a column`() throws {
        let errors = wrongTexts.map { "\($0)\n=> \(message($0))\n" }
        try expectCommitted(errors.joined(separator: "\n"), "config-errors.txt")
    }

    @Test func `invalid UTF-8 is an error with its line`() throws {
        let bytes = Array("[list]\n# ".utf8) + [0xFF, 0x0A]
        #expect(throws: ConfigError("the line is not valid UTF-8", line: 2, column: 1)) {
            try ConfigParser.config(from: bytes)
        }
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
    func `any bytes are settings or an error at a position in them`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array(ConfigRun.defaults.utf8)
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[index] = .random(in: 0...255, using: &generator)
        }
        do {
            let config = try ConfigParser.config(from: bytes)
            #expect(config.keymap.count <= NamedKeys.all.count)
        } catch {
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            #expect(1...lines.count ~= error.line)
            #expect(1...lines[error.line - 1].count + 1 ~= error.column)
        }
    }

    @Test func `actions have distinct names and distinct default keys`() {
        let names = NamedKeys.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(KeyRow.Name.allCases.map(\.rawValue)).isSubset(of: names))
        let keys = NamedKeys.all.flatMap(\.keys)
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
