// The help: every key and what it does, in a box over the list.

/// The help while it is shown: how far it is scrolled.
struct HelpState {
    private var top = 0

    /// A line of the help.
    private enum Line {
        case heading(String)
        case binding(keys: String, help: String)
    }

    mutating func scroll(by count: Int, keys: KeyTable, rows: Int) {
        let lines = Self.lines(keys, charset: .ascii, isNarrow: true).count
        top = max(0, min(top + count, lines - Self.shownLines(lines, rows: rows)))
    }

    /// How many lines fit into so many rows, with the box around them.
    private static func shownLines(_ lines: Int, rows: Int) -> Int { min(lines, rows - 2) }

    /// A line for each binding, and one above those of each section.
    private static func lines(_ keys: KeyTable, charset: Charset, isNarrow: Bool) -> [Line] {
        var lines: [Line] = []
        var section: String?
        for binding in keys.bindings {
            if let heading = binding.section, heading != section { lines.append(.heading(heading)) }
            section = binding.section
            // Where there is little room, two keys for a thing are enough.
            let labels = binding.labels(charset: charset).prefix(isNarrow ? 2 : 4)
            lines.append(.binding(keys: labels.joined(separator: " "), help: binding.help))
        }
        return lines
    }

    /// Draws a box with the lines; arrows scroll it where it is too long.
    func draw(_ keys: KeyTable, charset: Charset, in frame: inout Frame) {
        func width(_ text: String) -> Int { SafeText(text, charset: charset).width }
        let lines = Self.lines(keys, charset: charset, isNarrow: frame.size.columns < 60)
        let shown = Self.shownLines(lines.count, rows: frame.size.rows)
        let first = min(top, lines.count - shown)
        var (left, right) = (0, 0)
        for case .binding(let keys, let help) in lines {
            left = max(left, width(keys))
            right = max(right, width(help))
        }
        let box = Box(
            frame.size, width: max(28, left + 2 + right), height: shown, charset: charset)
        for (line, entry) in lines[first..<(first + shown)].enumerated() {
            switch entry {
            case .heading(let title):
                let text = SafeText(title, charset: charset, upTo: box.width)
                box.draw(text, line: line, style: Style([.bold, .underline]), in: &frame)
            case .binding(let keys, let help):
                let keys = SafeText(keys, charset: charset).fitted(to: left).text
                box.draw(SafeText(keys + "  " + help, charset: charset), line: line, in: &frame)
            }
        }
        let rest = lines.count - first - shown
        let note = shown < lines.count ? "\(rest) more" : "any key goes back"
        box.drawEdges(top: "Keys", bottom: note, in: &frame)
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
