// The contents of the screen: a grid of styled cells, drawn without a terminal.

/// The contents of the screen at one moment.
///
/// A frame contains ``SafeText`` only, so it never contains control sequences, and each character
/// is at the column to which it was written.
public struct Frame: Hashable, Sendable {
    /// One column of one line.
    package struct Cell: Hashable, Sendable {
        /// A character; empty in the second column of a wide one.
        package var text: String
        var style: Style
    }

    /// The line and the column of the hidden cursor, which screen readers and magnifiers follow.
    package var (cursorRow, cursorColumn) = (0, 0)

    /// The size of the screen.
    public let size: FrameSize

    /// The characters that the terminal can show.
    let charset: Charset

    /// The lines, each with a cell for every column.
    package private(set) var lines: [[Cell]]

    /// Creates a blank screen.
    package init(size: FrameSize, charset: Charset = .unicode) {
        self.size = size
        self.charset = charset
        let blank = Cell(text: " ", style: .plain)
        let line = Array(repeating: blank, count: max(0, size.columns))
        lines = Array(repeating: line, count: max(0, size.rows))
    }

    /// The text of the screen, for tests and documentation: its lines without trailing spaces.
    public var text: String {
        lines.map { line in
            let end = line.lastIndex { $0.text != " " }.map { $0 + 1 } ?? 0
            return line[..<end].reduce(into: "") { $0 += $1.text }
        }
        .joined(separator: "\n")
    }

    /// Returns the style of a character inside the frame.
    package func style(row: Int, column: Int) -> Style { lines[row][column].style }

    /// Writes a text into a line; characters outside the frame are dropped.
    package mutating func write(
        _ text: SafeText, row: Int, column: Int, style: Style = .plain
    ) {
        write(text.cells.lazy.map { ($0, style) }, row: row, column: column)
    }

    /// Makes a text safe, cuts it to some columns and writes it; returns its width.
    @discardableResult
    mutating func write(
        _ raw: String, row: Int, column: Int, upTo columns: Int = .max, style: Style = .plain,
        marking matches: [Range<String.Index>] = []
    ) -> Int {
        let text = safe(raw, upTo: columns, marking: matches).cut(to: columns)
        write(text, row: row, column: column, style: style)
        return text.width
    }

    /// Makes a text safe for this screen, cut to the part that fits some columns.
    func safe(
        _ raw: String, upTo columns: Int = .max, marking matches: [Range<String.Index>] = []
    ) -> SafeText {
        SafeText(raw, charset: charset, upTo: columns, marking: matches)
    }

    /// Writes characters, each with its own style.
    mutating func write(_ cells: some Sequence<StyledCell>, row: Int, column: Int) {
        guard lines.indices.contains(row) else { return }
        var column = column
        for (cell, style) in cells {
            if column >= 0, column + cell.width <= size.columns {
                put(cell, row: row, column: column, style: style)
            }
            column += cell.width
        }
    }

    /// Writes a character; escapes and search matches are marked in addition to the style. A wide
    /// character that is half overwritten leaves a space in its other half.
    private mutating func put(_ cell: SafeText.Cell, row: Int, column: Int, style: Style) {
        var shown = cell.isMarked ? Style([.bold, .underline]).over(style) : style
        if cell.isEscape, style.tone == .plain { shown.tone = .caution }
        let end = column + cell.width
        if lines[row][column].text.isEmpty { lines[row][column - 1].text = " " }
        if end < size.columns, lines[row][end].text.isEmpty { lines[row][end].text = " " }
        lines[row][column] = Cell(text: cell.text, style: shown)
        if cell.width == 2 { lines[row][end - 1] = Cell(text: "", style: shown) }
    }

    /// Reverses some columns of a line. Their text loses its colours, so that all have one background.
    mutating func select(row: Int, columns: Range<Int>) {
        guard lines.indices.contains(row) else { return }
        for column in columns.clamped(to: 0..<size.columns) {
            let attributes = lines[row][column].style.attributes
            lines[row][column].style = Style(attributes.subtracting(.dim).union(.reverse))
        }
    }

    /// Adds a style to a line or to some columns of it; the styles of the text take precedence.
    package mutating func restyle(row: Int, columns: Range<Int>? = nil, adding style: Style) {
        guard lines.indices.contains(row), style != .plain else { return }
        for column in (columns ?? 0..<size.columns).clamped(to: 0..<size.columns) {
            lines[row][column].style = lines[row][column].style.over(style)
        }
    }
}
