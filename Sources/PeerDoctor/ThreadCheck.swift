// Checks whether this machine has routes to the Thread networks whose border routers are heard.
import DNSMessages
import PeerList
import PeerSystem
import PeerText

/// The Thread networks that border routers announce, and the routes of this machine to them.
struct ThreadCheck: Sendable {
    /// A border router, as it announces itself (`_meshcop._udp`).
    struct BorderRouter: Sendable {
        let name: String
        /// The name of the network (`nn`).
        let networkName: String
        /// The extended PAN identifier of the network (`xp`) in hexadecimal digits; empty if it is not valid.
        let networkID: String
        /// The prefix of the addresses in the network that other networks can reach (`omr`).
        let prefix: Prefix?
        /// Whether there is an `omr` that is not valid.
        var hasInvalidPrefix = false
        var addresses: Set<String> = []
        var host: String?
        /// The interfaces of this machine on which the border router is announced.
        var interfaces: [NetworkInterface] = []
    }

    /// A prefix of IPv6 addresses.
    struct Prefix: Hashable, Sendable, CustomStringConvertible {
        let address: HostAddress
        let length: Int

        /// Reads an `omr`: the number of bits, and as many bytes as they take; `nil` if it is not valid.
        init?(_ bytes: [UInt8]) {
            guard let first = bytes.first, case let length = Int(first), 1...128 ~= length,
                bytes.count > (length + 7) / 8, bytes.count <= 17
            else { return nil }
            let padding = [UInt8](repeating: 0, count: 17 - bytes.count)
            let address = HostAddress(bytes: bytes.dropFirst() + padding, interface: "")
            self.length = length
            self.address = HostAddress(bytes: address.prefix(length), interface: "")
        }

        var description: String { "\(address)/\(length)" }
    }

    /// The settings of an interface that decide whether the kernel learns routes from router advertisements (ip-sysctl in
    /// the documentation of Linux); `nil` for a setting that does not exist.
    struct Advertisements: Equatable, Sendable {
        var acceptance: Int?
        var maximumLength: Int?
        var isForwarding = false
        /// The program that handles router advertisements itself.
        var manager: String?
    }

    /// The reason why the kernel has no route, as in JSON.
    enum Cause: String, CaseIterable, Sendable {
        case managed, refused, forwarding
        case noRouteInformation = "no-route-information"
        case maximumLength = "maximum-length"
        case notReceived = "not-received"
    }

    /// The type of the service of border routers.
    static let serviceType = "_meshcop._udp"
    /// The maximum number of border routers and of findings about routes; anyone can claim to be many.
    static let limit = 32
    private static let nameLimit = 6

    let borderRouters: [BorderRouter]
    let routes: RouteTable
    /// The hosts that senders announce, by the senders' addresses: not all hosts announce their link-local address.
    var senders: [HostAddress: Set<DNSName>] = [:]
    /// The MAC addresses of border routers and gateways.
    var neighbours = NeighbourTable()
    /// The settings of interfaces by their names.
    var advertisements: [String: Advertisements] = [:]

    /// The findings; none if no border router is heard.
    var findings: [Finding] {
        let networks = Dictionary(grouping: borderRouters) { [$0.networkID, $0.networkName] }
            .values.map { $0.sorted { $0.name < $1.name } }
            .sorted {
                ($0[0].networkName, $0[0].networkID) < ($1[0].networkName, $1[0].networkID)
            }
        return Array(networks.flatMap(findings).prefix(Self.limit * 2))
    }

    private func findings(_ network: [BorderRouter]) -> [Finding] {
        let first = network[0]
        let names = Set(network.map(\.name)).sorted()
        let id = first.networkID.isEmpty ? "" : " (\(first.networkID))"
        let one = Finding(
            .ok,
            "Network \(quoted(first.networkName))\(id): "
                + "\(counted(names.count, "border router")), \(listed(names, limit: Self.nameLimit)).",
            facts: [
                ("network", .text(first.networkName)), ("extendedPANID", .text(first.networkID)),
                ("borderRouters", .texts(names)),
            ])
        let prefixes = Dictionary(grouping: network.filter { $0.prefix != nil }, by: \.prefix)
        let found = prefixes.compactMap { prefix, routers in prefix.map { ($0, routers) } }
            .sorted { $0.0.description < $1.0.description }
            .map { finding(on: $0, of: $1) }
        let invalid = Set(network.filter(\.hasInvalidPrefix).map(\.name)).sorted()
        let wrong = Finding(
            .warning,
            "\(listed(invalid, limit: Self.nameLimit)) announces a prefix that is not valid.",
            advice: "update the firmware of the border router",
            facts: [("borderRouters", .texts(invalid))])
        return [one] + found + (invalid.isEmpty ? [] : [wrong])
    }

    /// The finding about the route to a prefix that border routers announce.
    private func finding(on prefix: Prefix, of routers: [BorderRouter]) -> Finding {
        let names = Set(routers.map(\.name)).sorted()
        var facts: [(key: String, value: Finding.Value)] = [
            ("prefix", .text(prefix.description)), ("borderRouters", .texts(names)),
        ]
        guard routes.areRoutesKnown else {
            return Finding(
                .unknown, "The routes of this machine cannot be read.", facts: facts)
        }
        let route = routes.route(to: prefix.address)
        // The router of a default route does not know the networks of border routers, unless it is one.
        guard let route, !route.isDefault || gatewayName(route.gateway) != nil else {
            return missing(prefix, routers, facts)
        }
        facts += route.interface.map { [("interface", .text($0))] } ?? []
        let on = route.interface.map { " on \($0)" } ?? ""
        guard let gateway = route.gateway else {
            return Finding(
                .ok, "\(prefix) is reached\(on), without a router between.", facts: facts)
        }
        facts += [("gateway", .text(gateway.description))]
        guard let name = gatewayName(gateway) else {
            // The router to other networks may know a border router that it does not announce.
            guard !routes.defaultGateways.contains(gateway) else {
                return Finding(
                    .ok, "\(prefix) is reached\(on) through the router \(gateway).", facts: facts)
            }
            return Finding(
                .warning,
                "\(prefix) is reached\(on) through \(gateway), which is no border router that is "
                    + "heard: it may have left.",
                advice: "if devices of the network do not respond, remove the route with 'ip -6 "
                    + "route delete \(prefix)' (as root), and it is learned again from the next "
                    + "router advertisement of \(listed(names, limit: Self.nameLimit))",
                facts: facts)
        }
        facts += [("router", .text(name))]
        return Finding(.ok, "\(prefix) is reached\(on) through \(name).", facts: facts)
    }

    /// Returns the name of the border router with an address.
    private func gatewayName(_ gateway: HostAddress?) -> String? {
        guard let gateway else { return nil }
        return borderRouters.first { has(gateway, $0) }?.name
    }

    /// Returns whether an address is one of a border router, which may not announce its link-local ones: it sends from
    /// there, or has the MAC address of the address.
    private func has(_ address: HostAddress, _ router: BorderRouter) -> Bool {
        if router.addresses.contains(address.description) { return true }
        let host = router.host.flatMap { DNSName($0) }
        if let host, senders[address]?.contains(host) == true { return true }
        let announced = router.addresses.compactMap(HostAddress.init(parsing:))
        func macs(_ addresses: [HostAddress]) -> [MACAddress] {
            neighbours.hardwareAddresses(of: addresses, on: router.interfaces)
        }
        return !Set(macs([address])).isDisjoint(with: macs(announced))
    }

    private func missing(
        _ prefix: Prefix, _ routers: [BorderRouter], _ facts: [(key: String, value: Finding.Value)]
    ) -> Finding {
        let names = listed(Set(routers.map(\.name)).sorted(), limit: Self.nameLimit)
        let interface = routers.lazy.flatMap(\.interfaces).min { $0.name < $1.name }?.name
        let text = "There is no route to \(prefix), so devices of the network do not respond"
        guard let interface, let settings = advertisements[interface] else {
            return Finding(.warning, "\(text).", facts: facts)
        }
        let (cause, reason, advice) = diagnosis(settings, on: interface, prefix, names)
        return Finding(
            .warning, "\(text): \(reason).", advice: advice,
            facts: facts + [("interface", .text(interface)), ("cause", .text(cause.rawValue))])
    }

    /// Returns why the kernel does not learn a route on an interface, and what to do about it.
    private func diagnosis(
        _ settings: Advertisements, on interface: String, _ prefix: Prefix, _ routers: String
    ) -> (cause: Cause, reason: String, advice: String) {
        func set(_ key: String, _ value: Int) -> String {
            // In a key of sysctl(8), a slash stands for the dot in a name such as `eth0.5`.
            let name = interface.replacing(".", with: "/")
            return "run 'sysctl -w net.ipv6.conf.\(name).\(key)=\(value)' (as root)"
        }
        let arrival =
            "restart \(routers), or check whether router advertisements (ICMPv6) pass from there to "
            + "this machine: firewalls, access points, switches with MLD snooping or RA guard"
        if let manager = settings.manager {
            return (
                .managed,
                "\(manager) handles router advertisements on \(interface), and has learned none",
                manager == "systemd-networkd"
                    ? "set IPv6AcceptRA=yes for \(interface), and UseRoutePrefix=yes under "
                        + "[IPv6AcceptRA]; or \(arrival)"
                    : "set the method for IPv6 of the connection to 'auto'; or \(arrival)"
            )
        }
        if settings.acceptance == nil || settings.acceptance == 0 {
            return (
                .refused, "\(interface) accepts no router advertisements (accept_ra=0)",
                set("accept_ra", settings.isForwarding ? 2 : 1)
            )
        }
        if settings.acceptance == 1, settings.isForwarding {
            return (
                .forwarding,
                "\(interface) forwards packets, and so ignores router advertisements "
                    + "(accept_ra=1)", set("accept_ra", 2)
            )
        }
        guard let length = settings.maximumLength else {
            return (
                .noRouteInformation,
                "the kernel knows no routes in router advertisements (CONFIG_IPV6_ROUTE_INFO)",
                "use another kernel, or NetworkManager or systemd-networkd, which learn the routes "
                    + "themselves"
            )
        }
        if length < prefix.length {
            return (
                .maximumLength,
                "\(interface) accepts routes of at most \(length) bits from router advertisements",
                set("accept_ra_rt_info_max_plen", prefix.length)
            )
        }
        return (
            .notReceived, "no router advertisement with it has arrived on \(interface)", arrival
        )
    }
}

extension ThreadCheck {
    /// Finds the border routers in a list, and reads the routes and settings of this machine.
    init(_ listing: PeerListing, interfaces: [LocalInterface], senders: [HostAddress: Set<DNSName>])
    {
        let routers = Self.borderRouters(in: listing)
        let names = Set(routers.flatMap(\.interfaces))
        self.init(
            borderRouters: routers, routes: routers.isEmpty ? RouteTable() : .current(interfaces),
            senders: senders, neighbours: routers.isEmpty ? NeighbourTable() : .current(),
            advertisements: Dictionary(
                uniqueKeysWithValues: Dictionary(grouping: names, by: \.name).compactMap {
                    name, same in same.first.map { (name, Advertisements(of: $0)) }
                }))
    }

    /// Returns the border routers of a list, at most ``limit``.
    static func borderRouters(in listing: PeerListing) -> [BorderRouter] {
        let found = listing.sections.flatMap(\.items).map(\.peer).flatMap { peer in
            peer.services.filter { $0.type == serviceType && $0.port != nil }.map { service in
                let omr = service.txt["omr"]?.bytes
                let prefix = omr.flatMap(Prefix.init)
                return BorderRouter(
                    name: peer.name,
                    networkName: String(
                        decoding: (service.txt["nn"]?.bytes ?? []).prefix(64), as: UTF8.self),
                    networkID: hexadecimal(service.txt["xp"]?.bytes ?? []), prefix: prefix,
                    hasInvalidPrefix: omr != nil && prefix == nil, addresses: Set(peer.addresses),
                    host: peer.host,
                    interfaces: listing.paths(of: [peer.id]).map(\.interface))
            }
        }
        return Array(found.prefix(limit))
    }

    /// Returns the digits of an extended PAN identifier; an empty text unless it has 8 bytes.
    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        guard bytes.count == 8 else { return "" }
        return bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

extension TXTRecord.Value {
    /// The value's bytes; empty for a key without one.
    fileprivate var bytes: [UInt8] {
        switch self {
        case .none: []
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        }
    }
}

extension ThreadCheck.Advertisements {
    /// Reads the settings of an interface.
    init(of interface: NetworkInterface) {
        let folder = "/proc/sys/net/ipv6/conf/\(interface.name)/"
        func number(_ key: String) -> Int? {
            readText(folder + key).flatMap { Int($0.prefix { $0 != "\n" }) }
        }
        self.init(
            acceptance: number("accept_ra"), maximumLength: number("accept_ra_rt_info_max_plen"),
            isForwarding: number("forwarding") ?? 0 > 0,
            manager: Self.manager(
                networkManager: readText("/run/NetworkManager/devices/\(interface.index)"),
                networkd: readText("/run/systemd/netif/links/\(interface.index)")))
    }

    /// Returns the program that manages an interface, from the files with the states of both programs.
    static func manager(networkManager: String?, networkd: String?) -> String? {
        if let text = networkManager, text.split(separator: "\n").contains("managed=true") {
            return "NetworkManager"
        }
        guard let networkd else { return nil }
        let isManaged = !networkd.split(separator: "\n").contains {
            ["ADMIN_STATE=unmanaged", "ADMIN_STATE=pending", "ADMIN_STATE=failed"].contains($0)
        }
        return isManaged ? "systemd-networkd" : nil
    }
}
