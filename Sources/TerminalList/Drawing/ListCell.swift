// The contents of rows as the owner provides them.

/// The contents of a row. The texts may be untrusted: the view makes them safe.
///
/// ```swift
/// ListCell(["nas", "nas.local", .init("unanswered", style: Style(tone: .caution))])
/// ```
public struct ListCell: Hashable, Sendable {
    /// The text of one column.
    public struct Field: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The text, unescaped.
        public var text: String
        /// The texts in a column that is too narrow for ``text``, from long to short; none to cut ``text``.
        /// The first text that fits is shown, unless a search matches ``text``.
        public var shortTexts: [String] = []
        /// The text where none of these fits, of a field whose texts are not cut; `nil` to cut the shortest one.
        public var placeholder: String?
        /// The shortest text.
        public var shortText: String? { shortTexts.last }
        /// The style, to which the row's state adds.
        public var style: Style

        /// Creates a field.
        public init(_ text: String, short shortText: String? = nil, style: Style = .plain) {
            self.text = text
            shortTexts = [shortText].compactMap(\.self)
            self.style = style
        }

        /// Creates a plain field.
        public init(stringLiteral text: String) { self.init(text) }
    }

    /// A sign or a text at the right edge of a row, over its columns.
    public enum Accessory: Hashable, Sendable {
        /// A check mark: the row is chosen.
        case checkmark
        /// An arrow: opening the row leads to more.
        case disclosure
        /// A switch; a click on it opens the row, as a click on the selected row does.
        case toggle(isOn: Bool)
        /// A text, cut to half of the list's width.
        case detail(Field)

        /// Returns the field to draw.
        func field(charset: Charset) -> Field {
            let isPlain = charset == .ascii
            return switch self {
            case .checkmark:
                Field(charset == .unicode ? "✓" : "*", style: Style(.bold, tone: .good))
            case .disclosure: Field(isPlain ? ">" : "›", style: Style(tone: .muted))
            case .toggle(true): Field("[on]", style: Style(.bold, tone: .good))
            case .toggle(false): Field("[off]")
            case .detail(let field): field
            }
        }
    }

    /// The position of a row in an outline, for lists with nested rows.
    public struct Outline: Hashable, Sendable {
        /// The state of the rows below a row.
        public enum Branch: Hashable, Sendable {
            /// There cannot be any.
            case leaf
            /// They are hidden.
            case collapsed
            /// They are shown.
            case expanded
        }

        /// The nesting level, from 0.
        public var level: Int
        /// The state of the rows below.
        public var branch: Branch

        /// Creates a position.
        public init(level: Int, _ branch: Branch = .leaf) {
            self.level = level
            self.branch = branch
        }

        /// Returns the indentation and the disclosure sign before the row's first text; their width
        /// does not depend on the branch.
        func lead(charset: Charset) -> String {
            let isPlain = charset == .ascii
            let sign =
                switch branch {
                case .leaf: isPlain ? "   " : " "
                case .collapsed: isPlain ? "[+]" : "▸"
                case .expanded: isPlain ? "[-]" : "▾"
                }
            return String(repeating: "  ", count: max(0, level)) + sign + " "
        }
    }

    /// The texts, in the order of the view's columns.
    public var fields: [Field]
    /// The text below the first text, across all columns, if ``TerminalListView/rowHeight`` is 2.
    public var secondaryText: Field?
    /// The signs and texts at the right edge, from left to right; the fields below them are cut.
    public var accessories: [Accessory] = []
    /// Texts without a column. If a search matches one of them and no visible column, it is shown
    /// in the last column; see ``TerminalListView/highlight``.
    public var background: [String] = []
    /// The state of the row in one character, shown where no change is marked.
    public var sign = ""
    /// The style of the whole row, to which its state adds.
    public var style: Style
    /// The position in an outline, shown in the first column; `nil` in a plain list, and if the
    /// section snapshots of the data source determine it.
    public var outline: Outline?

    /// Creates the contents of a row.
    public init(
        _ fields: [Field], secondaryText: Field? = nil, accessories: [Accessory] = [],
        style: Style = .plain, outline: Outline? = nil
    ) {
        self.fields = fields
        self.secondaryText = secondaryText
        self.accessories = accessories
        self.style = style
        self.outline = outline
    }
}

/// The contents of the lines above the list.
public struct ListHeader: Hashable, Sendable {
    /// The title, at the left.
    public var title: String
    /// A short note after the title, dropped where space is short.
    public var badge: ListCell.Field?
    /// Counts and state, at the right; they take precedence over the title.
    public var status: String
    /// A warning in a line of its own.
    public var warning: String?

    /// Creates a header.
    public init(
        _ title: String, badge: ListCell.Field? = nil, status: String = "", warning: String? = nil
    ) {
        self.badge = badge
        self.title = title
        self.status = status
        self.warning = warning
    }
}
