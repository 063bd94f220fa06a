// Tests of the details of rows.
import Foundation
import PeerModel
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerScreen
@testable import PeerText

@Suite struct DetailTextTests {
    /// Returns the index and the history of the house at a time.
    private func house(
        _ grouping: Grouping, upTo seconds: Double
    ) -> (seen: DeviceIndex, history: ListHistory) {
        var (seen, history) = (DeviceIndex(), ToldHistory())
        for step in House.steps(grouping) {
            guard case .update(let update, _) = step, update.items.time <= House.time(seconds)
            else {
                continue
            }
            seen.apply(update.items)
            history.record(update.items)
        }
        return (seen, history.history)
    }

    private func details(_ house: (seen: DeviceIndex, history: ListHistory)) -> DetailText {
        var details = DetailText(seen: house.seen, history: house.history, charset: .ascii)
        details.localTime = { time in
            let text = time.description
            return LocalTime(
                day: String(text.prefix(10)), clock: String(text.dropFirst(11).prefix(8)))
        }
        return details
    }

    private func text(_ lines: [TextPane.Line]) -> String {
        lines.map { line in
            var text = line.fields.map { SafeText($0.text).text }.joined()
            while text.hasSuffix(" ") { text.removeLast() }
            return text + "\n"
        }.joined()
    }

    private func id(_ name: String, _ seen: DeviceIndex) throws -> RowID {
        .device(try #require(seen.devices.values.first { $0.peer.name == name }).peer.id)
    }

    @Test func `the details of a printer`() throws {
        let house = house(.device, upTo: 150)
        let row = try id("brn30055c", house.seen)
        try expectCommitted(text(details(house).lines(of: row)), "details-printer.txt")
        #expect(details(house).title(of: row) == "brn30055c (brn30055c.local)")
    }

    @Test func `each text of a device is in its details`() {
        var (seen, history) = (DeviceIndex(), ListHistory())
        let arrival = ItemChanges(at: House.time(1), arrivals: [Peer.full.id: .peer(.full)])
        seen.apply(arrival)
        history.record(arrival)
        let lines = text(details((seen, history)).lines(of: .device(Peer.full.id)))
        #expect(Peer.full.texts(missingIn: lines) == [])
    }

    @Test func `an address of other devices too names them, as of bridges on a machine`() throws {
        let script = EventScript()
        var (seen, history) = (DeviceIndex(), ListHistory())
        for number in 1...6 {
            script.bring(
                "Bridge \(number)", "_hap._tcp", on: "bridge\(number).local",
                txt: ["ci=2", "id=AA:BB:CC:DD:EE:0\(number)"])
            guard number < 6 else { break }
            script.feed(.addresses(host: HostName("bridge\(number).local"), [address(9)]))
        }
        let arrivals = Dictionary(uniqueKeysWithValues: script.items.map { ($0.id, $0) })
        seen.apply(ItemChanges(at: script.time, arrivals: arrivals))
        history.record(ItemChanges(at: script.time, arrivals: arrivals))
        let first = text(details((seen, history)).lines(of: try id("Bridge 1", seen)))
        #expect(
            first.contains(
                "10.0.0.9  IPv4, private, also of Bridge 2, Bridge 3, Bridge 4 and 1 more"))
        let last = text(details((seen, history)).lines(of: try id("Bridge 6", seen)))
        #expect(last.contains("10.0.0.6  IPv4, private\n"))
    }

    @Test func `the details of an unanswered peer with a hostile name`() throws {
        let house = house(.device, upTo: 150)
        try expectCommitted(
            text(details(house).lines(of: id("tv", house.seen))), "details-tv.txt")
    }

    @Test func `the details of a departed device`() throws {
        let house = house(.device, upTo: 400)
        let tv = try #require(house.history.departed.first { $0.item.name == "tv" })
        let row = RowID.departed(tv.id)
        try expectCommitted(text(details(house).lines(of: row)), "details-departed.txt")
        #expect(details(house).title(of: row) == "tv (tv.local)")
    }

    @Test func `a service's details are above those of its device`() throws {
        let house = house(.type, upTo: 150)
        let device = try id("brn30055c", house.seen)
        let services = try #require(house.seen.device(of: device)).serviceIDs
        let listing = details(house).lines(of: .listing(services[0]))
        let beneath = details(house).lines(of: .service(services[0], of: device.device ?? UUID()))
        #expect(listing == beneath)
        #expect(listing[1].fields.map(\.text) == ["Web site"])
        #expect(listing.contains { $0.fields.first?.text == "brn30055c" })
        #expect(!listing.contains { $0.id?.contains(services[1].uuidString.lowercased()) == true })
    }

    @Test(arguments: [
        (Presence.resolving, "resolving since 08:30:02: its host is not known yet"),
        (.present, "present"),
        (.unanswered, "unanswered since 08:30:02: it did not reply when asked"),
        (
            .unknown,
            "unknown since 08:30:02: discovery was interrupted, and it was not seen since"
        ),
    ])
    func `the presence is shown with its time and reason`(
        presence: Presence, words: String
    ) throws {
        var network = Network()
        var history = ListHistory()
        let nas = device("nas", "smb")
        history.record(network.change { $0[nas.id] = nas })
        history.record(network.change { $0[nas.id]?.presence = presence })
        history.record(network.change { $0[nas.id]?.addresses = ["10.0.0.1"] })
        let lines = details((network.seen, history)).lines(of: .device(nas.id))
        #expect(lines.first { $0.id == "presence" }?.fields[1].text == words)
    }

    @Test func `a line keeps its identifier when lines are inserted before it`() throws {
        var network = Network()
        var history = ListHistory()
        let nas = device("nas", "smb")
        history.record(network.change { $0[nas.id] = nas })
        let before = details((network.seen, history)).lines(of: .device(nas.id))
        history.record(network.change { $0[nas.id]?.addresses = ["10.0.0.1"] })
        let after = details((network.seen, history)).lines(of: .device(nas.id))
        #expect(Set(before.map(\.id)).isSubset(of: after.map(\.id)))
        #expect(Set(after.map(\.id)).count == after.count)
    }

    @Test func `the details of a device are limited`() {
        let record = TXTRecord(
            (0..<300).map {
                .init(key: "key\($0)", value: .text(String(repeating: "x", count: 9_999)))
            })
        var peer = device("huge", "ssh")
        peer.services = (0..<150).map { number in
            let key = ServiceKey(name: "service \(number)", type: "_x._tcp", domain: "local")
            return Service(
                id: key.id, name: key.name, type: key.type, domain: "local", port: 1, txt: record)
        }
        peer.addresses = (0..<300).map { "10.0.\($0 / 256).\($0 % 256)" }
        peer.macs = (0..<150).map { "00:00:5e:00:53:\($0)" }
        let network = Network(.device, [peer])
        let lines = details((network.seen, ListHistory())).lines(of: .device(peer.id))
        let texts = lines.map { $0.fields.map(\.text).joined() }
        #expect(lines.first { $0.id == "address-rest" }?.fields.last?.text == "and 200 more")
        #expect(lines.first { $0.id == "offers-rest" }?.fields.last?.text == "and 138 more")
        #expect(lines.first { $0.id == "mac-rest" }?.fields.last?.text == "and 50 more")
        #expect(texts.contains("and 50 more services"))
        #expect(texts.contains { $0.contains("and 100 more attributes") })
        #expect(texts.allSatisfy { $0.count < ServiceDetails.valueLimit + 100 })
    }

    @Test func `only cut values end with an ellipsis`() {
        for (length, isCut) in [
            (ServiceDetails.valueLimit, false), (ServiceDetails.valueLimit + 1, true),
        ] {
            let value = String(repeating: "é", count: length)
            let peer = device("nas", "ssh", txt: [])
            var service = peer.services[0]
            service.txt = TXTRecord([.init(key: "note", value: .text(value))])
            let lines = ServiceDetails(service, of: peer, in: BrowsedDomain()).lines
            let text = lines.map { $0.fields.map(\.text).joined() }.joined(separator: "\n")
            #expect(text.contains("é…") == isCut)
            #expect(text.contains("ééé"))
        }
    }

    @Test func `an unknown row has no details`() {
        let details = details((DeviceIndex(), ListHistory()))
        for row in [RowID.device(UUID()), .listing(UUID()), .departed(UUID())] {
            #expect(details.lines(of: row).isEmpty)
            #expect(details.title(of: row) == nil)
        }
    }

    @Test(arguments: [
        ("10.1.2.3", "IPv4, private"), ("172.32.0.1", "IPv4"), ("169.254.1.1", "IPv4, link-local"),
        ("fe80::1%eth0", "IPv6, link-local, on eth0"), ("fd00::1", "IPv6, unique local"),
        ("2001:db8::1", "IPv6"), ("::1", "IPv6, loopback"),
        ("127.0.0.1", "IPv4, loopback"),
        ("nonsense", nil), ("1.2.3.4.5", nil), ("fe80::1::2", nil),
    ])
    func `an address is described by its reach`(address: String, words: String?) {
        #expect(ParsedAddress(address)?.description == words)
    }

    @Test(arguments: [
        ("_hap._tcp", "ci", "5", "kind of accessory", "light"),
        ("_hap._tcp", "sf", "1", "whether it is paired", "not paired yet"),
        ("_ipp._tcp", "Color", "T", "prints in colour", "yes"),
        ("_ipp._tcp", "ty", "T", "make and model", nil),
        ("_googlecast._tcp", "st", "0", "whether it is in use", "idle"),
        ("_raop._tcp", "AM", "x", "model", nil),
        ("_none._tcp", "ty", "x", nil, nil),
    ])
    func `known keys and codes are explained`(
        type: String, key: String, value: String, keyMeaning: String?, valueMeaning: String?
    ) {
        #expect(KnownTXTKeys.meaning(of: key, type: type) == keyMeaning)
        #expect(KnownTXTKeys.meaning(of: value, key: key, type: type) == valueMeaning)
    }
}
