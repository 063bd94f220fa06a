// How a view shows that its rows change.

/// How a view shows that rows come, go and change.
public enum RowAnimation: Hashable, Sendable {
    /// What changed stands out for a moment, and what left fades away.
    case fade
    /// The rows are what they are now, with no trace of the change.
    case none
}
