// What the user has chosen for good: keys and colours of the list.
import TerminalList

/// What the file of settings says; what it does not say is as usual.
struct Config: Equatable, Sendable {
    /// The keys of actions, by the actions' names; an empty list takes an action its keys.
    var keymap: [String: [Key]] = [:]
    /// How tones are drawn that are not to look as the theme has them.
    var colors: [Style.Tone: Theme.Look] = [:]
    /// The name of the theme, if one is chosen.
    var theme: String?
    /// How long the row of a departed device stays in the list, in seconds.
    var departureSeconds = 30
}
