// The networks and routes of this machine, and what they tell of addresses.

/// A route of the kernel to a network.
public struct Route: Sendable, Hashable {
    /// The address of the network, in network order; the bits after the prefix are zero.
    public let prefix: [UInt8]
    /// The number of bits that all addresses of the network have in common; 0 for the default route.
    public let prefixLength: Int
    /// The name of the interface; `nil` for a route that has none.
    public let interface: String?
    /// The names of the interfaces of all usable routes with the prefix.
    package fileprivate(set) var interfaces: Set<String>
    /// The router; `nil` for a network on the link.
    public let gateway: HostAddress?
    /// Whether the route forwards packets, rather than refuse them, and its interface is up.
    public let isUsable: Bool

    /// Creates a route.
    public init(
        prefix: [UInt8], prefixLength: Int, interface: String?, gateway: HostAddress? = nil,
        isUsable: Bool = true
    ) {
        (self.prefix, self.prefixLength) = (prefix, prefixLength)
        (self.interface, self.gateway, self.isUsable) = (interface, gateway, isUsable)
        interfaces = isUsable ? Set([interface].compactMap(\.self)) : []
    }

    /// Whether the route leads to all addresses for which there is no other.
    public var isDefault: Bool { prefixLength == 0 }
}

/// The networks on the links of this machine, and the routes of its kernel to other networks.
public struct RouteTable: Sendable {
    /// The networks on the links, with the addresses of this machine.
    public let links: [LinkNetwork]
    /// The names of the interfaces that are down or have no carrier.
    package let offline: Set<String>
    /// The interfaces that are bridges for containers and virtual machines of this machine.
    package let bridges: Set<NetworkInterface>
    /// The routes, without those to this machine.
    package let routes: [Route]

    /// The prefixes of one family and length.
    private struct Level: Hashable {
        let byteCount: Int
        let length: Int
    }

    private let lengths: [Int: [Int]]
    private let routesByPrefix: [Level: [[UInt8]: Route]]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - links: The networks on the links.
    ///   - offline: The names of the interfaces that are down or have no carrier.
    ///   - bridges: The interfaces that are bridges for containers and virtual machines of this machine.
    ///   - routes: The routes, without those to this machine; `nil` if they are not known, so that no address has the
    ///     verdict ``Reach/nowhere``.
    public init(
        links: [LinkNetwork] = [], offline: Set<String> = [], bridges: Set<NetworkInterface> = [],
        routes: [Route]? = nil
    ) {
        (self.links, self.offline, self.bridges) = (links, offline, bridges)
        self.routes = routes ?? []
        areRoutesKnown = routes != nil
        var table: [Level: [[UInt8]: Route]] = [:]
        for route in self.routes where route.prefixLength <= route.prefix.count * 8 {
            let level = Level(byteCount: route.prefix.count, length: route.prefixLength)
            var first = route
            if let other = table[level]?[route.prefix] {
                if other.isUsable { first = other }
                first.interfaces = other.interfaces.union(route.interfaces)
            }
            table[level, default: [:]][route.prefix] = first
        }
        routesByPrefix = table
        lengths = Dictionary(grouping: table.keys, by: \.byteCount)
            .mapValues { $0.map(\.length).sorted(by: >) }
    }

    /// Whether the routes could be read.
    package let areRoutesKnown: Bool

    /// The routers of the usable default routes.
    package var defaultGateways: [HostAddress] {
        routes.filter { $0.isDefault && $0.isUsable }.compactMap(\.gateway)
    }

    /// Returns the usable route with the longest prefix that contains an address; `nil` if there is none, or if a longer
    /// prefix is refused.
    ///
    /// Routes of all tables count: rules that select a table are not followed.
    ///
    /// - Complexity: O(*l*), where *l* is the number of prefix lengths.
    package func route(to address: HostAddress) -> Route? {
        for length in lengths[address.bytes.count] ?? [] {
            let level = Level(byteCount: address.bytes.count, length: length)
            guard let route = routesByPrefix[level]?[address.prefix(length)] else { continue }
            return route.isUsable ? route : nil
        }
        return nil
    }

    /// Returns the verdict on an address that a device announces.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - interfaces: The names of the interfaces on which the device is seen.
    ///   - isReflected: Whether its records come from another link.
    /// - Returns: The verdict; `nil` if the routes are not known.
    /// - Complexity: O(*n* + *l*) for *n* networks on links and *l* prefix lengths.
    package func reach(
        of address: HostAddress, on interfaces: [String], isReflected: Bool
    ) -> Reach? {
        if let verdict = Reach.anywhere(address) { return verdict }
        if address.isLinkLocal, isReflected { return .impossible }
        if let scope = address.scope {
            guard interfaces.contains(scope) else { return .impossible }
            return offline.contains(scope) ? .nowhere : .here
        }
        let own = links.filter {
            $0.contains(address) && !offline.contains($0.interface.name)
        }
        if own.contains(where: { $0.isBroadcast(address) }) { return .impossible }
        if own.contains(where: { interfaces.contains($0.interface.name) }) { return .here }
        if own.contains(where: { bridges.contains($0.interface) }) { return .impossible }
        let route = route(to: address)
        // A bridge of the device's own machine.
        if address.isOfBridge, own.isEmpty, route?.isDefault ?? true { return .impossible }
        guard areRoutesKnown else { return own.isEmpty ? nil : .routed }
        guard let route else { return .nowhere }
        let isOnLink = route.gateway == nil && !route.isDefault
        if isOnLink, !route.interfaces.isDisjoint(with: interfaces) { return .here }
        // A router does not forward to a link-local address.
        if address.isLinkLocal { return .nowhere }
        return route.isDefault && address.isPrivate ? .routedByDefault : .routed
    }
}

extension RouteTable: Equatable {
    /// Whether both tables have the same networks, bridges and routes.
    public static func == (left: RouteTable, right: RouteTable) -> Bool {
        left.links == right.links && left.offline == right.offline
            && left.bridges == right.bridges && left.routes == right.routes
            && left.areRoutesKnown == right.areRoutesKnown
    }
}

extension RouteTable: Hashable {
    /// Hashes the networks and the routes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(links)
        hasher.combine(routes)
    }
}
