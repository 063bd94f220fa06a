// Styles of text, and the themes that map them to colours of a terminal.

/// The style of a piece of text, independent of the terminal.
public struct Style: Hashable, Sendable {
    /// Attributes besides the colour.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The bits of the attributes.
        public let rawValue: UInt8

        /// Creates attributes from their bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Heavier, or brighter.
        public static let bold = Attributes(rawValue: 1)
        /// Fainter.
        public static let dim = Attributes(rawValue: 2)
        /// Text and background colour exchanged.
        public static let reverse = Attributes(rawValue: 4)
        /// Underlined.
        public static let underline = Attributes(rawValue: 8)
    }

    /// The meaning of a colour; a ``Theme`` maps it to a colour.
    public enum Tone: String, Hashable, Sendable, CaseIterable {
        /// The terminal's own text colour.
        case plain
        /// New, or in order.
        case good
        /// Needs attention.
        case caution
        /// Gone, or wrong.
        case bad
        /// Titles and other landmarks.
        case accent
        /// Less important than the rest.
        case muted
        /// The user's own.
        case own
        /// A kind or a type.
        case kind
        /// The first of six categories, whose colours tell things of different kinds apart.
        case category1
        /// The second category.
        case category2
        /// The third category.
        case category3
        /// The fourth category.
        case category4
        /// The fifth category.
        case category5
        /// The sixth category.
        case category6

        /// The name in a configuration file: `good`.
        public var name: String { rawValue }

        /// Finds a tone by its name.
        public init?(name: String) { self.init(rawValue: name) }
    }

    /// Attributes besides the colour.
    public var attributes: Attributes
    /// The meaning of the colour.
    public var tone: Tone

    /// Creates a style.
    public init(_ attributes: Attributes = [], tone: Tone = .plain) {
        self.attributes = attributes
        self.tone = tone
    }

    /// The terminal's ordinary text.
    public static let plain = Style()

    /// Returns this style over another: the attributes of both, and this style's tone, or the
    /// other's if this tone is plain.
    func over(_ other: Style) -> Style {
        Style(attributes.union(other.attributes), tone: tone == .plain ? other.tone : tone)
    }
}

/// The colours and attributes of each tone.
///
/// ```swift
/// var theme = Theme.named("bright") ?? .standard
/// theme[.good] = Theme.Look("green bold") ?? theme[.good]
/// ```
public struct Theme: Hashable, Sendable {
    /// A colour of the terminal.
    public struct Color: Hashable, Sendable {
        /// The palette colour; `nil` for the terminal's own text colour.
        let coarse: UInt8?
        /// The colour on terminals with 256 colours, if it differs from ``coarse``.
        let fine: UInt8?

        /// The terminal's own text colour.
        public static let none = Color(coarse: nil, fine: nil)

        /// Returns a palette colour: 0 to 7 are the ordinary colours, 8 to 15 the bright ones. A
        /// number that the terminal lacks means the terminal's own text colour.
        public static func palette(_ number: UInt8) -> Color { Color(coarse: number, fine: nil) }

        /// Returns one of 256 colours, with a palette colour or none for terminals with fewer.
        public static func graded(_ coarse: UInt8?, fine: UInt8) -> Color {
            Color(coarse: coarse, fine: fine)
        }

        private static let ordinaryNames = [
            "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
        ]
        private static let names = ordinaryNames + ordinaryNames.map { "bright-" + $0 }

        /// Returns the number of the colour on a terminal with `count` colours; `nil` for the
        /// terminal's own text colour.
        func number(among count: Int) -> UInt8? { count >= 256 ? fine ?? coarse : coarse }
    }

    /// A colour and attributes.
    public struct Look: Hashable, Sendable, CustomStringConvertible {
        /// The colour.
        public var color: Color
        /// The attributes, which also apply on terminals without colours.
        public var attributes: Style.Attributes

        /// Creates a look.
        public init(_ color: Color = .none, _ attributes: Style.Attributes = []) {
            self.color = color
            self.attributes = attributes
        }

        private static let attributeNames: [(String, Style.Attributes)] = [
            ("bold", .bold), ("dim", .dim), ("reverse", .reverse), ("underline", .underline),
        ]

        /// Parses a look as in a configuration file, `green bold`: at most one colour, and any of
        /// `bold`, `dim`, `reverse` and `underline`.
        public init?(_ text: String) {
            let words = text.split(separator: " ").map(String.init)
            let attributes = Self.attributeNames.filter { words.contains($0.0) }.map(\.1)
            let colors = words.filter { word in !Self.attributeNames.contains { $0.0 == word } }
            guard !words.isEmpty, colors.count <= 1,
                let color = colors.isEmpty ? Color.none : Color(name: colors[0])
            else { return nil }
            self.init(color, Style.Attributes(attributes))
        }

        /// The text that ``init(_:)`` parses.
        public var description: String {
            let names = Self.attributeNames.filter { attributes.contains($0.1) }.map(\.0)
            return ([color.name] + names).joined(separator: " ")
        }
    }

    private var looks: [Style.Tone: Look]

    /// The look of a tone.
    public subscript(tone: Style.Tone) -> Look {
        get { looks[tone] ?? Look() }
        set { looks[tone] = newValue }
    }

    /// Creates a theme; tones that are left out look like plain text.
    public init(_ looks: [Style.Tone: Look]) { self.looks = looks }

    /// Colours that are distinguishable on light and dark backgrounds. Terminals with fewer than
    /// 256 colours show coarser ones, and no colours of categories.
    public static let standard = Theme([
        .good: Look(.graded(2, fine: 71)), .caution: Look(.graded(3, fine: 172)),
        .bad: Look(.graded(1, fine: 167)), .accent: Look(.graded(6, fine: 37)),
        .muted: Look(.graded(nil, fine: 244), .dim), .own: Look(.graded(5, fine: 133)),
        .kind: Look(.graded(nil, fine: 67)), .category1: Look(.graded(nil, fine: 136)),
        .category2: Look(.graded(nil, fine: 134)), .category3: Look(.graded(nil, fine: 32)),
        .category4: Look(.graded(nil, fine: 30)), .category5: Look(.graded(nil, fine: 65)),
        .category6: Look(.graded(nil, fine: 168)),
    ])

    /// Bright colours for dark backgrounds; nothing is dimmed.
    public static let bright = Theme([
        .good: Look(.palette(10), .bold), .caution: Look(.palette(11), .bold),
        .bad: Look(.palette(9), .bold), .accent: Look(.palette(14), .bold),
        .muted: Look(.palette(7)), .own: Look(.palette(13)), .kind: Look(.palette(12)),
        .category1: Look(.graded(nil, fine: 221)), .category2: Look(.graded(nil, fine: 177)),
        .category3: Look(.graded(nil, fine: 75)), .category4: Look(.graded(nil, fine: 80)),
        .category5: Look(.graded(nil, fine: 114)), .category6: Look(.graded(nil, fine: 211)),
    ])

    /// Dark colours for light backgrounds; nothing is dimmed. Each has a contrast of at least 4.5 to
    /// white, also on terminals with 16 colours, which lack most of them.
    public static let light = Theme([
        .good: Look(.graded(nil, fine: 22), .bold), .caution: Look(.graded(5, fine: 130), .bold),
        .bad: Look(.graded(1, fine: 124), .bold), .accent: Look(.graded(4, fine: 25), .bold),
        .muted: Look(.graded(nil, fine: 241)), .own: Look(.graded(5, fine: 90)),
        .kind: Look(.graded(nil, fine: 60)), .category1: Look(.graded(nil, fine: 94)),
        .category2: Look(.graded(nil, fine: 91)), .category3: Look(.graded(nil, fine: 26)),
        .category4: Look(.graded(nil, fine: 23)), .category5: Look(.graded(nil, fine: 28)),
        .category6: Look(.graded(nil, fine: 161)),
    ])

    /// No colours.
    public static let mono = Theme([
        .good: Look(.none, .bold), .bad: Look(.none, .bold), .accent: Look(.none, .bold),
        .muted: Look(.none, .dim),
    ])

    private static let all: KeyValuePairs<String, Theme> = [
        "default": standard, "bright": bright, "light": light, "mono": mono,
    ]

    /// The names of the themes in a configuration file: `default`, `bright`, `light`, `mono`.
    public static let names = all.map(\.key)

    /// Returns the theme of a name.
    public static func named(_ name: String) -> Theme? { all.first { $0.key == name }?.value }
}

extension Theme.Color {
    /// Parses a colour: its name (`green`, `bright-green`, `none`) or number (`0` to `255`). A `/`
    /// and a number after it add the colour for terminals with 256 colours: `green/114`.
    public init?(name: String) {
        let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let fine = parts.dropFirst().map(Self.number)
        let known = Self.names.firstIndex(of: String(parts[0])).map(UInt8.init)
        guard !fine.contains(nil) else { return nil }
        let coarse = known ?? Self.number(parts[0])
        guard coarse != nil || parts[0] == "none" else { return nil }
        self.init(coarse: coarse, fine: fine.first ?? nil)
    }

    private static func number(_ digits: Substring) -> UInt8? {
        UInt8(digits).flatMap { "\($0)" == digits ? $0 : nil }
    }

    /// The name of the colour, or its number if it has none.
    public var name: String {
        let name = coarse.map { $0 < Self.names.count ? Self.names[Int($0)] : "\($0)" } ?? "none"
        return name + (fine.map { "/\($0)" } ?? "")
    }
}
