// Decodes what curses reads into keys, mouse reports and pasted text.
import CNcurses

/// Decodes what curses reads into keys, mouse reports and pasted text.
///
/// curses looks up keys only. Its own reading of the mouse is not used: it waits
/// for the rest of a report that was cut off, and for the next input after an
/// event that was not asked for, so the list would stand still meanwhile. Here
/// an incomplete report is a state that waits for nothing.
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
        /// Inside pasted text (bracketed paste, `CSI 200 ~` to `CSI 201 ~`).
        case paste
        /// Inside a mouse report in SGR form: `CSI < button ; column ; row`, then `M` or `m`.
        case sgrReport([UInt8])
        /// Inside a mouse report in X10 form: `CSI M`, then three characters.
        case x10Report([UInt32])
    }

    /// The maximum number of scalars of a pasted text; the rest is left out.
    static let pasteLimit = 10_000
    /// More than any report in SGR form has.
    private static let reportLimit = 20

    /// The sequences that curses does not know, with the codes that it reports them by: numbers
    /// beyond its own.
    static let sequences: [(sequence: String, code: Int32)] = [
        ("\u{1b}[200~", pasteStart), ("\u{1b}[201~", pasteEnd), ("\u{1b}[<", sgrStart),
        ("\u{1b}[M", x10Start),
    ]

    private static let (pasteStart, pasteEnd, sgrStart, x10Start): (Int32, Int32, Int32, Int32) =
        (1024, 1025, 1026, 1027)

    private var state = State.keys
    private var pasted: [Unicode.Scalar] = []

    /// Forgets a text or a report whose end may never come.
    mutating func reset() { state = .keys }

    /// Returns the event that a symbol completes, if it does.
    mutating func decode(_ symbol: Symbol) -> TerminalEvent? {
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
        case (_, .code(Self.sgrStart)): state = .sgrReport([])
        case (_, .code(Self.x10Start)): state = .x10Report([])
        case (.sgrReport(let text), .character(let value)): return decodeSGR(text, value)
        case (.x10Report(let values), .character(let value)): return decodeX10(values + [value])
        case (_, .character(let value)): return Key(scalar: value).map(TerminalEvent.key)
        case (_, .code(let code)):
            state = .keys
            return Key(cursesCode: code).map(TerminalEvent.key)
        }
        return nil
    }

    /// A character that no report can contain ends it, and is a key.
    private mutating func decodeSGR(_ text: [UInt8], _ value: UInt32) -> TerminalEvent? {
        state = .keys
        switch value {
        case UInt32(UInt8(ascii: "M")), UInt32(UInt8(ascii: "m")):
            let numbers = text.split(separator: UInt8(ascii: ";")).compactMap {
                Int(String(decoding: $0, as: UTF8.self))
            }
            // A lower-case `m` reports a release.
            guard numbers.count == 3, value == UInt32(UInt8(ascii: "M")) else { return nil }
            return Self.event(button: numbers[0], column: numbers[1], row: numbers[2])
        case 0x30...0x3B where value != 0x3A && text.count < Self.reportLimit:
            state = .sgrReport(text + [UInt8(value)])
            return nil
        default:
            return Key(scalar: value).map(TerminalEvent.key)
        }
    }

    private mutating func decodeX10(_ values: [UInt32]) -> TerminalEvent? {
        guard values.count == 3 else {
            state = .x10Report(values)
            return nil
        }
        state = .keys
        let numbers = values.map { Int($0) - 32 }
        return Self.event(button: numbers[0], column: numbers[1], row: numbers[2])
    }

    /// The event of a button that the list has a use for: the first one's press, and the wheel.
    private static func event(button: Int, column: Int, row: Int) -> TerminalEvent? {
        // 4, 8 and 16 are Shift, Meta and Ctrl; 32 is motion.
        let kind: MouseEvent.Kind? =
            switch button & ~(4 | 8 | 16) {
            case 0: .press
            case 64: .wheelUp
            case 65: .wheelDown
            default: nil
            }
        guard let kind, column > 0, row > 0 else { return nil }
        return .mouse(MouseEvent(kind, row: row - 1, column: column - 1))
    }
}

extension Key {
    /// The key that sends a character, if it is one.
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

    /// The key of a code of curses, if the list has a use for it.
    fileprivate init?(cursesCode code: Int32) {
        switch code {
        case KEY_UP: self = .up
        case KEY_DOWN: self = .down
        case KEY_LEFT: self = .left
        case KEY_RIGHT: self = .right
        case KEY_PPAGE: self = .pageUp
        case KEY_NPAGE: self = .pageDown
        case KEY_HOME: self = .home
        case KEY_END: self = .end
        case KEY_IC: self = .insert
        case KEY_DC: self = .delete
        case KEY_ENTER: self = .enter
        case KEY_BTAB: self = .backTab
        case KEY_BACKSPACE: self = .backspace
        case KEY_F0 + 1...KEY_F0 + 63: self = .function(Int(code - KEY_F0))
        default: return nil
        }
    }
}
