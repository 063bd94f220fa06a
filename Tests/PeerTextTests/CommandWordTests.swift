// Commands of the user: splitting them into words, and printing words so that they split again.
import Testing
import TestSupport

@testable import PeerText

@Suite struct CommandWordTests {
    private func words(_ text: String) throws(CommandWord.Fault) -> [String] {
        try CommandWord.split(text[...]).map(\.text)
    }

    @Test(arguments: [
        ("", []), (" \t", []), ("a", ["a"]), ("  a  b\tc ", ["a", "b", "c"]),
        ("a 'b  c' d", ["a", "b  c", "d"]), (#"a "b 'c'" "" ''"#, ["a", "b 'c'", "", ""]),
        (#"a\ b \' \\ '\' "\"\\\n""#, ["a b", "'", #"\"#, #"\"#, #""\\n"#]),
        (#"a'b'"c"d"#, ["abcd"]), ("a # b", ["a"]), ("# b", []),
        ("a#b '#' \\#", ["a#b", "#", "#"]),
        ("a 'b\u{a0}c' ü", ["a", "b\u{a0}c", "ü"]), ("a \"$HOME\"", ["a", "$HOME"]),
        ("a '|' \\> '$HOME'", ["a", "|", ">", "$HOME"]), ("a $ 5$ 100%", ["a", "$", "5$", "100%"]),
        ("e\u{301} \u{301}x", ["e\u{301}", "\u{301}x"]), ("a *.c ?", ["a", "*.c", "?"]),
    ])
    func `quotes and backslashes keep words together, and nothing is expanded`(
        text: String, expected: [String]
    ) throws {
        #expect(try words(text) == expected)
    }

    @Test(arguments: [
        ("a 'b", 2, "counterpart"), ("a \"b\\\"", 2, "counterpart"), ("a b\\", 3, "backslash"),
        ("a | b", 2, "'|' needs a shell"), ("a 2>&1", 3, "'>&1' needs a shell"),
        ("a 2>/dev/null", 3, "'>/dev/null' needs a shell"), ("a|b", 1, "'|b' needs a shell"),
        ("a >log", 2, "'>log' needs a shell"), ("a done; b", 6, "';' needs a shell"),
        ("a <x", 2, "'<x' needs a shell"), ("a x`b`", 3, "'`b`' needs a shell"),
        ("a 'x'|b", 5, "'|b' needs a shell"), ("a --x=$HOME/y", 6, "'$HOME/y' is not expanded"),
        ("a \"x\"$(b)", 5, "write its value"),
        ("a && b", 2, "'&&' needs a shell"), ("~/bin/a", 0, "write the whole path"),
        ("a ~", 2, "write the whole path"), ("a $HOME", 2, "write its value"),
        ("a ${x}", 2, "write its value"), ("a $(x)", 2, "write its value"),
    ])
    func `what a shell would interpret is refused at its position, with advice`(
        text: String, position: Int, message: String
    ) {
        let fault = #expect(throws: CommandWord.Fault.self) { try words(text) }
        #expect(fault?.message.contains(message) == true)
        #expect(fault?.position == text.index(text.startIndex, offsetBy: position))
    }

    @Test func `printed words are split into the same words`() throws {
        #expect(
            CommandWord.text(of: ["ssh", "-p", "22", "--", "nas.local"]) == "ssh -p 22 -- nas.local"
        )
        #expect(
            CommandWord.text(of: ["echo", "it's", "", "a b", "#"])
                == #"echo 'it'\''s' '' 'a b' '#'"#)
        var generator = SeededGenerator(seed: 1)
        let pieces = [
            "a", "ü", " ", "\t", "'", "\"", "\\", "$", "$HOME", "|", ">", "#", "~", "*", "`",
            "\u{301}",
            "\u{a0}", "{", "-", "\r\n",
        ]
        for _ in 0..<5_000 {
            let count = Int.random(in: 1...4, using: &generator)
            let expected = (0..<count).map { _ in
                (0..<Int.random(in: 0...4, using: &generator)).compactMap { _ in
                    pieces.randomElement(using: &generator)
                }.joined()
            }
            let text = CommandWord.text(of: expected)
            #expect(
                try words(text).map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(text)"
            )
        }
    }
}
