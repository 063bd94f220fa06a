// The themes that come with the library.

extension Theme {
    /// The ordinary colours of the terminal.
    public static let standard = Theme([
        .good: Look(.palette(2)), .caution: Look(.palette(3)), .bad: Look(.palette(1)),
        .accent: Look(.palette(6)), .muted: Look(.none, .dim),
    ])

    /// Bright colours, for dark backgrounds and tired eyes; nothing is dimmed.
    public static let bright = Theme([
        .good: Look(.palette(10), .bold), .caution: Look(.palette(11), .bold),
        .bad: Look(.palette(9), .bold), .accent: Look(.palette(14), .bold),
        .muted: Look(.palette(7)),
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
