// What a stranger may call a service, named after what it tries to do.
import Testing

/// A text that attacks whoever shows it.
struct HostileText: CustomTestStringConvertible, Sendable {
    let attack: String
    let text: String

    var testDescription: String { attack }

    static let all = [
        HostileText(attack: "clipboard by OSC 52", text: "a\u{1b}]52;c;b3duZWQ=\u{7}"),
        HostileText(attack: "title change", text: "b\u{1b}]0;owned\u{1b}\\"),
        HostileText(attack: "title change by C1", text: "c\u{9d}0;owned\u{9c}"),
        HostileText(attack: "screen wipe", text: "d\u{1b}[2J\u{1b}[H"),
        HostileText(attack: "key remapping", text: "e\u{1b}P1;1|17/6c730a\u{1b}\\"),
        HostileText(attack: "answerback", text: "f\u{5}\u{1b}[c\u{1b}[5n"),
        HostileText(attack: "bidi swap", text: "g\u{202e}fdp.exe\u{202c}\u{2066}x\u{2069}"),
        HostileText(attack: "bidi marks", text: "h\u{200e}\u{200f}\u{61c}"),
        HostileText(attack: "newline row forging", text: "i\r\n > forged  10.0.0.9"),
        HostileText(attack: "line separators", text: "j\u{85}\u{2028}\u{2029}k"),
        HostileText(attack: "backspaces", text: "admin\u{8}\u{8}\u{8}\u{8}\u{8}guest\u{7f}"),
        HostileText(attack: "tabs", text: "l\t\t\u{b}\u{c}m"),
        HostileText(attack: "width lies", text: "n👩‍👩‍👧‍👦👍🏽❤️1️⃣🇩🇪"),
        HostileText(
            attack: "zero-width padding",
            text: "nas\u{200b}\u{200b}\u{2060}\u{feff}\u{200d}\u{200c}\u{ad}\u{34f}\u{180e}"),
        HostileText(attack: "stacked marks", text: "o" + String(repeating: "\u{301}", count: 31)),
        HostileText(attack: "hidden tags", text: "p\u{e0061}\u{e0062}\u{e007f}"),
        HostileText(attack: "variation data", text: "q\u{fe00}\u{e0100}\u{e0101}"),
        HostileText(attack: "private glyphs", text: "r\u{e000}\u{f8ff}\u{10fffd}"),
        HostileText(attack: "nothing at all", text: "\u{3164}\u{115f}\u{ffa0}"),
    ]
}

extension Unicode.Scalar {
    /// Whether a terminal may be sent this: no control, nothing invisible, nothing that turns the
    /// direction.
    var isHarmless: Bool {
        switch value {
        case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f,
            0xfeff, 0xe0000...0xe0fff, 0xe000...0xf8ff:
            false
        default: true
        }
    }
}
