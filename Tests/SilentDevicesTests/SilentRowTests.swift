// Tests that a device which is heard by several protocols is one row.
import FoundationEssentials
import PeerListTestSupport
import PeerModel
import SilentDevices
import SilentMessages
import Testing

@Suite struct SilentRowTests {
    private let mac = MACAddress("34940e8b0001")
    private let otherMAC = MACAddress("34940e8b0002")

    /// Brings a device of multicast DNS at 10.0.0.1.
    private func bringHost(
        _ script: SilentScript, _ type: String = "_http._tcp", txt: [String] = [],
        mac: MACAddress? = nil
    ) {
        script.list.bring("tv", type, on: "h1.local", txt: txt)
        script.list.feed(.addresses(host: "h1.local", [address(1)]))
        if let mac { script.list.feed(.hardware(host: "h1.local", [mac])) }
    }

    @Test(arguments: [true, false])
    func `a device of three protocols is one row, whichever is heard first`(isHostFirst: Bool)
        throws
    {
        let script = SilentScript()
        let mac = try #require(mac)
        if isHostFirst { bringHost(script, mac: mac) }
        script.renderer(mac: mac)
        script.hear(wsd(uuid(2), ["wsd:wprt:PrintDeviceType"]), mac: mac)
        let path = NetworkPath(interface: eth0, family: .ipv4)
        script.perform(script.table.see(mac, at: address(1), on: path, 0))
        if !isHostFirst { bringHost(script, mac: mac) }
        let row = try #require(script.rows.first)
        #expect(script.rows.count == 1 && row.host == "h1.local")
        #expect(row.protocols == [.mdns, .neighbours, .ssdp, .wsd])
        #expect(row.services.count == 5)
    }

    @Test func `an identifier stays when weaker or equal evidence is heard, whatever the order`() {
        for isHostFirst in [true, false] {
            let script = SilentScript()
            let txt = ["UUID=0c5e8b16-3e2b-4c11-9b1a-001122334455"]
            if isHostFirst { bringHost(script, "_ipp._tcp", txt: txt) }
            script.renderer()
            if !isHostFirst { bringHost(script, "_ipp._tcp", txt: txt) }
            #expect(
                script.rows.map(\.identity.value) == ["uuid:0c5e8b16-3e2b-4c11-9b1a-001122334455"])
        }
    }

    @Test func `a device that both protocols tell the same identifier of is one, at any address`() {
        let script = SilentScript()
        bringHost(script, "_ipp._tcp", txt: ["UUID=" + uuid(1).dropFirst(5)])
        script.renderer(from: 9)
        #expect(script.rows.count == 1)
        #expect(script.list.notices.isEmpty)
        script.perform(script.table.learn(MACAddress("34940e8b0002")!, of: address(9)))
        script.list.feed(.hardware(host: "h1.local", [MACAddress("34940e8b0001")!]))
        #expect(script.rows.count == 2, "other machines")
    }

    @Test func `a device that is heard over IPv6 alone is the host with its MAC address`() throws {
        let script = SilentScript()
        let mac = try #require(mac)
        let linkLocal = HostAddress(
            bytes: [0xfe, 0x80] + [UInt8](repeating: 5, count: 14), interface: "eth0")
        script.hear(wsd(uuid(2), ["wsd:pub:Computer"]), from: linkLocal, mac: mac)
        bringHost(script, mac: mac)
        #expect(script.rows.map(\.protocols) == [[.mdns, .wsd]])
        // Behind a repeater, several machines have one MAC address.
        script.renderer(from: 9, mac: mac)
        #expect(script.rows.count == 3)
        script.hear(ssdp(uuid(1), isGoodbye: true), from: 9, mac: mac)
        #expect(script.rows.count == 1)
    }

    @Test func `a device at the address of another machine is not that machine`() {
        let script = SilentScript()
        bringHost(script, mac: mac)
        script.renderer(mac: otherMAC)
        #expect(script.rows.count == 2)
    }

    @Test func `a device outlives the protocol that goes, and leaves with the last`() {
        let script = SilentScript()
        bringHost(script)
        script.renderer()
        let id = script.rows.first?.id
        script.hear(ssdp(uuid(1), isGoodbye: true))
        #expect(script.rows.map(\.host) == ["h1.local"])
        script.renderer()
        script.list.feed(.removed(PeerListTestSupport.sighting("tv"), .removed))
        script.list.feed(.forgotten(PeerListTestSupport.key("tv")))
        #expect(script.rows.map(\.host) == [nil])
        #expect(script.rows.map(\.id) == [id])
        script.hear(ssdp(uuid(1), isGoodbye: true))
        #expect(script.rows.isEmpty)
    }

    @Test func `two devices at one address are one machine, and of two hosts the first has them`() {
        let script = SilentScript()
        script.renderer(uuid(1))
        script.renderer(uuid(2))
        #expect(script.rows.count == 1)
        bringHost(script)
        script.list.bring("other", on: "h2.local")
        script.list.feed(.addresses(host: "h2.local", [address(1)]))
        let first = script.rows.first { $0.host == "h1.local" }
        #expect(first?.protocols == [.mdns, .ssdp])
    }

    @Test func `types are filtered by protocol, by name and by version`() {
        for (types, count) in [
            (["upnp:MediaRenderer"], 1), (["upnp:mediarenderer:1"], 1), (["upnp:Media"], 0),
            (["upnp:"], 2), (["_"], 0), (["wsd:"], 0),
        ] {
            let options = ListOptions(types: types)
            let service = Service(
                id: UUID(), name: "a", type: "upnp:MediaRenderer:1", domain: "local")
            let other = Service(id: UUID(), name: "a", type: "upnp:AVTransport:1", domain: "local")
            var peer = Peer(
                id: UUID(), name: "a", host: nil, presence: .present,
                identity: Identity(source: .endpoint, value: "a"),
                firstSeen: Timestamp(microseconds: 0), lastSeen: Timestamp(microseconds: 0))
            peer.services = [service, other]
            #expect(options.listed(peer)?.services.count ?? 0 == count, "\(types)")
        }
    }
}
