// Breaks styled text into rows of a given width, between words where possible.

/// Styled text in rows of a given width, broken between words where possible.
struct WrappedText {
    /// A character cell and its style.
    typealias Piece = (cell: SafeText.Cell, style: Style)

    /// The rows; an empty text has one.
    private(set) var rows: [[Piece]] = []
    private var row: [Piece] = []
    private var width = 0
    /// The index in `row` after the last space, if any.
    private var lastBreak: Int?
    /// The index in `row` of the first piece after the indentation.
    private var start = 0
    private let columns: Int
    private let indent: Int

    /// Wraps pieces of text.
    ///
    /// - Parameters:
    ///   - texts: The pieces and their styles.
    ///   - columns: The width of a row.
    ///   - indent: The indentation from the second row on; at most half of the width is used.
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
            // A space at the break is dropped.
            if isSpace { return breakRow(at: row.count) }
            breakRow(at: bestBreak(before: piece))
        }
        if isSpace, row.count == start, !rows.isEmpty { return }
        row.append(piece)
        width += piece.cell.width
        if isSpace, row.count > start + 1 { lastBreak = row.count }
    }

    /// Returns the index before the last word if the word fits into the next row, else before the
    /// cluster that the next piece continues, else the end of the row.
    private func bestBreak(before piece: Piece) -> Int {
        func fits(_ index: Int) -> Bool {
            let rest = row[index...].reduce(piece.cell.width) { $0 + $1.cell.width }
            return index > start && indent + rest <= columns
        }
        if let lastBreak, fits(lastBreak) { return lastBreak }
        if !piece.cell.startsCluster, let first = row.lastIndex(where: \.cell.startsCluster),
            fits(first)
        {
            return first
        }
        return row.count
    }

    private mutating func breakRow(at index: Int) {
        let rest = row[index...]
        row.removeSubrange(index...)
        endRow()
        row = Array(repeating: (.space, .plain), count: indent) + rest
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
