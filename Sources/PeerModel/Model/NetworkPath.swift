// The interface and address family on which a service is announced.

/// An address family to which discovery can be limited.
public enum AddressFamily: String, Sendable, Hashable, CaseIterable {
    /// Internet protocol version 4.
    case ipv4
    /// Internet protocol version 6.
    case ipv6
}

/// A path on which a service is announced to this machine.
public struct NetworkPath: Sendable, Hashable, Comparable {
    /// The interface of this machine.
    public let interface: NetworkInterface
    /// The address family of the announcement.
    public let family: AddressFamily

    /// Creates a path.
    public init(interface: NetworkInterface, family: AddressFamily) {
        self.interface = interface
        self.family = family
    }

    /// Orders by the interface's name, IPv4 before IPv6.
    public static func < (left: NetworkPath, right: NetworkPath) -> Bool {
        (left.interface.name, left.family.rawValue) < (right.interface.name, right.family.rawValue)
    }
}
