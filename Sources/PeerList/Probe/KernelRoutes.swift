// Reads the networks and routes of this machine from its kernel.
import CNetlink
import Glibc

extension RouteTable {
    /// The maximum number of routes that are read of each family. A machine with more is a router of the Internet, whose
    /// routes are not known.
    static let routeLimit = 16_384

    /// Reads the kernel's routes of all tables; none are known if the system refuses to read them, or if there are more than
    /// ``routeLimit``.
    ///
    /// - Parameter interfaces: The interfaces of this machine.
    /// - Returns: The networks on the links of the interfaces, and the routes.
    package static func current(_ interfaces: [LocalInterface]) -> RouteTable {
        let names = Dictionary(
            interfaces.map { ($0.interface.index, $0.interface.name) }, uniquingKeysWith: { $1 })
        var routes: [Route]? = []
        for family in [AF_INET, AF_INET6] {
            var dump = Dump(names: names, byteCount: family == AF_INET ? 4 : 16)
            let isComplete = unsafe withUnsafeMutablePointer(to: &dump) { dump in
                unsafe routes_read(
                    family,
                    { route, context in
                        guard let route = unsafe route?.pointee,
                            let dump = unsafe context?.assumingMemoryBound(to: Dump.self)
                        else { return false }
                        unsafe dump.pointee.add(route)
                        return unsafe dump.pointee.routes.count <= RouteTable.routeLimit
                    }, dump)
            }
            routes = isComplete ? routes.map { $0 + dump.routes } : nil
        }
        var links: [KernelLink] = []
        unsafe withUnsafeMutablePointer(to: &links) { links in
            unsafe links_read(
                { link, context in
                    guard let link = unsafe link?.pointee else { return }
                    unsafe context?.assumingMemoryBound(to: [KernelLink].self).pointee.append(link)
                }, links)
        }
        // A bridge with a port of another kind, such as a cable, is a network of its own.
        let others = Set(links.lazy.filter { !$0.is_virtual }.map(\.master))
        let bridges = Set(links.lazy.filter(\.is_bridge).map(\.interface)).subtracting(others)
        let outward = interfaces.filter { !$0.isLoopback }
        return RouteTable(
            links: outward.flatMap(\.linkNetworks),
            offline: Set(outward.filter { $0.liveFamilies.isEmpty }.map(\.interface.name)),
            bridges: Set(outward.map(\.interface).filter { bridges.contains($0.index) }),
            routes: routes)
    }

    /// The routes of one family that a request reads.
    private struct Dump {
        let names: [Int32: String]
        let byteCount: Int
        var routes: [Route] = []

        /// Adds a route to another machine.
        mutating func add(_ route: KernelRoute) {
            guard unsafe route.table != RT_TABLE_LOCAL.rawValue else { return }
            // A route that throws leaves the decision to the next table.
            let isUsable: Bool
            switch unsafe Int(route.type) {
            case RTN_UNICAST: isUsable = unsafe route.flags & Self.unusable == 0
            case RTN_BLACKHOLE, RTN_UNREACHABLE, RTN_PROHIBIT: isUsable = false
            default: return
            }
            var prefix = unsafe Self.bytes(route.prefix)
            guard prefix.count <= byteCount, unsafe Int(route.prefix_length) <= byteCount * 8 else {
                return
            }
            prefix += [UInt8](repeating: 0, count: byteCount - prefix.count)
            let name = unsafe names[route.interface]
            let gateway = unsafe Self.bytes(route.gateway)
            routes.append(
                Route(
                    prefix: prefix, prefixLength: unsafe Int(route.prefix_length), interface: name,
                    gateway: [4, 16].contains(gateway.count)
                        ? HostAddress(bytes: gateway, interface: name ?? "") : nil,
                    isUsable: isUsable))
        }

        /// The flags of a next hop whose interface is down.
        private static let unusable = UInt32(RTNH_F_DEAD | RTNH_F_LINKDOWN)

        private static func bytes(_ bytes: Bytes) -> [UInt8] {
            unsafe Array(UnsafeBufferPointer(start: bytes.start, count: bytes.count))
        }
    }
}
