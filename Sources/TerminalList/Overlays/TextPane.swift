// A pane with text, beside the list or in its place.

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
