// Asks the system for its interfaces and their addresses.
import Glibc

extension LocalInterface {
    /// The interfaces that the system has now, by their numbers.
    ///
    /// - Complexity: O(*n*), where *n* is the number of interfaces and addresses.
    public static func all() -> [LocalInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        defer { unsafe freeifaddrs(list) }
        var found: [String: LocalInterface] = [:]
        var next = unsafe list
        while let entry = unsafe next {
            // An address with a label of its own (`eth0:1`) is one of the interface before the colon.
            let label = unsafe String(cString: entry.pointee.ifa_name)
            let name = label.split(separator: ":").first.map(String.init) ?? label
            let flags = unsafe entry.pointee.ifa_flags
            if let interface = found[name]?.interface ?? NetworkInterface(named: name) {
                var known = found[name] ?? LocalInterface(interface, flags: flags)
                if let address = unsafe Address(entry.pointee, on: name) {
                    known.addresses.append(address)
                }
                found[name] = known
            }
            unsafe next = entry.pointee.ifa_next
        }
        return found.values.map { interface in
            var sorted = interface
            sorted.addresses.sort { $0.address < $1.address }
            return sorted
        }.sorted { $0.interface.index < $1.interface.index }
    }

    /// An interface by the flags of netdevice(7).
    private init(_ interface: NetworkInterface, flags: UInt32) {
        func has(_ flag: Int) -> Bool { flags & UInt32(flag) != 0 }
        let lowerUp = 0x10000  // IFF_LOWER_UP, which is in the kernel's header alone
        self.init(
            interface, isUp: has(IFF_UP),
            hasCarrier: has(lowerUp), isMulticast: has(IFF_MULTICAST),
            isLoopback: has(IFF_LOOPBACK),
            isPointToPoint: has(IFF_POINTOPOINT))
    }
}

extension LocalInterface.Address {
    /// The address of an entry, if it has one of IPv4 or IPv6.
    fileprivate init?(_ entry: ifaddrs, on interface: String) {
        guard let pointer = unsafe entry.ifa_addr,
            let address = unsafe HostAddress(pointer, interface: interface)
        else { return nil }
        let mask = unsafe entry.ifa_netmask.flatMap {
            unsafe HostAddress($0, as: address.family, interface: interface)
        }
        let bits = mask?.bytes.reduce(0) { $0 + $1.nonzeroBitCount }
        self.init(address, prefixLength: bits ?? 0)
    }
}

extension HostAddress {
    /// The address in a socket address of IPv4 or IPv6; `nil` for another family.
    init?(_ socketAddress: UnsafePointer<sockaddr>, interface: String) {
        switch Int32(unsafe socketAddress.pointee.sa_family) {
        case AF_INET: unsafe self.init(socketAddress, as: .ipv4, interface: interface)
        case AF_INET6: unsafe self.init(socketAddress, as: .ipv6, interface: interface)
        default: return nil
        }
    }

    /// The address in a socket address whose family is known; a mask does not always say its own.
    fileprivate init?(
        _ socketAddress: UnsafePointer<sockaddr>, as family: AddressFamily, interface: String
    ) {
        let raw = unsafe UnsafeRawPointer(socketAddress)
        let bytes: [UInt8]
        switch family {
        case .ipv4:
            bytes = unsafe Array(UnsafeRawBufferPointer(start: raw + 4, count: 4))
        case .ipv6:
            bytes = unsafe Array(UnsafeRawBufferPointer(start: raw + 8, count: 16))
        }
        self.init(bytes: bytes, interface: interface)
    }

    /// An address of 4 or 16 bytes, seen on an interface, written as the system writes it.
    public init(bytes: [UInt8], interface: String) {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        _ = unsafe inet_ntop(family, bytes, &text, socklen_t(text.count))
        let characters = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        self.init(
            bytes: bytes, text: String(decoding: characters, as: UTF8.self), interface: interface)
    }
}
