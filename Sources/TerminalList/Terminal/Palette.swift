// Maps styles to the attributes and colours of curses.
import CNcurses

/// The attributes and colour pairs of styles on this terminal.
struct Palette {
    private let theme: Theme
    /// The tones with a colour pair; its number is the tone's number plus 1.
    private var paired: Set<Style.Tone> = []
    /// The tones whose bright colour the terminal can only show as bold.
    private var brightened: Set<Style.Tone> = []
    /// The tones with one of 256 colours.
    private var graded: Set<Style.Tone> = []

    /// Defines the colour pairs, if the terminal has colours and `usesColor` allows them.
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

    /// Returns the attributes and the colour pair of a style.
    func attributes(of style: Style) -> (attributes: attr_t, pair: Int16) {
        var result: attr_t = 0
        let attributes = style.attributes.union(theme[style.tone].attributes)
        let isBold = attributes.contains(.bold) || brightened.contains(style.tone)
        if isBold { result |= CURSES_BOLD }
        if attributes.contains(.reverse) { result |= CURSES_REVERSE }
        if attributes.contains(.underline) { result |= CURSES_UNDERLINE }
        // One of 256 colours is already as faint as intended.
        if attributes.contains(.dim), !graded.contains(style.tone) { result |= CURSES_DIM }
        return (result, paired.contains(style.tone) ? Int16(style.tone.rawValue) + 1 : 0)
    }
}
