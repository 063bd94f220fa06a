// How the live list looks, as far as options decide it.

/// How the live list looks, as far as options decide it.
struct ScreenOptions: Equatable, Sendable {
    /// Whether colours are used.
    enum Color: String, CaseIterable, Sendable {
        /// Where the terminal has them, unless `NO_COLOR` is set.
        case auto
        /// Where the terminal has them, whatever `NO_COLOR` says.
        case always
        /// Nowhere.
        case never
    }

    /// Whether colours are used.
    var color = Color.auto
    /// The theme, or `nil` for the one of the settings.
    var theme: String?
    /// Whether nothing but ASCII is written.
    var isASCII = false
    /// Whether the list takes the mouse.
    var takesMouse = true

    /// Takes an option that is about the screen; says whether it was one.
    ///
    /// - Throws: ``UsageError`` where its value is wrong.
    mutating func take(_ option: GivenOption) throws(UsageError) -> Bool {
        switch option.row.name {
        case .color: color = try OptionValue.choice(option.value ?? "", of: option.row)
        case .theme: theme = try OptionValue.theme(option.value ?? "")
        case .ascii: isASCII = true
        case .noMouse: takesMouse = false
        default: return false
        }
        return true
    }

    /// Whether colours may be used, in an environment that allows them or not.
    func usesColor(environmentAllows: Bool) -> Bool {
        switch color {
        case .auto: environmentAllows
        case .always: true
        case .never: false
        }
    }
}

extension OptionValue {
    /// The name of a theme.
    static func theme(_ text: String) throws(UsageError) -> String {
        let themes = ConfigVocabulary.usual.themes
        if themes.contains(text) { return text }
        throw UsageError(
            "--theme: \(quoted(text)) is not known; write one of "
                + themes.map { "'\($0)'" }.joined(separator: ", "))
    }
}
