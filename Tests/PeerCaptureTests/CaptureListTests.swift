// Tests of the list that is made of a capture: arrivals, goodbyes, expiry, replaced records, damage.
import DNSMessages
import Foundation
import LabSupport
import PeerModel
import TestSupport
import Testing

@testable import PeerCapture
@testable import PeerRecording

private let start = 1_700_000_000.0

/// Bytes that are handed out in pieces.
private final class Pieces: ByteSource {
    private var rest: ArraySlice<UInt8>
    init(_ bytes: [UInt8]) { rest = bytes[...] }

    func read() -> [UInt8] {
        defer { rest = rest.dropFirst(1_000) }
        return Array(rest.prefix(1_000))
    }
}

extension Recording {
    /// The recording of a capture, without the names of makers.
    convenience init(_ bytes: [UInt8], named name: String) {
        self.init(Pieces(bytes), unread: CapturedList(named: name, makerOf: { _ in nil }))
    }
}

@Suite struct CaptureListTests {
    /// The list of a capture at its end, the texts of its damage, and what changed at which second.
    private func read(
        _ capture: ScriptCapture
    ) throws -> (list: RecordedList, damage: [String], changes: [String]) {
        let recording = Recording(capture.bytes, named: "night.pcap")
        var (damage, changes): ([String], [String]) = ([], [])
        while let step = try recording.next() {
            switch step {
            case .damage(let found): damage.append(found.description)
            case .line:
                guard let time = recording.list.time, !recording.beginsRun else { continue }
                let seconds = Double(time.microseconds) / 1e6 - start
                guard let items = recording.changes else { continue }
                changes += items.departures.values.map { "\(seconds) -\($0.item.peer.name)" }
                changes += items.arrivals.values.map { "\(seconds) \($0.peer.name)" }
                changes += items.changes.values.map { "\(seconds) \($0.now.peer.name)" }
            }
        }
        return (recording.list, damage, changes)
    }

    private func capture(
        _ messages: [(time: Double, records: [ScriptRecord])],
        from source: [UInt8] = [192, 168, 1, 5],
        until end: Double
    ) -> ScriptCapture {
        var capture = ScriptCapture()
        for (time, records) in messages {
            capture.add(
                ScriptPacket(payload: message(records), source: source).ethernet(), at: start + time
            )
        }
        // A query shows that the capture went on.
        capture.add(
            ScriptPacket(
                payload: message([], isResponse: false), source: [192, 168, 1, 9], port: 4_000
            )
            .ethernet(), at: start + end)
        return capture
    }

    private let web = ScriptRecord.service(
        "Web", "_http._tcp", on: "h1", [192, 168, 1, 5], ["path=/"])

    @Test func `an announced service is there, with its host, records and hardware`() throws {
        let (list, damage, _) = try read(capture([(0, web)], until: 60))
        #expect(damage.isEmpty)
        #expect(list.header?.backend == "capture" && list.header?.observerHost == "night.pcap")
        #expect(list.ending == .finished)
        let peer = try #require(list.listSections.flatMap(\.items).first?.peer)
        #expect(peer.host == "h1.local" && peer.addresses == ["192.168.1.5"])
        #expect(peer.presence == .present)
        #expect(peer.services.map(\.name) == ["Web"] && peer.services.first?.port == 80)
        #expect(peer.services.first?.txt["path"] == .text("/"))
        #expect(peer.macs == ["02:00:00:00:00:05"])
        #expect(peer.interfaces == ["night"])
    }

    @Test func `a device of SSDP is there, joins the host at its address, and says goodbye`() throws
    {
        func notice(_ kind: String) -> [UInt8] {
            Array(
                """
                NOTIFY * HTTP/1.1\r
                NTS: ssdp:\(kind)\r
                NT: upnp:rootdevice\r
                USN: uuid:4d696e69-0000-4000-8000-000000000001::upnp:rootdevice\r
                LOCATION: http://192.168.1.5:80/d\r
                \r

                """.utf8)
        }
        func packet(_ kind: String) -> ScriptPacket {
            ScriptPacket(payload: notice(kind), port: 1_900, destination: 1_900, hopLimit: 2)
        }
        var capture = ScriptCapture()
        capture.add(packet("alive").ethernet(), at: start)
        capture.add(ScriptPacket(payload: message(web)).ethernet(), at: start + 5)
        let both = try read(capture).list
        #expect(both.count == 1)
        let peer = try #require(both.listSections.flatMap(\.items).first?.peer)
        #expect(peer.host == "h1.local" && peer.protocols == [.mdns, .ssdp])
        #expect(peer.macs == ["02:00:00:00:00:05"])
        capture.add(packet("byebye").ethernet(), at: start + 10)
        let after = try read(capture).list
        #expect(after.listSections.flatMap(\.items).map(\.peer.protocols) == [[]])
    }

    @Test func `a service leaves one second after its goodbye`() throws {
        let goodbye = [ScriptRecord.pointer("_http._tcp", "Web", ttl: 0)]
        let (list, _, changes) = try read(capture([(0, web), (10, goodbye)], until: 30))
        #expect(list.count == 0)
        #expect(changes.last == "11.0 -h1")
        // Also if it is the last packet.
        #expect(try read(capture([(0, web), (10, goodbye)], until: 10)).list.count == 0)
        // An announcement within the second takes it back.
        let back = capture([(0, web), (10, goodbye), (10.5, web)], until: 30)
        #expect(try read(back).list.count == 1)
    }

    @Test func `a service leaves when its pointer has expired, not its other records`() throws {
        let (list, _, _) = try read(capture([(0, web)], until: 4_498))
        #expect(list.listSections.flatMap(\.items).first?.peer.presence == .present)
        #expect(list.listSections.flatMap(\.items).first?.peer.addresses.isEmpty == false)
        let (later, _, changes) = try read(capture([(0, web)], until: 4_501))
        #expect(later.count == 0 && changes.last == "4500.0 -h1")
        let renewed = capture([(0, web), (4_000, web)], until: 8_000)
        #expect(try read(renewed).list.count == 1)
    }

    @Test func `how a service left is told apart: goodbye, that of another machine, expiry`() throws
    {
        let goodbye = [ScriptRecord.pointer("_http._tcp", "Web", ttl: 0)]
        func departures(_ capture: ScriptCapture) throws -> [Departure] {
            let recording = Recording(capture.bytes, named: "a.pcap")
            var departures: [Departure] = []
            while let step = try recording.next() {
                guard case .line = step, let changes = recording.changes else { continue }
                departures += changes.departures.values.map(\.reason)
            }
            return departures
        }
        #expect(try departures(capture([(0, web), (10, goodbye)], until: 30)) == [.removed])
        #expect(try departures(capture([(0, web)], until: 4_501)) == [.expired])
        // A service that another machine withdraws has eight seconds to be heard again, as a live list asks it.
        func withdrawn(answer: [ScriptRecord], again: Double? = nil) -> ScriptCapture {
            let packets: [(Double, UInt8, [ScriptRecord])] = [
                (10, 66, goodbye), (12, 5, answer), (again ?? 12, 66, again == nil ? [] : goodbye),
                (again.map { $0 + 4 } ?? 13, 5, answer), (40, 5, []),
            ]
            return packets.reduce(into: capture([(0, web)], until: 9)) { capture, packet in
                let (time, source, records) = packet
                let sent = ScriptPacket(payload: message(records), source: [192, 168, 1, source])
                capture.add(sent.ethernet(), at: start + time)
            }
        }
        #expect(try departures(withdrawn(answer: [])) == [.revoked])
        #expect(try departures(withdrawn(answer: web)).isEmpty)
        #expect(try departures(withdrawn(answer: web, again: 17)).isEmpty, "each has its time")
    }

    @Test func `a service of another domain is not listed, as on the link`() throws {
        let abroad = web.map { record in
            var record = record
            record.name = record.name.replacing("local", with: "example")
            if record.type == DNSType.ptr {
                record.data = ScriptRecord.wire("Web._http._tcp.example")
            }
            return record
        }
        #expect(try read(capture([(0, abroad)], until: 60)).list.count == 0)
    }

    @Test func `a pointer with the cache-flush bit makes no service of another machine leave`()
        throws
    {
        let mine = ScriptRecord.service("Mine", "_http._tcp", on: "h2", [192, 168, 1, 6])
        let flush = mine.map { record in
            var record = record
            record.isUnique = true
            return record
        }
        let (list, _, _) = try read(capture([(0, web), (10, flush)], until: 60))
        #expect(list.count == 2)
    }

    @Test func `a service that withdraws its SRV record does not answer until it is back`() throws {
        let goodbye = [
            ScriptRecord.location("Web._http._tcp", "h1", ttl: 0),
            .text("Web._http._tcp", ["path=/"], ttl: 0),
        ]
        func presence(_ messages: [(Double, [ScriptRecord])]) throws -> [Presence] {
            let messages = messages.map { (time: $0, records: $1) }
            return try read(capture(messages, until: 60)).list.listSections.flatMap(\.items).map(
                \.peer.presence)
        }
        #expect(try presence([(0, web), (10, goodbye)]) == [.unanswered])
        #expect(try presence([(0, web), (10, goodbye), (20, web)]) == [.present])
        // Records that expire may not have been asked for.
        #expect(try presence([(0, web)]) == [.present])
        let expired = capture([(0, web)], until: 1_000)
        #expect(
            try read(expired).list.listSections.flatMap(\.items).map(\.peer.presence) == [.present])
    }

    @Test func `a service whose SRV record names no host does not answer`() throws {
        var nowhere = web
        nowhere[1].data = ScriptRecord.bytes16(0, 0, 0) + [0]
        func presence(_ messages: [(Double, [ScriptRecord])]) throws -> [Presence] {
            let messages = messages.map { (time: $0, records: $1) }
            return try read(capture(messages, until: 60)).list.listSections.flatMap(\.items).map(
                \.peer.presence)
        }
        #expect(try presence([(0, nowhere)]) == [.unanswered])
        #expect(try presence([(0, nowhere), (10, web)]) == [.present])
        // Also if it was resolved, or waited, before.
        #expect(try presence([(0, [web[0]]), (5, web), (10, nowhere)]) == [.unanswered])
    }

    @Test func `a host whose name in the SRV record is an address has that address`() throws {
        var numbered = web
        numbered[1].data = ScriptRecord.bytes16(0, 0, 80) + ScriptRecord.wire("10.99.0.77")
        let list = try read(capture([(0, numbered)], until: 60)).list
        let peer = try #require(list.listSections.first?.items.first?.peer)
        #expect(peer.presence == .present)
        #expect(peer.addresses.map(\.description) == ["10.99.0.77"])
    }

    @Test func `what a capture cannot know of a sender is not said`() throws {
        func vouching(hopLimit: UInt8) throws -> VouchingRule? {
            var capture = ScriptCapture()
            for time in [0.0, 30] {
                var packet = ScriptPacket(payload: message(web))
                packet.hopLimit = hopLimit
                capture.add(packet.ethernet(), at: start + time)
            }
            return try read(capture).list.listSections.flatMap(\.items).first?.peer.vouchedBy?.rule
        }
        #expect(try vouching(hopLimit: 255) == .own)
        #expect(try vouching(hopLimit: 64) == .unheard)
    }

    @Test func `a replaced address leaves, and one of the same message stays`() throws {
        let moved = [ScriptRecord.address("h1", [192, 168, 1, 6])]
        let (list, _, _) = try read(capture([(0, web), (20, moved)], until: 40))
        let addresses = list.listSections.flatMap(\.items).flatMap(\.peer.addresses)
        #expect(addresses == ["192.168.1.6"])
        let both = [[192, 168, 1, 5], [192, 168, 1, 6]].map { ScriptRecord.address("h1", $0) }
        let (two, _, _) = try read(capture([(0, web), (20, both), (20.5, both)], until: 40))
        #expect(two.listSections.flatMap(\.items).flatMap(\.peer.addresses).count == 2)
    }

    @Test func `known answers, and responses from another port, are no news`() throws {
        var capture = ScriptCapture()
        let question = ScriptPacket(payload: message(web, isResponse: false))
        var forged = ScriptPacket(payload: message(web))
        forged.port = 40_000
        capture.add(question.ethernet(), at: start)
        capture.add(forged.ethernet(), at: start + 1)
        #expect(try read(capture).list.count == 0)
    }

    @Test func `a reply to a simple resolver, whose times to live are cut, changes nothing`() throws
    {
        let reply = ScriptRecord.service(
            "Web", "_http._tcp", on: "h1", [192, 168, 1, 5], ["path=/"], ttl: 10)
        var capture = capture([(0, web)], until: 1)
        capture.add(
            ScriptPacket(payload: message(reply), destination: 40_001).ethernet(), at: start + 2)
        capture.add(
            ScriptPacket(payload: message([], isResponse: false)).ethernet(), at: start + 60)
        #expect(try read(capture).list.count == 1)
    }

    @Test func `a response with an error code is no news`() throws {
        var bytes = message(web)
        bytes[3] |= 3
        var capture = ScriptCapture()
        capture.add(ScriptPacket(payload: bytes).ethernet(), at: start)
        capture.add(
            ScriptPacket(payload: message([], isResponse: false)).ethernet(), at: start + 1)
        #expect(try read(capture).list.count == 0)
    }

    @Test func `the end of a capture tells the senders of all names, and that some were left out`()
        throws
    {
        var discovery = CaptureDiscovery()
        _ = discovery.begin(at: 0)
        let interface = NetworkInterface(index: 1, name: "eth0")
        var events: [DiscoveryEvent] = []
        for first in stride(from: 0, to: 5_000, by: 100) {
            let records = (first..<first + 100).map {
                ScriptRecord.address("h\($0)", [10, 0, UInt8($0 >> 8), UInt8($0 & 0xff)])
            }
            let datagram = Datagram(
                source: [192, 168, 1, 9], sourcePort: 5353, destinationPort: 5353, hopLimit: 255,
                payload: message(records))
            events += discovery.receive(datagram, on: interface, at: 0)
        }
        events += discovery.finish()
        let heard = events.flatMap { event in
            if case .heard(let heard) = event.kind { heard } else { [HeardSender]() }
        }
        #expect(Set(heard.map(\.name)).count == SenderTable.nameLimit)
        let notices = events.compactMap { event -> Notice.Code? in
            if case .notice(let code, _) = event.kind { code } else { nil }
        }
        #expect(notices == [.witnessLimit])
    }

    @Test func `the senders of each name are reported every ten seconds`() {
        var discovery = CaptureDiscovery()
        #expect(discovery.begin(at: 0).map(\.kind).contains(.heard([])))
        let interface = NetworkInterface(index: 1, name: "eth0")
        var datagram = Datagram(
            source: [192, 168, 1, 9], sourcePort: 5353, destinationPort: 5353, hopLimit: 64,
            payload: message(web))
        var reports: [[HeardSender]] = []
        for step in 0..<4 {
            let events = discovery.receive(datagram, on: interface, at: Int64(step) * 4_000_000)
            reports += events.compactMap {
                if case .heard(let heard) = $0.kind { heard } else { nil }
            }
        }
        #expect(reports.count == 1)
        let host = reports.first?.first { $0.name == "h1.local" }
        #expect(host?.address.description == "192.168.1.9" && host?.interface == interface)
        #expect(host?.count == 3 && host?.isLocal == false)
        // A query says nothing about its sender.
        datagram.payload = message(web, isResponse: false)
        _ = discovery.advance(to: 25_000_000)
        _ = discovery.receive(datagram, on: interface, at: 25_000_000)
        #expect(discovery.advance(to: 40_000_000).isEmpty)
    }

    @Test func `services of one host on two interfaces are one device`() throws {
        var capture = ScriptCapture(.pcapng, interfaces: [("eth0", 1), ("eth1", 1)])
        let packet = ScriptPacket(payload: message(web)).ethernet()
        capture.add(packet, at: start)
        capture.add(packet, at: start + 1, interface: 1)
        let (list, _, _) = try read(capture)
        let peer = try #require(list.listSections.flatMap(\.items).first?.peer)
        #expect(list.count == 1 && peer.interfaces == ["eth0", "eth1"])
    }

    @Test func `what is left out is said with its place`() throws {
        var capture = capture([(0, web)], until: 1)
        let packet = ScriptPacket(payload: message(web))
        for index in 0..<2 {
            capture.add(
                Array(packet.ethernet().prefix(60)), at: start + 2 + Double(index),
                original: packet.ethernet().count)
        }
        for (number, ranges) in [[0..<80], [0..<80, 72..<9_000]].enumerated() {
            for fragment in packet.fragments(ranges, identification: UInt16(number)) {
                capture.add(packet.ethernet(fragment), at: start + 4)
            }
        }
        capture.add(packet.ethernet(vlans: [1, 2, 3, 4, 5]), at: start + 4)
        let end = capture.bytes.count
        var cut = capture
        cut.add(packet.ethernet(), at: start + 5)
        let recording = Recording(Array(cut.bytes.dropLast()), named: "night.pcap")
        var damage: [RecordingDamage] = []
        while let step = try recording.next() {
            if case .damage(let found) = step { damage.append(found) }
        }
        #expect(
            damage.map(\.description) == [
                "packet 3, byte \(capture.offsets[2]): 2 packets from here on are left out: "
                    + "too few bytes were captured; capture whole packets, with tcpdump -s 0",
                "packet 5, byte \(capture.offsets[4]): the datagram that begins here is left out: "
                    + "other fragments were not captured; capture them, too, with "
                    + "tcpdump udp port 5353 or host 224.0.0.251 or host ff02::fb",
                "packet 6, byte \(capture.offsets[5]): the datagram that begins here is left out: "
                    + "its fragments overlap, or are more than 128",
                "packet 8, byte \(capture.offsets[7]): this packet is left out: "
                    + "there are more than 4 VLAN tags",
                "packet 9, byte \(end): the capture is cut off",
            ])
        #expect(damage.allSatisfy(\.isCutOff) && recording.list.count == 1)
    }

    @Test func `a service whose records come in fragments is there`() throws {
        let strings = (0..<100).map { "key\($0)=" + String(repeating: "x", count: 100) }
        let large = ScriptRecord.service("Web", "_http._tcp", on: "h1", [192, 168, 1, 5], strings)
        let link = [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [5]
        for source in [[192, 168, 1, 5], link] {
            let packet = ScriptPacket(payload: message(large), source: source)
            // More than RFC 6762 allows, which Avahi reads as well.
            #expect(packet.payload.count > DNSMessage.sizeLimit)
            var capture = ScriptCapture()
            let ranges = stride(from: 0, to: packet.udp.count, by: 1_480).map { $0..<$0 + 1_480 }
            for (index, fragment) in packet.fragments(ranges).enumerated() {
                capture.add(packet.ethernet(fragment), at: start + Double(index) / 1_000)
            }
            let (list, damage, _) = try read(capture)
            let service = list.listSections.flatMap(\.items).first?.peer.services.first
            #expect(damage.isEmpty && service?.txt.pairs.count == 100)
        }
    }

    @Test func `a clock that is set back keeps the order of events, and that is said`() throws {
        let goodbye = [ScriptRecord.pointer("_http._tcp", "Web", ttl: 0)]
        let lamp = ScriptRecord.service("Lamp", "_hap._tcp", on: "lamp", [192, 168, 1, 7])
        let capture = capture(
            [(0, web), (60, []), (-3_540, []), (-3_240, goodbye), (-2_940, lamp)], until: -1_000)
        let (list, damage, changes) = try read(capture)
        let left = try #require(changes.firstIndex { $0.hasSuffix(" -h1") })
        let arrived = try #require(changes.firstIndex { $0.hasSuffix(" Lamp") })
        #expect(changes[left].hasPrefix("361.0") && changes[arrived].hasPrefix("660.0"))
        #expect(left < arrived)
        #expect(list.count == 1)
        #expect(
            damage == [
                "packet 3, byte \(capture.offsets[2]): the clock was set back from 2023-11-14T22:14:20Z "
                    + "to 2023-11-14T21:14:20Z; the list's time goes on from 2023-11-14T22:14:20Z"
            ])
        // Set back again and again, it is said once.
        let again = try read(
            self.capture([(0, web), (-10, []), (-20, []), (-30, [])], until: -25))
        #expect(again.damage.count == 1 && again.damage[0].hasSuffix("; it was set 3 times in all"))
        // Two seconds are the disorder of packets.
        #expect(try read(self.capture([(10, web), (8, [])], until: 20)).damage.isEmpty)
    }

    @Test
    func `a clock that is set after 1970 makes nothing expire, and corrects the times before`()
        throws
    {
        let boot = 40 - start
        let capture = capture([(boot, web), (boot + 30, []), (0, []), (60, web)], until: 90)
        let (list, damage, changes) = try read(capture)
        #expect(list.count == 1 && changes.first == "-30.0 h1")
        #expect(
            damage == [
                "packet 3, byte \(capture.offsets[2]): the clock was set from 1970-01-01T00:01:10Z "
                    + "to 2023-11-14T22:13:20Z; the times before are corrected by that"
            ])
        // One that is never set.
        let unset = try read(self.capture([(boot, web), (boot + 30, [])], until: boot + 60))
        #expect(unset.damage.isEmpty && unset.list.count == 1)
        #expect(unset.list.time?.description.hasPrefix("1970-01-01T00:01") == true)
    }

    @Test func `from a pipe, the list goes on from 1970, as it was shown already`() async throws {
        let directory = try TemporaryDirectory()
        let boot = 40 - start
        let capture = capture([(boot, web), (boot + 30, []), (0, []), (60, web)], until: 90)
        let path = directory.path + "/boot.pcap"
        try Data(capture.bytes).write(to: URL(fileURLWithPath: path))
        let replay = try await FinishedProcess([
            "sh", "-c", "cat \"$0\" | \"$1\" replay --json -", path, BuiltProducts.peerlist,
        ])
        #expect(replay.status == 0)
        #expect(replay.errors.contains("the list's time goes on from 1970-01-01T00:01:10Z"))
        #expect(replay.output.contains("1970-01-01T00:02:41"))
        #expect(!replay.output.contains("\"delete\"") && !replay.output.contains("2023-"))
    }

    @Test func `a day without packets is a day, in which records expire`() throws {
        let slept = try read(capture([(0, web)], until: 86_400))
        #expect(slept.damage.isEmpty && slept.list.count == 0)
        #expect(slept.changes.last == "4500.0 -h1")
    }

    @Test func `a capture that another run continued with an earlier clock goes on`() throws {
        let goodbye = [ScriptRecord.pointer("_http._tcp", "Web", ttl: 0)]
        let runs: [[(Double, [ScriptRecord])]] = [
            [(0, web), (10, [])], [(-86_400, []), (-86_395, goodbye)],
        ]
        let bytes = runs.flatMap { run in
            var capture = ScriptCapture(.pcapng)
            for (time, records) in run {
                let packet = ScriptPacket(payload: message(records))
                capture.add(packet.ethernet(), at: start + time)
            }
            return capture.bytes
        }
        let recording = Recording(bytes, named: "night.pcapng")
        var damage: [String] = []
        while let step = try recording.next() {
            if case .damage(let found) = step { damage.append(found.message) }
        }
        #expect(recording.list.count == 0 && damage.count == 1)
        #expect(recording.list.time?.microseconds == Int64((start + 16) * 1_000_000))
    }

    @Test func `the name of an interface has at most 64 bytes, whatever its VLANs`() throws {
        let name = String(repeating: "n", count: 300)
        var capture = ScriptCapture(.pcapng, interfaces: [(name, 1)])
        for vlans in [[], [4_001], [4_001, 4_002, 4_003, 4_004]] as [[UInt16]] {
            capture.add(ScriptPacket(payload: message(web)).ethernet(vlans: vlans), at: start)
        }
        let peer = try #require(try read(capture).list.listSections.flatMap(\.items).first?.peer)
        #expect(peer.interfaces.count == 3 && peer.interfaces.allSatisfy { $0.utf8.count == 64 })
        #expect(peer.interfaces.contains { $0.hasSuffix("n.4001.4002.4003.4004") })
    }

    @Test func `a capture of 1 MB makes less than 100 MB of lines`() async throws {
        // A record of 8 kB, which each change of its service repeats.
        let strings = (0..<32).map { "\($0)" + String(repeating: "\u{1}", count: 240) }
        let large = ScriptRecord.service("Web", "_http._tcp", on: "h1", [192, 168, 1, 5], strings)
        var capture = ScriptCapture()
        capture.add(ScriptPacket(payload: message(large)).ethernet(), at: start)
        for port in 1...2_000 as ClosedRange<UInt16> {
            let moved = [ScriptRecord.location("Web._http._tcp", "h1", port: port)]
            capture.add(
                ScriptPacket(payload: message(moved)).ethernet(), at: start + 3 * Double(port))
        }
        let directory = try TemporaryDirectory()
        let path = directory.path + "/a.pcap"
        try Data(capture.bytes).write(to: URL(fileURLWithPath: path))
        let replay = try await FinishedProcess([
            "sh", "-c",
            "\"$1\" replay --json \"$0\" | { head -c 100000000 >\"$0.json\"; cat >&2; }",
            path, BuiltProducts.peerlist,
        ])
        let text = try Data(contentsOf: URL(fileURLWithPath: path + ".json"))
        #expect(capture.bytes.count < 1_000_000 && 50_000_000..<100_000_000 ~= text.count)
        #expect(
            String(decoding: text.suffix(100), as: UTF8.self).contains("\"reason\":\"failed\""))
        #expect(replay.errors.contains("a.pcap: packet "))
        #expect(replay.errors.contains("what follows is left out: this capture makes "))
    }

    @Test func `an address in the records of many interfaces leaves with the last of them`() throws
    {
        let interfaces = (0..<40).map { ("eth\($0)", UInt16(1)) as (String?, UInt16) }
        var capture = ScriptCapture(.pcapng, interfaces: interfaces)
        let moved = [ScriptRecord.address("h1", [192, 168, 1, 6])]
        for interface in 0..<40 as Range<UInt32> {
            capture.add(
                ScriptPacket(payload: message(web)).ethernet(), at: start, interface: interface)
        }
        func addresses() throws -> [String] {
            try read(capture).list.listSections.flatMap(\.items).flatMap(\.peer.addresses)
        }
        for interface in 0..<39 as Range<UInt32> {
            capture.add(
                ScriptPacket(payload: message(moved)).ethernet(), at: start + 20,
                interface: interface)
        }
        capture.add(ScriptPacket(payload: message([])).ethernet(), at: start + 30)
        #expect(try addresses() == ["192.168.1.5", "192.168.1.6"])
        capture.add(
            ScriptPacket(payload: message(moved)).ethernet(), at: start + 40, interface: 39)
        capture.add(ScriptPacket(payload: message([])).ethernet(), at: start + 50)
        #expect(try addresses() == ["192.168.1.6"])
    }

    @Test func `a capture without multicast DNS is an error`() {
        var capture = ScriptCapture()
        capture.add([UInt8](repeating: 0, count: 60), at: start)
        #expect(throws: RecordingError.self) { try read(capture) }
        #expect(throws: RecordingError.self) { try read(ScriptCapture()) }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `changed bytes anywhere make lines that fold, or an error`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let moved = [ScriptRecord.address("h1", [192, 168, 1, 6])]
        let goodbye = [ScriptRecord.pointer("_http._tcp", "Web", ttl: 0)]
        var bytes = capture([(0, web), (5, moved), (9, goodbye), (9.5, web)], until: 30).bytes
        for _ in 0..<Int.random(in: 1...10, using: &generator) {
            bytes[Int.random(in: 24..<bytes.count, using: &generator)] = UInt8.random(
                in: 0...255, using: &generator)
        }
        let recording = Recording(bytes, named: "night.pcap")
        do throws(RecordingError) {
            while let step = try recording.next() {
                if case .damage(let damage) = step {
                    #expect(damage.description.hasPrefix("packet "), "\(damage)")
                }
            }
        } catch {
            #expect(error.description.contains("without multicast DNS"))
        }
        #expect(!recording.isLost)
    }
}
