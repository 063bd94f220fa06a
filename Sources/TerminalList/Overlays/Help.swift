// The help: a box over the list with the keys and the meaning of signs.

/// A section of the help after the keys.
public struct HelpSection: Hashable, Sendable {
    /// A sign or an action, and its meaning.
    public struct Entry: Hashable, Sendable {
        /// The sign or action.
        public var label: String
        /// The meaning: a few words, in lower case.
        public var text: String

        /// Creates an entry.
        public init(_ label: String, _ text: String) {
            self.label = label
            self.text = text
        }
    }

    /// The heading.
    public var title: String
    /// The entries, from top to bottom.
    public var entries: [Entry]

    /// Creates a section.
    public init(_ title: String, _ entries: [Entry]) {
        self.title = title
        self.entries = entries
    }
}

/// The help while it is shown.
struct Help {
    private enum Line {
        case heading(String)
        case entry(HelpSection.Entry)
    }

    /// The width of the screen from which on the help has two columns.
    private static let wideColumns = 100

    /// The first visible line.
    private var top = 0
    /// The number of lines, and of visible ones, as of the last frame.
    private var lineCount = 0
    private var visibleCount = 0

    /// Handles a key; returns `nil` if it closes the help.
    mutating func handle(_ key: Key, _ action: KeyAction?, page: Int) -> KeyResponse? {
        switch action {
        case .quit where key == .control("c"): return .quit
        case .redraw: return .redraw
        case _ where visibleCount >= lineCount: return nil
        case .moveBy(let count): scroll(by: count)
        case .pageBy(let count): scroll(by: count * page)
        case .first: scroll(by: -lineCount)
        case .last: scroll(by: lineCount)
        default: return nil
        }
        return .handled
    }

    /// Scrolls by a number of lines.
    mutating func scroll(by count: Int) { top = max(0, min(top + count, lineCount - visibleCount)) }

    /// Returns the keys by section, then the other sections.
    private static func lines(
        _ keys: KeyTable, _ sections: [HelpSection], charset: Charset, isNarrow: Bool
    ) -> [Line] {
        var lines: [Line] = []
        var section: String?
        for binding in keys.bindings {
            if let heading = binding.section, heading != section { lines.append(.heading(heading)) }
            section = binding.section
            let labels = binding.labels(charset: charset).prefix(isNarrow ? 2 : 4)
            lines.append(.entry(.init(labels.joined(separator: " "), binding.help)))
        }
        for section in sections {
            lines.append(.heading(section.title))
            lines += section.entries.map(Line.entry)
        }
        return lines
    }

    /// Splits lines into two columns of similar height, before a heading.
    private static func halves(_ lines: [Line]) -> [[Line]] {
        let headings = lines.indices.dropFirst().filter {
            if case .heading = lines[$0] { true } else { false }
        }
        let middle = headings.min { max($0, lines.count - $0) < max($1, lines.count - $1) }
        guard let middle else { return [lines] }
        return [Array(lines[..<middle]), Array(lines[middle...])]
    }

    mutating func draw(
        _ keys: KeyTable, _ sections: [HelpSection], charset: Charset, in frame: inout Frame
    ) {
        let lines = Self.lines(
            keys, sections, charset: charset, isNarrow: frame.size.columns < 60)
        let columns = frame.size.columns < Self.wideColumns ? [lines] : Self.halves(lines)
        let room = (frame.size.columns - 4) / columns.count
        let texts = columns.map { Self.texts(of: $0, charset: charset, columns: room) }
        lineCount = texts.map(\.count).max() ?? 0
        visibleCount = min(lineCount, frame.size.rows - 2)
        scroll(by: 0)
        let gap = 3
        let widths = texts.map { $0.map(\.text.width).max() ?? 0 }
        let box = Box(
            frame.size, width: max(28, widths.reduce(-gap) { $0 + $1 + gap }),
            height: visibleCount, charset: charset)
        for line in 0..<visibleCount {
            box.draw(SafeText("", charset: charset), line: line, in: &frame)
            var column = box.start + 2
            for (texts, width) in zip(texts, widths) {
                if texts.indices.contains(top + line) {
                    let (text, style) = texts[top + line]
                    frame.write(
                        text.cut(to: max(0, box.start + 2 + box.width - column)),
                        row: box.row + 1 + line, column: column, style: style)
                }
                column += width + gap
            }
        }
        let arrows = charset == .ascii ? "Up Down" : "↑ ↓"
        let position = "\(top + 1)-\(top + visibleCount) of \(lineCount)"
        box.drawEdges(
            top: "Keys",
            bottom: visibleCount < lineCount
                ? "\(position)  \(arrows) scroll  Esc closes" : "any key closes", in: &frame)
    }

    /// Returns lines as texts of at most some columns: labels at the left, meanings wrapped beside
    /// them.
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
                let meaning = SafeText.lines(
                    of: entry.text, columns: columns - left - 2, charset: charset)
                return meaning.enumerated().map { index, text in
                    let label = SafeText(index == 0 ? entry.label : "", charset: charset)
                    return (label.fitted(to: left + 2) + text, .plain)
                }
            }
        }
    }
}
