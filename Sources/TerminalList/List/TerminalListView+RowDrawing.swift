// The rows on the screen: headers, items, what has just left, or why there is nothing.
import DiffCore

extension TerminalListView {
    func drawRows(
        _ screen: ScreenLayout, now: ContinuousClock.Instant, in frame: inout Frame
    ) {
        let area = screen.rows
        var drawn: [Item: ListCell] = [:]
        for line in area {
            let place = top + line - area.lowerBound
            guard rows.indices.contains(place) else { break }
            switch rows[place] {
            case .header(let section): drawSection(section, screen, row: line, in: &frame)
            case .item(let item, _, let path):
                guard let cell = content?.cell(path, item) else { continue }
                drawn[item] = cell
                let marked = marks.mark(of: item, at: now)
                if let until = marked?.until { nextDeadline = min(nextDeadline ?? until, until) }
                draw(
                    cell, marked?.mark, screen, isSelected: place == selectedRow, row: line,
                    in: &frame)
            case .departed(let item, _):
                guard let (cell, mark, until) = departures.row(of: item, at: now) else { continue }
                if let until { nextDeadline = min(nextDeadline ?? until, until) }
                draw(cell, mark, screen, isSelected: place == selectedRow, row: line, in: &frame)
            }
        }
        drawnCells = drawn
        frame.cursorRow = selectedRow.map { $0 - top + area.lowerBound } ?? 0
        if rows.isEmpty { drawEmptyMessage(screen, in: &frame) }
    }

    private func drawSection(
        _ section: Section, _ screen: ScreenLayout, row: Int, in frame: inout Frame
    ) {
        let (title, columns) = (titles[section] ?? "", screen.list.count)
        let text = safe(title, upTo: columns, marking: highlight?(title) ?? [])
        frame.write(text.cut(to: columns), row: row, column: 0, style: Style(.bold))
    }

    private func draw(
        _ cell: ListCell, _ mark: RowMark?, _ screen: ScreenLayout, isSelected: Bool, row: Int,
        in frame: inout Frame
    ) {
        frame.write(
            safe((isSelected ? ">" : " ") + (mark?.sign ?? cell.sign), upTo: 2).cut(to: 2),
            row: row, column: 0)
        let style = (mark?.style ?? .plain).over(cell.style)
        for (place, field, matches) in shownFields(of: cell, screen) {
            let lead = lead(of: cell, in: place)
            let room = place.width - lead.width
            let text = fitted(field.text, to: room, marking: matches)
            let isTrailing = columns[place.index].alignment == .trailing
            let start = place.start + lead.width + (isTrailing ? room - text.width : 0)
            frame.write(lead, row: row, column: place.start)
            frame.write(text, row: row, column: start, style: field.style)
        }
        frame.restyle(
            row: row, columns: screen.list,
            adding: isSelected ? style.over(Style(.reverse)) : style)
    }

    /// The fields that columns on the screen show, each with its matches. Where none has a match, the
    /// last column shows a text with one that would not be seen otherwise.
    private func shownFields(
        of cell: ListCell, _ screen: ScreenLayout
    ) -> [(place: ColumnLayout.Place, field: ListCell.Field, matches: [Range<String.Index>])] {
        var shown = screen.columns.places.filter { cell.fields.indices.contains($0.index) }.map {
            let field = cell.fields[$0.index]
            return (place: $0, field: field, matches: highlight?(field.text) ?? [])
        }
        guard let highlight, let last = shown.last, shown.allSatisfy(\.matches.isEmpty) else {
            return shown
        }
        let hidden = cell.fields.indices.filter { index in
            !shown.contains { $0.place.index == index }
        }
        for text in hidden.map({ cell.fields[$0].text }) + cell.background {
            let matches = highlight(text)
            if matches.isEmpty { continue }
            shown[shown.count - 1] = (last.place, ListCell.Field(text), matches)
            break
        }
        return shown
    }

    /// A text cut to some columns; where that would hide all that is searched for, its beginning
    /// is cut off instead.
    private func fitted(
        _ text: String, to columns: Int, marking matches: [Range<String.Index>]
    ) -> SafeText {
        let whole = safe(text, upTo: columns, marking: matches)
        let cut = whole.cut(to: columns)
        guard let first = matches.first, whole.width > columns,
            !cut.cells.dropLast(charset == .ascii ? 2 : 1).contains(where: \.isMarked)
        else { return cut }
        let before = text[..<first.lowerBound].suffix(columns / 3)
        let rest = "…" + before + text[first.lowerBound...]
        return safe(rest, upTo: columns, marking: highlight?(rest) ?? []).cut(to: columns)
    }

    /// What stands in front of a text; at least half of the column stays for the text itself.
    func lead(of cell: ListCell, in place: ColumnLayout.Place) -> SafeText {
        guard place.index == 0, let outline = cell.outline else { return safe("", upTo: 0) }
        return safe(
            String(outline.lead(charset: charset).suffix(place.width / 2)), upTo: place.width)
    }

    private func drawEmptyMessage(_ screen: ScreenLayout, in frame: inout Frame) {
        let area = screen.rows
        var row = area.lowerBound + 1
        for paragraph in emptyMessage {
            for line in wrapped(paragraph, columns: screen.list.count - Self.gutter - 1)
            where area.contains(row) {
                frame.write(line, row: row, column: Self.gutter)
                row += 1
            }
            row += 1
        }
    }
}
