// The help: every key and what it does, in a box over the list.

/// The help while it is shown: how far it is scrolled.
struct HelpState {
    private var top = 0

    mutating func scroll(by count: Int, keys: KeyTable, rows: Int) {
        top = max(0, min(top + count, keys.bindings.count - Self.shownLines(keys, rows: rows)))
    }

    /// How many bindings fit into so many rows, with the box around them.
    private static func shownLines(_ keys: KeyTable, rows: Int) -> Int {
        min(keys.bindings.count, rows - 2)
    }

    /// Draws a box with a line for each binding; arrows scroll it where it is too long.
    func draw(_ keys: KeyTable, charset: Charset, in frame: inout Frame) {
        // Where there is little room, two keys for a thing are enough.
        let isNarrow = frame.size.columns < 60
        let lines = keys.bindings.map { binding in
            let labels = binding.labels(charset: charset).prefix(isNarrow ? 2 : 4)
            return (keys: labels.joined(separator: " "), help: binding.help)
        }
        let shown = Self.shownLines(keys, rows: frame.size.rows)
        let first = min(top, lines.count - shown)
        let left = lines.map { SafeText($0.keys, charset: charset).width }.max() ?? 0
        let right = lines.map { SafeText($0.help, charset: charset).width }.max() ?? 0
        let width = min(frame.size.columns - 4, max(28, left + 2 + right))
        let start = (frame.size.columns - width - 4) / 2
        let row = (frame.size.rows - shown - 2) / 2
        let box = Box(charset: charset, start: start, width: width)

        box.edge(row: row, title: "Keys", isTop: true, in: &frame)
        for (line, entry) in lines[first..<(first + shown)].enumerated() {
            let keys = SafeText(entry.keys, charset: charset).fitted(to: left).text
            box.line(keys + "  " + entry.help, row: row + 1 + line, in: &frame)
        }
        let rest = lines.count - first - shown
        let note = shown < lines.count ? "\(rest) more" : "any key goes back"
        box.edge(row: row + 1 + shown, title: note, isTop: false, in: &frame)
    }
}

/// A frame of lines around a text.
private struct Box {
    let charset: Charset
    let start: Int
    let width: Int

    func edge(row: Int, title: String, isTop: Bool, in frame: inout Frame) {
        let isPlain = charset == .ascii
        let corners = isPlain ? ("+", "+") : isTop ? ("┌", "┐") : ("└", "┘")
        let dash = isPlain ? "-" : "─"
        let rule = String(repeating: dash, count: max(0, width - title.count - 1))
        let text = corners.0 + dash + " " + title + " " + rule + corners.1
        frame.write(SafeText(text, charset: charset), row: row, column: start)
    }

    func line(_ text: String, row: Int, in frame: inout Frame) {
        let side = charset == .ascii ? "|" : "│"
        let inner = SafeText(text, charset: charset).fitted(to: width)
        let line = SafeText(side + " " + inner.text + " " + side, charset: charset)
        frame.write(line, row: row, column: start)
    }
}

extension TerminalListView {
    func handleInHelp(_ key: Key, _ action: KeyAction?) -> KeyResponse {
        setNeedsDisplay()
        switch action {
        case .moveBy(let count): help?.scroll(by: count, keys: keys, rows: lastSize.rows)
        case .pageBy(let count):
            help?.scroll(by: count * pageHeight, keys: keys, rows: lastSize.rows)
        case .quit where key == .control("c"): return .quit
        case .redraw: return .redraw
        default: help = nil
        }
        return .handled
    }
}
