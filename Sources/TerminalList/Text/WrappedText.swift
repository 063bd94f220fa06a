// Styled text in rows of a certain width, broken between words where that is possible.

/// Styled text in rows of a certain width, broken between words where that is possible.
struct WrappedText {
    /// What stands in one place, and how it looks.
    typealias Piece = (cell: SafeText.Cell, style: Style)

    /// The rows; an empty text has one, too.
    private(set) var rows: [[Piece]] = []
    private var row: [Piece] = []
    private var width = 0
    /// Where the row may be broken, and where its first word begins.
    private var lastBreak: Int?
    private var start = 0
    private let columns: Int
    private let indent: Int

    /// Wraps pieces of text.
    ///
    /// - Parameters:
    ///   - texts: The pieces, made safe, each with its style.
    ///   - columns: How wide a row is.
    ///   - indent: How far rows are set in from the second one on; less where there is no room.
    init(_ texts: [(text: SafeText, style: Style)], columns: Int, indent: Int) {
        self.columns = max(2, columns)
        self.indent = max(0, min(indent, columns / 2))
        for (text, style) in texts {
            for cell in text.cells { append((cell, style)) }
        }
        endRow()
    }

    private mutating func append(_ piece: Piece) {
        let isSpace = piece.cell.text == " "
        if width + piece.cell.width > columns {
            // The space between two rows is the break itself.
            if isSpace { return breakRow(at: row.count) }
            breakRow(at: bestBreak(before: piece))
        }
        if isSpace, row.count == start, !rows.isEmpty { return }
        row.append(piece)
        width += piece.cell.width
        if isSpace, row.count > start + 1 { lastBreak = row.count }
    }

    /// Before the last word, if it has room in the next row; else before what belongs together
    /// with the next piece; else here.
    private func bestBreak(before piece: Piece) -> Int {
        func fits(_ place: Int) -> Bool {
            let rest = row[place...].reduce(piece.cell.width) { $0 + $1.cell.width }
            return place > start && indent + rest <= columns
        }
        if let lastBreak, fits(lastBreak) { return lastBreak }
        if !piece.cell.startsCluster, let first = row.lastIndex(where: \.cell.startsCluster),
            fits(first)
        {
            return first
        }
        return row.count
    }

    private mutating func breakRow(at place: Int) {
        let rest = row[place...]
        row.removeSubrange(place...)
        endRow()
        let space = SafeText.Cell(text: " ", width: 1, isEscape: false, startsCluster: true)
        row = Array(repeating: (space, .plain), count: indent) + rest
        start = indent
        width = row.reduce(0) { $0 + $1.cell.width }
    }

    private mutating func endRow() {
        rows.append(row)
        row = []
        width = 0
        start = 0
        lastBreak = nil
    }
}
