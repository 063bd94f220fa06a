// A pane with text, beside the list or in its place, and its scrolling.

/// A text beside the list or in its place.
///
/// ```swift
/// view.pane = TextPane(id, "nas.local", lines, placement: .full, onEnd: { … })
/// ```
///
/// Lines are wrapped to the pane's width. When the text changes, set a new pane with the same `id`:
/// the first visible line keeps its position, by its ``Line/id``.
public struct TextPane {
    /// The placement of a pane.
    public enum Placement: Hashable, Sendable {
        /// At the right of the list, which keeps at least 40 columns; hidden in a window with fewer
        /// than ``TextPane/leastColumns``.
        case side
        /// In place of the list.
        case full
    }

    /// A line of the text, of any length.
    public struct Line: Hashable, Sendable {
        /// The identity of the line when the text changes; `nil` for a line that is identified by
        /// the one above.
        public var id: String?
        /// The pieces, from left to right.
        public var fields: [ListCell.Field]
        /// The indentation from the second row on if the line is wrapped.
        public var indent: Int

        /// Creates a line.
        public init(_ fields: [ListCell.Field], id: String? = nil, indent: Int = 2) {
            self.fields = fields
            self.id = id
            self.indent = indent
        }
    }

    /// The minimum width of a window with a pane beside the list.
    public static let leastColumns = 64

    /// The identity of the subject: a pane with another one starts at its top.
    public var id: String
    /// The title above the text.
    public var title: String
    /// The text.
    public var lines: [Line]
    /// The placement.
    public var placement: Placement
    let onEnd: () -> Void

    /// Creates a pane.
    ///
    /// - Parameters:
    ///   - id: The identity of the subject: a pane with another one starts at its top.
    ///   - title: The title above the text.
    ///   - lines: The text.
    ///   - placement: The placement.
    ///   - onEnd: Called after the user has closed a pane in place of the list.
    public init(
        _ id: String, _ title: String, _ lines: [Line], placement: Placement = .side,
        onEnd: @escaping () -> Void = {}
    ) {
        self.id = id
        self.title = title
        self.lines = lines
        self.placement = placement
        self.onEnd = onEnd
    }

    func looksLike(_ other: TextPane) -> Bool {
        id == other.id && title == other.title && placement == other.placement
            && lines == other.lines
    }
}

/// The wrapped text of a pane, and the scroll position in it.
struct PaneReader {
    /// The identity of a row of the wrapped text: the nearest line above with an identifier, the
    /// number of lines below that one, and the number of the row in its line.
    private struct RowKey: Hashable {
        var id: String?
        var below: Int
        var part: Int
    }

    /// The text wrapped to a width.
    private struct Text {
        let columns: Int
        var rows: [[WrappedText.Piece]] = []
        var keys: [RowKey] = []
    }

    /// The maximum number of columns of a piece of text; the rest is not shown.
    private static let pieceLimit = 4000
    /// The maximum distance of a scroll, longer than any text, so that no sum overflows.
    private static let scrollLimit = 1 << 32

    private var text: Text?
    /// The first visible row.
    private var top = 0
    /// The rows as of the last frame, and the number of visible ones.
    private var keys: [RowKey] = []
    private var height = 1

    /// Scrolls by a number of rows; the extremes of `Int` scroll to the ends.
    mutating func scroll(by count: Int) {
        top = max(0, top + max(-Self.scrollLimit, min(count, Self.scrollLimit)))
        // The end is unknown before the first frame.
        if !keys.isEmpty { top = min(top, lastTop) }
    }

    private var lastTop: Int { max(0, keys.count - height) }

    /// Wraps the text again at the next drawing, because it or the search has changed.
    mutating func invalidate() { text = nil }

    mutating func draw(
        _ pane: TextPane, columns: Range<Int>, _ layout: ScreenLayout, hasFocus: Bool,
        charset: Charset, highlight: ((String) -> [Range<String.Index>])?, in frame: inout Frame
    ) {
        let isSide = pane.placement == .side
        if isSide {
            let rule = SafeText(charset == .ascii ? "|" : "│", charset: charset)
            for row in layout.titleRow..<layout.rows.upperBound {
                frame.write(
                    rule, row: row, column: columns.lowerBound - 2, style: Style(tone: .muted))
            }
        }
        let text =
            text.flatMap { $0.columns == columns.count ? $0 : nil }
            ?? Self.wrap(pane, columns: columns.count, charset: charset, highlight)
        self.text = text
        keepPosition(text.keys, height: layout.rows.count)
        for (line, row) in zip(layout.rows, text.rows.dropFirst(top)) {
            frame.write(row, row: line, column: columns.lowerBound)
        }
        drawTitle(
            pane.title, row: layout.titleRow, columns: columns, isMarked: isSide && hasFocus,
            charset: charset, in: &frame)
        if hasFocus {
            frame.cursorRow = layout.rows.lowerBound
            frame.cursorColumn = columns.lowerBound
        }
    }

    private static func wrap(
        _ pane: TextPane, columns: Int, charset: Charset,
        _ highlight: ((String) -> [Range<String.Index>])?
    ) -> Text {
        var text = Text(columns: columns)
        var key = RowKey(id: nil, below: -1, part: 0)
        for line in pane.lines {
            key = RowKey(id: line.id ?? key.id, below: line.id == nil ? key.below + 1 : 0, part: 0)
            let pieces = line.fields.map { field in
                let matches = highlight?(field.text) ?? []
                return (
                    SafeText(
                        field.text, charset: charset, cutTo: pieceLimit, marking: matches),
                    field.style
                )
            }
            for row in WrappedText(pieces, columns: columns, indent: line.indent).rows {
                text.rows.append(row)
                text.keys.append(key)
                key.part += 1
            }
        }
        return text
    }

    /// Scrolls so that the first visible row stays, or the next one that remains; a text at its top
    /// stays there.
    private mutating func keepPosition(_ new: [RowKey], height: Int) {
        if top > 0, new != keys {
            let indices = Dictionary(
                new.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            for old in keys.indices.dropFirst(top) {
                guard let index = indices[keys[old]] else { continue }
                top += index - old
                break
            }
        }
        keys = new
        self.height = height
        top = max(0, min(top, lastTop))
    }

    private func drawTitle(
        _ title: String, row: Int, columns: Range<Int>, isMarked: Bool, charset: Charset,
        in frame: inout Frame
    ) {
        let isCut = keys.count > height
        let visible = isCut ? "\(top + 1)-\(min(keys.count, top + height)) of \(keys.count)" : ""
        let position = SafeText(visible, charset: charset, upTo: columns.count)
        let room = max(0, columns.count - position.width - 2)
        let title = SafeText((isMarked ? "> " : "") + title, charset: charset, cutTo: room)
        frame.write(title, row: row, column: columns.lowerBound, style: Style(.bold))
        frame.write(position, row: row, column: columns.upperBound - position.width)
        let look = Style(isMarked ? .reverse : .underline, tone: .muted)
        frame.restyle(row: row, columns: columns, adding: look)
    }
}
