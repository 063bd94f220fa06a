// Text from strangers, made safe to show, measured in columns and cut to them.

/// Text that may come from strangers, made safe to show.
///
/// Whatever could steer a terminal, turn the writing direction, forge a line or hide is made
/// visible in place: control characters as `␛` or `\u{9b}`, bidirectional controls and characters
/// that show nothing as `\u{202e}`. What remains takes exactly the columns that ``width`` says:
///
/// ```swift
/// SafeText("tv\u{1b}]0;owned\u{7}").text            // "tv␛]0;owned␇"
/// SafeText("プリンター").fitted(to: 7).text          // "プリン…"
/// ```
///
/// Emoji that are joined from several, or change their width by an invisible sign, are shown as
/// the first of them, since terminals do not agree on the width of the whole.
public struct SafeText: Hashable, Sendable {
    /// What stands in one cell of the terminal, or in two next to each other.
    struct Cell: Hashable, Sendable {
        /// One character that takes room, and what is drawn over it.
        var text: String
        /// How many columns it takes: 1 or 2.
        var width: Int
        /// Whether it stands for a character that may not be sent.
        var isEscape: Bool
        /// Whether the text may be cut before it.
        var startsCluster: Bool
        /// Whether it belongs to what was searched for.
        var isMarked = false
    }

    var cells: [Cell] = []

    /// How many columns the text takes.
    public private(set) var width = 0

    let charset: Charset
    /// Whether something that was searched for stands in what was left out.
    private(set) var hasMarksBeyond = false

    /// The text, made safe.
    ///
    /// - Parameters:
    ///   - raw: Any text.
    ///   - charset: Which characters may be sent; all else is escaped.
    ///   - columns: As soon as the text is wider than this, the rest is left out: set it where the
    ///     text is cut anyway, and a text without bounds costs little.
    public init(_ raw: String, charset: Charset = .unicode, upTo columns: Int = .max) {
        self.charset = charset
        if appendASCII(raw, upTo: columns) { return }
        for character in raw {
            if width > columns { return }
            append(character, upTo: columns)
        }
    }

    /// The text, made safe, with parts of it marked as what was searched for.
    ///
    /// - Parameters:
    ///   - raw: Any text.
    ///   - charset: Which characters may be sent; all else is escaped.
    ///   - columns: As soon as the text is wider than this, the rest is left out.
    ///   - ranges: The parts; a character that is in one by half is marked whole.
    init(
        _ raw: String, charset: Charset, upTo columns: Int, marking ranges: [Range<String.Index>]
    ) {
        guard !ranges.isEmpty else {
            self.init(raw, charset: charset, upTo: columns)
            return
        }
        self.init("", charset: charset)
        var start = raw.startIndex
        while start < raw.endIndex, width <= columns {
            let end = raw.index(after: start)
            let first = cells.count
            append(raw[start], upTo: columns)
            if ranges.contains(where: { $0.lowerBound < end && start < $0.upperBound }) {
                for place in first..<cells.count { cells[place].isMarked = true }
            }
            start = end
        }
        hasMarksBeyond = ranges.contains { $0.upperBound > start && !$0.isEmpty }
    }

    /// Bytes as text, each that is not part of valid UTF-8 shown as `\x{ff}`.
    ///
    /// - Parameters:
    ///   - bytes: Any bytes, UTF-8 where possible.
    ///   - charset: Which characters may be sent; all else is escaped.
    public init(bytes: some Sequence<UInt8>, charset: Charset = .unicode) {
        self.init("", charset: charset)
        var valid = ""
        var rest = Array(bytes)[...]
        while let byte = rest.first {
            if let (scalar, length) = Self.leadingScalar(of: rest) {
                valid.unicodeScalars.append(scalar)
                rest = rest.dropFirst(length)
                continue
            }
            append(SafeText(valid, charset: charset))
            valid = ""
            appendEscape("\\x{" + String(byte, radix: 16) + "}")
            rest = rest.dropFirst()
        }
        append(SafeText(valid, charset: charset))
    }

    /// The text as a terminal may get it.
    public var text: String { cells.lazy.map(\.text).joined() }

    mutating func append(_ cell: Cell) {
        cells.append(cell)
        width += cell.width
    }

    /// Takes the short way with a text that is printable ASCII as far as it is needed, which most
    /// are; false when it is not.
    private mutating func appendASCII(_ raw: String, upTo columns: Int) -> Bool {
        let bytes = raw.utf8.prefix(columns == .max ? .max : columns + 1)
        guard bytes.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return false }
        cells = bytes.map { Self.asciiCells[Int($0)] }
        width = cells.count
        return true
    }

    private static let asciiCells = (UInt8(0)..<128).map { byte in
        Cell(
            text: String(UnicodeScalar(byte)), width: 1, isEscape: false, startsCluster: true)
    }

    mutating func replaceCells(_ new: some Sequence<Cell>) {
        cells = Array(new)
        width = cells.reduce(0) { $0 + $1.width }
    }

    private mutating func append(_ other: SafeText) {
        cells += other.cells
        width += other.width
    }

    static func + (left: SafeText, right: SafeText) -> SafeText {
        var sum = left
        sum.append(right)
        return sum
    }

    private static func leadingScalar(of bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
        var iterator = bytes.makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        return (scalar, UTF8.width(scalar))
    }
}
