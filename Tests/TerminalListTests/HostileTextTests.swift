// Tests that hostile names reach the screen escaped, wherever they are shown.
import TerminalList
import TestSupport
import Testing

/// A hostile text, named after its attack.
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
        HostileText(attack: "nothing at all", text: "\u{3164}\u{115f}\u{1160}\u{ffa0}"),
        HostileText(attack: "ignorable marks", text: "s\u{17b4}\u{17b5}\u{180b}\u{180d}\u{180f}"),
    ]
}

extension Unicode.Scalar {
    /// Whether the scalar may be sent to a terminal: it is neither a control, nor invisible, nor a
    /// directional mark.
    var isHarmless: Bool {
        switch value {
        case 0..<0x20, 0x7f..<0xa0, 0x34f, 0x61c, 0x115f...0x1160, 0x17b4...0x17b5, 0x180b...0x180f,
            0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f, 0x3164, 0xfe00...0xfe0f, 0xfeff,
            0xffa0, 0xe0000...0xe0fff, 0xe000...0xf8ff:
            false
        default: true
        }
    }
}

@Suite struct HostileTextTests {
    @Test(arguments: HostileText.all)
    func `no scalar that could control a terminal is left`(hostile: HostileText) {
        for charset in [Charset.unicode, .ascii] {
            let text = SafeText(hostile.text, charset: charset).text
            #expect(text.unicodeScalars.allSatisfy { $0.isHarmless }, "\(text)")
        }
    }

    @Test(arguments: HostileText.all)
    func `the attack is escaped visibly instead of dropped`(hostile: HostileText) {
        guard hostile.attack != "width lies" else { return }
        let safe = SafeText(hostile.text)
        #expect(safe.cells.contains { $0.isEscape })
        let hidden = hostile.text.unicodeScalars.filter { !$0.isHarmless }
        #expect(safe.cells.count >= hidden.count)
    }

    @Test(arguments: HostileText.all)
    func `columns to the right of hostile text keep their positions`(hostile: HostileText) {
        let list = ListFixture()
        list.show([hostile.text], animating: false)
        for columns in [40, 80, 120] {
            let frame = list.draw(columns, 10)
            let row = frame.lines[2]
            let start = ColumnLayout(ListFixture.columns, from: 3, to: columns).slots[1].start
            #expect(row.count == columns)
            #expect(row[start..<(start + 8)].map(\.text).joined() == "10.0.0.0")
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `any 63 bytes become harmless text of the stated width`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<63).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for charset in [Charset.unicode, .ascii] {
            let safe = SafeText(String(decoding: bytes, as: UTF8.self), charset: charset)
            #expect(safe.text.unicodeScalars.allSatisfy { $0.isHarmless })
            #expect(safe.cells.reduce(0) { $0 + $1.width } == safe.width)
            #expect(safe.cells.allSatisfy { (1...2).contains($0.width) })
            #expect(safe.fitted(to: 20).width == 20)
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `any scalars become cells of one character and its combining marks`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        var raw = ""
        for _ in 0..<30 {
            let limit: UInt32 = Bool.random(using: &generator) ? 0x3000 : 0x11_0000
            guard let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator))
            else { continue }
            raw.unicodeScalars.append(scalar)
        }
        for cell in SafeText(raw).cells {
            let widths = cell.text.unicodeScalars.map(displayWidth(of:))
            #expect(widths.first == cell.width)
            #expect(widths.dropFirst().allSatisfy { $0 == 0 })
            #expect(widths.count <= 5)
        }
    }

    @Test func `the cost of a long text is bounded by the width of its field`() {
        let endless = String(repeating: "\u{301}", count: 100_000)
        let safe = SafeText(endless, upTo: 20)
        #expect(safe.width > 20)
        #expect(safe.width < 40)
        #expect(safe.fitted(to: 20).width == 20)
    }
}

/// A part of the screen that shows untrusted text.
private enum Part: CaseIterable {
    case cell, sectionTitle, header, status, warning, emptyMessage, footer, strip, message
    case promptLabel, prompt, choicesTitle, choices, choicesDetail, paneTitle, pane, fullPane
    case help

    /// Returns a list that shows a text in this part.
    func list(showing text: String) -> ListFixture {
        let list = ListFixture { _ in self == .sectionTitle ? text : nil }
        if self != .emptyMessage {
            list.show([self == .cell ? text : "nas", "printer"], animating: false)
        }
        let view = list.view
        switch self {
        case .cell, .sectionTitle: break
        case .header: view.header.title = text
        case .status: view.header.status = text
        case .warning: view.header.warning = text
        case .emptyMessage: view.emptyMessage = [text]
        case .footer: view.footer = [[.init(text), "behind"]]
        case .strip: view.strip = [[.init(text), "behind"]]
        case .message: view.show(message: text)
        case .promptLabel: view.prompt = prompt(text, "typed")
        case .prompt: view.prompt = prompt("/", text)
        case .choicesTitle: view.choices = Choices(text, [.init("a", "a")])
        case .choices: view.choices = Choices("x", [.init("a", text, detail: "3", isOn: true)])
        case .choicesDetail: view.choices = Choices("x", [.init("a", "a", detail: text)])
        case .paneTitle: view.pane = TextPane("x", text, [TextPane.Line(["one"])])
        case .pane: view.pane = TextPane("x", "x", [TextPane.Line(["TXT ", .init(text)])])
        case .fullPane:
            view.pane = TextPane("x", "x", [TextPane.Line([.init(text)])], placement: .full)
        case .help:
            view.keys = .standard(adding: [KeyBinding([.tab], text, section: text) {}])
            list.press(.character("?"))
        }
        return list
    }

    private func prompt(_ label: String, _ text: String) -> TextPrompt {
        TextPrompt(label, text: text, onChange: { _ in }, onEnd: { _ in })
    }
}

@Suite struct HostileScreenTests {
    @Test(arguments: HostileText.all)
    func `no part of the screen shows hostile text unescaped`(hostile: HostileText) {
        for part in Part.allCases {
            for (columns, charset) in [(80, Charset.unicode), (40, .ascii), (47, .unicode)] {
                let list = part.list(showing: hostile.text)
                list.view.charset = charset
                let frame = list.draw(columns, 12)
                let scalars = frame.lines.joined().flatMap { $0.text.unicodeScalars }
                #expect(scalars.allSatisfy { $0.isHarmless }, "\(part)")
                #expect(charset == .unicode || scalars.allSatisfy(\.isASCII), "\(part)")
                #expect(frame.lines.allSatisfy { $0.count == columns }, "\(part)")
            }
        }
    }

    @Test(arguments: HostileText.all)
    func `hostile text occupies its own columns only`(hostile: HostileText) {
        for part in [Part.cell, .sectionTitle, .paneTitle, .pane] {
            let list = part.list(showing: hostile.text)
            if list.view.pane == nil {
                list.view.pane = TextPane("x", "x", [TextPane.Line(["one"])])
            }
            let lines = list.draw(80, 12).lines
            #expect(lines[1..<11].allSatisfy { $0[41].text == "│" }, "\(part)")
        }
        let box = Part.choices.list(showing: hostile.text).draw(80, 12).lines
        let sides = box.map { line in line.indices.filter { line[$0].text == "│" } }
        #expect(Set(sides.filter { !$0.isEmpty }).count == 1, "both borders are straight")
    }

    @Test func `a line feed in a text cannot forge a row`() {
        for part in Part.allCases {
            let list = part.list(showing: "i\r\n > forged  10.0.0.9\n>  forged")
            let lines = list.draw(80, 12).text.split(separator: "\n")
            let begins = lines.map { $0.drop { " >│".contains($0) } }
            #expect(!begins.contains { $0.hasPrefix("forged") }, "\(part)")
        }
    }

    @Test(arguments: HostileText.all)
    func `a search match in hostile text is marked and stays escaped`(hostile: HostileText) {
        let list = ListFixture()
        list.show([hostile.text], animating: false)
        let plain = list.draw(80, 12).text
        list.view.highlight = { [$0.startIndex..<$0.endIndex] }
        #expect(list.draw(80, 12).text == plain)
    }
}
