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
    /// The minimum width of a screen on which the help has two columns, and the gap between them.
    private static let (wideColumns, gap) = (100, 3)

    /// The first visible line, and the greatest possible first visible line, as of the last frame.
    private var top = 0
    private var lastTop = 0

    /// Handles a key; returns `nil` if it closes the help.
    mutating func handle(_ key: Key, _ action: KeyAction?, page: Int) -> KeyResponse? {
        switch action {
        case .quit where key == .control("c"): return .quit
        case .redraw: return .redraw
        default:
            guard lastTop > 0, let distance = action?.distance(page: page) else { return nil }
            scroll(by: distance)
            return .handled
        }
    }

    /// Scrolls by a number of lines.
    mutating func scroll(by count: Int) { top = max(0, min(top + count, lastTop)) }

    mutating func draw(_ keys: KeyTable, _ others: [HelpSection], in frame: inout Frame) {
        let size = frame.size
        let sections = Self.sections(keys, isNarrow: size.columns < 60, frame.charset) + others
        let columns = size.columns < Self.wideColumns ? [sections] : Self.halves(sections)
        let room = (size.columns - 4 - Self.gap * (columns.count - 1)) / columns.count
        let texts = columns.map { Self.rows(of: $0, columns: room, in: frame) }
        let widths = texts.map { rows in
            rows.map { row in row.reduce(0) { $0 + $1.cell.width } }.max() ?? 0
        }
        let count = texts.map(\.count).max() ?? 0
        let width = widths.reduce(-Self.gap) { $0 + $1 + Self.gap }
        let box = Box(in: size, width: max(28, width), lines: count, top: top)
        (top, lastTop) = (box.top, count - box.height)
        let arrows = frame.charset == .ascii ? "Up Down" : "↑ ↓"
        let position = "\(top + 1)-\(top + box.height) of \(count)"
        box.draw(
            top: "Keys",
            bottom: lastTop > 0 ? "\(position)  \(arrows) scroll  Esc closes" : "any key closes",
            in: &frame)
        (frame.cursorRow, frame.cursorColumn) = (box.row, box.column)
        var column = box.column
        for (rows, width) in zip(texts, widths) {
            for (line, row) in rows.dropFirst(top).prefix(box.height).enumerated() {
                frame.write(row, row: box.row + line, column: column)
            }
            column += width + Self.gap
        }
    }

    /// Returns the keys by section; keys without a section have one without a title.
    private static func sections(
        _ keys: KeyTable, isNarrow: Bool, _ charset: Charset
    ) -> [HelpSection] {
        var sections: [HelpSection] = []
        for binding in keys.bindings where !binding.isHidden {
            let title = binding.section ?? ""
            if sections.last?.title != title { sections.append(HelpSection(title, [])) }
            let labels = binding.labels(charset: charset).prefix(isNarrow ? 2 : 4)
            sections[sections.count - 1].entries.append(
                .init(labels.joined(separator: " "), binding.help))
        }
        return sections
    }

    /// Splits sections into two columns of similar height.
    private static func halves(_ sections: [HelpSection]) -> [[HelpSection]] {
        func height(_ part: ArraySlice<HelpSection>) -> Int {
            part.reduce(0) { $0 + $1.entries.count + ($1.title.isEmpty ? 0 : 1) }
        }
        func height(split index: Int) -> Int {
            max(height(sections[..<index]), height(sections[index...]))
        }
        let middle = sections.indices.dropFirst().min { height(split: $0) < height(split: $1) }
        guard let middle else { return [sections] }
        return [Array(sections[..<middle]), Array(sections[middle...])]
    }

    /// Returns the rows of sections: labels at the left, meanings wrapped beside them.
    private static func rows(
        of sections: [HelpSection], columns: Int, in frame: Frame
    ) -> [[StyledCell]] {
        let labels = sections.flatMap(\.entries).map { frame.safe($0.label).width }
        let left = 2 + (labels.max() ?? 0)
        return sections.flatMap { section -> [[StyledCell]] in
            let title = (text: frame.safe(section.title), style: Style([.bold, .underline]))
            let heading = SafeText.rows(of: [title], columns: columns)
            return (section.title.isEmpty ? [] : heading)
                + section.entries.flatMap { entry in
                    let pieces = [frame.safe(entry.label).fitted(to: left), frame.safe(entry.text)]
                    return SafeText.rows(
                        of: pieces.map { ($0, .plain) }, columns: columns, indent: left)
                }
        }
    }
}
