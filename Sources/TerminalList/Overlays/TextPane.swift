// Text beside the list, or in its place: what there is to say of a row.

/// Text beside the list, or in its place.
///
/// ```swift
/// view.pane = TextPane(id, "nas.local", lines, place: .full, onEnd: { … })
/// ```
///
/// Lines are wrapped to the pane's width. Set a new pane with the same `id` when the text changes:
/// what is being read keeps its place, by the ``Line/id`` of the first line that is seen.
public struct TextPane {
    /// Where a pane stands.
    public enum Place: Hashable, Sendable {
        /// At the right of the list, which keeps at least 40 columns; in a window of less than
        /// ``TextPane/leastColumns`` it is not shown.
        case side
        /// In place of the list.
        case full
    }

    /// A line of the text, as long as it may be.
    public struct Line: Hashable, Sendable {
        /// What it is known by while the text changes; `nil` for a line that is found by the one
        /// above.
        public var id: String?
        /// Its pieces, from left to right.
        public var fields: [ListCell.Field]
        /// How far it is set in from its second row on, where it is wrapped.
        public var indent: Int

        /// A line.
        public init(_ fields: [ListCell.Field], id: String? = nil, indent: Int = 2) {
            self.fields = fields
            self.id = id
            self.indent = indent
        }
    }

    /// The narrowest window in which a pane stands beside the list.
    public static let leastColumns = 64

    /// What the text is about: another one begins at its top.
    public var id: String
    /// What stands above the text.
    public var title: String
    /// The text.
    public var lines: [Line]
    /// Where it stands.
    public var place: Place
    /// Called when the user has left a pane in place of the list, which has gone by then.
    let onEnd: () -> Void

    /// A pane.
    ///
    /// - Parameters:
    ///   - id: What the text is about: another one begins at its top.
    ///   - title: What stands above the text.
    ///   - lines: The text.
    ///   - place: Where it stands.
    ///   - onEnd: Called when the user has left a pane in place of the list, which has gone by
    ///     then.
    public init(
        _ id: String, _ title: String, _ lines: [Line], place: Place = .side,
        onEnd: @escaping () -> Void = {}
    ) {
        self.id = id
        self.title = title
        self.lines = lines
        self.place = place
        self.onEnd = onEnd
    }

    func shows(theSameAs other: TextPane?) -> Bool {
        guard let other else { return false }
        return id == other.id && title == other.title && place == other.place
            && lines == other.lines
    }
}
