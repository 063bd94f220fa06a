// A pane with text, beside the list or in its place: its contents, scroll position and focus.

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
        /// its position after the line above.
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

    /// The identity of the subject: a pane with another identity starts at its top.
    public var id: String
    /// The title above the text.
    public var title: String
    /// The text.
    public var lines: [Line]
    /// The placement.
    public var placement: Placement
    let onEnd: () -> Void

    /// Creates a pane, which calls `onEnd` after the user has closed it in place of the list.
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

    /// Whether a window is wide enough for a pane beside the list.
    static func fitsBesideList(in size: FrameSize) -> Bool { size.columns >= leastColumns }

    func looksLike(_ other: TextPane) -> Bool {
        id == other.id && title == other.title && placement == other.placement
            && lines == other.lines
    }
}

/// The pane, its wrapped text and the scroll position in it, and the keyboard focus.
struct PaneReader {
    /// The identity of a row: the nearest line above with an identifier, the number of lines below
    /// that line, and the number of the row in its own line.
    private struct RowKey: Hashable {
        var id: String?
        var below: Int
        var part: Int
    }

    private typealias Row = (key: RowKey, cells: [StyledCell])

    /// The maximum number of columns of a piece of text; the rest is not shown.
    private static let pieceLimit = 4000

    private(set) var pane: TextPane?
    /// Whether the pane has the focus if it is beside the list.
    private var sideHasFocus = false
    /// The rows as of the last frame.
    private var rows: [Row] = []
    /// The width of the rows; `nil` if they are to be wrapped again.
    private var width: Int?
    /// The first visible row of the wrapped text, and the number of lines for rows in the last frame.
    private var (top, height) = (0, 1)

    /// Replaces the pane; returns whether it looks different.
    mutating func show(_ new: TextPane?) -> Bool {
        let (old, hadFocus) = (pane, sideHasFocus)
        if new?.id != old?.id { self = PaneReader() }
        pane = new
        focus(hadFocus)
        if let new, let old, new.looksLike(old) { return false }
        width = nil
        return new != nil || old != nil
    }

    /// Whether the pane has the keyboard focus in a window.
    func hasFocus(in size: FrameSize) -> Bool {
        switch pane?.placement {
        case nil: false
        case .full: true
        case .side: sideHasFocus && TextPane.fitsBesideList(in: size)
        }
    }

    /// Moves the keyboard focus to the pane if it is beside the list, or back to the list.
    mutating func focus(_ isFocused: Bool) {
        sideHasFocus = isFocused && pane?.placement == .side
    }

    /// Switches the focus between the list and a pane beside it.
    mutating func switchFocus(in size: FrameSize) {
        focus(!hasFocus(in: size) && TextPane.fitsBesideList(in: size))
    }

    /// Handles a key while the pane has the focus, with a page key's number of rows; returns `nil` for a key that the
    /// list handles.
    mutating func handle(
        _ key: Key, _ action: KeyAction?, _ keys: KeyTable, in size: FrameSize, page: Int
    ) -> InputEffect? {
        guard let pane, hasFocus(in: size) else { return nil }
        switch (pane.placement, key, action) {
        case (_, .control("c"), _): break
        case (.full, .escape, _), (.full, .enter, _), (.full, _, .quit):
            _ = show(nil)
            return InputEffect(callback: pane.onEnd)
        case (.side, .escape, _):
            focus(false)
            return InputEffect()
        default: break
        }
        if let distance = action?.distance(page: page) {
            scroll(by: distance)
            return InputEffect()
        }
        switch action {
        case .help, .redraw, .quit: return nil
        // The list is hidden by a full pane, so its keys do nothing.
        default:
            return pane.placement == .side || keys.actsInPane(key)
                ? nil : InputEffect(response: .unknown)
        }
    }

    /// Scrolls by a number of rows. The end is unknown before the first frame.
    mutating func scroll(by count: Int) {
        top = max(0, rows.isEmpty ? top + count : min(top + count, lastTop))
    }

    private var lastTop: Int { max(0, rows.count - height) }

    /// Wraps the text again at the next drawing, because it or the search has changed.
    mutating func invalidate() { width = nil }

    mutating func draw(
        columns: Range<Int>, lines: Range<Int>,
        highlight: ((String) -> [Range<String.Index>])?, in frame: inout Frame
    ) {
        guard let pane else { return }
        let hasFocus = hasFocus(in: frame.size)
        if width != columns.count {
            width = columns.count
            replaceRows(Self.rows(of: pane, columns: columns.count, highlight, in: frame))
        }
        height = lines.count
        top = max(0, min(top, lastTop))
        for (line, row) in zip(lines, rows.dropFirst(top)) {
            frame.write(row.cells, row: line, column: columns.lowerBound)
        }
        let isSide = pane.placement == .side
        if isSide {
            for row in lines.lowerBound - 1..<lines.upperBound {
                frame.write(
                    frame.charset == .ascii ? "|" : "│", row: row, column: columns.lowerBound - 2,
                    style: Style(tone: .muted))
            }
        }
        let isCut = rows.count > height
        let position = isCut ? "\(top + 1)-\(min(rows.count, top + height)) of \(rows.count)" : ""
        let isMarked = isSide && hasFocus
        frame.write(
            (isMarked ? "> " : "") + pane.title, row: lines.lowerBound - 1,
            column: columns.lowerBound,
            upTo: columns.count - position.count - 2, style: Style(.bold))
        frame.write(
            position, row: lines.lowerBound - 1, column: columns.upperBound - position.count)
        frame.restyle(
            row: lines.lowerBound - 1, columns: columns,
            adding: Style(isMarked ? .reverse : .underline, tone: .muted))
        if hasFocus {
            frame.cursorRow = lines.lowerBound
            frame.cursorColumn = columns.lowerBound
        }
    }

    private static func rows(
        of pane: TextPane, columns: Int, _ highlight: ((String) -> [Range<String.Index>])?,
        in frame: Frame
    ) -> [Row] {
        var rows: [Row] = []
        var key = RowKey(id: nil, below: -1, part: 0)
        for line in pane.lines {
            key = RowKey(id: line.id ?? key.id, below: line.id == nil ? key.below + 1 : 0, part: 0)
            let pieces = line.fields.map { field in
                let text = frame.safe(
                    field.text, upTo: pieceLimit, marking: highlight?(field.text) ?? [])
                return (text.cut(to: pieceLimit), field.style)
            }
            for cells in SafeText.rows(of: pieces, columns: columns, indent: line.indent) {
                rows.append((key, cells))
                key.part += 1
            }
        }
        return rows
    }

    /// Replaces the rows and scrolls so that the first visible row, or the next row that remains,
    /// keeps its line; a text that is scrolled to its top stays there.
    private mutating func replaceRows(_ new: [Row]) {
        if top > 0 {
            let indices = Dictionary(
                new.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
            for old in rows.indices.dropFirst(top) {
                guard let index = indices[rows[old].key] else { continue }
                top += index - old
                break
            }
        }
        rows = new
    }
}
