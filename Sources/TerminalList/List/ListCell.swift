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

    /// Where a row stands in an outline, for lists some of whose rows are beneath others.
    public struct Outline: Hashable, Sendable {
        /// What is beneath a row, and whether it is shown.
        public enum Branch: Hashable, Sendable {
            /// Nothing can be beneath it.
            case leaf
            /// What is beneath it is hidden.
            case collapsed
            /// What is beneath it is shown.
            case expanded
        }

        /// How many rows it is beneath; 0 for one that is beneath none.
        public var level: Int
        /// What is beneath it.
        public var branch: Branch

        /// A row beneath so many others.
        public init(level: Int, _ branch: Branch = .leaf) {
            self.level = level
            self.branch = branch
        }

        /// The sign of the branch; as wide for each of them.
        func sign(charset: Charset) -> String {
            let isPlain = charset == .ascii
            return switch branch {
            case .leaf: isPlain ? "   " : " "
            case .collapsed: isPlain ? "[+]" : "▸"
            case .expanded: isPlain ? "[-]" : "▾"
            }
        }

        /// What stands in front of the row's first text: its indentation and its sign.
        func lead(charset: Charset) -> String {
            String(repeating: "  ", count: max(0, level)) + sign(charset: charset) + " "
        }
    }

    /// A text for each of the view's columns, in the columns' order.
    public var fields: [Field]
    /// Texts that no column shows: one in which ``TerminalListView/highlight`` finds something is
    /// shown in the last column, where nothing is found in the columns on the screen.
    public var background: [String] = []
    /// The state of the row in one character, shown where no change is marked.
    public var sign = ""
    /// How the whole row looks, besides what its state adds.
    public var style: Style
    /// Where the row stands in an outline, shown in the first column; `nil` in a plain list.
    public var outline: Outline?

    /// A row of these texts.
    public init(_ fields: [Field], style: Style = .plain, outline: Outline? = nil) {
        self.fields = fields
        self.style = style
        self.outline = outline
    }
}
