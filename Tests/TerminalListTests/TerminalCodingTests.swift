// Tests of decoding input and encoding output of the terminal.
import Testing

@testable import TerminalList

@Suite struct InputDecoderTests {
    /// Decodes the bytes of a terminal, with the sequences that curses looks up.
    private func events(of text: String) -> [TerminalEvent] {
        var decoder = InputDecoder()
        var events: [TerminalEvent] = []
        var rest = Substring(text)
        while let first = rest.unicodeScalars.first {
            let known = InputDecoder.sequences.first { rest.hasPrefix($0.sequence) }
            let symbol = known.map { InputDecoder.Symbol.code($0.code) } ?? .character(first.value)
            rest = rest.dropFirst(known?.sequence.count ?? 1)
            if let event = decoder.decode(symbol) { events.append(event) }
        }
        if let event = decoder.endOfInput() { events.append(event) }
        return events
    }

    private func mouse(_ kind: MouseEvent.Kind, row: Int, column: Int) -> TerminalEvent {
        .mouse(MouseEvent(kind, row: row, column: column))
    }

    @Test func `events of the first button and the wheel are decoded in SGR and X10 form`() {
        #expect(events(of: "\u{1b}[<0;10;8M") == [mouse(.press, row: 7, column: 9)])
        #expect(events(of: "\u{1b}[<64;1;1M") == [mouse(.wheelUp, row: 0, column: 0)])
        #expect(events(of: "\u{1b}[<65;300;200M") == [mouse(.wheelDown, row: 199, column: 299)])
        #expect(events(of: "\u{1b}[M *(") == [mouse(.press, row: 7, column: 9)])
        #expect(events(of: "\u{1b}[M`!!") == [mouse(.wheelUp, row: 0, column: 0)])
        for report in ["[<32;10;8M", "[M@*("] {
            #expect(events(of: "\u{1b}" + report) == [mouse(.drag, row: 7, column: 9)])
        }
        for report in ["[<0;10;8m", "[M#*("] {
            #expect(events(of: "\u{1b}" + report) == [mouse(.release, row: 7, column: 9)])
        }
    }

    @Test func `arrows with Alt and Shift are keys of their own`() {
        let keys: [Key] = [.shiftUp, .shiftDown, .altUp, .altDown]
        let sequences = "\u{1b}[1;2A\u{1b}[1;2B\u{1b}[1;3A\u{1b}[1;3B"
        #expect(events(of: sequences) == keys.map { .key($0) })
    }

    @Test func `a press with Shift, Meta or Ctrl is a press`() {
        for button in [4, 8, 16, 28] {
            #expect(events(of: "\u{1b}[<\(button);2;3M") == [mouse(.press, row: 2, column: 1)])
        }
    }

    @Test func `a press of the second button is decoded, and its release is not`() {
        let press = mouse(.secondaryPress, row: 7, column: 9)
        #expect(events(of: "\u{1b}[<2;10;8M\u{1b}[<2;10;8m") == [press])
        #expect(events(of: "\u{1b}[M\"*(\u{1b}[M#*(").first == press)
    }

    /// Releases of other buttons, the middle button, tilt, motion without a button, invalid positions, invalid numbers.
    @Test(arguments: [
        "<2;10;8m", "<1;10;8M", "<3;10;8M", "<66;10;8M", "<67;10;8M", "<34;10;8M",
        "<35;10;8M", "<128;10;8M", "<0;0;8M", "<0;10;0M", "<0;10M", "<;;M", "<M", "<m", "<0;1;2;3M",
        "M!*(", "MC*(", "M   ",
    ])
    func `other reports are ignored, and the next key is read`(report: String) {
        #expect(events(of: "\u{1b}[" + report + "j") == [.key(.character("j"))])
    }

    @Test func `an incomplete report ends with a key or the next report`() {
        #expect(events(of: "\u{1b}[<0;10j") == [.key(.character("j"))])
        #expect(events(of: "\u{1b}[<\u{3}") == [.key(.control("c"))])
        let next = mouse(.press, row: 1, column: 1)
        #expect(events(of: "\u{1b}[<0;1\u{1b}[<0;2;2M") == [next])
        #expect(events(of: "\u{1b}[M \u{1b}[<0;2;2M") == [next])
        let long = "\u{1b}[<" + String(repeating: "1", count: 100)
        #expect(events(of: long + "q").last == .key(.character("q")))
    }

    /// Focus reports, keys with modifiers, answers of terminals, keys of the console, and Alt with a letter.
    @Test(arguments: [
        "[O", "[I", "[1;9q", "[?62;4c", "[24;80R", "[>0;276;0c", "[27;5;106~", "[106;5u", "[[A",
        "Ox",
        "O2P", "]11;rgb:0000/0000/0000\u{7}", "]52;c;cQ==\u{1b}\\", "P1$r0m\u{1b}\\", "q", "x", "O",
        "é",
        "\u{1b}[O", "[" + String(repeating: ";", count: 19) + "q",
    ])
    func `a sequence that is not known and Alt with a letter are no keys`(sequence: String) {
        #expect(events(of: "j\u{1b}" + sequence) == [.key(.character("j"))])
        let others = events(of: "\u{1b}" + sequence + "\u{1b}[<0;2;2M\u{3}")
        #expect(others == [mouse(.press, row: 1, column: 1), .key(.control("c"))])
    }

    @Test func `Esc alone is a key, and so is what no sequence has`() {
        #expect(events(of: "\u{1b}") == [.key(.escape)])
        #expect(events(of: "\u{1b}\u{1b}") == [.key(.escape)])
        #expect(events(of: "\u{1b}[1\u{3}j") == [.key(.control("c")), .key(.character("j"))])
        #expect(events(of: "\u{1b}[ü") == [.key(.character("ü"))])
        let long = "\u{1b}[" + String(repeating: "1", count: 100)
        #expect(events(of: long + "q").last == .key(.character("q")))
    }

    /// The rest of the sequence never comes; the next key does not come at once.
    @Test(arguments: ["[", "[1;", "O", "]11;rgb", "P", "[["])
    func `after a cut-off sequence the next key counts`(sequence: String) {
        var decoder = InputDecoder()
        let start = ContinuousClock.now
        func decode(_ scalar: Unicode.Scalar, after time: Duration) -> TerminalEvent? {
            decoder.decode(.character(scalar.value), at: start + time)
        }
        #expect(decode("\u{1b}", after: .zero) == nil)
        for scalar in sequence.unicodeScalars { #expect(decode(scalar, after: .zero) == nil) }
        #expect(decoder.endOfInput() == nil)
        #expect(decode("j", after: .milliseconds(251)) == .key(.character("j")))
        #expect(decode("j", after: .milliseconds(252)) == .key(.character("j")))
    }

    @Test func `pasted text is one event, without keys and mouse events`() {
        let paste = "\u{1b}[200~q\r\u{1b}[<0;2;2M\u{1b}[201~"
        guard case .pasted(let text)? = events(of: paste).first else {
            Issue.record("no paste")
            return
        }
        #expect(text.hasPrefix("q\n"))
        #expect(events(of: paste + "j").dropFirst() == [.key(.character("j"))])
        let long = "\u{1b}[200~" + String(repeating: "x", count: 20_000) + "\u{1b}[201~"
        #expect(events(of: long) == [.pasted(String(repeating: "x", count: 10_000))])
    }
}

@Suite struct TerminalOutputEncodingTests {
    @Test func `a theme's attributes apply without colours`() {
        var theme = Theme.bright
        theme[.caution] = Theme.Look(.palette(200), .underline)
        let palette = Palette(theme, usesColor: false)
        let plain = palette.attributes(of: .plain)
        for tone in [Style.Tone.good, .bad, .caution, .accent] {
            let look = palette.attributes(of: Style(tone: tone))
            #expect(look.pair == 0)
            #expect(look.attributes != plain.attributes, "\(tone) has attributes")
        }
    }

    @Test func `base64 encodes as in RFC 4648`() {
        let examples = [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ]
        for (text, encoded) in examples { #expect(Terminal.base64(Array(text.utf8)) == encoded) }
        #expect(Terminal.base64([0xfb, 0xff, 0xfe]) == "+//+")
    }
}
