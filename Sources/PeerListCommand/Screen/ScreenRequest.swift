// What the screen asks of others, because it has neither terminal nor network.
import FoundationEssentials

/// What the screen asks of whoever shows it.
enum ScreenRequest: Sendable, Equatable {
    /// Put a text on the clipboard of the terminal's user.
    case copy(String, what: String)
    /// Run a command in the terminal, in place of the list, until it ends.
    case run([String])
    /// Start a command beside the list.
    case open([String])
    /// Ask whether the items of the session's list behind rows are there.
    case verify([UUID], name: String)
    /// Find out on which paths the items behind a row are announced, and when something was last heard
    /// of them.
    case sightings([UUID], RowID)
}
