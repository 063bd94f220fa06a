// The help: keys and what they do, and what signs mean, in a box over the list.

/// Entries of the help under a heading, besides the keys.
public struct HelpSection: Hashable, Sendable {
    /// An entry: a sign or an action, and what it means.
    public struct Entry: Hashable, Sendable {
        /// The sign or action.
        public var label: String
        /// Its meaning: a few words, from a small letter.
        public var text: String

        /// Explains a label.
        public init(_ label: String, _ text: String) {
            self.label = label
            self.text = text
        }
    }

    /// The heading.
    public var title: String
    /// The entries, from top to bottom.
    public var entries: [Entry]

    /// A heading and its entries.
    public init(_ title: String, _ entries: [Entry]) {
        self.title = title
        self.entries = entries
    }
}

/// The help while it is shown: how far it is scrolled.
struct HelpState {
    private var top = 0
    /// How many lines there are, and how many of them fit, as of the last frame.
    private var lineCount = 0
    private var shownCount = 0

    /// A line of the help.
    private enum Line {
        case heading(String)
        case entry(HelpSection.Entry)
    }

    /// From so many columns on the help has two columns.
    private static let wideColumns = 100

    /// Whether there is more than fits.
    var isCut: Bool { shownCount < lineCount }

    mutating func scroll(by count: Int) {
        top = max(0, min(top + max(-lineCount, min(count, lineCount)), lineCount - shownCount))
    }

    /// The keys by section, then the other sections.
    private static func lines(
        _ keys: KeyTable, _ sections: [HelpSection], charset: Charset, isNarrow: Bool
    ) -> [Line] {
        var lines: [Line] = []
        var section: String?
        for binding in keys.bindings {
            if let heading = binding.section, heading != section { lines.append(.heading(heading)) }
            section = binding.section
            // Where there is little room, two keys for a thing are enough.
            let labels = binding.labels(charset: charset).prefix(isNarrow ? 2 : 4)
            lines.append(.entry(.init(labels.joined(separator: " "), binding.help)))
        }
        for section in sections {
            lines.append(.heading(section.title))
            lines += section.entries.map(Line.entry)
        }
        return lines
    }

    /// Cuts lines in two before the heading that makes the halves most alike.
    private static func halves(_ lines: [Line]) -> [[Line]] {
        let headings = lines.indices.dropFirst().filter {
            if case .heading = lines[$0] { true } else { false }
        }
        let middle = headings.min { max($0, lines.count - $0) < max($1, lines.count - $1) }
        guard let middle else { return [lines] }
        return [Array(lines[..<middle]), Array(lines[middle...])]
    }

    /// Draws a box with the lines; arrows scroll it where it is too long.
    mutating func draw(
        _ keys: KeyTable, _ sections: [HelpSection], charset: Charset, in frame: inout Frame
    ) {
        let lines = Self.lines(
            keys, sections, charset: charset, isNarrow: frame.size.columns < 60)
        let columns = frame.size.columns < Self.wideColumns ? [lines] : Self.halves(lines)
        let room = (frame.size.columns - 4) / columns.count
        let texts = columns.map { Self.texts(of: $0, charset: charset, columns: room) }
        lineCount = texts.map(\.count).max() ?? 0
        shownCount = min(lineCount, frame.size.rows - 2)
        scroll(by: 0)
        let gap = 3
        let widths = texts.map { $0.map(\.text.width).max() ?? 0 }
        let box = Box(
            frame.size, width: max(28, widths.reduce(-gap) { $0 + $1 + gap }), height: shownCount,
            charset: charset)
        for line in 0..<shownCount {
            box.draw(SafeText("", charset: charset), line: line, in: &frame)
            var column = box.start + 2
            for (text, width) in zip(texts, widths) {
                let room = max(0, box.start + 2 + box.width - column)
                if text.indices.contains(top + line) {
                    let (text, style) = text[top + line]
                    frame.write(
                        text.cut(to: room), row: box.row + 1 + line, column: column, style: style)
                }
                column += width + gap
            }
        }
        let arrows = charset == .ascii ? "Up Down" : "↑ ↓"
        box.drawEdges(
            top: "Keys",
            bottom: isCut
                ? "\(top + 1)-\(top + shownCount) of \(lineCount)  \(arrows) scroll  Esc closes"
                : "any key closes", in: &frame)
    }

    /// The lines as texts, what is explained at the left; what is longer than some columns goes on in
    /// the next line.
    private static func texts(
        of lines: [Line], charset: Charset, columns: Int
    ) -> [(text: SafeText, style: Style)] {
        var left = 0
        for case .entry(let entry) in lines {
            left = max(left, SafeText(entry.label, charset: charset).width)
        }
        return lines.flatMap { line -> [(SafeText, Style)] in
            switch line {
            case .heading(let title):
                return [(SafeText(title, charset: charset), Style([.bold, .underline]))]
            case .entry(let entry):
                var label = SafeText(entry.label, charset: charset)
                let words = SafeText.lines(
                    of: entry.text, columns: columns - left - 2, charset: charset)
                return words.map { text in
                    defer { label = SafeText("", charset: charset) }
                    return (label.fitted(to: left + 2) + text, .plain)
                }
            }
        }
    }
}

extension TerminalListView {
    func handleInHelp(_ key: Key, _ action: KeyAction?) -> KeyResponse {
        setNeedsDisplay()
        switch action {
        case .quit where key == .control("c"): return .quit
        case .redraw: return .redraw
        case _ where help?.isCut == false: help = nil
        case .moveBy(let count): help?.scroll(by: count)
        case .pageBy(let count): help?.scroll(by: count * max(1, lastSize.rows - 3))
        case .first: help?.scroll(by: .min)
        case .last: help?.scroll(by: .max)
        default: help = nil
        }
        return .handled
    }
}
