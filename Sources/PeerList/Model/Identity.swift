// What a peer's UUID was computed from.

/// The evidence from which a peer's identifier follows.
public struct Identity: Sendable, Hashable {
    /// The kinds of evidence.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// The host name, in lower case, without its final dot.
        case hostName = "host-name"
        /// The `id=` that the peer announces in its `_peerlist._tcp` service.
        case announced
        /// A service whose host is not known yet.
        case service
    }

    /// The kind of evidence.
    public var source: Source

    /// The evidence itself: the host name, the announced UUID, or the service's full name.
    public var value: String

    /// The evidence of a kind.
    public init(source: Source, value: String) {
        self.source = source
        self.value = value
    }
}
