// The check of Thread networks: what border routers announce, and the routes of this machine to their networks.
import DNSMessages
import PeerList
import PeerListTestSupport
import Testing

@testable import PeerDoctor

@Suite struct ThreadCheckTests {
    private static let omr: [UInt8] = [64, 0xfd, 0x11, 0, 0, 0, 0, 0, 1]
    private static let eth0 = NetworkInterface(index: 2, name: "eth0")

    private static func router(
        _ name: String = "otbr", network: String = "Home", id: String = "dead1122beefcafe",
        omr: [UInt8]? = omr, addresses: Set<String> = ["fd99::5", "fe80::5%eth0"]
    ) -> ThreadCheck.BorderRouter {
        let prefix = omr.flatMap(ThreadCheck.Prefix.init)
        return ThreadCheck.BorderRouter(
            name: name, networkName: network, networkID: id, prefix: prefix,
            hasInvalidPrefix: omr != nil && prefix == nil, addresses: addresses,
            host: "\(name).local", interfaces: [eth0])
    }

    private static func address(_ text: String) -> HostAddress {
        let plain = HostAddress(parsing: text)
        return HostAddress(bytes: plain?.bytes ?? [], interface: "eth0")
    }

    private static func route(
        via gateway: String?, length: Int = 64, isUsable: Bool = true
    ) -> Route {
        Route(
            prefix: address("fd11::1:0:0:0:0").prefix(length), prefixLength: length,
            interface: "eth0", gateway: gateway.map(address), isUsable: isUsable)
    }

    /// Border routers of two networks, one of which has no route, and one of which announces no valid prefix.
    static let trouble = check([router(), router("pod", id: "dead1122beefcaff", omr: [64])])

    /// A border router to whose network there is a route.
    static let routed = check(routes: [route(via: "fe80::5")])

    static func check(
        _ routers: [ThreadCheck.BorderRouter] = [router()], routes: [Route]? = [],
        _ settings: ThreadCheck.Advertisements = .init(acceptance: 0)
    ) -> ThreadCheck {
        ThreadCheck(
            borderRouters: routers, routes: RouteTable(routes: routes),
            advertisements: ["eth0": settings])
    }

    private func fact(_ key: String, _ finding: Finding?) -> String? {
        guard case .text(let text)? = finding?.facts.first(where: { $0.key == key })?.value else {
            return nil
        }
        return text
    }

    @Test func `a route through a border router is ok`() {
        let check = Self.check(routes: [Self.route(via: "fe80::5")])
        #expect(
            check.findings.map(\.text) == [
                "Network 'Home' (dead1122beefcafe): 1 border router, otbr.",
                "fd11:0:0:1::/64 is reached on eth0 through otbr.",
            ])
        #expect(check.findings.map(\.outcome) == [.ok, .ok])
        #expect(fact("gateway", check.findings[1]) == "fe80::5%eth0")
        #expect(ThreadCheck(borderRouters: [], routes: RouteTable()).findings.isEmpty)
    }

    @Test func `a border router is recognized by what it sends, or by its MAC address`() throws {
        let silent = Self.router(addresses: ["fd99::5"])
        var check = Self.check([silent], routes: [Self.route(via: "fe80::5")])
        #expect(check.findings.last?.outcome == .warning)
        check.senders = [Self.address("fe80::5"): [try #require(DNSName("OTBR.local"))]]
        #expect(check.findings.last?.outcome == .ok)
        check.senders = [:]
        let mac = try #require(MACAddress(bytes: [2, 0, 0, 0, 0, 5]))
        check.neighbours.add(mac, of: Self.address("fe80::5").bytes, interface: 2)
        #expect(check.findings.last?.outcome == .warning)
        check.neighbours.add(mac, of: Self.address("fd99::5").bytes, interface: 2)
        #expect(check.findings.last?.outcome == .ok)
    }

    @Test func `a route whose router has left is a warning`() {
        let check = Self.check(routes: [Self.route(via: "fe80::dead")])
        #expect(check.findings.last?.outcome == .warning)
        #expect(
            check.findings.last?.text
                == "fd11:0:0:1::/64 is reached on eth0 through fe80::dead%eth0, which is no border "
                + "router that is heard: it may have left.")
        #expect(
            check.findings.last?.advice?.contains("'ip -6 route delete fd11:0:0:1::/64'") == true)
        let forwarded = Self.check(
            routes: [Self.route(via: "fe80::1"), Self.route(via: "fe80::1", length: 0)])
        #expect(forwarded.findings.last?.outcome == .ok, "it is the router to other networks")
        let own = Self.check(routes: [Self.route(via: nil)])
        #expect(own.findings.last?.outcome == .ok, "this machine is the border router")
    }

    /// The settings of the interface, and the cause.
    @Test(
        arguments: [
            (.init(acceptance: 0, maximumLength: 64), "refused", "accept_ra=1"),
            (.init(acceptance: 0, maximumLength: 64, isForwarding: true), "refused", "accept_ra=2"),
            (.init(maximumLength: 64), "refused", "accept_ra=1"),
            (
                .init(acceptance: 1, maximumLength: 64, isForwarding: true), "forwarding",
                "accept_ra=2"
            ),
            (.init(acceptance: 2), "no-route-information", "another kernel"),
            (
                .init(acceptance: 1, maximumLength: 63), "maximum-length",
                "accept_ra_rt_info_max_plen=64"
            ),
            (
                .init(acceptance: 2, maximumLength: 64, isForwarding: true), "not-received",
                "restart otbr"
            ),
            (.init(acceptance: 0, manager: "NetworkManager"), "managed", "'auto'"),
            (.init(acceptance: 0, manager: "systemd-networkd"), "managed", "IPv6AcceptRA=yes"),
        ] as [(ThreadCheck.Advertisements, String, String)])
    func `without a route, the setting that keeps the kernel from learning it is the cause`(
        settings: ThreadCheck.Advertisements, cause: String, advice: String
    ) {
        let finding = Self.check([Self.router()], settings).findings.last
        #expect(finding?.outcome == .warning)
        #expect(fact("cause", finding) == cause)
        #expect(finding?.advice?.contains(advice) == true, "\(finding?.advice ?? "")")
    }

    @Test func `a default route, or one that refuses, is no route to the network`() {
        let refusing = Self.check(routes: [Self.route(via: nil, isUsable: false)])
        #expect(fact("cause", refusing.findings.last) == "refused")
        let byDefault = Self.check(routes: [Self.route(via: "fe80::1", length: 0)])
        #expect(fact("cause", byDefault.findings.last) == "refused")
        let router = Self.check(routes: [Self.route(via: "fe80::5", length: 0)])
        #expect(router.findings.last?.outcome == .ok, "the border router is the default router")
        #expect(Self.check(routes: nil).findings.last?.outcome == .unknown)
    }

    @Test func `two networks of one name are told apart`() {
        let other = Self.router("pod", id: "dead1122beefcaff", omr: nil)
        let texts = Self.check([Self.router(), other, Self.router("apple tv")]).findings.map(\.text)
        #expect(
            texts.first == "Network 'Home' (dead1122beefcafe): 2 border routers, apple tv and otbr."
        )
        #expect(texts.last == "Network 'Home' (dead1122beefcaff): 1 border router, pod.")
    }

    @Test(
        arguments: [
            [], [0], [129] + [UInt8](repeating: 1, count: 17), [64, 0xfd], [255],
            [64] + [UInt8](repeating: 1, count: 17),
        ] as [[UInt8]])
    func `a prefix that is not valid is a warning`(omr: [UInt8]) {
        let findings = Self.check([Self.router(omr: omr)]).findings
        #expect(findings.map(\.outcome) == [.ok, .warning])
        #expect(findings[1].text == "otbr announces a prefix that is not valid.")
    }

    @Test(
        arguments: [
            ([64, 0xfd, 0x11, 0, 0, 0, 0, 0, 1], "fd11:0:0:1::/64"),
            ([61, 0xfd, 0x11, 0, 0, 0, 0, 0, 0xff], "fd11:0:0:f8::/61"),
            (
                [128] + [UInt8](repeating: 0xfd, count: 16),
                "fdfd:fdfd:fdfd:fdfd:fdfd:fdfd:fdfd:fdfd/128"
            ),
            ([1, 0xff], "8000::/1"),
        ] as [([UInt8], String)])
    func `a prefix is read from its length and bytes`(omr: [UInt8], text: String) {
        #expect(ThreadCheck.Prefix(omr)?.description == text)
    }

    @Test func `border routers are read from their TXT records, whatever these contain`() {
        func borderRouters(_ strings: [[UInt8]]) -> [ThreadCheck.BorderRouter] {
            var listing = PeerListing()
            let key = ServiceKey(name: "b\u{1b}[2J", type: "_meshcop._udp", domain: "local")
            let resolution = Resolution(
                host: "otbr.local", port: 49_154, txt: TXTRecord(strings: strings),
                address: Self.address("fd99::5"))
            let sighting = Sighting(service: key, interface: Self.eth0, family: .ipv6)
            for kind in [DiscoveryEvent.Kind.found(sighting), .resolved(key, resolution)] {
                _ = listing.apply(DiscoveryEvent(kind, at: Timestamp(microseconds: 1)))
            }
            return ThreadCheck.borderRouters(in: listing)
        }
        let good = borderRouters([
            Array("nn=Home".utf8), Array("xp=".utf8) + [0xde, 0xad, 0, 1, 2, 3, 4, 0xff],
            Array("omr=".utf8) + Self.omr,
        ])
        #expect(good.map(\.networkName) == ["Home"])
        #expect(good.map(\.networkID) == ["dead0001020304ff"])
        #expect(good.map { $0.prefix?.description } == ["fd11:0:0:1::/64"])
        #expect(good[0].addresses == ["fd99::5"] && good[0].interfaces == [Self.eth0])
        let bad = borderRouters([
            Array("nn=".utf8) + [0xff, 0x1b] + [UInt8](repeating: 0x61, count: 200),
            Array("xp=short".utf8), Array("omr".utf8),
        ])
        #expect(bad.count == 1 && bad[0].networkID.isEmpty && bad[0].hasInvalidPrefix)
        #expect(bad[0].networkName.utf8.count < 80)
        let text = DoctorText.text(
            of: DoctorExamples.report("thread", Self.check(bad).findings))
        #expect(!text.contains("\u{1b}"))
    }

    @Test func `the findings are bounded`() {
        let many = (0..<1_000).map {
            Self.router(
                "r\($0)", network: "n\($0)", omr: [64, 0xfd, UInt8($0 & 0xff), 0, 0, 0, 0, 0, 0])
        }
        #expect(Self.check(many).findings.count == ThreadCheck.limit * 2)
    }

    @Test func `the manager of an interface is read from the state of both programs`() {
        func manager(_ networkManager: String?, _ networkd: String?) -> String? {
            ThreadCheck.Advertisements.manager(
                networkManager: networkManager, networkd: networkd)
        }
        #expect(manager(nil, nil) == nil)
        #expect(manager("[device]\nmanaged=true\n", nil) == "NetworkManager")
        #expect(manager("[device]\nmanaged=false\n", "ADMIN_STATE=unmanaged\n") == nil)
        #expect(manager(nil, "ADMIN_STATE=configured\n") == "systemd-networkd")
    }
}
