// What asking again gave.

/// What asking for a peer's services again gave.
public enum Verification: Sendable, Hashable {
    /// So many of the services that were asked for were answered for.
    case answered(services: Int, of: Int)
    /// None was, though the question went out and time was given.
    case unanswered
    /// It could not be asked, for this reason.
    case unavailable(String)
}
