// Makes text from strangers safe to show, measures it in columns and cuts it to a width.

/// The side on which a text is placed in a wider field.
public enum TextAlignment: Sendable {
    /// The text first, then spaces.
    case leading
    /// Spaces first, then the text.
    case trailing
}

/// Text from an untrusted source, made safe to show.
///
/// Characters that could control a terminal, change the writing direction, forge a line or hide are
/// replaced by visible escapes: control characters by escapes like `␛` or `\u{9b}`, bidirectional
/// controls and invisible characters by escapes like `\u{202e}`. The result occupies exactly
/// ``width`` columns:
///
/// ```swift
/// SafeText("tv\u{1b}]0;owned\u{7}").text            // "tv␛]0;owned␇"
/// SafeText("プリンター").fitted(to: 7).text          // "プリン…"
/// ```
///
/// Of an emoji sequence only the first emoji is shown, without variation selector, because
/// terminals disagree on the width of the whole.
public struct SafeText: Hashable, Sendable {
    /// A character that occupies one or two columns, with the combining marks drawn over it.
    package struct Cell: Hashable, Sendable {
        package var text: String
        /// The number of columns: 1 or 2.
        package var width = 1
        /// Whether the cell belongs to an escape, which replaces a forbidden character.
        package var isEscape = false
        /// Whether the text may be cut before the cell.
        package var startsCluster = true
        /// Whether the cell belongs to a search match.
        package var isMarked = false

        package static let space = Cell(text: " ")
    }

    /// The scalars of a character that have been appended so far.
    private struct Cluster {
        var base: Unicode.Scalar?
        var marks = 0
        var isJoined = false
    }

    /// The maximum number of combining marks on one base character; more are shown as escapes.
    private static let markLimit = 4
    /// The maximum number of scalars of an emoji sequence; the sequences of the Unicode standard
    /// have at most 10.
    private static let emojiSequenceLimit = 16
    /// The scripts that need zero-width joiners (Arabic to Mongolian); elsewhere these can hide.
    private static let joiningScripts: ClosedRange<UInt32> = 0x0600...0x18af
    private static let hiddenCategories: Set<Unicode.GeneralCategory> = [
        .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator,
    ]
    private static let asciiCells = (UInt8(0)..<128).map {
        Cell(text: String(UnicodeScalar($0)))
    }

    package private(set) var cells: [Cell] = []
    /// The number of columns that the text occupies.
    public private(set) var width = 0

    private let charset: Charset
    /// Whether a search match is in the part that was left out.
    private var hasMatchBeyond = false

    /// Makes a text safe: characters not in the charset are escaped too, and characters that are
    /// partly in a match are marked. The text after `columns` is left out: pass the width to which
    /// the text is cut anyway, so that the cost does not depend on its length.
    public init(
        _ raw: String, charset: Charset = .unicode, upTo columns: Int = .max,
        marking matches: [Range<String.Index>] = []
    ) {
        self.charset = charset
        // The needed part of most texts is printable ASCII.
        let bytes = raw.utf8.prefix(columns == .max ? .max : max(0, columns) + 1)
        if matches.isEmpty, bytes.allSatisfy({ (0x20..<0x7f).contains($0) }) {
            cells = bytes.map { Self.asciiCells[Int($0)] }
            width = cells.count
            return
        }
        var end = raw.startIndex
        while end < raw.endIndex, width <= columns {
            let (start, first) = (end, cells.count)
            end = raw.index(after: start)
            append(raw[start], upTo: columns)
            if matches.contains(where: { $0.lowerBound < end && start < $0.upperBound }) {
                for index in first..<cells.count { cells[index].isMarked = true }
            }
        }
        hasMatchBeyond = matches.contains { $0.upperBound > end && !$0.isEmpty }
    }

    /// Returns the number of columns that a text occupies when it is safe, or a number greater than
    /// `limit`.
    package static func width(
        of raw: String, charset: Charset = .unicode, upTo limit: Int = .max
    ) -> Int {
        let isASCII = raw.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
        return isASCII ? raw.utf8.count : SafeText(raw, charset: charset, upTo: limit).width
    }

    /// The text as it may be sent to a terminal.
    public var text: String {
        // Joining a lazy sequence takes seven times as long.
        var text = ""
        for cell in cells { text += cell.text }
        return text
    }

    // MARK: Cutting

    /// Returns the text in exactly some columns: cut, with an ellipsis, or padded with spaces.
    /// Neither a combined character nor an escape such as `\u{202e}` is cut apart.
    public func fitted(to columns: Int, alignment: TextAlignment = .leading) -> SafeText {
        var result = cut(to: columns)
        let spaces = Array(repeating: Cell.space, count: max(0, columns - result.width))
        result.cells.insert(contentsOf: spaces, at: alignment == .leading ? result.cells.count : 0)
        result.width += spaces.count
        return result
    }

    /// Returns the text in at most some columns; an ellipsis replaces the part that is cut off.
    public func cut(to columns: Int) -> SafeText {
        guard width > columns else { return self }
        let ellipsis = (charset == .ascii ? ".." : "…").prefix(max(0, columns))
        var (end, used) = (0, ellipsis.count)
        for (index, cell) in cells.enumerated() {
            if cell.startsCluster { end = index }
            used += cell.width
            if used > columns { break }
        }
        let isMarked = hasMatchBeyond || cells[end...].contains(where: \.isMarked)
        let sign = ellipsis.map {
            Cell(text: String($0), startsCluster: false, isMarked: isMarked)
        }
        var result = self
        result.replaceCells(cells[..<end] + sign)
        return result
    }

    /// Removes characters from the start until the rest occupies at most some columns.
    package mutating func dropFirst(untilAtMost columns: Int) {
        var (first, left) = (0, width)
        while first < cells.count, left > columns || !cells[first].startsCluster {
            left -= cells[first].width
            first += 1
        }
        replaceCells(cells[first...])
    }

    private mutating func replaceCells(_ new: some Sequence<Cell>) {
        cells = Array(new)
        width = cells.reduce(0) { $0 + $1.width }
    }

    // MARK: Escaping

    /// Returns a text for a log, where the width does not matter: as safe as a ``SafeText``, but
    /// with complete emoji sequences.
    public static func logText(_ raw: String, charset: Charset = .unicode) -> String {
        if raw.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) { return raw }
        guard charset != .ascii, !raw.utf8.allSatisfy({ $0 < 0x80 }) else {
            return SafeText(raw, charset: charset).text
        }
        return raw.map { character in
            let scalars = character.unicodeScalars
            guard scalars.first.map(isEmoji) == true else {
                return SafeText(String(character)).text
            }
            return isEmojiSequence(character)
                ? String(character) : scalars.map { SafeText(String($0)).text }.joined()
        }.joined()
    }

    /// Whether an emoji is followed only by variation selectors, skin tones and joined emoji:
    /// anything else could hide there.
    package static func isEmojiSequence(_ character: Character) -> Bool {
        guard character.unicodeScalars.first.map(isEmoji) == true else { return false }
        let scalars = character.unicodeScalars.prefix(emojiSequenceLimit + 1).map(\.self)
        guard scalars.count <= emojiSequenceLimit else { return false }
        return scalars.indices.dropFirst().allSatisfy { index in
            switch scalars[index].value {
            case 0x200d: index + 1 < scalars.count && isEmoji(scalars[index + 1])
            case 0xfe0e, 0xfe0f: isEmoji(scalars[index - 1])
            default: isEmoji(scalars[index])
            }
        }
    }

    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmoji && !scalar.isASCII
    }

    /// Appends a grapheme cluster, which may have any number of scalars.
    private mutating func append(_ character: Character, upTo columns: Int) {
        if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7f {
            return append(Self.asciiCells[Int(ascii)])
        }
        var cluster = Cluster()
        for scalar in character.unicodeScalars {
            if width > columns { return }
            append(scalar, in: &cluster)
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar, in cluster: inout Cluster) {
        if let base = cluster.base, isLeftOut(scalar, after: base, in: &cluster) { return }
        let columns = isShown(scalar, in: cluster) ? displayWidth(of: scalar) : -1
        if columns > 0 {
            append(Cell(text: String(scalar), width: columns, startsCluster: cluster.base == nil))
            (cluster.base, cluster.marks) = (scalar, 0)
        } else if columns == 0, cluster.base != nil, cluster.marks < Self.markLimit {
            cells[cells.count - 1].text.unicodeScalars.append(scalar)
            cluster.marks += 1
        } else {
            for (index, character) in escape(for: scalar).enumerated() {
                append(Cell(text: String(character), isEscape: true, startsCluster: index == 0))
            }
            cluster.base = nil
        }
    }

    private mutating func append(_ cell: Cell) {
        cells.append(cell)
        width += cell.width
    }

    /// Whether a scalar is omitted because it widens, colours or joins an emoji: terminals
    /// disagree on the resulting width.
    private func isLeftOut(
        _ scalar: Unicode.Scalar, after base: Unicode.Scalar, in cluster: inout Cluster
    ) -> Bool {
        guard charset != .ascii else { return false }
        if scalar.value == 0xfe0e || scalar.value == 0xfe0f { return base.properties.isEmoji }
        guard Self.isEmoji(base) else { return false }
        if scalar.value == 0x200d { cluster.isJoined = true }
        return cluster.isJoined || scalar.properties.isEmojiModifier
    }

    private func isShown(_ scalar: Unicode.Scalar, in cluster: Cluster) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7f }
        if charset == .ascii { return false }
        if scalar.value == 0x200c || scalar.value == 0x200d {
            return cluster.marks <= 1
                && cluster.base.map { Self.joiningScripts.contains($0.value) } == true
        }
        return !scalar.properties.isDefaultIgnorableCodePoint
            && !Self.hiddenCategories.contains(scalar.properties.generalCategory)
    }

    private func escape(for scalar: Unicode.Scalar) -> String {
        switch (charset, scalar.value) {
        case (.unicode, 0..<0x20): String(UnicodeScalar(0x2400 + scalar.value) ?? "?")
        case (.unicode, 0x7f): "␡"
        case (_, 0..<0x20), (_, 0x7f):
            "^" + String(UnicodeScalar(scalar.value ^ 0x40) ?? "?")
        default: "\\u{" + String(scalar.value, radix: 16) + "}"
        }
    }
}
