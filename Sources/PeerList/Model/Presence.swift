// What is really known about a peer's being there.

/// What is known about a peer's being there.
///
/// A peer moves along `resolving → present → unanswered`, and is deleted from
/// the list when its last service is withdrawn or expires. While nobody can
/// be asked nothing is known of anybody.
public enum Presence: String, Sendable, Hashable, CaseIterable {
    /// Announced, but its host and addresses are not known yet.
    case resolving
    /// It answered, and nothing since says otherwise.
    case present
    /// It did not answer when it was asked again.
    case unanswered
    /// Who was asked went away, and the peer has not been seen since.
    case unknown
}
