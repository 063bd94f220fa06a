// What stands above and below the rows: header, strip, titles, footer, and the last line.
import DiffCore

extension TerminalListView {
    func drawHeader(in frame: inout Frame) {
        let columns = frame.size.columns
        let status = safe(header.status, upTo: columns).cut(to: columns)
        let room = max(0, columns - (status.width == 0 ? 0 : status.width + 2))
        let title = safe(header.title, upTo: columns).cut(to: room)
        frame.write(title, row: 0, column: 0, style: Style(.bold, tone: .accent))
        frame.write(status, row: 0, column: columns - status.width)
        if let warning = header.warning {
            let text = safe("! " + warning, upTo: columns).cut(to: columns)
            frame.write(text, row: 1, column: 0, style: Style(.bold, tone: .bad))
        }
    }

    func drawTitles(_ layout: ScreenLayout, in frame: inout Frame) {
        let row = layout.rows.lowerBound - 1
        for place in layout.columns.places {
            let column = columns[place.index]
            let text = safe(column.title, upTo: place.width)
                .fitted(to: place.width, alignment: column.alignment)
            frame.write(text, row: row, column: place.start)
        }
        frame.restyle(row: row, columns: layout.list, adding: Style(.underline, tone: .muted))
    }

    /// Draws lines of some pieces each; what does not fit is cut.
    func drawLines(
        _ lines: some Sequence<[ListCell.Field]>, rows: Range<Int>, in frame: inout Frame
    ) {
        for (row, pieces) in zip(rows, lines) {
            var column = 0
            for piece in pieces where column < frame.size.columns {
                let room = frame.size.columns - column
                let text = safe(piece.text, upTo: room).cut(to: room)
                frame.write(text, row: row, column: column, style: piece.style)
                column += text.width
            }
        }
    }

    /// The last line: what is typed, or a message, or the keys to begin with; and the position.
    func drawLastLine(_ layout: ScreenLayout, in frame: inout Frame) {
        let (row, columns) = (frame.size.rows - 1, frame.size.columns)
        let position = position(in: layout)
        let room = max(0, columns - (position.width == 0 ? 0 : position.width + 2))
        if let prompt {
            frame.cursorColumn = prompt.draw(
                row: row, columns: room, charset: charset, in: &frame)
            frame.cursorRow = row
        } else if let message {
            let text = safe(message.text, upTo: room).cut(to: room)
            frame.write(text, row: row, column: 0, style: message.style)
        } else {
            drawHints(row: row, room: room, in: &frame)
        }
        frame.write(
            position, row: row, column: columns - position.width, style: Style(tone: .muted))
    }

    private func drawHints(row: Int, room: Int, in frame: inout Frame) {
        var hints = keys.bindings.compactMap { binding in
            binding.hint.map { binding.labels(charset: charset)[0] + " " + $0 }
        }
        if pane?.place == .full { hints = ["Esc back"] + hints.suffix(2) }
        // The last hints are help and quit: they are the last to go.
        while hints.count > 1, safe(hints.joined(separator: "   "), upTo: room).width > room {
            hints.removeFirst()
        }
        let left = safe(hints.joined(separator: "   "), upTo: room).cut(to: room)
        frame.write(left, row: row, column: 0, style: Style(tone: .muted))
    }

    /// Which of the items are on the screen, when it does not hold them all.
    private func position(in layout: ScreenLayout) -> SafeText {
        guard rows.count > layout.rows.count, !layout.list.isEmpty else { return safe("", upTo: 0) }
        let before = rows.itemsAbove(top)
        let last = rows.itemsAbove(min(rows.count, top + layout.rows.count))
        return safe("\(min(before + 1, last))-\(last) of \(snapshot.numberOfItems)", upTo: 40)
    }
}
