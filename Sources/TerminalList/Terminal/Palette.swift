// Maps styles to the attributes and colours of curses.
import CNcurses

/// The attributes and colour pairs of styles on this terminal.
struct Palette {
    private struct Look {
        var attributes: Style.Attributes
        /// The number of the colour pair; 0 for the terminal's own colours.
        var pair: Int16 = 0
        /// Whether the colour is one of 256; such a colour needs no attribute to be faint.
        var isGraded = false
    }

    private var looks: [Style.Tone: Look] = [:]

    /// Defines the colour pairs, if the terminal has colours and `usesColor` allows them.
    init(_ theme: Theme, usesColor: Bool) {
        let hasColors = usesColor && has_colors() && start_color() == OK
        let background = hasColors && use_default_colors() == OK ? -1 : Int16(COLOR_BLACK)
        let count = hasColors ? Int(curses_colors()) : 0
        for (pair, tone) in zip(Int16(1)..., Style.Tone.allCases) {
            let color = theme[tone].color
            var look = Look(attributes: theme[tone].attributes)
            if hasColors, let number = color.number(among: count) {
                look.isGraded = number == color.fine
                // A terminal with eight colours shows the bright ones as bold.
                let isBright = number >= count && (8..<16).contains(number)
                let shown = isBright ? number - 8 : number
                if shown < count, init_pair(pair, Int16(shown), background) == OK {
                    look.pair = pair
                    if isBright { look.attributes.insert(.bold) }
                }
            }
            looks[tone] = look
        }
    }

    /// Returns the attributes and the colour pair of a style.
    func attributes(of style: Style) -> (attributes: attr_t, pair: Int16) {
        guard let look = looks[style.tone] else { return (0, 0) }
        let attributes = style.attributes.union(look.attributes)
        var result: attr_t = 0
        if attributes.contains(.bold) { result |= CURSES_BOLD }
        if attributes.contains(.reverse) { result |= CURSES_REVERSE }
        if attributes.contains(.underline) { result |= CURSES_UNDERLINE }
        if attributes.contains(.dim), !look.isGraded { result |= CURSES_DIM }
        return (result, look.pair)
    }
}
