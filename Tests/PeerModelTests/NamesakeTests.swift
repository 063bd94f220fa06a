// Tests hosts of one name on several networks, as the list tells them apart.
import FoundationEssentials
import PeerListTestSupport
import PeerModel
import Testing

@Suite struct NamesakeTests {
    /// Brings a service of pi.local on an interface, on a network of its own if it is the second.
    private func bring(
        _ script: EventScript, on interface: NetworkInterface, txt: [String] = [],
        at address: HostAddress, _ mac: MACAddress? = nil
    ) {
        let network = interface == eth0 ? nil : interface.name
        let key = ServiceKey(name: "pi", type: "_wled._tcp", domain: "local", network: network)
        script.feed(.found(Sighting(service: key, interface: interface, family: .ipv4)))
        var found = resolution("pi.local", txt: txt, address: address)
        found.network = network
        script.feed(.resolved(key, found))
        script.feed(.addresses(host: HostName("pi.local", on: network), [address]))
        script.feed(.hardware(host: HostName("pi.local", on: network), [mac].compactMap(\.self)))
    }

    private let mac = MACAddress("34940e8b0001")
    private let otherMAC = MACAddress("34940e8b0002")

    @Test func `hosts of one name on two networks are two devices with identifiers of their own`() {
        let script = EventScript()
        bring(script, on: eth0, at: address(1), mac)
        let before = script.peers.map(\.id)
        bring(script, on: eth1, at: address(2), otherMAC)
        #expect(script.peers.map(\.identity.value) == ["pi.local%eth0", "pi.local%eth1"])
        #expect(script.peers.map(\.name) == ["pi (eth0)", "pi (eth1)"])
        #expect(
            script.peers.map(\.id) == script.peers.map { Identity.uuid(forName: $0.identity.value) }
        )
        #expect(script.notices.isEmpty)
        script.feed(.removed(sighting("pi", "_wled._tcp")))
        #expect(script.peers.map(\.id) == before, "the only one has the plain identifier")
        #expect(script.peers.map(\.name) == ["pi"])
    }

    @Test func `a name that several machines have stands for none of them`() {
        let script = EventScript()
        let domain = BrowsedDomain()
        bring(script, on: eth0, at: address(1))
        #expect(script.peers.map(domain.hostName) == ["pi.local"])
        bring(script, on: eth1, at: address(2))
        #expect(script.peers.map(domain.hostName) == [nil, nil])
    }

    @Test func `an address or a MAC address in common makes them one device`() {
        for shared in [(address(1), otherMAC), (address(2), mac)] {
            let script = EventScript()
            bring(script, on: eth0, at: address(1), mac)
            bring(script, on: eth1, at: shared.0, shared.1)
            #expect(script.peers.map(\.identity.value) == ["pi.local"])
            #expect(script.peers.map(\.interfaces) == [["eth0", "eth1"]])
        }
    }

    @Test func `evidence makes them one device, or two`() {
        let script = EventScript()
        bring(script, on: eth0, txt: ["mac=34:94:54:0e:8b:07"], at: address(1), mac)
        bring(script, on: eth1, txt: ["mac=34:94:54:0e:8b:07"], at: address(2), otherMAC)
        #expect(script.peers.map(\.identity.value) == ["mac:3494540e8b07"])
        #expect(script.peers.map(\.services.count) == [1])
        let others = EventScript()
        bring(others, on: eth0, txt: ["mac=34:94:54:0e:8b:07"], at: address(1), mac)
        bring(others, on: eth1, txt: ["mac=34:94:54:0e:8b:08"], at: address(2), otherMAC)
        bring(others, on: NetworkInterface(index: 4, name: "eth2"), at: address(3))
        #expect(
            others.peers.map(\.identity.value).sorted() == [
                "mac:3494540e8b07", "mac:3494540e8b08", "pi.local",
            ], "a name that identifies one device alone identifies it")
    }

    @Test func `packets with the name speak for the device on their network`() {
        let script = EventScript()
        script.feed(.heard([]))
        script.feed(
            .routes(
                RouteTable(links: [
                    LinkNetwork(interface: eth0, address: address(99), prefixLength: 24),
                    LinkNetwork(
                        interface: eth1,
                        address: HostAddress(bytes: [10, 0, 1, 99], interface: ""),
                        prefixLength: 24),
                ])))
        let other = HostAddress(bytes: [10, 0, 1, 2], interface: "")
        bring(script, on: eth0, at: address(1))
        bring(script, on: eth1, at: other)
        for (interface, address) in [(eth0, address(1)), (eth1, other)] {
            script.feed(
                .heard([
                    HeardSender(
                        name: "pi.local", address: address, interface: interface,
                        last: script.time)
                ]))
        }
        #expect(script.peers.map { $0.vouchedBy?.rule } == [.own, .own])
        #expect(script.peers.map(\.vouchedBy?.sender) == ["10.0.0.1", "10.0.1.2"])
    }
}
