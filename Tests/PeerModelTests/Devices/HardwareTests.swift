// Tests the MAC addresses and makers of peers.
import FoundationEssentials
import LabSupport
import PeerListTestSupport
import PeerModel
import Synchronization
import Testing

@Suite struct HardwareTests {
    /// 00:00:5e:00:53:`last`.
    private func mac(_ last: UInt8) throws -> MACAddress {
        try #require(MACAddress(bytes: [0, 0, 0x5e, 0, 0x53, last]))
    }

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
            script.feed(.hardware(host: HostName(host), [try mac(1)]))
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
            script.feed(.addresses(host: HostName(host), [address(1)]))
            script.feed(.hardware(host: HostName(host), [try mac(last), try mac(3)]))
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
            script.feed(.hardware(host: HostName(host), [random, try mac(1)].sorted()))
        }
        let makers = Dictionary(uniqueKeysWithValues: script.peers.map { ($0.host, $0.maker) })
        #expect(makers["h1.local"] == "Maker 001a2b030405")
        #expect(makers["h2.local"] == "Maker 00005e005301")
        #expect(makers["001A2BFFFF030405.local"] == "Maker 001a2bffff03", "by its first bytes")
    }

    @Test func `what is learned of a silent host counts when it answers again, also the first`()
        throws
    {
        let script = EventScript()
        for host in ["h1", "h2"] { script.bring(host, on: "\(host).local") }
        script.feed(.hardware(host: "h1.local", [try mac(1)]))
        for host in ["h1", "h2"] { script.feed(.unanswered(key(host))) }
        for host in ["h1", "h2"] {
            script.feed(.hardware(host: HostName("\(host).local"), [try mac(9)]))
        }
        #expect(script.peers.map(\.macs) == [[try mac(1).text], []])
        for host in ["h1", "h2"] { script.bring(host, on: "\(host).local") }
        #expect(script.peers.map(\.macs) == [[try mac(9).text], [try mac(9).text]])
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
