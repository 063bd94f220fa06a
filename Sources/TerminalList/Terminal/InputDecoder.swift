// Decodes what curses reads into keys, mouse reports and pasted text.
import CNcurses

/// Decodes what curses reads into keys, mouse reports and pasted text.
///
/// curses decodes keys only. Its own decoder of mouse reports blocks until a report is complete;
/// here an incomplete report is a state of the decoder.
struct InputDecoder {
    /// The result of one call of `wget_wch`.
    enum Symbol {
        /// A character, as a Unicode scalar.
        case character(UInt32)
        /// A key that curses found in its table, by its code.
        case code(Int32)
    }

    private enum State {
        case keys
        /// After Esc: alone it is the key, with a letter it is Alt and the letter, which is no key here.
        case escape
        /// Inside a control sequence that curses does not know, such as the report of a lost focus, by
        /// the number of its characters. It ends with a letter (ECMA-48, section 5.4).
        case sequence(Int)
        /// Before the last character of a sequence, after `ESC O`.
        case lastCharacter
        /// Inside a control string, such as an answer of the terminal.
        case string
        /// Inside pasted text (bracketed paste, `CSI 200 ~` to `CSI 201 ~`).
        case paste
        /// Inside a mouse report in SGR form: `CSI < button ; column ; row`, then `M` or `m`.
        case sgrReport(String)
        /// Inside a mouse report in X10 form: `CSI M`, then three characters.
        case x10Report([Int])
    }

    /// The maximum number of scalars of a pasted text; the rest is left out.
    static let pasteLimit = 10_000
    /// More than any report in SGR form has.
    private static let reportLimit = 20

    /// The time after which an unfinished sequence is no longer waited for, and a character is a key.
    static let patience = Duration.milliseconds(250)

    /// The sequences that curses does not know, with codes for them beyond its own.
    static let sequences: [(sequence: String, code: Int32)] = [
        ("\u{1b}[200~", pasteStart), ("\u{1b}[201~", pasteEnd), ("\u{1b}[<", sgrStart),
        ("\u{1b}[M", x10Start), ("\u{1b}[1;2A", KEY_SR), ("\u{1b}[1;2B", KEY_SF),
        ("\u{1b}[1;3A", altUp), ("\u{1b}[1;3B", altDown),
    ]

    private static let (pasteStart, pasteEnd, sgrStart, x10Start): (Int32, Int32, Int32, Int32) =
        (1024, 1025, 1026, 1027)
    fileprivate static let (altUp, altDown): (Int32, Int32) = (1028, 1029)

    private var state = State.keys
    private var pasted: [Unicode.Scalar] = []
    private var latest: ContinuousClock.Instant?

    /// Discards a pasted text or a report, because its end may never come.
    mutating func reset() { state = .keys }

    /// Returns the key Esc if nothing follows it. curses waits a moment for what may follow.
    mutating func endOfInput() -> TerminalEvent? {
        guard case .escape = state else { return nil }
        state = .keys
        return .key(.escape)
    }

    /// Returns the event that a symbol completes, if it does.
    mutating func decode(
        _ symbol: Symbol, at now: ContinuousClock.Instant = .now
    ) -> TerminalEvent? {
        let isLate = latest.map { now - $0 > Self.patience } ?? false
        latest = now
        switch (state, symbol) {
        case (.sequence, .character), (.lastCharacter, .character), (.string, .character):
            if isLate { state = .keys }
        default: break
        }
        switch (state, symbol) {
        case (_, .code(Self.pasteStart)):
            state = .paste
            pasted = []
        case (.paste, .code(Self.pasteEnd)):
            state = .keys
            return .pasted(String(String.UnicodeScalarView(pasted)))
        case (.paste, .character(let value)):
            guard pasted.count < Self.pasteLimit, let scalar = Unicode.Scalar(value) else { break }
            pasted.append(scalar == "\r" ? "\n" : scalar)
        case (.paste, .code): break
        case (_, .code(Self.sgrStart)): state = .sgrReport("")
        case (_, .code(Self.x10Start)): state = .x10Report([])
        case (.sgrReport(let text), .character(let value)): return decodeSGR(text, value)
        case (.x10Report(let numbers), .character(let value)):
            let numbers = numbers + [Int(value) - 32]
            state = numbers.count < 3 ? .x10Report(numbers) : .keys
            return Self.event(numbers, release: 3)
        case (_, .character(27)): state = .escape
        case (.string, .character(7)): state = .keys
        case (.string, .character): break
        case (_, .character(let value)) where value < 32: return key(value)
        case (.escape, .character(let value)): state = Self.state(afterEscape: value)
        case (.sequence(0), .character(0x5B)): state = .lastCharacter
        case (.sequence(let count), .character(0x20...0x3F)) where count < Self.reportLimit:
            state = .sequence(count + 1)
        case (.lastCharacter, .character(0x30...0x3F)): break
        case (.sequence, .character(...0x7E)), (.lastCharacter, .character(...0x7E)): state = .keys
        case (_, .character(let value)): return key(value)
        case (_, .code(let code)):
            state = .keys
            return Key.byCursesCode[code].map(TerminalEvent.key)
        }
        return nil
    }

    private static func state(afterEscape value: UInt32) -> State {
        switch Unicode.Scalar(value) {
        case "[": .sequence(0)
        case "O": .lastCharacter
        case "]", "P", "X", "^", "_": .string
        default: .keys
        }
    }

    /// Ends a sequence with a key.
    private mutating func key(_ value: UInt32) -> TerminalEvent? {
        state = .keys
        return Key(scalar: value).map(TerminalEvent.key)
    }

    /// Decodes a character of a report; a character that no report contains ends the report and is
    /// a key.
    private mutating func decodeSGR(_ text: String, _ value: UInt32) -> TerminalEvent? {
        state = .keys
        switch Unicode.Scalar(value).map(Character.init) {
        case "M": return Self.event(text.split(separator: ";").compactMap { Int($0) })
        case "m": return Self.event(text.split(separator: ";").compactMap { Int($0) }, release: 0)
        case let digit? where "0123456789;".contains(digit) && text.count < Self.reportLimit:
            state = .sgrReport(text + String(digit))
            return nil
        default: return Key(scalar: value).map(TerminalEvent.key)
        }
    }

    /// Returns the event of a report (button, column and row) of the first two buttons or the wheel. In
    /// the report of a release, the number `release` stands for the first button.
    private static func event(_ report: [Int], release: Int? = nil) -> TerminalEvent? {
        guard report.count == 3, report[1] > 0, report[2] > 0 else { return nil }
        // 4, 8 and 16 are Shift, Meta and Ctrl; 32 is motion.
        var kinds: [Int: MouseEvent.Kind] = [
            0: .press, 2: .secondaryPress, 32: .drag, 64: .wheelUp, 65: .wheelDown,
        ]
        if let release { kinds[release] = .release }
        // In SGR form, a release has the number of its button.
        if release == 0 { kinds[2] = nil }
        return kinds[report[0] & ~(4 | 8 | 16)].map {
            .mouse(MouseEvent($0, row: report[2] - 1, column: report[1] - 1))
        }
    }
}

extension Key {
    /// The key that sends a character, or `nil`.
    fileprivate init?(scalar value: UInt32) {
        switch value {
        case 13, 10: self = .enter
        case 9: self = .tab
        case 27: self = .escape
        case 8, 127: self = .backspace
        case 1...26:
            guard let letter = Unicode.Scalar(value + 96) else { return nil }
            self = .control(Character(letter))
        default:
            guard value >= 32, let scalar = Unicode.Scalar(value) else { return nil }
            self = .character(Character(scalar))
        }
    }

    /// The keys that the list uses, by the codes of curses.
    fileprivate static let byCursesCode: [Int32: Key] = [
        KEY_UP: .up, KEY_DOWN: .down, KEY_LEFT: .left, KEY_RIGHT: .right, KEY_PPAGE: .pageUp,
        KEY_NPAGE: .pageDown, KEY_HOME: .home, KEY_END: .end, KEY_IC: .insert, KEY_DC: .delete,
        KEY_ENTER: .enter, KEY_BTAB: .backTab, KEY_BACKSPACE: .backspace,
        KEY_SR: .shiftUp, KEY_SF: .shiftDown,
        InputDecoder.altUp: .altUp, InputDecoder.altDown: .altDown,
    ].merging((1...63).map { (KEY_F0 + $0, .function(Int($0))) }) { key, _ in key }
}
