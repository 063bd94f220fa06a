// Styles as curses' attributes and colours.
import CNcurses

/// Styles as curses' attributes and colours.
struct Palette {
    private let hasColor: Bool

    /// Takes the terminal's colours, if it has any and they are wanted.
    init(usesColor: Bool) {
        hasColor = usesColor && has_colors() && start_color() == OK
        guard hasColor else { return }
        let background: Int16 = use_default_colors() == OK ? -1 : Int16(COLOR_BLACK)
        for tone in Style.Tone.allCases {
            guard let color = color(of: tone) else { continue }
            init_pair(Int16(tone.rawValue), color, background)
        }
    }

    /// What curses is to be given for a style.
    func attributes(of style: Style) -> (attributes: attr_t, pair: Int16) {
        var result: attr_t = 0
        if style.attributes.contains(.bold) { result |= CURSES_BOLD }
        if style.attributes.contains(.reverse) { result |= CURSES_REVERSE }
        if style.attributes.contains(.underline) { result |= CURSES_UNDERLINE }
        // curses knows no struck-out text, and a gray of the palette may be the background's.
        let isFaint = !style.attributes.isDisjoint(with: [.dim, .struck])
        if isFaint || style.tone == .muted { result |= CURSES_DIM }
        let hasPair = hasColor && color(of: style.tone) != nil
        return (result, hasPair ? Int16(style.tone.rawValue) : 0)
    }

    private func color(of tone: Style.Tone) -> Int16? {
        switch tone {
        case .plain, .muted: nil
        case .good: Int16(COLOR_GREEN)
        case .caution: Int16(COLOR_YELLOW)
        case .bad: Int16(COLOR_RED)
        case .accent: Int16(COLOR_CYAN)
        }
    }
}
