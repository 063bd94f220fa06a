// Draws the column titles and the rows of a list.

/// A painter of column titles, section titles and rows.
struct RowPainter {
    let columns: [ListColumn]
    let layout: ScreenLayout
    /// Finds the search matches in a text.
    let highlight: ((String) -> [Range<String.Index>])?

    func drawTitles(in frame: inout Frame) {
        let row = layout.titleRow
        for slot in layout.columns.slots {
            let column = columns[slot.index]
            let title = frame.safe(column.title, upTo: slot.width + 1)
            let isNarrow = title.width > slot.width && slot.width < ListColumn.leastTitle
            let short = isNarrow ? column.shortTitle : nil
            let text = (short.map { frame.safe($0, upTo: slot.width) } ?? title)
                .fitted(to: slot.width, alignment: column.alignment)
            frame.write(text, row: row, column: slot.start)
        }
        frame.restyle(row: row, columns: layout.list, adding: Style(.underline, tone: .muted))
    }

    func drawSection(_ title: String, row: Int, in frame: inout Frame) {
        frame.write(
            title, row: row, column: 0, upTo: layout.list.count, style: Style(.bold),
            marking: highlight?(title) ?? [])
    }

    /// Draws a row in one or two lines of the screen.
    func draw(
        _ cell: ListCell, _ mark: RowMark?, isSelected: Bool, lines: Range<Int>,
        in frame: inout Frame
    ) {
        let row = lines.lowerBound
        let signs = (isSelected ? ">" : " ") + (mark?.sign ?? cell.sign)
        frame.write(signs, row: row, column: 0, upTo: 2)
        let accessories = accessories(of: cell, frame.charset)
        frame.write(accessories.cells, row: row, column: accessories.start)
        let end = accessories.cells.isEmpty ? layout.list.upperBound : accessories.start - 2
        for (slot, field, matches) in visibleFields(of: cell) {
            let lead = lead(of: cell, in: slot, frame.charset)
            let room = min(slot.width, end - slot.start) - lead.count
            guard room > 0 else { continue }
            let text = fitted(field, to: room, marking: matches, in: frame)
            let isTrailing = columns[slot.index].alignment == .trailing
            let start = slot.start + lead.count + (isTrailing ? room - text.width : 0)
            frame.write(lead, row: row, column: slot.start)
            frame.write(text, row: row, column: start, style: field.style)
        }
        if lines.count > 1, let text = cell.secondaryText, let slot = layout.columns.slots.first {
            let start = slot.start + lead(of: cell, in: slot, frame.charset).count
            frame.write(
                text.text, row: row + 1, column: start, upTo: layout.list.upperBound - start,
                style: text.style, marking: highlight?(text.text) ?? [])
        }
        let style = (mark?.style ?? .plain).over(cell.style)
        for line in lines {
            frame.restyle(row: line, columns: layout.list, adding: style)
            if isSelected { frame.select(row: line, columns: layout.list) }
        }
    }

    /// Returns the accessories of a row as they are drawn, and their first column.
    private func accessories(
        of cell: ListCell, _ charset: Charset
    ) -> (cells: [StyledCell], start: Int) {
        let room = layout.list.count / 2
        let pieces = cell.accessories.map { $0.field(charset: charset) }.map {
            field -> [StyledCell] in
            let text = SafeText(
                field.text, charset: charset, upTo: room, marking: highlight?(field.text) ?? [])
            return text.cut(to: room).cells.map { ($0, field.style) }
        }
        let cells: [StyledCell] = Array(pieces.joined(separator: [(.space, .plain)]))
        return (cells, layout.list.upperBound - cells.reduce(0) { $0 + $1.cell.width })
    }

    /// Whether a column of the screen is on the switch of a row.
    func isSwitch(of cell: ListCell, at column: Int, _ charset: Charset) -> Bool {
        let hasSwitch = cell.accessories.contains { if case .toggle = $0 { true } else { false } }
        return hasSwitch && accessories(of: cell, charset).start <= column
    }

    /// Marks the line on which a dragged row would be dropped.
    func drawDropTarget(row: Int, in frame: inout Frame) {
        frame.write(frame.charset == .ascii ? "^" : "→", row: row, column: 0)
        frame.restyle(row: row, columns: layout.list, adding: Style(.underline))
    }

    /// Draws the paragraphs of an empty list.
    func drawMessage(_ paragraphs: [String], in frame: inout Frame) {
        let width = layout.list.count - ScreenLayout.gutter - 1
        let lines = paragraphs.flatMap {
            SafeText.rows(of: [(frame.safe($0), .plain)], columns: width) + [[]]
        }
        for (row, line) in zip(layout.rows.dropFirst(), lines) {
            frame.write(line, row: row, column: ScreenLayout.gutter)
        }
    }

    /// Returns the columns of the screen with the disclosure sign of a row.
    func disclosureSign(of cell: ListCell, _ charset: Charset) -> Range<Int>? {
        guard let slot = layout.columns.slots.first(where: { $0.index == 0 }),
            let outline = cell.outline, outline.branch != .leaf
        else { return nil }
        let end = slot.start + lead(of: cell, in: slot, charset).count
        return max(slot.start, end - (charset == .ascii ? 4 : 2))..<end
    }

    /// Returns the fields of the visible columns and their matches. If no visible column matches,
    /// the last column shows the first matching text without a visible column.
    private func visibleFields(
        of cell: ListCell
    ) -> [(slot: ColumnLayout.Slot, field: ListCell.Field, matches: [Range<String.Index>])] {
        let slots = layout.columns.slots.filter { cell.fields.indices.contains($0.index) }
        var visible = slots.map { slot in
            let field = cell.fields[slot.index]
            return (slot: slot, field: field, matches: highlight?(field.text) ?? [])
        }
        guard let highlight, let last = slots.last, visible.allSatisfy(\.matches.isEmpty) else {
            return visible
        }
        let shown = Set(slots.map(\.index))
        let hidden = cell.fields.indices.filter { !shown.contains($0) }.map { cell.fields[$0].text }
        for text in hidden + cell.background {
            let matches = highlight(text)
            if matches.isEmpty { continue }
            visible[visible.count - 1] = (last, ListCell.Field(text), matches)
            break
        }
        return visible
    }

    /// Cuts a text at its end, or at its start if all matches would be cut off. A text that is too
    /// wide and has no match is replaced by its short text.
    private func fitted(
        _ field: ListCell.Field, to columns: Int, marking matches: [Range<String.Index>],
        in frame: Frame
    ) -> SafeText {
        let text = field.text
        let whole = frame.safe(text, upTo: columns, marking: matches)
        if whole.width > columns, matches.isEmpty,
            let shortest = field.placeholder ?? field.shortText
        {
            let texts = field.shortTexts.lazy.map { frame.safe($0, upTo: columns) }
            return texts.first { $0.width <= columns }
                ?? frame.safe(shortest, upTo: columns).cut(to: columns)
        }
        let cut = whole.cut(to: columns)
        guard let first = matches.first, whole.width > columns,
            !cut.cells.dropLast(frame.charset == .ascii ? 2 : 1).contains(where: \.isMarked)
        else { return cut }
        let sign = frame.charset == .ascii ? ".." : "…"
        let tail = text[first.lowerBound...]
        // All that fits, if there is not much after the match.
        let room = columns - sign.count - frame.safe(String(tail), upTo: columns).width
        var lead = text[..<first.lowerBound].suffix(max(columns / 3, room))
        while frame.safe(String(lead), upTo: columns).width > max(columns / 3, room) {
            lead.removeFirst()
        }
        let rest = sign + lead + tail
        return frame.safe(rest, upTo: columns, marking: highlight?(rest) ?? []).cut(to: columns)
    }

    /// Returns the indentation and sign before the first text; at most half of the column.
    private func lead(
        of cell: ListCell, in slot: ColumnLayout.Slot, _ charset: Charset
    ) -> String {
        guard slot.index == 0, let outline = cell.outline else { return "" }
        return String(outline.lead(charset: charset).suffix(slot.width / 2))
    }
}
