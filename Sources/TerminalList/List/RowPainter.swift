// Draws the column titles and the rows of a list.

/// A painter of column titles, section titles and rows.
struct RowPainter {
    let columns: [ListColumn]
    let layout: ScreenLayout
    let charset: Charset
    /// Finds the search matches in a text.
    let highlight: ((String) -> [Range<String.Index>])?

    func drawTitles(in frame: inout Frame) {
        let row = layout.titleRow
        for slot in layout.columns.slots {
            let column = columns[slot.index]
            let text = SafeText(column.title, charset: charset, upTo: slot.width)
                .fitted(to: slot.width, alignment: column.alignment)
            frame.write(text, row: row, column: slot.start)
        }
        frame.restyle(row: row, columns: layout.list, adding: Style(.underline, tone: .muted))
    }

    func drawSection(_ title: String, row: Int, in frame: inout Frame) {
        let matches = highlight?(title) ?? []
        frame.write(
            SafeText(title, charset: charset, cutTo: layout.list.count, marking: matches), row: row,
            column: 0, style: Style(.bold))
    }

    func draw(
        _ cell: ListCell, _ mark: RowMark?, isSelected: Bool, row: Int, in frame: inout Frame
    ) {
        let signs = (isSelected ? ">" : " ") + (mark?.sign ?? cell.sign)
        frame.write(SafeText(signs, charset: charset, cutTo: 2), row: row, column: 0)
        for (slot, field, matches) in visibleFields(of: cell) {
            let lead = lead(of: cell, in: slot)
            let room = slot.width - lead.width
            let text = fitted(field.text, to: room, marking: matches)
            let isTrailing = columns[slot.index].alignment == .trailing
            let start = slot.start + lead.width + (isTrailing ? room - text.width : 0)
            frame.write(lead, row: row, column: slot.start)
            frame.write(text, row: row, column: start, style: field.style)
        }
        let style = (mark?.style ?? .plain).over(cell.style)
        frame.restyle(
            row: row, columns: layout.list,
            adding: isSelected ? style.over(Style(.reverse)) : style)
    }

    /// Draws the message of an empty list.
    func drawMessage(_ paragraphs: [String], in frame: inout Frame) {
        var row = layout.rows.lowerBound + 1
        let width = layout.list.count - ScreenLayout.gutter - 1
        for paragraph in paragraphs {
            for line in SafeText.lines(of: paragraph, columns: width, charset: charset)
            where layout.rows.contains(row) {
                frame.write(line, row: row, column: ScreenLayout.gutter)
                row += 1
            }
            row += 1
        }
    }

    /// Returns the columns of the disclosure sign of a row with rows below it.
    func disclosureSign(of cell: ListCell) -> Range<Int>? {
        guard let outline = cell.outline, outline.branch != .leaf,
            let slot = layout.columns.slots.first(where: { $0.index == 0 })
        else {
            return nil
        }
        let end = slot.start + lead(of: cell, in: slot).width
        let width = outline.sign(charset: charset).count + 1
        return max(slot.start, end - width)..<end
    }

    /// Returns the fields of the visible columns and their matches. If none matches, the last column
    /// shows the first invisible text that does.
    private func visibleFields(
        of cell: ListCell
    ) -> [(slot: ColumnLayout.Slot, field: ListCell.Field, matches: [Range<String.Index>])] {
        var visible = layout.columns.slots.filter { cell.fields.indices.contains($0.index) }.map {
            let field = cell.fields[$0.index]
            return (slot: $0, field: field, matches: highlight?(field.text) ?? [])
        }
        guard let highlight, let last = visible.last, visible.allSatisfy(\.matches.isEmpty) else {
            return visible
        }
        let hidden = cell.fields.indices.filter { index in
            !visible.contains { $0.slot.index == index }
        }
        for text in hidden.map({ cell.fields[$0].text }) + cell.background {
            let matches = highlight(text)
            if matches.isEmpty { continue }
            visible[visible.count - 1] = (last.slot, ListCell.Field(text), matches)
            break
        }
        return visible
    }

    /// Cuts a text at its end, or at its start if all matches would be cut off.
    private func fitted(
        _ text: String, to columns: Int, marking matches: [Range<String.Index>]
    ) -> SafeText {
        let whole = SafeText(text, charset: charset, upTo: columns, marking: matches)
        let cut = whole.cut(to: columns)
        guard let first = matches.first, whole.width > columns,
            !cut.cells.dropLast(charset == .ascii ? 2 : 1).contains(where: \.isMarked)
        else { return cut }
        let before = text[..<first.lowerBound].suffix(columns / 3)
        let rest = "…" + before + text[first.lowerBound...]
        return SafeText(rest, charset: charset, cutTo: columns, marking: highlight?(rest) ?? [])
    }

    /// Returns the indentation and sign before the first text; at most half of the column.
    private func lead(of cell: ListCell, in slot: ColumnLayout.Slot) -> SafeText {
        guard slot.index == 0, let outline = cell.outline else {
            return SafeText("", charset: charset)
        }
        return SafeText(
            String(outline.lead(charset: charset).suffix(slot.width / 2)), charset: charset)
    }
}
