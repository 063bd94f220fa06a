// A network on the link of an interface of this machine.

/// A network on the link of an interface of this machine, by an address of the machine and its prefix.
public struct LinkNetwork: Sendable, Hashable {
    /// The interface.
    public let interface: NetworkInterface
    /// An address of this machine in the network.
    public let address: HostAddress
    /// The number of bits that all addresses of the network have in common.
    public let prefixLength: Int

    /// Creates a network.
    public init(interface: NetworkInterface, address: HostAddress, prefixLength: Int) {
        self.interface = interface
        self.address = address
        self.prefixLength = prefixLength
    }

    /// Returns whether an address in the network is its broadcast address, or the address of the network itself (IPv4).
    package func isBroadcast(_ other: HostAddress) -> Bool {
        guard address.family == .ipv4, prefixLength < 31, prefixLength >= 0 else { return false }
        let hosts = UInt32.max >> UInt32(prefixLength)
        let host = other.bytes.reduce(0) { $0 << 8 | UInt32($1) } & hosts
        return host == 0 || host == hosts
    }

    /// Returns whether an address is in the network.
    public func contains(_ other: HostAddress) -> Bool {
        guard other.family == address.family, prefixLength <= address.bytes.count * 8 else {
            return false
        }
        let (whole, rest) = prefixLength.quotientAndRemainder(dividingBy: 8)
        guard other.bytes.prefix(whole) == address.bytes.prefix(whole) else { return false }
        return rest == 0 || (other.bytes[whole] ^ address.bytes[whole]) >> (8 - rest) == 0
    }
}
