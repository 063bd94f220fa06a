// How a piece of text looks, without saying how a terminal does it.

/// How a piece of text looks.
public struct Style: Hashable, Sendable {
    /// What stands out besides colour.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// One bit for each attribute.
        public let rawValue: UInt8

        /// Attributes by their bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Heavier, or brighter.
        public static let bold = Attributes(rawValue: 1)
        /// Fainter.
        public static let dim = Attributes(rawValue: 2)
        /// Text and background change places.
        public static let reverse = Attributes(rawValue: 4)
        /// A line below.
        public static let underline = Attributes(rawValue: 8)
    }

    /// What a colour means; the terminal's palette decides how it looks.
    public enum Tone: UInt8, Hashable, Sendable, CaseIterable {
        /// The terminal's own text colour.
        case plain
        /// New, or well.
        case good
        /// Worth a look.
        case caution
        /// Gone, or wrong.
        case bad
        /// Titles and what leads the eye.
        case accent
        /// Less important than the rest.
        case muted
        /// The user's own.
        case own
        /// A kind or a type.
        case kind
    }

    /// What stands out besides colour.
    public var attributes: Attributes
    /// What the colour means.
    public var tone: Tone

    /// A style of these attributes and this tone.
    public init(_ attributes: Attributes = [], tone: Tone = .plain) {
        self.attributes = attributes
        self.tone = tone
    }

    /// The terminal's ordinary text.
    public static let plain = Style()

    /// This style over another: attributes of both, and the other's tone where this has none.
    public func over(_ other: Style) -> Style {
        Style(
            attributes.union(other.attributes), tone: tone == .plain ? other.tone : tone)
    }
}
