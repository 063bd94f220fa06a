// What a replay waits for: keys, its own clock, the end.
import PeerList

/// What a replay waits for.
enum ReplayMessage: Sendable {
    /// The user asks for something.
    case command(ReplayCommand)
    /// It is time for the next line, or to show that time goes on.
    case due
    /// The user, a signal or trouble ends it.
    case ended(SessionEnd)
}
