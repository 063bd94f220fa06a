// What the whole screen shows at a moment: a grid of styled cells, drawn without a terminal.

/// The size of a screen in characters.
public struct FrameSize: Hashable, Sendable {
    /// Characters in a line.
    public var columns: Int
    /// Lines.
    public var rows: Int

    /// So many columns by so many rows.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// What the whole screen shows at a moment.
///
/// A frame takes ``SafeText`` only, so nothing gets into it that could steer a terminal, and
/// every character stands in the column that it was written to.
public struct Frame: Hashable, Sendable {
    /// One column of one line.
    struct Cell: Hashable, Sendable {
        /// What stands here; empty in the second column of a wide character.
        var text: String
        var style: Style

        static let blank = Cell(text: " ", style: .plain)
    }

    /// The line that the cursor waits in, hidden: screen readers and magnifiers follow it.
    public var cursorRow = 0
    /// The column that it waits in.
    public var cursorColumn = 0

    /// How large the screen is.
    public let size: FrameSize

    /// The lines, each with a cell for every column.
    private(set) var lines: [[Cell]]

    /// An empty screen.
    public init(size: FrameSize) {
        self.size = size
        let line = Array(repeating: Cell.blank, count: max(0, size.columns))
        lines = Array(repeating: line, count: max(0, size.rows))
    }

    /// Writes a text into a line; what does not fit is left out.
    ///
    /// A wide character that is overwritten by half leaves a space in its other half.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - row: The line, from zero; a line outside the frame is ignored.
    ///   - column: Where the text begins, from zero.
    ///   - style: How the text looks. What stands for a forbidden character is marked besides.
    public mutating func write(
        _ text: SafeText, row: Int, column: Int, style: Style = .plain
    ) {
        write(text.cells.lazy.map { ($0, style) }, row: row, column: column)
    }

    /// Writes pieces of text, each with a style of its own.
    mutating func write(
        _ pieces: some Sequence<WrappedText.Piece>, row: Int, column: Int
    ) {
        guard lines.indices.contains(row) else { return }
        var column = column
        for (cell, style) in pieces {
            if column >= 0, column + cell.width <= size.columns {
                Self.put(cell, in: &lines[row], column: column, style: Self.style(style, of: cell))
            }
            column += cell.width
        }
    }

    /// A text's style, and what shows that a character is a stand-in or was searched for.
    private static func style(_ style: Style, of cell: SafeText.Cell) -> Style {
        let shown = cell.isMarked ? Style([.bold, .underline]).over(style) : style
        guard cell.isEscape, style.tone == .plain else { return shown }
        return Style(shown.attributes, tone: .caution)
    }

    /// Gives a line a style, keeping its text and what its texts' own styles add.
    ///
    /// - Parameters:
    ///   - row: The line, from zero; a line outside the frame is ignored.
    ///   - columns: The part of the line; `nil` for all of it.
    ///   - style: What is added.
    public mutating func restyle(row: Int, columns: Range<Int>? = nil, adding style: Style) {
        guard lines.indices.contains(row), style != .plain else { return }
        let columns = (columns ?? 0..<size.columns).clamped(to: 0..<size.columns)
        Self.restyle(&lines[row], columns, adding: style)
    }

    private static func restyle(_ line: inout [Cell], _ columns: Range<Int>, adding style: Style) {
        for column in columns { line[column].style = line[column].style.over(style) }
    }

    private static func put(
        _ cell: SafeText.Cell, in line: inout [Cell], column: Int, style: Style
    ) {
        let end = column + cell.width
        if line[column].text.isEmpty { line[column - 1].text = " " }
        if end < line.count, line[end].text.isEmpty { line[end].text = " " }
        line[column] = Cell(text: cell.text, style: style)
        if cell.width == 2 { line[end - 1] = Cell(text: "", style: style) }
    }
}
