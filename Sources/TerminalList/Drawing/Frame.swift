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
        guard lines.indices.contains(row) else { return }
        var column = column
        for cell in text.cells {
            if column >= 0, column + cell.width <= size.columns {
                put(cell, row: row, column: column, style: style)
            }
            column += cell.width
        }
    }

    /// Gives the whole line a style, keeping its text and what its texts' own styles add.
    public mutating func restyle(row: Int, adding style: Style) {
        guard lines.indices.contains(row) else { return }
        for column in lines[row].indices {
            lines[row][column].style = lines[row][column].style.over(style)
        }
    }

    private mutating func put(_ cell: SafeText.Cell, row: Int, column: Int, style: Style) {
        let last = column + cell.width - 1
        if lines[row][column].text.isEmpty { lines[row][column - 1].text = " " }
        if last + 1 < size.columns, lines[row][last + 1].text.isEmpty {
            lines[row][last + 1].text = " "
        }
        var style = style
        if cell.isEscape, style.tone == .plain { style.tone = .caution }
        lines[row][column] = Cell(text: cell.text, style: style)
        if cell.width == 2 { lines[row][last] = Cell(text: "", style: style) }
    }
}
