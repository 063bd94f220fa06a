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
    public enum Tone: UInt8, Hashable, Sendable, CaseIterable {
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

        /// The name in a configuration file: `good`.
        public var name: String { "\(self)" }

        /// Finds a tone by its name.
        public init?(name: String) {
            guard let tone = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = tone
        }
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

    /// Returns this style over another: the attributes of both, and the tone of the other if this
    /// one's is plain.
    public func over(_ other: Style) -> Style {
        Style(
            attributes.union(other.attributes), tone: tone == .plain ? other.tone : tone)
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
    public enum Color: Hashable, Sendable {
        /// The terminal's own text colour.
        case none
        /// A palette colour: 0 to 7 are the ordinary ones, 8 to 15 the bright ones. A number that
        /// the terminal lacks means its own text colour.
        case palette(UInt8)
        /// One of 256 colours, and a palette colour or none for terminals with fewer.
        case graded(UInt8?, fine: UInt8)

        private static let names = [
            "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
        ]

        /// Parses a colour: its name (`green`, `bright-green`, `none`) or number (`0` to `255`);
        /// with `/` and a number after it, that colour on terminals with 256: `green/114`.
        public init?(name: String) {
            if let slash = name.firstIndex(of: "/") {
                let fine = name[name.index(after: slash)...]
                guard let base = Color(name: String(name[..<slash])),
                    let number = UInt8(fine), fine == "\(number)"
                else { return nil }
                switch base {
                case .none: self = .graded(nil, fine: number)
                case .palette(let coarse): self = .graded(coarse, fine: number)
                case .graded: return nil
                }
                return
            }
            let isBright = name.hasPrefix("bright-")
            let base = isBright ? String(name.dropFirst(7)) : name
            if let index = Self.names.firstIndex(of: base) {
                self = .palette(UInt8(index + (isBright ? 8 : 0)))
            } else if name == "none" {
                self = .none
            } else if let number = UInt8(name), name == "\(number)" {
                self = .palette(number)
            } else {
                return nil
            }
        }

        /// The name of the colour, or its number if it has none.
        public var name: String {
            switch self {
            case .none: "none"
            case .palette(let number) where number < 8: Self.names[Int(number)]
            case .palette(let number) where number < 16: "bright-" + Self.names[Int(number) - 8]
            case .palette(let number): "\(number)"
            case .graded(let coarse, let fine):
                (coarse.map(Color.palette) ?? .none).name + "/\(fine)"
            }
        }

        /// Returns the number of the colour on a terminal with `count` colours; `nil` for the
        /// terminal's own text colour.
        func number(among count: Int) -> UInt8? {
            switch self {
            case .none: nil
            case .palette(let number): number
            case .graded(let coarse, let fine): count >= 256 ? fine : coarse
            }
        }
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
            self.init()
            var hasColor = false
            let words = text.split(separator: " ").map(String.init)
            if words.isEmpty { return nil }
            for word in words {
                if let attribute = Self.attributeNames.first(where: { $0.0 == word }) {
                    attributes.insert(attribute.1)
                } else if let color = Color(name: word), !hasColor {
                    self.color = color
                    hasColor = true
                } else {
                    return nil
                }
            }
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

    /// Colours that are distinguishable on light and dark backgrounds, with coarser ones for
    /// terminals with fewer than 256.
    public static let standard = Theme([
        .good: Look(.graded(2, fine: 71)), .caution: Look(.graded(3, fine: 172)),
        .bad: Look(.graded(1, fine: 167)), .accent: Look(.graded(6, fine: 37)),
        .muted: Look(.graded(nil, fine: 244), .dim), .own: Look(.graded(5, fine: 133)),
        .kind: Look(.graded(nil, fine: 67)),
    ])

    /// Bright colours for dark backgrounds; nothing is dimmed.
    public static let bright = Theme([
        .good: Look(.palette(10), .bold), .caution: Look(.palette(11), .bold),
        .bad: Look(.palette(9), .bold), .accent: Look(.palette(14), .bold),
        .muted: Look(.palette(7)), .own: Look(.palette(13)), .kind: Look(.palette(12)),
    ])

    /// No colours.
    public static let mono = Theme([
        .good: Look(.none, .bold), .bad: Look(.none, .bold), .accent: Look(.none, .bold),
        .muted: Look(.none, .dim),
    ])

    /// The names of the themes in a configuration file: `default`, `bright`, `mono`.
    public static let names = ["default", "bright", "mono"]

    /// Returns the theme of a name.
    public static func named(_ name: String) -> Theme? {
        switch name {
        case "default": standard
        case "bright": bright
        case "mono": mono
        default: nil
        }
    }
}
