// Lists the network interfaces of this machine and decides which addresses are on their links.
import Glibc

/// A network interface of this machine, with its state and addresses.
public struct LocalInterface: Sendable, Hashable {
    /// An address of an interface and the length of its network prefix.
    public struct Address: Sendable, Hashable {
        /// The address; a link-local IPv6 address includes its scope.
        public let address: HostAddress
        /// The number of bits that all addresses on the link have in common.
        public let prefixLength: Int

        /// Creates an address with a prefix length.
        public init(_ address: HostAddress, prefixLength: Int) {
            self.address = address
            self.prefixLength = prefixLength
        }
    }

    /// The index and name of the interface.
    public var interface: NetworkInterface
    /// Whether the interface is administratively up.
    public var isUp: Bool
    /// Whether the interface has a carrier, such as a plugged-in cable or a joined Wi-Fi network.
    public var hasCarrier: Bool
    /// Whether the interface supports multicast.
    public var isMulticast: Bool
    /// Whether the interface is a loopback interface.
    public var isLoopback: Bool
    /// Whether the interface connects to a single machine, as most tunnels do.
    public var isPointToPoint: Bool
    /// The addresses of the interface, IPv4 first.
    public var addresses: [Address]

    /// Creates an interface from its parts.
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

    /// The address families in which the interface has an address.
    public var families: [AddressFamily] {
        AddressFamily.allCases.filter { family in
            addresses.contains { $0.address.family == family }
        }
    }

    /// Whether multicast DNS can work on the interface.
    public var isUsable: Bool {
        isUp && hasCarrier && isMulticast && !isLoopback && !addresses.isEmpty
    }

    /// Returns whether a backend that may use point-to-point interfaces or not uses this one.
    ///
    /// avahi-daemon uses point-to-point interfaces if `allow-point-to-point=yes` is set; the embedded
    /// backend never does.
    public func isActive(allowingPointToPoint: Bool) -> Bool {
        isUsable && (allowingPointToPoint || !isPointToPoint)
    }

    /// Returns whether an address belongs to this interface.
    public func has(_ address: HostAddress) -> Bool {
        addresses.contains { $0.address.bytes == address.bytes }
    }

    /// Returns whether an address belongs to another machine on the link of this interface.
    ///
    /// Loopback, multicast, broadcast and unspecified addresses do not, nor do addresses behind a router.
    public func reaches(_ address: HostAddress) -> Bool {
        guard !isLoopback, !address.isLoopback, !has(address), address.isUnicast else {
            return false
        }
        if let scope = address.scope { return scope == interface.name }
        return addresses.contains { own in
            own.address.family == address.family && own.address.scope == nil
                && own.prefixLength > 0
                && own.address.bytes.hasSamePrefix(as: address.bytes, bits: own.prefixLength)
                && !address.bytes.isNetworkOrBroadcast(prefixLength: own.prefixLength)
        }
    }
}

extension HostAddress {
    /// Whether the address is neither unspecified nor multicast nor limited broadcast.
    fileprivate var isUnicast: Bool {
        let isMulticast = bytes.count == 4 ? bytes[0] >= 224 : bytes[0] == 0xff
        return !isMulticast && bytes.contains { $0 != 0 }
    }
}

extension [UInt8] {
    /// Returns whether the first `bits` bits of two addresses are equal.
    fileprivate func hasSamePrefix(as other: [UInt8], bits: Int) -> Bool {
        guard count == other.count, bits <= count * 8 else { return false }
        let (whole, rest) = (bits / 8, bits % 8)
        guard self[..<whole] == other[..<whole] else { return false }
        return rest == 0 || (self[whole] ^ other[whole]) >> (8 - rest) == 0
    }

    /// Returns whether this is the first or last IPv4 address of a network.
    fileprivate func isNetworkOrBroadcast(prefixLength: Int) -> Bool {
        guard count == 4, prefixLength < 31 else { return false }
        let address = reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let host = UInt32.max >> UInt32(prefixLength)
        return address & host == 0 || address & host == host
    }
}

extension LocalInterface {
    /// Returns the current interfaces of this machine, ordered by index (getifaddrs(3)).
    ///
    /// - Complexity: O(*n*), where *n* is the number of interfaces and addresses.
    public static func all() -> [LocalInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        defer { unsafe freeifaddrs(list) }
        var found: [String: LocalInterface] = [:]
        var next = unsafe list
        while let entry = unsafe next {
            // The label of an address may extend the interface name: `eth0:1`.
            let label = unsafe String(cString: entry.pointee.ifa_name)
            let name = label.split(separator: ":").first.map(String.init) ?? label
            if let interface = found[name]?.interface ?? NetworkInterface(named: name) {
                let flags = unsafe entry.pointee.ifa_flags
                var local = found[name] ?? LocalInterface(interface, flags: flags)
                if let address = unsafe Address(entry.pointee, on: name) {
                    local.addresses.append(address)
                }
                found[name] = local
            }
            unsafe next = entry.pointee.ifa_next
        }
        for name in found.keys { found[name]?.addresses.sort { $0.address < $1.address } }
        return found.values.sorted { $0.interface.index < $1.interface.index }
    }

    /// Creates an interface from the flags of netdevice(7).
    private init(_ interface: NetworkInterface, flags: UInt32) {
        func has(_ flag: Int) -> Bool { flags & UInt32(flag) != 0 }
        let lowerUp = 0x10000  // IFF_LOWER_UP, defined only in the kernel's headers
        self.init(
            interface, isUp: has(IFF_UP), hasCarrier: has(lowerUp),
            isMulticast: has(IFF_MULTICAST), isLoopback: has(IFF_LOOPBACK),
            isPointToPoint: has(IFF_POINTOPOINT))
    }
}

extension LocalInterface.Address {
    /// Creates the address of an entry, or `nil` if it is neither IPv4 nor IPv6.
    fileprivate init?(_ entry: ifaddrs, on interface: String) {
        guard let pointer = unsafe entry.ifa_addr,
            let address = unsafe HostAddress(pointer, interface: interface)
        else { return nil }
        let mask = unsafe entry.ifa_netmask.map {
            unsafe HostAddress($0, as: address.family, interface: interface)
        }
        let bits = mask?.bytes.reduce(0) { $0 + $1.nonzeroBitCount }
        self.init(address, prefixLength: bits ?? 0)
    }
}

extension HostAddress {
    /// Creates an address from a socket address, or returns `nil` if it is neither IPv4 nor IPv6.
    init?(_ socketAddress: UnsafePointer<sockaddr>, interface: String) {
        switch Int32(unsafe socketAddress.pointee.sa_family) {
        case AF_INET: unsafe self.init(socketAddress, as: .ipv4, interface: interface)
        case AF_INET6: unsafe self.init(socketAddress, as: .ipv6, interface: interface)
        default: return nil
        }
    }

    /// Creates an address of a known family; the family field of a netmask is not always set.
    fileprivate init(
        _ socketAddress: UnsafePointer<sockaddr>, as family: AddressFamily, interface: String
    ) {
        let raw = unsafe UnsafeRawPointer(socketAddress)
        let bytes =
            switch family {
            case .ipv4: unsafe Array(UnsafeRawBufferPointer(start: raw + 4, count: 4))
            case .ipv6: unsafe Array(UnsafeRawBufferPointer(start: raw + 8, count: 16))
            }
        self.init(bytes: bytes, interface: interface)
    }

    /// Creates an address of 4 or 16 bytes seen on an interface, with text formatted by inet_ntop(3).
    public init(bytes: [UInt8], interface: String) {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        _ = unsafe inet_ntop(family, bytes, &text, socklen_t(text.count))
        let characters = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        self.init(
            bytes: bytes, text: String(decoding: characters, as: UTF8.self), interface: interface)
    }
}
