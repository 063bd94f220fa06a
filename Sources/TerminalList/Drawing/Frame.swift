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
        let escapeStyle = Style(
            style.attributes, tone: style.tone == .plain ? .caution : style.tone)
        for cell in text.cells {
            if column >= 0, column + cell.width <= size.columns {
                let style = cell.isEscape ? escapeStyle : style
                Self.put(cell, in: &lines[row], column: column, style: style)
            }
            column += cell.width
        }
    }

    /// Gives the whole line a style, keeping its text and what its texts' own styles add.
    public mutating func restyle(row: Int, adding style: Style) {
        guard lines.indices.contains(row), style != .plain else { return }
        Self.restyle(&lines[row], adding: style)
    }

    private static func restyle(_ line: inout [Cell], adding style: Style) {
        for column in line.indices { line[column].style = line[column].style.over(style) }
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
