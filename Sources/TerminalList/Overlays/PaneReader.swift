// Wraps, scrolls and draws the text of a pane.

/// The wrapped text of a pane, and the scroll position in it.
struct PaneReader {
    /// The identity of a row of the wrapped text: the nearest line above with an identifier, the
    /// number of lines below that one, and the number of the row in its line.
    private struct RowKey: Hashable {
        var id: String?
        var below: Int
        var part: Int
    }

    /// The text wrapped to a width.
    private struct Text {
        let columns: Int
        var rows: [[WrappedText.Piece]] = []
        var keys: [RowKey] = []
    }

    /// The maximum number of columns of a piece of text; the rest is not shown.
    private static let pieceLimit = 4000
    /// The maximum distance of a scroll, longer than any text, so that no sum overflows.
    private static let scrollLimit = 1 << 32

    private var text: Text?
    /// The first visible row.
    private var top = 0
    /// The rows as of the last frame, and the number of visible ones.
    private var keys: [RowKey] = []
    private var height = 1

    /// Scrolls by a number of rows; the extremes of `Int` scroll to the ends.
    mutating func scroll(by count: Int) {
        top = max(0, top + max(-Self.scrollLimit, min(count, Self.scrollLimit)))
        // The end is unknown before the first frame.
        if !keys.isEmpty { top = min(top, lastTop) }
    }

    private var lastTop: Int { max(0, keys.count - height) }

    /// Wraps the text again at the next drawing, because it or the search has changed.
    mutating func invalidate() { text = nil }

    mutating func draw(
        _ pane: TextPane, columns: Range<Int>, _ layout: ScreenLayout, hasFocus: Bool,
        charset: Charset, highlight: ((String) -> [Range<String.Index>])?, in frame: inout Frame
    ) {
        let isSide = pane.placement == .side
        if isSide {
            let rule = SafeText(charset == .ascii ? "|" : "│", charset: charset)
            for row in layout.titleRow..<layout.rows.upperBound {
                frame.write(
                    rule, row: row, column: columns.lowerBound - 2, style: Style(tone: .muted))
            }
        }
        let text =
            text.flatMap { $0.columns == columns.count ? $0 : nil }
            ?? Self.wrap(pane, columns: columns.count, charset: charset, highlight)
        self.text = text
        keepPosition(text.keys, height: layout.rows.count)
        for (line, row) in zip(layout.rows, text.rows.dropFirst(top)) {
            frame.write(row, row: line, column: columns.lowerBound)
        }
        drawTitle(
            pane.title, row: layout.titleRow, columns: columns, isMarked: isSide && hasFocus,
            charset: charset, in: &frame)
        if hasFocus {
            frame.cursorRow = layout.rows.lowerBound
            frame.cursorColumn = columns.lowerBound
        }
    }

    private static func wrap(
        _ pane: TextPane, columns: Int, charset: Charset,
        _ highlight: ((String) -> [Range<String.Index>])?
    ) -> Text {
        var text = Text(columns: columns)
        var key = RowKey(id: nil, below: -1, part: 0)
        for line in pane.lines {
            key = RowKey(id: line.id ?? key.id, below: line.id == nil ? key.below + 1 : 0, part: 0)
            let pieces = line.fields.map { field in
                let matches = highlight?(field.text) ?? []
                return (
                    SafeText(
                        field.text, charset: charset, cutTo: pieceLimit, marking: matches),
                    field.style
                )
            }
            for row in WrappedText(pieces, columns: columns, indent: line.indent).rows {
                text.rows.append(row)
                text.keys.append(key)
                key.part += 1
            }
        }
        return text
    }

    /// Scrolls so that the first visible row stays, or the next one that remains; a text at its top
    /// stays there.
    private mutating func keepPosition(_ new: [RowKey], height: Int) {
        if top > 0, new != keys {
            let indices = Dictionary(
                new.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            for old in keys.indices.dropFirst(top) {
                guard let index = indices[keys[old]] else { continue }
                top += index - old
                break
            }
        }
        keys = new
        self.height = height
        top = max(0, min(top, lastTop))
    }

    private func drawTitle(
        _ title: String, row: Int, columns: Range<Int>, isMarked: Bool, charset: Charset,
        in frame: inout Frame
    ) {
        let isCut = keys.count > height
        let visible = isCut ? "\(top + 1)-\(min(keys.count, top + height)) of \(keys.count)" : ""
        let position = SafeText(visible, charset: charset, upTo: columns.count)
        let room = max(0, columns.count - position.width - 2)
        let title = SafeText((isMarked ? "> " : "") + title, charset: charset, cutTo: room)
        frame.write(title, row: row, column: columns.lowerBound, style: Style(.bold))
        frame.write(position, row: row, column: columns.upperBound - position.width)
        let look = Style(isMarked ? .reverse : .underline, tone: .muted)
        frame.restyle(row: row, columns: columns, adding: look)
    }
}
