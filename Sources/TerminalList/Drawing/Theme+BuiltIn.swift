// The themes that come with the library.

extension Theme {
    /// Colours that are told apart on light and dark backgrounds; where the terminal has fewer
    /// than 256, its ordinary ones.
    public static let standard = Theme([
        .good: Look(.graded(2, fine: 71)), .caution: Look(.graded(3, fine: 172)),
        .bad: Look(.graded(1, fine: 167)), .accent: Look(.graded(6, fine: 37)),
        .muted: Look(.graded(nil, fine: 244), .dim), .own: Look(.graded(5, fine: 133)),
        .kind: Look(.graded(nil, fine: 67)),
    ])

    /// Bright colours, for dark backgrounds and tired eyes; nothing is dimmed.
    public static let bright = Theme([
        .good: Look(.palette(10), .bold), .caution: Look(.palette(11), .bold),
        .bad: Look(.palette(9), .bold), .accent: Look(.palette(14), .bold),
        .muted: Look(.palette(7)), .own: Look(.palette(13)), .kind: Look(.palette(12)),
    ])

    /// No colours at all.
    public static let mono = Theme([
        .good: Look(.none, .bold), .bad: Look(.none, .bold), .accent: Look(.none, .bold),
        .muted: Look(.none, .dim),
    ])

    /// The names of the themes, as users write them: `default`, `bright`, `mono`.
    public static let names = ["default", "bright", "mono"]

    /// A theme by its name.
    public static func named(_ name: String) -> Theme? {
        switch name {
        case "default": standard
        case "bright": bright
        case "mono": mono
        default: nil
        }
    }
}

extension Style.Tone {
    /// What it is called in a file: `good`.
    public var name: String { "\(self)" }

    /// A tone by its name.
    public init?(name: String) {
        guard let tone = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = tone
    }
}
