// Tests who vouches for a device, in the scenes of a home network.
import Foundation
import PeerListTestSupport
import Testing

@testable import PeerModel

/// A link on which packets are heard, with a laptop at 10.0.0.5 and a router at 10.0.0.1.
private struct Scene {
    let script: EventScript
    let link = LinkNetwork(interface: eth0, address: address(2), prefixLength: 24)

    init(isHeard: Bool = true, script: EventScript = EventScript()) {
        self.script = script
        if isHeard { script.feed(.heard([])) }
        if isHeard { script.feed(.routes(RouteTable(links: [link]))) }
        bring("Laptop", on: "laptop5.local", [address(5)])
        bring("Router", on: "fritz1.box", [address(1)])
    }

    /// Adds a host with a service and all of its addresses.
    func bring(
        _ name: String, _ type: String = "_http._tcp", on host: String, _ addresses: [HostAddress]
    ) {
        script.bring(name, type, on: host)
        script.feed(.addresses(host: HostName(host), addresses))
    }

    /// Reports that a sender was heard with records of a name, and waits three seconds.
    func hear(_ senders: HeardSender...) {
        script.feed(.heard(senders))
        for _ in 0..<3 { script.feed(.heard([])) }
    }

    func sender(
        _ name: String = "laptop5.local", at address: HostAddress,
        on interface: NetworkInterface = eth0,
        isLocal: Bool = true, owner: String? = nil, hasTimeSinceReceived: Bool = false
    ) -> HeardSender {
        HeardSender(
            name: name, address: address, interface: interface, isLocal: isLocal,
            owner: owner.flatMap { MACAddress($0) }, hasTimeSinceReceived: hasTimeSinceReceived,
            last: script.time)
    }

    func peer(_ host: String = "laptop5.local") -> Peer? { script.peers.first { $0.host == host } }

    func rule(_ host: String = "laptop5.local") -> VouchingRule? { peer(host)?.vouchedBy?.rule }
}

/// The link-local address that a host with the MAC address 00:00:5e:00:53:`last` makes of it.
private func linkLocal(_ last: UInt8) -> HostAddress {
    HostAddress(
        bytes: [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 2, 0, 0x5e, 0xff, 0xfe, 0, 0x53, last],
        interface: "eth0")
}

private func otherNet(_ last: UInt8) -> HostAddress {
    HostAddress(bytes: [10, 0, 9, last], interface: "eth0")
}

private func ipv6(_ last: UInt8) -> HostAddress {
    HostAddress(bytes: [0xfd, 0] + [UInt8](repeating: 0, count: 13) + [last], interface: "eth0")
}

@Suite struct VouchingTests {
    @Test func `nothing vouches while no packets are heard`() {
        let scene = Scene(isHeard: false)
        #expect(scene.peer() != nil)
        #expect(scene.peer()?.vouchedBy == nil)
        scene.script.feed(.routes(RouteTable(links: [scene.link])))
        #expect(scene.peer()?.vouchedBy == nil)
        #expect(scene.script.feed(.heard([]))?.items.changes.count == 2)
        #expect(scene.peer()?.vouchedBy == Vouching(.unheard))
    }

    @Test func `a device that sends its records is its own`() {
        let scene = Scene()
        #expect(scene.rule() == .unheard)
        let time = scene.script.time
        scene.hear(scene.sender(at: address(5)))
        let own = Vouching(.own, sender: "10.0.0.5", since: time)
        #expect(scene.peer()?.vouchedBy == own)
        scene.hear(scene.sender("Laptop._http._tcp.local.", at: address(5)))
        scene.hear(scene.sender(at: address(1)))
        #expect(scene.peer()?.vouchedBy == own, "a device's own word is the strongest")
    }

    @Test func `the first packet counts at once, and the next ones are no change`() {
        let scene = Scene()
        let update = scene.script.feed(.heard([scene.sender(at: address(5))]))
        #expect(update?.items.changes.values.first?.now.peer.vouchedBy?.rule == .own)
        #expect(scene.script.feed(.heard([scene.sender(at: address(5))])) == nil)
    }

    // MARK: Others

    @Test func `a router that answers for a host that has left is a proxy with its name`() {
        let scene = Scene()
        let time = scene.script.time
        scene.hear(scene.sender("LAPTOP5.local", at: address(1)))
        #expect(
            scene.peer()?.vouchedBy
                == Vouching(.proxy, sender: "10.0.0.1", name: "Router", since: time))
        #expect(scene.rule("fritz1.box") == .unheard)
    }

    @Test func `a router without a row of its own is a proxy by its address`() {
        let scene = Scene()
        scene.hear(scene.sender(at: address(99)))
        #expect(scene.peer()?.vouchedBy?.rule == .proxy)
        #expect(scene.peer()?.vouchedBy?.name == nil)
    }

    @Test func `of two addresses of a proxy, one by which it is known is told`() {
        let scene = Scene()
        scene.hear(scene.sender(at: linkLocal(9)), scene.sender(at: address(1)))
        #expect(scene.peer()?.vouchedBy?.sender == address(1).description)
        #expect(scene.peer()?.vouchedBy?.name == "Router")
    }

    @Test func `a proxy gets its name when its device is listed`() {
        let scene = Scene()
        scene.hear(scene.sender(at: address(7)))
        scene.bring("Gateway", on: "gateway7.local", [address(7)])
        #expect(scene.peer()?.vouchedBy?.name == "Gateway")
    }

    @Test func `a sleep proxy is known by the OWNER option, and names the sleeper`() {
        let scene = Scene()
        scene.hear(scene.sender(at: address(1), owner: "00:00:5e:00:53:05"))
        #expect(scene.rule() == .sleepProxy)
        #expect(scene.peer()?.vouchedBy?.mac == "00:00:5e:00:53:05")
        #expect(scene.peer()?.vouchedBy?.name == "Router")
    }

    @Test func `a sleep proxy is known by the service that it offers`() {
        let scene = Scene()
        scene.hear(scene.sender(at: address(7)))
        #expect(scene.rule() == .proxy)
        scene.bring("70-35-60-63 Proxy", "_sleep-proxy._udp", on: "tv7.local", [address(7)])
        #expect(scene.rule() == .sleepProxy)
    }

    @Test func `a sleep proxy that the kernel knows by the sleeper's address is not the sleeper`() {
        let scene = Scene()
        scene.bring("Apple TV", on: "tv7.local", [address(7), linkLocal(7)])
        // It answers for the sleeper's address on the link, too.
        let mac = MACAddress("00:00:5e:00:53:07")
        scene.script.feed(.hardware(host: "laptop5.local", [mac].compactMap(\.self)))
        scene.hear(scene.sender(at: linkLocal(7), owner: "00:00:5e:00:53:05"))
        #expect(scene.rule() == .sleepProxy)
    }

    @Test func `an advertising proxy is a registrar by its TSR option`() {
        let scene = Scene()
        scene.bring("Sensor", on: "sensor3.local", [ipv6(3)])
        scene.hear(scene.sender("sensor3.local", at: address(1), hasTimeSinceReceived: true))
        #expect(scene.rule("sensor3.local") == .registrar)
    }

    @Test func `a border router is the registrar of devices that are not on the link`() {
        let scene = Scene()
        let prefix = LinkNetwork(interface: eth0, address: ipv6(200), prefixLength: 64)
        let thread = HostAddress(
            bytes: [0xfd, 7] + [UInt8](repeating: 1, count: 14), interface: "eth0")
        scene.script.feed(.routes(RouteTable(links: [scene.link, prefix])))
        scene.bring("Border", "_meshcop._udp", on: "border8.local", [address(8)])
        scene.bring("Sensor", on: "sensor3.local", [thread])
        scene.hear(scene.sender("sensor3.local", at: address(8)))
        #expect(scene.rule("sensor3.local") == .registrar)
        scene.hear(scene.sender(at: address(8)))
        #expect(scene.rule() == .proxy, "a laptop on the link registers nowhere")
    }

    @Test func `packets with a lower hop limit are those of a reflector`() {
        let scene = Scene()
        scene.bring("Camera", on: "camera9.local", [otherNet(9)])
        scene.hear(scene.sender("camera9.local", at: address(1), isLocal: false))
        #expect(scene.rule("camera9.local") == .reflector)
        scene.hear(
            scene.sender(
                "laptop5.local", at: otherNet(1), isLocal: false, owner: "00:00:5e:00:53:05"))
        #expect(scene.rule() == .reflector, "the option is that of the packet that was repeated")
    }

    @Test func `a reflector that sends with the hop limit 255 is known by the network of the host`()
    {
        let scene = Scene()
        scene.bring("Camera", on: "camera9.local", [otherNet(9)])
        scene.hear(scene.sender("camera9.local", at: address(1)))
        #expect(scene.rule("camera9.local") == .reflector)
        #expect(scene.peer("camera9.local")?.vouchedBy?.name == "Router")
        scene.hear(scene.sender("camera9.local", at: otherNet(9), isLocal: false))
        #expect(scene.rule("camera9.local") == .reflector, "it may keep the source address")
    }

    @Test func `the strongest rule of several senders counts`() {
        let scene = Scene()
        scene.hear(
            scene.sender(at: address(1)), scene.sender(at: address(7), owner: "00:00:5e:00:53:05"))
        #expect(scene.rule() == .sleepProxy)
        #expect(scene.peer()?.vouchedBy?.sender == "10.0.0.7")
    }

    // MARK: Devices that look like others

    @Test func `a host with two network cards on the link is its own`() {
        let scene = Scene()
        scene.script.feed(.addresses(host: "laptop5.local", [address(5), address(6)]))
        scene.hear(scene.sender(at: address(6)))
        #expect(scene.rule() == .own)
    }

    @Test func `a host whose second address is known only after its packet was never a proxy's`() {
        let scene = Scene()
        scene.script.feed(.heard([scene.sender(at: address(6))]))
        #expect(scene.rule() == .unheard)
        scene.script.feed(.addresses(host: "laptop5.local", [address(5), address(6)]))
        #expect(scene.rule() == .own)
        scene.script.feed(.addresses(host: "laptop5.local", [address(5)]))
        scene.hear(scene.sender(at: address(6)))
        #expect(scene.rule() == .own, "a daemon may drop an address of the other card")
    }

    @Test func `a host on two families is its own, whatever its link-local address`() {
        let scene = Scene()
        let random = HostAddress(
            bytes: [0xfe, 0x80] + [UInt8](repeating: 7, count: 14), interface: "eth0")
        scene.hear(scene.sender(at: random))
        #expect(scene.rule() == .unheard, "the address of nobody known")
        scene.hear(scene.sender(at: address(5)), scene.sender(at: random))
        #expect(scene.rule() == .own)
        #expect(scene.peer()?.vouchedBy?.sender == "10.0.0.5")
    }

    @Test func `a host with IPv6 alone is known by the MAC address in its link-local address`() {
        let scene = Scene()
        let mac = MACAddress("00:00:5e:00:53:05")
        scene.script.feed(.hardware(host: "laptop5.local", [mac].compactMap(\.self)))
        scene.hear(scene.sender(at: linkLocal(5)))
        #expect(scene.rule() == .own)
    }

    @Test func `a host that tells how to wake it is its own`() {
        let scene = Scene()
        scene.hear(scene.sender(at: linkLocal(5), owner: "00:00:5e:00:53:05"))
        #expect(scene.rule() == .own)
    }

    @Test func `hosts behind a bridge with one MAC address are their own`() {
        let scene = Scene()
        let mac = [MACAddress("00:00:5e:00:53:0b")].compactMap(\.self)
        scene.bring("Bridge", on: "bridge8.local", [address(8)])
        for host in ["laptop5.local", "bridge8.local"] {
            scene.script.feed(.hardware(host: HostName(host), mac))
        }
        scene.hear(
            scene.sender(at: address(5)), scene.sender("bridge8.local", at: address(8)))
        #expect(scene.rule() == .own)
        #expect(scene.rule("bridge8.local") == .own)
    }

    @Test func `a virtual machine with its own MAC address behind a host's card is its own`() {
        let scene = Scene()
        scene.bring("Guest", on: "guest20.local", [address(20), linkLocal(20)])
        scene.hear(
            scene.sender("guest20.local", at: address(20)),
            scene.sender("guest20.local", at: linkLocal(20)), scene.sender(at: address(5)))
        #expect(scene.rule("guest20.local") == .own)
        #expect(scene.rule() == .own)
    }

    @Test func `a device on the link that sends with a lower hop limit is its own`() {
        let scene = Scene()
        scene.hear(scene.sender(at: address(5), isLocal: false))
        #expect(scene.rule() == .own)
    }

    @Test func `a second name of a machine is that machine`() {
        let scene = Scene()
        scene.bring("Files", on: "laptop5-2.local", [address(5)])
        scene.hear(scene.sender("laptop5-2.local", at: address(5)))
        #expect(scene.script.peers.compactMap { $0.vouchedBy?.rule }.sorted() == [.unheard, .own])
        #expect(scene.rule() == .own)
    }

    @Test func `this machine vouches for itself`() {
        let scene = Scene()
        scene.script.feed(.running(host: "laptop5.local"))
        scene.script.feed(.ownAddresses([address(5)]))
        #expect(scene.rule() == .own)
        scene.hear(scene.sender(at: address(1)))
        #expect(scene.rule() == .own)
    }

    // MARK: Time

    @Test func `a sender counts for two hours`() {
        let scene = Scene()
        scene.hear(scene.sender(at: address(5)))
        let last = scene.script.time
        for _ in 0..<3_590 { scene.script.feed(.settled) }
        scene.hear(scene.sender(at: address(1)))
        #expect(scene.rule() == .own)
        for _ in 0..<3_590 { scene.script.feed(.settled) }
        #expect(scene.rule() == .own)
        for _ in 0..<100 { scene.script.feed(.settled) }
        #expect(scene.rule() == .proxy)
        let since = scene.peer()?.vouchedBy?.since
        #expect((since ?? last) > last)
    }

    @Test func `a device that goes and comes is heard again`() {
        let scene = Scene()
        scene.hear(scene.sender(at: address(5)))
        scene.script.feed(.removed(sighting("Laptop")))
        #expect(scene.peer() == nil)
        scene.bring("Laptop", on: "laptop5.local", [address(5)])
        #expect(scene.rule() == .own)
    }

    // MARK: Two machines of one name

    /// Reports many times that senders were heard with the name of the laptop and of services, and returns the notices.
    private func conflicts(_ scene: Scene, _ services: [(UInt8, String)], macs: [UInt8] = [5, 6])
        -> [String]
    {
        scene.bring("Music", on: "laptop5.local", [address(5), address(6)])
        let macs = macs.compactMap { MACAddress(bytes: [0, 0, 0x5e, 0, 0x53, $0]) }
        scene.script.feed(.hardware(host: "laptop5.local", macs))
        for round in 0..<40 {
            scene.script.feed(.heard([5, 6].map { scene.sender(at: address($0)) }))
            let (last, name) = services[round % services.count]
            scene.script.feed(
                .heard([scene.sender("\(name)._http._tcp.local", at: address(last))]))
        }
        return scene.script.notices.filter { $0.code == .identityConflict }.map(\.message)
    }

    @Test func `two machines that share a host name, each with its own service, are a conflict`() {
        let messages = conflicts(Scene(), [(5, "Laptop"), (6, "Music")])
        #expect(
            messages == [
                "two machines announce the host name laptop5.local, 10.0.0.5 and 10.0.0.6, "
                    + "so it identifies neither"
            ])
    }

    @Test func `an impostor that answers for a host name alone is a conflict`() {
        #expect(conflicts(Scene(), [(5, "Laptop"), (5, "Music")]).count == 1)
    }

    @Test func `two cards of a machine, of which either answers, are no conflict`() {
        let either: [(UInt8, String)] = [(5, "Laptop"), (6, "Music"), (6, "Laptop")]
        #expect(conflicts(Scene(), either).isEmpty)
        #expect(conflicts(Scene(), [(5, "Laptop"), (6, "Music")], macs: [5]).isEmpty)
    }

    // MARK: Silence

    /// Asks for the laptop, which a sender answers, and waits until the packets are reported.
    private func ask(_ scene: Scene, answeredBy address: HostAddress) {
        scene.script.feed(.answered(key("Laptop")))
        scene.hear(scene.sender("Laptop._http._tcp.local", at: address))
    }

    @Test func `a device that leaves two questions to a router is proxied until it is heard`() {
        let scene = Scene()
        scene.hear(scene.sender(at: address(5)))
        for _ in 0..<10 { scene.script.feed(.settled) }
        ask(scene, answeredBy: address(1))
        #expect(scene.peer()?.presence == .present, "a packet may be lost")
        #expect(scene.rule() == .own)
        ask(scene, answeredBy: address(1))
        #expect(scene.peer()?.presence == .proxied)
        #expect(scene.rule() == .proxy)
        #expect(scene.peer()?.vouchedBy?.name == "Router")
        scene.hear(scene.sender(at: address(5)))
        #expect(scene.peer()?.presence == .present)
        #expect(scene.rule() == .own)
    }

    @Test func `a device that answers itself, beside a router, is present`() {
        let scene = Scene()
        for _ in 0..<4 {
            scene.script.feed(.answered(key("Laptop")))
            scene.hear(scene.sender(at: address(1)), scene.sender(at: address(5)))
        }
        #expect(scene.peer()?.presence == .present)
        #expect(scene.rule() == .own)
    }

    @Test func `a device that was never heard is proxied after one question`() {
        let scene = Scene()
        scene.hear(scene.sender(at: address(1)))
        #expect(scene.peer()?.presence == .present, "it was not asked")
        ask(scene, answeredBy: address(1))
        #expect(scene.peer()?.presence == .proxied)
    }

    @Test func `a device behind a reflector cannot be asked, and is present`() {
        let scene = Scene()
        scene.bring("Camera", on: "camera9.local", [otherNet(9)])
        scene.hear(scene.sender("camera9.local", at: address(1), isLocal: false))
        scene.script.feed(.answered(key("Camera")))
        scene.hear(scene.sender("camera9.local", at: address(1), isLocal: false))
        #expect(scene.peer("camera9.local")?.presence == .present)
    }

    @Test func `by type, the services of a proxied device are proxied`() {
        let script = EventScript(ListOptions(grouping: .type))
        let scene = Scene(script: script)
        scene.hear(scene.sender(at: address(1)))
        ask(scene, answeredBy: address(1))
        #expect(
            script.services.map { "\($0.name) \($0.peer.presence)" }
                == ["Laptop proxied", "Router present"])
    }

    @Test func `a packet of the device itself is a sign of life`() throws {
        let scene = Scene()
        let id = try #require(scene.peer()?.id)
        let before = try #require(scene.script.listing.lastSeen(of: [id]))
        scene.script.feed(.heard([scene.sender(at: address(1))]))
        #expect(scene.script.listing.lastSeen(of: [id]) == before)
        scene.script.feed(.heard([scene.sender(at: address(5))]))
        #expect(scene.script.listing.lastSeen(of: [id]) == scene.script.time)
    }

    // MARK: The filter

    @Test(arguments: Grouping.allCases)
    func `only devices of the chosen rules are listed`(grouping: Grouping) {
        let script = EventScript(ListOptions(grouping: grouping, vouched: [.own]))
        let scene = Scene(script: script)
        #expect(script.items.isEmpty)
        scene.hear(scene.sender(at: address(5)), scene.sender("fritz1.box", at: address(7)))
        #expect(script.items.map(\.name) == ["Laptop"])
    }

    // MARK: Bounds

    @Test func `any number of names and forged senders is bounded and keeps the device itself`() {
        var table = VouchingTable()
        let time = Timestamp(microseconds: 1_000_000)
        let host = VouchingHost(name: "h", addresses: [address(5)], isComplete: true)
        _ = table.update("h.local", to: host, at: time)
        func senders(_ name: String, _ last: UInt8) -> HeardSender {
            HeardSender(name: name, address: address(last), interface: eth0, last: time)
        }
        _ = table.hear([senders("h.local", 5)], at: time) { _ in nil }
        for number in 0..<3 {
            let flood = (0..<20_000).map { senders("x\(number)-\($0).local", 9) }
            _ = table.hear(flood, at: time) { _ in nil }
        }
        for last: UInt8 in 100..<200 {
            _ = table.hear([senders("h.local", last)], at: time) { _ in nil }
        }
        #expect(table.nameCount <= VouchingTable.nameLimit)
        let hasChanged = table.judge(["h.local"], services: [], at: time)
        #expect(hasChanged)
        #expect(table.vouching(of: "h.local")?.rule == .own)
    }
}
