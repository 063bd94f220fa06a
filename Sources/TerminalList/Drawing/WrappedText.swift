// Breaks styled text into rows of a given width, between words where possible.

/// A character and its style.
typealias StyledCell = (cell: SafeText.Cell, style: Style)

extension SafeText {
    /// Returns the first lines of a text, broken between words where possible.
    package static func lines(
        of text: String, columns: Int, limit: Int, charset: Charset
    ) -> [String] {
        let text = SafeText(text, charset: charset, upTo: columns * limit)
        return rows(of: [(text, .plain)], columns: columns).map { $0.map(\.cell.text).joined() }
    }

    /// Breaks pieces of text into rows, between words where possible; an empty text has one row.
    /// Rows from the second on are indented, at most by half of the width.
    static func rows(
        of pieces: [(text: SafeText, style: Style)], columns: Int, indent: Int = 0
    ) -> [[StyledCell]] {
        let columns = max(2, columns)
        let space: StyledCell = (.space, .plain)
        let lead = Array(repeating: space, count: max(0, min(indent, columns / 2)))
        var rest = pieces.flatMap { piece -> [StyledCell] in
            piece.text.cells.map { ($0, piece.style) }
        }[...]
        var rows: [[StyledCell]] = []
        repeat {
            let room = rows.isEmpty ? columns : columns - lead.count
            let end = endOfRow(rest, in: room, nextRoom: columns - lead.count)
            rows.append((rows.isEmpty ? [] : lead) + rest[..<end])
            rest = rest[end...].drop { $0.cell.text == " " }
        } while !rest.isEmpty
        return rows
    }

    /// Returns the end of the longest row: after a word if the next one fits into the next row,
    /// else before a cluster, else anywhere.
    private static func endOfRow(
        _ text: ArraySlice<StyledCell>, in room: Int, nextRoom: Int
    ) -> Int {
        var (end, width) = (text.startIndex, 0)
        while end < text.endIndex, width + text[end].cell.width <= room {
            width += text[end].cell.width
            end += 1
        }
        guard end < text.endIndex, text[end].cell.text != " " else { return end }
        func fits(_ index: Int) -> Bool {
            index > text.startIndex
                && text[index...end].reduce(0) { $0 + $1.cell.width } <= nextRoom
        }
        let space = text[..<end].dropFirst().lastIndex { $0.cell.text == " " }
        if let space, fits(space + 1) { return space }
        if let start = text[...end].lastIndex(where: \.cell.startsCluster), fits(start) {
            return start
        }
        return max(end, text.startIndex + 1)
    }
}
