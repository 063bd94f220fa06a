// What stands above and below the rows: header, strip, titles, footer, and the last line.
import DiffCore

extension TerminalListView {
    func drawHeader(in frame: inout Frame) {
        let columns = frame.size.columns
        let status = safe(header.status, upTo: columns).cut(to: columns)
        let room = max(0, columns - (status.width == 0 ? 0 : status.width + 2))
        let title = safe(header.title, upTo: columns).cut(to: room)
        frame.write(title, row: 0, column: 0, style: Style(.bold, tone: .accent))
        if let badge = header.badge {
            let rest = safe(badge.text, upTo: columns).cut(to: max(0, room - title.width - 2))
            frame.write(rest, row: 0, column: title.width + 2, style: badge.style)
        }
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

    /// Draws the last line: what is typed, or a message, or hints; and the position.
    func drawLastLine(_ layout: ScreenLayout, in frame: inout Frame) {
        let (row, columns) = (frame.size.rows - 1, frame.size.columns)
        hints = []
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

    /// Draws as many hints as there is room for, the most important ones, in the order of the keys.
    private func drawHints(row: Int, room: Int, in frame: inout Frame) {
        let gap = 3
        var shown = hintTexts.map { (text: safe($0.text, upTo: room), key: $0.key, rank: $0.rank) }
        var width = shown.reduce(-gap) { $0 + $1.text.width + gap }
        while width > room, shown.count > 1 {
            let least = shown.indices.reversed().min { shown[$0].rank < shown[$1].rank } ?? 0
            width -= shown.remove(at: least).text.width + gap
        }
        var column = 0
        for (text, key, _) in shown {
            let text = text.cut(to: max(0, room - column))
            frame.write(text, row: row, column: column, style: Style(tone: .muted))
            if let key { hints.append((column..<column + text.width, key)) }
            column += text.width + gap
        }
    }

    /// The hints of what has the keys, each with its key and how important it is.
    private var hintTexts: [(text: String, key: Key?, rank: Int)] {
        // A box says below itself which keys it takes.
        if help != nil || choices != nil { return [] }
        let isFull = pane?.place == .full
        var hints = keys.bindings.filter { !isFull || $0.actsInPane || $0.isHelp }
            .compactMap { binding in
                binding.hint.map { hint in
                    let label = binding.labels(charset: charset)[0]
                    return (label + " " + hint, binding.keys.first, binding.hintRank)
                }
            }
        if isFull { hints.append(("Esc back", .escape, 100)) }
        if !isFull, paneHasFocus { hints.insert(("Esc back to the list", .escape, 99), at: 0) }
        return hints
    }

    /// Which of the items are on the screen, when it does not hold them all.
    private func position(in layout: ScreenLayout) -> SafeText {
        guard rows.count > layout.rows.count, !layout.list.isEmpty else { return safe("", upTo: 0) }
        let before = rows.itemsAbove(top)
        let last = rows.itemsAbove(min(rows.count, top + layout.rows.count))
        return safe("\(min(before + 1, last))-\(last) of \(snapshot.numberOfItems)", upTo: 40)
    }
}
