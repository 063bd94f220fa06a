// The interface and address family on which a service is announced.

/// An address family to which discovery can be limited.
public enum AddressFamily: String, Sendable, Hashable, CaseIterable {
    /// Internet protocol version 4.
    case ipv4
    /// Internet protocol version 6.
    case ipv6
}

/// A path on which a service is announced to this machine.
public struct NetworkPath: Sendable, Hashable {
    /// The name of this machine's interface, such as `eth0`.
    public let interface: String
    /// The address family of the announcement.
    public let family: AddressFamily

    /// Creates a path.
    public init(interface: String, family: AddressFamily) {
        self.interface = interface
        self.family = family
    }
}
