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
        settleMessage(at: now)
        var frame = Frame(size: size)
        let layout = screenLayout(size)
        pageHeight = max(1, layout.rows.count)
        layOutRows()
        settleScrolling()
        lastSize = size
        if size.columns >= Self.minimumSize.columns, size.rows >= Self.minimumSize.rows {
            draw(layout, now: now, in: &frame)
        } else {
            drawTooSmall(in: &frame)
        }
        needsDisplay = false
        return frame
    }

    /// Where everything stands on a screen of some size.
    func screenLayout(_ size: FrameSize) -> ScreenLayout {
        let wishes = ScreenLayout.Wishes(
            warning: header.warning == nil ? 0 : 1, strip: strip.count, footer: footer.count,
            pane: pane?.place)
        return ScreenLayout(size, wishes, columns: columns, gutter: Self.gutter)
    }

    private func draw(
        _ layout: ScreenLayout, now: ContinuousClock.Instant, in frame: inout Frame
    ) {
        drawHeader(in: &frame)
        drawLines(strip, rows: layout.strip, in: &frame)
        if !layout.list.isEmpty {
            drawTitles(layout, in: &frame)
            drawRows(layout, now: now, in: &frame)
        }
        drawPane(layout, in: &frame)
        drawLines(footer.suffix(layout.footer.count), rows: layout.footer, in: &frame)
        drawLastLine(layout, in: &frame)
        if let row = choices?.draw(from: &choicesTop, charset: charset, in: &frame) {
            frame.cursorRow = row
        }
        help?.draw(keys, helpSections, charset: charset, in: &frame)
    }

    func safe(
        _ text: String, upTo columns: Int, marking ranges: [Range<String.Index>] = []
    ) -> SafeText {
        SafeText(text, charset: charset, upTo: columns, marking: ranges)
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

    /// A text in lines of at most some columns.
    func wrapped(_ text: String, columns: Int) -> [SafeText] {
        SafeText.lines(of: text, columns: columns, charset: charset)
    }
}

extension SafeText {
    /// A text in lines of at most some columns, broken between words; a longer word is cut.
    static func lines(of text: String, columns: Int, charset: Charset) -> [SafeText] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            let longer = lines.last.map { $0 + " " + word } ?? String(word)
            if !lines.isEmpty, SafeText(longer, charset: charset, upTo: columns).width <= columns {
                lines[lines.count - 1] = longer
            } else {
                lines.append(String(word))
            }
        }
        return lines.map { SafeText($0, charset: charset, upTo: columns).cut(to: columns) }
    }
}
