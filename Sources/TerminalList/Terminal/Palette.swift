// Styles as curses' attributes and colours.
import CNcurses

/// Styles as curses' attributes and colours.
struct Palette {
    private let theme: Theme
    /// The tones that have a pair of colours, by the number of the tone.
    private var paired: Set<Style.Tone> = []
    /// The tones whose bright colour the terminal only has as a bold one.
    private var brightened: Set<Style.Tone> = []
    /// The tones that have a colour of their own among 256.
    private var graded: Set<Style.Tone> = []

    /// Takes the terminal's colours, if it has any and they are wanted.
    init(_ theme: Theme, usesColor: Bool) {
        self.theme = theme
        guard usesColor, has_colors(), start_color() == OK else { return }
        let background: Int16 = use_default_colors() == OK ? -1 : Int16(COLOR_BLACK)
        let count = Int(curses_colors())
        for tone in Style.Tone.allCases {
            guard let number = theme[tone].color.number(among: count) else { continue }
            if case .graded(_, let fine) = theme[tone].color, fine == number { graded.insert(tone) }
            let isBright = number >= count && (8..<16).contains(number)
            let color = isBright ? number - 8 : number
            guard color < count,
                init_pair(Int16(tone.rawValue) + 1, Int16(color), background) == OK
            else {
                continue
            }
            paired.insert(tone)
            if isBright { brightened.insert(tone) }
        }
    }

    /// What curses is to be given for a style.
    func attributes(of style: Style) -> (attributes: attr_t, pair: Int16) {
        var result: attr_t = 0
        let attributes = style.attributes.union(theme[style.tone].attributes)
        let isBold = attributes.contains(.bold) || brightened.contains(style.tone)
        if isBold { result |= CURSES_BOLD }
        if attributes.contains(.reverse) { result |= CURSES_REVERSE }
        if attributes.contains(.underline) { result |= CURSES_UNDERLINE }
        // A fine colour is as faint as it should be.
        if attributes.contains(.dim), !graded.contains(style.tone) { result |= CURSES_DIM }
        return (result, paired.contains(style.tone) ? Int16(style.tone.rawValue) + 1 : 0)
    }
}
