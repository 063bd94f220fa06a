// The verdicts on addresses, by the networks and routes of this machine.
import PeerListTestSupport
import Testing

@testable import PeerModel

private func ip(_ text: String) -> HostAddress {
    let parts = text.split(separator: "%")
    let address = HostAddress(parsing: String(parts[0])) ?? address(0)
    return HostAddress(bytes: address.bytes, interface: parts.count > 1 ? String(parts[1]) : "")
}

private func route(
    _ network: String, _ length: Int, by gateway: String? = nil, on interface: String? = "eth0",
    isUsable: Bool = true
) -> Route {
    Route(
        prefix: ip(network).bytes, prefixLength: length, interface: interface,
        gateway: gateway.map(ip), isUsable: isUsable)
}

@Suite struct ReachTests {
    private static let docker = NetworkInterface(index: 9, name: "docker0")
    private static let links = [
        LinkNetwork(interface: eth0, address: ip("10.0.0.2"), prefixLength: 24),
        LinkNetwork(interface: eth0, address: ip("fd00:1::2"), prefixLength: 64),
        LinkNetwork(interface: eth1, address: ip("10.0.1.2"), prefixLength: 24),
        LinkNetwork(interface: docker, address: ip("172.18.0.1"), prefixLength: 16),
    ]
    private static let onLink = [
        route("10.0.0.0", 24), route("10.0.1.0", 24, on: "eth1"),
        route("172.18.0.0", 16, on: "docker0"), route("fd00:1::", 64),
    ]

    private static func table(_ routes: Route..., offline: Set<String> = []) -> RouteTable {
        RouteTable(
            links: links, offline: offline, bridges: [docker], routes: onLink + routes)
    }

    private func reach(
        _ address: String, by table: RouteTable = table(), on interfaces: [String] = ["eth0"],
        isReflected: Bool = false
    ) -> Reach? {
        table.reach(of: ip(address), on: interfaces, isReflected: isReflected)
    }

    @Test func `an address in a network of the link is here`() {
        #expect(reach("10.0.0.12") == .here)
        #expect(reach("fd00:1::5") == .here)
        #expect(reach("fe80::5%eth0") == .here)
        #expect(reach("172.18.0.5", on: ["docker0"]) == .here, "a container on its bridge")
    }

    @Test func `an address of another network is routed, or nowhere without a route`() {
        #expect(reach("10.0.1.12") == .routed, "the link of another interface")
        #expect(reach("192.168.40.7") == .nowhere)
        let router = Self.table(route("192.168.40.0", 24, by: "10.0.0.1"))
        #expect(reach("192.168.40.7", by: router) == .routed)
        #expect(reach("fd5c::7", by: router) == .nowhere)
    }

    @Test func `a default route is told apart for private addresses alone`() {
        let router = Self.table(route("0.0.0.0", 0, by: "10.0.0.1"), route("::", 0, by: "fe80::1"))
        for address in ["192.168.40.7", "100.64.0.1", "fd5c::7"] {
            #expect(reach(address, by: router) == .routedByDefault, "\(address)")
        }
        #expect(reach("198.51.100.7", by: router) == .routed)
        #expect(reach("2001:db8::7", by: router) == .routed)
    }

    @Test func `the longest prefix decides, also if it refuses packets`() {
        let refusal = route("192.168.0.0", 16, on: nil, isUsable: false)
        let table = Self.table(
            route("0.0.0.0", 0, by: "10.0.0.1"), refusal, route("192.168.40.0", 24, by: "10.0.0.1"))
        #expect(reach("192.168.40.7", by: table) == .routed)
        #expect(reach("192.168.41.7", by: table) == .nowhere)
        #expect(table.route(to: ip("192.168.40.7"))?.gateway == ip("10.0.0.1"))
        let both = Self.table(refusal, route("192.168.0.0", 16, by: "10.0.0.1"))
        #expect(reach("192.168.41.7", by: both) == .routed, "another table has a usable route")
    }

    @Test func `an address that no machine can use from here is impossible`() {
        let router = Self.table(route("0.0.0.0", 0, by: "10.0.0.1"), route("::", 0, by: "fe80::1"))
        for address in [
            "127.0.0.1", "::1", "0.0.0.0", "::", "224.0.0.251", "255.255.255.255", "ff02::fb",
        ] {
            #expect(reach(address, by: router) == .impossible, "\(address)")
            #expect(reach(address, by: RouteTable()) == .impossible, "\(address)")
        }
        #expect(reach("172.18.0.5", by: router) == .impossible, "a bridge of this machine")
        #expect(reach("172.17.0.1", by: router) == .impossible, "a bridge of the device")
        #expect(reach("fe80::5%eth1", by: router) == .impossible, "another link")
        #expect(reach("fe80::5%eth0", by: router, isReflected: true) == .impossible)
    }

    @Test func `the address of a usual bridge counts where a route leads to it`() {
        let known = Self.table(route("172.17.0.0", 16, by: "10.0.0.9"))
        #expect(reach("172.17.0.1", by: known) == .routed)
        #expect(reach("172.17.0.9", by: Self.table()) == .nowhere)
    }

    @Test func `a link-local address of IPv4 needs a network on the link`() {
        let router = Self.table(route("0.0.0.0", 0, by: "10.0.0.1"))
        #expect(reach("169.254.7.7", by: router) == .nowhere)
        #expect(reach("169.254.7.7", by: Self.table(route("169.254.0.0", 16))) == .here)
        #expect(
            reach("169.254.7.7", by: Self.table(route("169.254.0.0", 16)), isReflected: true)
                == .impossible)
    }

    @Test func `nothing is here on an interface that is down`() {
        let table = RouteTable(links: Self.links, offline: ["eth0"], routes: [])
        #expect(reach("10.0.0.12", by: table) == .nowhere)
        #expect(reach("fe80::5%eth0", by: table) == .nowhere)
    }

    @Test func `without known routes only what is certain is said`() {
        let table = RouteTable(links: Self.links)
        #expect(reach("10.0.0.12", by: table) == .here)
        #expect(reach("192.168.40.7", by: table) == nil)
        #expect(reach("172.17.0.1", by: table) == .impossible)
    }

    @Test func `prefixes end within a byte`() {
        #expect(ip("10.0.255.255").prefix(20) == [10, 0, 240, 0])
        #expect(ip("10.0.0.1").prefix(0) == [0, 0, 0, 0])
        #expect(ip("10.0.0.1").prefix(32) == [10, 0, 0, 1])
    }
}

@Suite struct PeerReachTests {
    /// A list with a device that announces some addresses, on eth0 with 10.0.0.0/24.
    private func script(_ addresses: String...) -> EventScript {
        let script = EventScript()
        script.feed(.routes(RouteTable(links: [link], routes: [])))
        script.bring("NAS", on: "nas5.local")
        script.feed(.addresses(host: HostName("nas5.local"), addresses.map(ip)))
        return script
    }

    private let link = LinkNetwork(interface: eth0, address: ip("10.0.0.2"), prefixLength: 24)

    @Test func `a peer has a verdict on each announced address, loopback included`() {
        let peer = script("10.0.0.5", "172.17.0.1", "127.0.0.1").peers[0]
        #expect(peer.addresses == ["10.0.0.5", "172.17.0.1"])
        #expect(
            peer.reach == ["10.0.0.5": .here, "172.17.0.1": .impossible, "127.0.0.1": .impossible])
        #expect(peer.workingAddresses == ["10.0.0.5"])
        #expect(!peer.isUnreachable)
    }

    @Test func `a peer with no address that can work is unreachable`() {
        #expect(script("172.17.0.1").peers[0].isUnreachable)
        #expect(script("127.0.0.1").peers[0].isUnreachable)
        #expect(!script("10.0.0.5").peers[0].isUnreachable)
    }

    @Test func `verdicts follow the routes, and are the only change`() throws {
        let script = script("192.168.40.7")
        #expect(script.peers[0].reach == ["192.168.40.7": .nowhere])
        let vpn = Route(
            prefix: [192, 168, 40, 0], prefixLength: 24, interface: "wg0", isUsable: true)
        let update = try #require(
            script.feed(.routes(RouteTable(links: [link], routes: [vpn]))))
        #expect(script.peers[0].reach == ["192.168.40.7": .routed])
        let change = try #require(update.items.changes.values.first)
        var was = change.was.peer
        was.reach = change.now.peer.reach
        #expect(was == change.now.peer)
        #expect(script.feed(.routes(RouteTable(links: [link], routes: [vpn]))) == nil)
    }

    @Test func `addresses are tried in the order of what they promise`() {
        var peer = Peer.full
        peer.addresses = ["172.17.0.1", "192.168.40.7", "10.0.0.5", "2001:db8::7", "fe80::5%eth0"]
        peer.reach = [
            "172.17.0.1": .impossible, "192.168.40.7": .routedByDefault, "10.0.0.5": .here,
            "2001:db8::7": .routed, "fe80::5%eth0": .here,
        ]
        #expect(
            peer.addressesByReach == [
                "10.0.0.5", "2001:db8::7", "192.168.40.7", "fe80::5%eth0", "172.17.0.1",
            ])
        peer.reach = [:]
        #expect(peer.addressesByReach == peer.addresses)
    }

    @Test func `this machine has no verdicts`() {
        let script = EventScript()
        script.feed(.routes(RouteTable(links: [link], routes: [])))
        script.feed(.running(host: "nas5.local"))
        script.feed(.ownAddresses([ip("10.0.0.5")]))
        script.bring("NAS", on: "nas5.local")
        #expect(script.peers[0].isSelf)
        #expect(script.peers[0].reach.isEmpty)
    }
}
