// What the file of settings says, and what is said of one that is wrong.
import LabSupport
import TerminalList
import TestSupport
import Testing

@testable import PeerListCommand

@Suite struct ConfigTests {
    private func config(_ text: String) throws(ConfigError) -> Config {
        try ConfigParser.config(from: Array(text.utf8), .usual)
    }

    private func complaint(_ text: String) -> String {
        do {
            _ = try config(text)
            return "fine"
        } catch {
            return error.description(in: "config")
        }
    }

    @Test func `an empty file and one of comments say nothing`() throws {
        #expect(try config("") == Config())
        #expect(try config("# nothing\n\n   # here\n[keys]\n") == Config())
    }

    @Test func `keys, colours and the theme are taken`() throws {
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

    @Test func `lines may end as on other systems`() throws {
        #expect(try config("[list]\r\ntheme = mono\r\n").theme == "mono")
    }

    @Test func `what is printed says, read back, what holds anyway`() throws {
        let printed = try config(ConfigText.text)
        #expect(printed.theme == "default")
        #expect(printed.colors.count == Style.Tone.allCases.count)
        for (tone, look) in printed.colors { #expect(look == Theme.standard[tone]) }
        #expect(printed.keymap.count == NamedKeys.all.count)
        for named in NamedKeys.all { #expect(printed.keymap[named.name] == named.keys) }
    }

    @Test func `what is printed is the committed text, and fits a terminal`() throws {
        try expectCommitted(ConfigText.text, "config.txt")
        #expect(ConfigText.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    /// Each case is a text and what is said of it, in `Screens/config-errors.txt`.
    @Test func `what is wrong is told with its line and column`() throws {
        let said = wrongTexts.map { "\($0)\n=> \(complaint($0))\n" }
        try expectCommitted(said.joined(separator: "\n"), "config-errors.txt")
    }

    @Test func `text that is no UTF-8 is told with its line`() throws {
        let bytes = Array("[list]\n# ".utf8) + [0xFF, 0x0A]
        #expect(throws: ConfigError("the line is not valid UTF-8", line: 2, column: 1)) {
            try ConfigParser.config(from: bytes, .usual)
        }
    }

    @Test func `what is told acts on no terminal`() {
        for hostile in ["\u{1b}[2J", "\u{202e}txt", "\u{9b}31m", "\u{7f}"] {
            for text in ["[\(hostile)]", "[keys]\n\(hostile) = x", "[keys]\nsearch = \(hostile)"] {
                #expect(
                    !complaint(text).unicodeScalars.contains {
                        [.control, .format].contains($0.properties.generalCategory)
                    }, "\(text.debugDescription)")
            }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `no bytes do harm`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array(ConfigText.text.utf8)
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[place] = .random(in: 0...255, using: &generator)
        }
        do {
            let config = try ConfigParser.config(from: bytes, .usual)
            #expect(config.keymap.count <= NamedKeys.all.count)
        } catch {
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            #expect(1...lines.count ~= error.line)
            #expect(1...lines[error.line - 1].count + 1 ~= error.column)
        }
    }

    @Test func `every action has a name of its own, and usual keys of its own`() {
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
