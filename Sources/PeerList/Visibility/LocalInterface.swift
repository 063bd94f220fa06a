// The interfaces of this machine with their addresses, and which other addresses are on their links.
import Glibc

/// An interface of this machine as it is now.
public struct LocalInterface: Sendable, Hashable {
    /// An address of an interface, and how much of it all addresses on the link have in common.
    public struct Address: Sendable, Hashable {
        /// The address; link-local ones with their scope.
        public let address: HostAddress
        /// How many bits the addresses on the link have in common.
        public let prefixLength: Int

        /// An address with its prefix.
        public init(_ address: HostAddress, prefixLength: Int) {
            self.address = address
            self.prefixLength = prefixLength
        }
    }

    /// Its number and name.
    public var interface: NetworkInterface
    /// Whether it is switched on.
    public var isUp: Bool
    /// Whether there is a link: a cable that is plugged in, a radio network that was joined.
    public var hasCarrier: Bool
    /// Whether it can carry multicast.
    public var isMulticast: Bool
    /// Whether it leads back to this machine.
    public var isLoopback: Bool
    /// Whether there is one machine at its other end, as with most tunnels.
    public var isPointToPoint: Bool
    /// Its addresses, IPv4 first.
    public var addresses: [Address]

    /// An interface with all that is known of it.
    public init(
        _ interface: NetworkInterface, isUp: Bool = true, hasCarrier: Bool = true,
        isMulticast: Bool = true, isLoopback: Bool = false, isPointToPoint: Bool = false,
        addresses: [Address] = []
    ) {
        self.interface = interface
        self.isUp = isUp
        self.hasCarrier = hasCarrier
        self.isMulticast = isMulticast
        self.isLoopback = isLoopback
        self.isPointToPoint = isPointToPoint
        self.addresses = addresses
    }

    /// The families in which it has an address.
    public var families: [AddressFamily] {
        AddressFamily.allCases.filter { family in
            addresses.contains { $0.address.family == family }
        }
    }

    /// Whether multicast DNS can work on it: it is up, connected, has multicast and an address.
    public var isUsable: Bool {
        isUp && hasCarrier && isMulticast && !isLoopback && !addresses.isEmpty
    }

    /// Whether multicast DNS is spoken on it: it can be, and it is not left alone for leading to one
    /// machine.
    ///
    /// - Parameter allowingPointToPoint: Whether such interfaces are used, as avahi-daemon does with
    ///   `allow-point-to-point=yes`, and the embedded stack never.
    /// - Returns: Whether it is used.
    public func isActive(allowingPointToPoint: Bool) -> Bool {
        isUsable && (allowingPointToPoint || !isPointToPoint)
    }
}

extension LocalInterface {
    /// Whether an address is one of this interface's own.
    public func has(_ address: HostAddress) -> Bool {
        addresses.contains { $0.address.bytes == address.bytes }
    }

    /// Whether an address is that of one other machine on this interface's link, reached without a router.
    ///
    /// Loopback, multicast, broadcast and unspecified addresses are none, nor is an own one.
    public func reaches(_ address: HostAddress) -> Bool {
        guard !isLoopback, !address.isLoopback, !has(address), address.isOfOneMachine else {
            return false
        }
        if let scope = address.scope { return scope == interface.name }
        return addresses.contains { own in
            own.address.family == address.family && own.address.scope == nil
                && own.prefixLength > 0
                && own.address.bytes.hasSamePrefix(as: address.bytes, bits: own.prefixLength)
                && !address.bytes.isEdge(ofPrefix: own.prefixLength)
        }
    }
}

extension HostAddress {
    /// Whether it can be that of one machine: not multicast, not unspecified, not broadcast.
    fileprivate var isOfOneMachine: Bool {
        let isUnspecified = bytes.allSatisfy { $0 == 0 }
        let isMulticast = bytes.count == 4 ? bytes[0] >= 224 : bytes[0] == 0xff
        return !isUnspecified && !isMulticast
    }
}

extension [UInt8] {
    /// Whether the first bits are the same.
    fileprivate func hasSamePrefix(as other: [UInt8], bits: Int) -> Bool {
        guard count == other.count, bits <= count * 8 else { return false }
        let (whole, rest) = (bits / 8, bits % 8)
        guard self[..<whole] == other[..<whole] else { return false }
        return rest == 0 || (self[whole] ^ other[whole]) >> (8 - rest) == 0
    }

    /// Whether it is the first or the last IPv4 address behind a prefix, which mean the link and all
    /// machines on it.
    fileprivate func isEdge(ofPrefix bits: Int) -> Bool {
        guard count == 4, bits < 31 else { return false }
        let address = reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let host = UInt32.max >> UInt32(bits)
        return address & host == 0 || address & host == host
    }
}
