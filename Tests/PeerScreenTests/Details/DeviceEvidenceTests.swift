// Tests of what details say of a device, and of the records that they name for it.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerScreen

@MainActor @Suite struct DeviceEvidenceTests {
    /// The devices of the golden screens.
    enum Device: String, CaseIterable {
        case printer, chromecast, samba, plain

        @MainActor var peer: Peer {
            get throws {
                switch self {
                case .printer:
                    var peer = try scene("Brother printer")
                    peer.macs = ["30:05:5c:00:a1:f7"]
                    return peer
                case .chromecast: return try scene("Living Room TV")
                case .samba:
                    var peer = try scene("MacBook")
                    peer.deviceInfo = TXTRecord([.init(key: "model", value: .text("MacSamba"))])
                    (peer.macs, peer.label) = (["f6:d4:88:00:d5:e6"], "Studio")
                    return peer
                case .plain: return device("thing", "http", address: "10.0.0.7")
                }
            }
        }

        private func scene(_ name: String) throws -> Peer {
            let device = try #require(Scene.devices.first { $0.name == name })
            return device.peer(since: House.time(1))
        }
    }

    private func steps(_ peer: Peer) -> (Grouping) -> [House.Step] {
        { grouping in
            var script = ListScript()
            let update = script.change(
                .arrived, at: House.time(1), to: [peer].sections(grouping))
            return [.update(update, list: script.sections)]
        }
    }

    @Test(arguments: Device.allCases, [(80, 24), (40, 10)])
    func `details begin with what people look for`(
        device: Device, size: (columns: Int, rows: Int)
    ) throws {
        let driven = DrivenScreen(
            columns: size.columns, rows: size.rows, steps: steps(try device.peer))
        driven.live(until: 10)
        driven.press(.enter)
        try expectCommitted(
            driven.text + "\n", "device-\(device)-\(size.columns)x\(size.rows).txt")
    }

    @Test(arguments: Device.allCases)
    func `each statement has its source`(device: Device) throws {
        try expectCommitted(text(DeviceEvidence(device.peer).lines), "device-\(device).txt")
    }

    private func text(_ lines: [TextPane.Line]) -> String {
        lines.map { line in
            var text = line.fields.map { SafeText($0.text).text }.joined()
            while text.hasSuffix(" ") { text.removeLast() }
            return text + "\n"
        }.joined()
    }

    private func why(_ peer: Peer) -> [String] {
        text(DeviceEvidence(peer).lines).split(separator: "\n").map {
            String($0.drop { $0 == " " })
        }
    }

    @Test func `stronger evidence that is not in use is said to be another host's too`() throws {
        var peer = try Device.printer.peer
        let host = try #require(peer.host)
        peer.identity = Identity(host: host)
        let lines = why(peer)
        let uuid = "uuid:e3248000-80ce-11db-8000-30055c00a1f7"
        #expect(
            lines.contains(
                "Also        UUID of _ipp._tcp: \(uuid)  not used: another host has it too"))
        #expect(lines.contains("from the host name brw30055c00a1f7.local"))
    }

    @Test func `a name that tells a device from others is explained`() throws {
        var peer = device("thing", "http", address: "10.0.0.7")
        peer.name = "thing (2)"
        let text = why(peer)
        #expect(
            text.contains("Name        thing (2)  to tell it from others of that name"), "\(text)")
    }

    @Test func `a maker that no record names is that of a MAC address`() throws {
        var peer = try Device.plain.peer
        peer.maker = "Example"
        #expect(why(peer).contains("Maker       Example  by a MAC address"))
        peer.model = "Recorded"
        #expect(why(peer).contains("Model       Recorded  not by these records"))
    }

    @Test func `in a list that is grouped by type, the records tell what the device is`() throws {
        let peer = try Device.printer.peer
        let listed = ListItem.service(peer.services[1], of: peer).peer
        #expect(listed.maker == nil && listed.model == nil)
        let evidence = DeviceEvidence(listed)
        #expect(evidence.peer.kind == .printer && evidence.peer.maker == "Brother")
        #expect(evidence.peer.model == "MFC-L3770CDW series")
    }

    @Test func `the number of lines and their identifiers are bounded and distinct`() throws {
        var peer = try Device.plain.peer
        peer.services = (0..<400).map { number in
            let key = ServiceKey(name: "name \(number)", type: "_airplay._tcp", domain: "local")
            let txt = ["model", "manufacturer", "serialNumber", "deviceid", "pi", "psi"].map {
                TXTRecord.Pair(key: $0, value: .text("\($0)-0123"))
            }
            return Service(
                id: key.id, name: key.name, type: key.type, domain: "local", port: 1,
                txt: TXTRecord(txt))
        }
        for type in 0..<40 {
            let types = ["_xbmc-jsonrpc-h._tcp", "_volumio._tcp", "_mass._tcp", "_kdeconnect._udp"]
            let key = ServiceKey(name: "n\(type)", type: types[type % 4], domain: "local")
            let txt = ["uuid", "UUID", "server_id", "id"].map {
                TXTRecord.Pair(key: $0, value: .text("serial"))
            }
            peer.services.append(
                Service(
                    id: key.id, name: key.name, type: key.type, domain: "local", port: 1,
                    txt: TXTRecord(txt)))
        }
        let lines = DeviceEvidence(peer).lines
        #expect(lines.count <= 4 + DeviceEvidence.limit + 1 + 4 * 8)
        #expect(Set(lines.map(\.id)).count == lines.count)
    }

    @Test func `hostile text is shown escaped`() throws {
        var peer = try Device.plain.peer
        peer.services[0].type = "_googlecast._tcp"
        peer.services[0].txt = TXTRecord([
            .init(key: "fn", value: .text("\u{1b}[2J\u{202e}TV")),
            .init(key: "md", value: .text("\n")),
        ])
        let update = steps(peer)
        let driven = DrivenScreen(columns: 80, rows: 40, steps: update)
        driven.live(until: 10)
        driven.press(.enter)
        #expect(driven.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
        #expect(!driven.text.contains("\u{202e}"))
        #expect(driven.text.contains("␛[2J"))
    }
}
