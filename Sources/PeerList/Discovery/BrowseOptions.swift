// The options of discovery: the service types to browse for, and the paths.

/// The service types to browse for, and the interface, family and domain.
public struct BrowseOptions: Sendable, Hashable {
    /// The service types to look for, such as `_ssh._tcp` or `_printer._sub._http._tcp`; empty: all that are announced.
    public var types: [String] = []
    /// The only interface to look on, or `nil` for all.
    public var interface: NetworkInterface?
    /// The only family to look on, or `nil` for both.
    public var family: AddressFamily?
    /// The domain to look in, or `nil` for the backend's own domain, usually `local`.
    public var domain: String?
    /// Whether the helper `peerlist-mdns` listens to the packets on the link, so that new types are found at once, and
    /// services are shown before the backend has resolved them.
    public var usesWitness = false
    /// Whether the senders of records are reported too, which ``Peer/vouchedBy`` needs; requires ``usesWitness``.
    public var reportsSenders = false
    /// The service to announce while browsing, or `nil`.
    public var announcement: Announcement?
    /// Whether only ``announcement`` is announced, and nothing is browsed for.
    public var announcesOnly = false

    /// Creates options that browse for all types everywhere and announce nothing.
    public init() {}
}
