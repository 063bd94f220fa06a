// Which colours and attributes stand for what the list means.

/// Which colours and attributes stand for what the list means.
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
        /// A colour of the terminal's palette: 0 to 7 are the ordinary ones, 8 to 15 the bright
        /// ones; what is beyond a terminal's palette is its own text colour there.
        case palette(UInt8)
        /// One colour of 256, and another one, or none, where there are fewer.
        case graded(UInt8?, fine: UInt8)

        private static let names = [
            "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
        ]

        /// A colour by its name, `green`, `bright-green` or `none`, or by its number, `0` to `255`; with
        /// `/` and a number after it, that colour where the terminal has 256: `green/114`.
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
            if let place = Self.names.firstIndex(of: base) {
                self = .palette(UInt8(place + (isBright ? 8 : 0)))
            } else if name == "none" {
                self = .none
            } else if let number = UInt8(name), name == "\(number)" {
                self = .palette(number)
            } else {
                return nil
            }
        }

        /// The colour's name, or its number where it has none.
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

        /// The number of the colour on a terminal with so many colours; `nil` for the terminal's own
        /// text colour.
        func number(among count: Int) -> UInt8? {
            switch self {
            case .none: nil
            case .palette(let number): number
            case .graded(let coarse, let fine): count >= 256 ? fine : coarse
            }
        }
    }

    /// A colour and what stands out besides.
    public struct Look: Hashable, Sendable, CustomStringConvertible {
        /// The colour.
        public var color: Color
        /// What stands out besides; it stays where there are no colours.
        public var attributes: Style.Attributes

        /// A colour, and what stands out besides.
        public init(_ color: Color = .none, _ attributes: Style.Attributes = []) {
            self.color = color
            self.attributes = attributes
        }

        private static let attributeNames: [(String, Style.Attributes)] = [
            ("bold", .bold), ("dim", .dim), ("reverse", .reverse), ("underline", .underline),
        ]

        /// A look in words, as in a file: at most one colour, and of `bold`, `dim`, `reverse` and
        /// `underline` any: `green bold`.
        public init?(_ words: String) {
            self.init()
            var hasColor = false
            let words = words.split(separator: " ").map(String.init)
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

        /// The look in words: ``init(_:)`` makes the same of it.
        public var description: String {
            let names = Self.attributeNames.filter { attributes.contains($0.1) }.map(\.0)
            return ([color.name] + names).joined(separator: " ")
        }
    }

    private var looks: [Style.Tone: Look]

    /// How a tone looks.
    public subscript(tone: Style.Tone) -> Look {
        get { looks[tone] ?? Look() }
        set { looks[tone] = newValue }
    }

    /// A theme of these looks; tones that are left out look like plain text.
    public init(_ looks: [Style.Tone: Look]) { self.looks = looks }
}
