// Tests when the neighbour table is read, and the MAC addresses and makers of peers.
import FoundationEssentials
import LabSupport
import PeerList
import StackProtocol
import Synchronization
import Testing

@Suite struct HardwareTests {
    /// 00:00:5e:00:53:`last`.
    private func mac(_ last: UInt8) throws -> MACAddress {
        try #require(MACAddress(bytes: [0, 0, 0x5e, 0, 0x53, last]))
    }

    /// An engine with a host that has the address 10.0.0.`last`.
    private func bring(_ script: EngineScript, _ host: String = "h1.local", at last: UInt8 = 1) {
        script.bring("Web on \(host)", on: host)
        script.exhaustAddresses(of: Identity.canonical(host))
        script.addressAppears(last, of: Identity.canonical(host))
    }

    private func reported(_ script: EngineScript) -> [String] {
        script.reports.compactMap { kind in
            guard case .hardware(let host, let macs) = kind else { return nil }
            return ([host] + macs.map(\.text)).joined(separator: " ")
        }
    }

    // MARK: Reading the table

    @Test func `the table is read 0.5 s after the first report and 2 s after the last one`() {
        let script = EngineScript.running()
        script.pass(.seconds(60))
        #expect(script.readings.isEmpty)
        let start = script.now
        bring(script)
        script.pass(.milliseconds(200))
        bring(script, "h2.local", at: 2)
        script.pass(.seconds(1_000))
        #expect(
            script.readings == [
                start + .milliseconds(500), start + .milliseconds(2_200),
            ])
    }

    @Test func `it is read at most twice in 10 s, however many addresses are reported`() {
        let script = EngineScript.running()
        for number in UInt8(1)...60 {
            bring(script, "h\(number).local", at: number)
            script.pass(.milliseconds(700))
        }
        let readings = script.readings
        #expect(readings.count >= 5)
        for (first, third) in zip(readings, readings.dropFirst(2)) {
            #expect(third - first >= .seconds(10))
        }
    }

    @Test func `it is read after a verification, when it may know more`() throws {
        let script = EngineScript.running()
        bring(script)
        script.pass(.seconds(60))
        #expect(reported(script).isEmpty)
        script.neighbours.add(try mac(1), of: [10, 0, 0, 1], interface: 2)
        script.pass(.seconds(60))
        #expect(reported(script).isEmpty)
        script.send(.verify([], 1))
        script.pass(.seconds(1))
        #expect(reported(script) == ["h1.local 00:00:5e:00:53:01"])
    }

    @Test func `MAC addresses are reported once, and only of the interfaces of the host`() throws {
        let script = EngineScript.running()
        script.neighbours.add(try mac(1), of: [10, 0, 0, 1], interface: 2)
        script.neighbours.add(try mac(2), of: [10, 0, 0, 2], interface: 3)
        bring(script, "H1.local", at: 1)
        bring(script, "h2.local", at: 2)
        script.pass(.seconds(60))
        #expect(reported(script) == ["H1.local 00:00:5e:00:53:01"])
    }

    @Test func `a MAC address stays known while its host has the address`() throws {
        let script = EngineScript.running()
        script.neighbours.add(try mac(1), of: [10, 0, 0, 1], interface: 2)
        bring(script)
        script.pass(.seconds(20))
        script.neighbours = NeighbourTable()
        bring(script, "h2.local", at: 2)
        script.pass(.seconds(20))
        #expect(reported(script) == ["h1.local 00:00:5e:00:53:01"])
        script.addressDisappears(1, of: "h1.local")
        script.addressAppears(3, of: "h1.local")
        script.pass(.seconds(20))
        #expect(reported(script) == ["h1.local 00:00:5e:00:53:01", "h1.local"])
    }

    @Test func `of a host with many MAC addresses the first 16 are reported`() throws {
        let script = EngineScript.running()
        script.bring("Web", on: "h1.local")
        script.exhaustAddresses(of: "h1.local")
        for last in UInt8(1)...40 {
            script.neighbours.add(try mac(last), of: [10, 0, 0, last], interface: 2)
            script.addressAppears(last, of: "h1.local")
        }
        script.pass(.seconds(20))
        #expect(reported(script).last?.split(separator: " ").count == 17)
        #expect(reported(script).last?.hasSuffix(":53:10") == true)
    }

    @Test func `a host that is back, and all after a backend's return, are reported again`() throws
    {
        let script = EngineScript.running()
        script.neighbours.add(try mac(1), of: [10, 0, 0, 1], interface: 2)
        bring(script)
        script.pass(.seconds(20))
        script.disappear("Web on h1.local")
        bring(script)
        script.pass(.seconds(20))
        #expect(reported(script).count == 2)
        script.change { $0.state = .failed }
        script.connect(.daemon)
        script.pass(.seconds(20))
        bring(script)
        script.pass(.seconds(20))
        #expect(reported(script).count == 3)
    }

    // MARK: Peers

    @Test func `a peer has the MAC addresses of its host, which do not change its identity`() throws
    {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        let id = script.peers.first?.id
        let update = script.feed(.hardware(host: "H1.local.", [try mac(1), try mac(2)]))
        #expect(update?.cause == .changed && update?.items.changes.count == 1)
        #expect(script.peers.first?.macs == ["00:00:5e:00:53:01", "00:00:5e:00:53:02"])
        #expect(script.peers.first?.id == id)
        #expect(script.feed(.hardware(host: "h1.local", [try mac(1), try mac(2)])) == nil)
        #expect(script.feed(.hardware(host: "h2.local", [try mac(3)])) == nil)
        script.feed(.hardware(host: "h1.local", try (0..<100).map(mac)))
        #expect(script.peers.first?.macs.count == 16)
        script.feed(.hardware(host: "h1.local", []))
        #expect(script.peers.first?.macs == [])
    }

    @Test func `MAC addresses that are not reported again after a backend's return are dropped`()
        throws
    {
        let script = EventScript()
        for host in ["h1.local", "h2.local"] {
            script.bring("Web on \(host)", on: host)
            script.feed(.hardware(host: host, [try mac(1)]))
        }
        script.feed(.lost(reason: "the daemon went away"))
        script.feed(.handedOver(to: .daemon, host: "me.local"))
        for host in ["h1.local", "h2.local"] { script.bring("Web on \(host)", on: host) }
        script.feed(.hardware(host: "h2.local", [try mac(1)]))
        script.feed(.caughtUp)
        #expect(script.peers.map(\.macs) == [[], ["00:00:5e:00:53:01"]])
    }

    @Test func `a machine with two names has the MAC addresses of both`() throws {
        let script = EventScript()
        script.bring("Web", on: "h1.local")
        script.bring("Files", "_smb._tcp", on: "h1")
        for (host, last) in [("h1.local", UInt8(2)), ("h1", 1)] {
            script.feed(.addresses(host: host, [address(1)]))
            script.feed(.hardware(host: host, [try mac(last), try mac(3)]))
        }
        #expect(
            script.peers.map(\.macs) == [
                ["00:00:5e:00:53:01", "00:00:5e:00:53:02", "00:00:5e:00:53:03"]
            ])
    }

    @Test func `services in a list that is grouped by type have no MAC addresses`() throws {
        let script = EventScript(ListOptions(grouping: .type))
        script.bring("Web", on: "h1.local")
        #expect(script.feed(.hardware(host: "h1.local", [try mac(1)])) == nil)
    }

    // MARK: Makers

    /// Names each universally administered address, and counts the calls.
    private final class Registry: Sendable {
        let asked = Mutex<[String]>([])

        func maker(of mac: MACAddress) -> String? {
            asked.withLock { $0.append(mac.text) }
            return "Maker \(mac)"
        }
    }

    private func script(_ registry: Registry) -> EventScript {
        EventScript(makerOf: { registry.maker(of: $0) })
    }

    @Test func `the maker is that of the address in the records, else of the first known one`()
        throws
    {
        let script = script(Registry())
        script.bring("Light", "_wled._tcp", on: "h1.local", txt: ["mac=001a2b030405"])
        script.bring("Web", on: "h2.local")
        script.bring("Node", "_matter._tcp", on: "001A2BFFFF030405.local")
        for host in ["h1.local", "h2.local"] {
            let random = try #require(MACAddress(bytes: [2, 0, 0, 0, 0, 1]))
            script.feed(.hardware(host: host, [random, try mac(1)].sorted()))
        }
        let makers = Dictionary(uniqueKeysWithValues: script.peers.map { ($0.host, $0.maker) })
        #expect(makers["h1.local"] == "Maker 001a2b030405")
        #expect(makers["h2.local"] == "Maker 00005e005301")
        #expect(makers["001A2BFFFF030405.local"] == "Maker 001a2bffff03", "by its first bytes")
    }

    @Test func `nothing is asked for a maker in the records, or a locally administered address`()
        throws
    {
        let registry = Registry()
        let script = script(registry)
        script.bring("Plug", "_shelly._tcp", on: "h1.local", txt: ["mac=001a2b030405"])
        script.feed(.hardware(host: "h1.local", [try mac(1)]))
        script.bring("Web", on: "h2.local")
        let random = try #require(MACAddress(bytes: [2, 0, 0, 0, 0, 1]))
        script.feed(.hardware(host: "h2.local", [random]))
        #expect(registry.asked.withLock(\.self).isEmpty)
        #expect(script.peers.map(\.maker) == [nil, "Shelly"], "h2, then Plug")
    }

    @Test func `the files of the registry are read at the first question, and need not be there`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let makerOf = MakerRegistry.lookup(directory: directory.path)
        try directory.write(
            "00-00-5E   (hex)\t\tExample\n00005E     (base 16)\t\tExample\n", to: "oui.txt")
        #expect(makerOf(try mac(1)) == "Example")
        await directory.remove()
        #expect(MakerRegistry.lookup(directory: directory.path)(try mac(1)) == nil)
    }
}
