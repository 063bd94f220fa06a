// One of the two families of addresses, where discovery is limited to one.

/// A family of addresses.
public enum AddressFamily: String, Sendable, Hashable, CaseIterable {
    /// Internet protocol version 4.
    case ipv4
    /// Internet protocol version 6.
    case ipv6
}
