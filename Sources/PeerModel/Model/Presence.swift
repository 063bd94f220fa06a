// The presence of a peer, of its services, and of a peer as an observer sees it.

/// The presence of a peer.
///
/// A peer moves along `resolving → present → unanswered`, and is deleted from the list when its last
/// service is withdrawn or expires. While no backend is connected, each presence is unknown.
public enum Presence: String, Sendable, Hashable, CaseIterable {
    /// The peer is announced, but its host and addresses are not known yet.
    case resolving
    /// The peer answered, and has shown no sign of absence since.
    case present
    /// The peer did not answer a later query, but another host answered for it.
    case proxied
    /// The peer did not answer a later query.
    case unanswered
    /// The backend went away, and the peer has not been seen since.
    case unknown

    /// Whether the device itself did not answer; another host may have answered for it.
    package var isSilent: Bool { self == .unanswered || self == .proxied }

    /// Returns the presence of a device: the best presence of its services.
    package static func combined(_ presences: some Sequence<Presence>) -> Presence {
        let presences = Set(presences)
        return [.present, .proxied, .unknown, .unanswered].first(where: presences.contains)
            ?? .resolving
    }
}
