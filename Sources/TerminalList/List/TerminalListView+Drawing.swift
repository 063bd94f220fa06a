// The view as a frame.
import DiffCore

extension TerminalListView {
    /// The smallest window in which the list is drawn.
    public static var minimumSize: FrameSize { FrameSize(columns: 40, rows: 8) }

    /// What is in front of the columns: the selection's sign, the mark's sign, a space.
    static var gutter: Int { 3 }

    /// Draws the list as it is now, and decides when it must be drawn next.
    ///
    /// - Parameters:
    ///   - size: The window's size. Below ``minimumSize`` the frame only says so.
    ///   - now: The time by which highlights fade and departed rows go.
    /// - Returns: The screen; ``nextDeadline`` says how long it holds.
    /// - Complexity: O(rows) after changes, else O(rows on the screen).
    public func frame(size: FrameSize, now: ContinuousClock.Instant) -> Frame {
        let settled = departures.settle(at: now)
        if settled.changed { invalidateRows() }
        marks.settle(at: now)
        nextDeadline = settled.next
        var frame = Frame(size: size)
        let area = listArea(size)
        pageHeight = max(1, area.count)
        layOutRows()
        settleScrolling()
        lastSize = size
        needsDisplay = false
        guard size.columns >= Self.minimumSize.columns, size.rows >= Self.minimumSize.rows else {
            drawTooSmall(in: &frame)
            return frame
        }
        drawHeader(in: &frame)
        let layout = ColumnLayout(columns, from: Self.gutter, to: size.columns)
        drawTitles(layout, row: area.lowerBound - 1, in: &frame)
        drawRows(layout, area: area, now: now, in: &frame)
        drawFooter(in: &frame)
        drawHints(area: area, in: &frame)
        if let help { help.draw(keys, charset: charset, in: &frame) }
        return frame
    }

    /// The lines that rows are drawn in.
    private func listArea(_ size: FrameSize) -> Range<Int> {
        let first = header.warning == nil ? 2 : 3
        return first..<max(first, size.rows - 1 - footerHeight(size))
    }

    /// How many lines of the footer there is room for, beside a few rows of the list.
    private func footerHeight(_ size: FrameSize) -> Int {
        let fixed = header.warning == nil ? 3 : 4
        return max(0, min(footer.count, size.rows - fixed - 3))
    }

    func safe(_ text: String, upTo columns: Int) -> SafeText {
        SafeText(text, charset: charset, upTo: columns)
    }

    private func drawTooSmall(in frame: inout Frame) {
        let (size, least) = (frame.size, Self.minimumSize)
        let words =
            "\(size.columns)x\(size.rows) is too small, \(least.columns)x\(least.rows) needed"
        let lines = wrapped(words, columns: size.columns)
        for (row, line) in lines.enumerated() {
            frame.write(line.cut(to: size.columns), row: row, column: 0)
        }
    }

    private func drawHeader(in frame: inout Frame) {
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

    private func drawTitles(_ layout: ColumnLayout, row: Int, in frame: inout Frame) {
        for place in layout.places {
            let column = columns[place.index]
            let text = safe(column.title, upTo: place.width)
                .fitted(to: place.width, alignment: column.alignment)
            frame.write(text, row: row, column: place.start)
        }
        frame.restyle(row: row, adding: Style(.underline, tone: .muted))
    }

    private func drawFooter(in frame: inout Frame) {
        let height = footerHeight(frame.size)
        for (place, pieces) in footer.suffix(height).enumerated() {
            let row = frame.size.rows - 1 - height + place
            var column = 0
            for piece in pieces where column < frame.size.columns {
                let room = frame.size.columns - column
                let text = safe(piece.text, upTo: room).cut(to: room)
                frame.write(text, row: row, column: column, style: piece.style)
                column += text.width
            }
        }
    }

    private func drawHints(area: Range<Int>, in frame: inout Frame) {
        let row = frame.size.rows - 1
        let columns = frame.size.columns
        let position = position(in: area)
        frame.write(position, row: row, column: columns - position.width)
        var hints = keys.bindings.compactMap { binding in
            binding.hint.map { binding.labels(charset: charset)[0] + " " + $0 }
        }
        // The last hints are help and quit: they are the last to go.
        let room = max(0, columns - position.width - 2)
        while hints.count > 1, safe(hints.joined(separator: "   "), upTo: columns).width > room {
            hints.removeFirst()
        }
        let left = safe(hints.joined(separator: "   "), upTo: columns).cut(to: room)
        frame.write(left, row: row, column: 0)
        frame.restyle(row: row, adding: Style(tone: .muted))
    }

    /// Which of the items are on the screen, when it does not hold them all.
    private func position(in area: Range<Int>) -> SafeText {
        guard rows.count > area.count else { return safe("", upTo: 0) }
        let before = rows.itemsAbove(top)
        let last = rows.itemsAbove(min(rows.count, top + area.count))
        return safe("\(min(before + 1, last))-\(last) of \(snapshot.numberOfItems)", upTo: 40)
    }

    /// Words in lines of at most so many columns; a word that is longer is cut.
    func wrapped(_ text: String, columns: Int) -> [SafeText] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            let longer = lines.last.map { $0 + " " + word } ?? String(word)
            if !lines.isEmpty, safe(longer, upTo: columns).width <= columns {
                lines[lines.count - 1] = longer
            } else {
                lines.append(String(word))
            }
        }
        return lines.map { safe($0, upTo: columns).cut(to: columns) }
    }
}
