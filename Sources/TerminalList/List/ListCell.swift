// What one row shows: a text for each column, as raw as it came.

/// What one row shows.
///
/// The texts may come from strangers: the view makes them safe.
///
/// ```swift
/// ListCell(["nas", "nas.local", .init("unanswered", style: Style(tone: .caution))])
/// ```
public struct ListCell: Hashable, Sendable {
    /// One column's text.
    public struct Field: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The text, as raw as it came.
        public var text: String
        /// How it looks, besides what the row's state adds.
        public var style: Style

        /// A text and how it looks.
        public init(_ text: String, style: Style = .plain) {
            self.text = text
            self.style = style
        }

        /// A plain text.
        public init(stringLiteral text: String) { self.init(text) }
    }

    /// A text for each of the view's columns, in the columns' order.
    public var fields: [Field]
    /// How the whole row looks, besides what its state adds.
    public var style: Style

    /// A row of these texts.
    public init(_ fields: [Field], style: Style = .plain) {
        self.fields = fields
        self.style = style
    }
}
