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
        AddressFamily.allCases.filter(addresses.map(\.address.family).contains)
    }

    /// The address families in which the interface can receive: it is up, has a carrier and an address.
    var liveFamilies: Set<AddressFamily> { isUp && hasCarrier ? Set(families) : [] }

    /// A network to which an interface belongs, by its prefix.
    struct Network: Hashable {
        let family: AddressFamily
        let prefixLength: Int
        let prefix: UInt128
    }

    /// The networks of the interface, except link-local networks and networks of a single machine.
    var networks: Set<Network> {
        Set(
            addresses.compactMap { own in
                let bits = own.address.bytes.count * 8
                guard own.prefixLength > 0, own.prefixLength < bits, !own.address.isLinkLocal else {
                    return nil
                }
                return Network(
                    family: own.address.family, prefixLength: own.prefixLength,
                    prefix: own.address.number >> (bits - own.prefixLength))
            })
    }

    /// The networks on the link of the interface, with the addresses of this machine.
    package var linkNetworks: [LinkNetwork] {
        addresses.filter { $0.prefixLength > 0 && $0.address.scope == nil }.map {
            LinkNetwork(
                interface: interface, address: $0.address, prefixLength: $0.prefixLength)
        }
    }

    /// Returns the path of a family on the interface.
    func path(_ family: AddressFamily) -> NetworkPath {
        NetworkPath(interface: interface, family: family)
    }

    /// The paths of all families in which the interface has an address.
    package var paths: [NetworkPath] { families.map(path) }

    /// Whether multicast DNS can work on the interface.
    public var isUsable: Bool {
        isUp && hasCarrier && isMulticast && !isLoopback && !addresses.isEmpty
    }

    /// Returns whether a backend uses this interface, given whether it uses point-to-point
    /// interfaces.
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
    /// Returns `false` for loopback, multicast, broadcast and unspecified addresses, and for addresses
    /// behind a router.
    public func reaches(_ address: HostAddress) -> Bool {
        guard !isLoopback, !address.isLoopback, !has(address), !address.isMulticast,
            !address.isUnspecified
        else { return false }
        if let scope = address.scope { return scope == interface.name }
        return addresses.contains { own in
            guard own.address.family == address.family, own.address.scope == nil,
                own.prefixLength > 0
            else { return false }
            let hostBits = own.address.bytes.count * 8 - own.prefixLength
            let hosts = (1 as UInt128) << hostBits &- 1
            let (number, host) = (address.number, address.number & hosts)
            // No machine has the first or the last address of an IPv4 network.
            let isMachine = address.family == .ipv6 || hostBits < 2 || (host != 0 && host != hosts)
            return isMachine && number >> hostBits == own.address.number >> hostBits
        }
    }
}

extension HostAddress {
    fileprivate var number: UInt128 { bytes.reduce(0) { $0 << 8 | UInt128($1) } }
}

extension LocalInterface {
    /// Returns the current interfaces of this machine, ordered by index (getifaddrs(3)).
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
                if let address = unsafe HostAddress(entry.pointee.ifa_addr, interface: name) {
                    let mask = unsafe HostAddress(entry.pointee.ifa_netmask, interface: name)
                    let bits = mask?.bytes.reduce(0) { $0 + $1.nonzeroBitCount }
                    local.addresses.append(Address(address, prefixLength: bits ?? 0))
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

extension HostAddress {
    /// Creates an address from a C socket address; `nil` if that is neither IPv4 nor IPv6.
    init?(_ address: UnsafePointer<sockaddr>?, interface: String) {
        guard let address = unsafe address else { return nil }
        let family = unsafe Int32(address.pointee.sa_family)
        guard family == AF_INET || family == AF_INET6 else { return nil }
        let (offset, count) = family == AF_INET ? (4, 4) : (8, 16)
        let start = unsafe UnsafeRawPointer(address) + offset
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
        self.init(bytes: bytes, interface: interface)
    }
}
