// Tests of reading captures: formats, byte orders, link layers, and what is damaged.
import DNSMessages
import PeerModel
import TestSupport
import Testing

@testable import PeerCapture

private let start = 1_700_000_000.0

@Suite struct CaptureReaderTests {
    /// Reads a capture in pieces of a size; returns its packets with their contents.
    private func read(
        _ bytes: [UInt8], piece: Int = 7
    ) -> (
        packets: [(time: Int64, interface: String, offset: Int, content: PacketContent)],
        CaptureReader
    ) {
        var reader = CaptureReader(name: "file")
        var packets: [(time: Int64, interface: String, offset: Int, content: PacketContent)] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            reader.append(Array(bytes[start..<min(start + piece, bytes.count)]))
            while let packet = reader.next() {
                let content = PacketContent(
                    reader.buffer, packet.bytes, linkType: packet.linkType,
                    originalLength: packet.originalLength)
                packets.append(
                    (packet.time, reader.interfaceNames[packet.interface], packet.offset, content))
            }
        }
        reader.finish()
        return (packets, reader)
    }

    private let packet = ScriptPacket(payload: message(.init()))

    @Test(
        arguments: [ScriptCapture.Kind.pcap, .nanoseconds, .modified, .pcapng], [false, true])
    func `both formats are read in both byte orders`(
        kind: ScriptCapture.Kind, isBigEndian: Bool
    ) throws {
        var capture = ScriptCapture(kind, isBigEndian: isBigEndian)
        for index in 0..<3 { capture.add(packet.ethernet(), at: start + 0.25 * Double(index)) }
        for piece in [1, 7, 100_000] {
            let (packets, reader) = read(capture.bytes, piece: piece)
            #expect(reader.failure == nil)
            #expect(
                packets.map(\.time) == [0, 250_000, 500_000].map { 1_700_000_000_000_000 + $0 })
            #expect(packets.map(\.offset) == capture.offsets)
            for packet in packets {
                guard case .datagram(let datagram) = packet.content else {
                    Issue.record("no datagram")
                    continue
                }
                #expect(datagram.payload == self.packet.payload)
                #expect(datagram.source == [192, 168, 1, 5] && datagram.hopLimit == 255)
                #expect(datagram.senderMAC?.text == "02:00:00:00:00:05")
                #expect(packet.interface == "file")
            }
        }
    }

    @Test func `interfaces of a pcapng have their names and link types`() {
        var capture = ScriptCapture(
            .pcapng, interfaces: [("eth0", 1), ("w/lan%\u{1b}", 101), (nil, 1)])
        capture.add(packet.ethernet(), at: start)
        capture.add(packet.ip(), at: start, interface: 1)
        capture.add(packet.ethernet(), at: start, interface: 2)
        let (packets, reader) = read(capture.bytes)
        #expect(packets.map(\.interface) == ["eth0", "w_lan__", "file"])
        #expect(reader.failure == nil)
        capture.add(packet.ethernet(), at: start, interface: 3)
        #expect(read(capture.bytes).1.failure?.message == "a packet has an unknown interface")
    }

    private static let ipv6 = ScriptPacket(
        payload: message([]), source: [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [5])

    @Test func `the headers of each link layer are read`() {
        for packet in [packet, Self.ipv6] {
            let links: [(UInt16, [UInt8])] = [
                (1, packet.ethernet()), (1, packet.ethernet(vlans: [7])),
                (1, packet.ethernet(vlans: [100, 7])), (113, packet.cooked),
                (276, packet.cooked2(3)), (101, packet.ip()), (12, packet.ip()),
                (packet.source.count == 4 ? 228 : 229, packet.ip()),
                (0, [2, 0, 0, 0] + packet.ip()), (108, [0, 0, 0, 30] + packet.ip()),
            ]
            for (linkType, bytes) in links {
                let content = PacketContent(
                    bytes, 0..<bytes.count, linkType: linkType, originalLength: bytes.count)
                guard case .datagram(let datagram) = content else {
                    Issue.record("link type \(linkType): \(content)")
                    continue
                }
                #expect(datagram.payload == packet.payload && datagram.source == packet.source)
                #expect(datagram.interfaceIndex == (linkType == 276 ? 3 : nil))
                #expect((datagram.senderMAC == nil) == ![1, 113, 276].contains(linkType))
                // Every shorter capture of the packet is one.
                for count in 0..<bytes.count {
                    #expect(
                        PacketContent(
                            bytes, 0..<count, linkType: linkType, originalLength: bytes.count)
                            == .truncated)
                    #expect(
                        PacketContent(bytes, 0..<count, linkType: linkType, originalLength: count)
                            == .other)
                }
            }
        }
        #expect(PacketContent([0], 0..<1, linkType: 105, originalLength: 1) == .unknownLink)
        let tagged = packet.ethernet(vlans: [100, 7])
        if case .datagram(let datagram) = PacketContent(
            tagged, 0..<tagged.count, linkType: 1, originalLength: tagged.count)
        {
            #expect(datagram.vlans == [100, 7])
        }
    }

    @Test func `extension headers of IPv6 are passed over`() {
        let padding = [UInt8](repeating: 0, count: 6)
        let long = [UInt8](repeating: 0, count: 14)
        func content(_ bytes: [UInt8]) -> PacketContent {
            PacketContent(bytes, 0..<bytes.count, linkType: 101, originalLength: bytes.count)
        }
        let chain = Self.ipv6.ip(extensions: [[0, 0] + padding, [60, 1] + long, [51, 2] + long])
        guard case .datagram(let datagram) = content(chain) else {
            Issue.record("no datagram")
            return
        }
        #expect(datagram.payload == Self.ipv6.payload)
        // A datagram of one fragment.
        guard
            case .datagram(let datagram) = content(
                Self.ipv6.ip(extensions: [[44, 0, 0, 0, 0, 0, 0, 9]]))
        else {
            Issue.record("no datagram")
            return
        }
        #expect(datagram.payload == Self.ipv6.payload)
        var other = packet
        other.port = 4_000
        if case .datagram(let datagram) = content(other.ip()) {
            #expect(datagram.sourcePort == 4_000)
        } else {
            Issue.record("no datagram")
        }
    }

    @Test func `a packet with more than four VLAN tags is left out`() {
        for count in 0...6 {
            let bytes = packet.ethernet(vlans: [UInt16](repeating: 9, count: count))
            let content = PacketContent(
                bytes, 0..<bytes.count, linkType: 1, originalLength: bytes.count)
            guard case .datagram(let datagram) = content else {
                #expect(count > 4 && content == .tooManyVLANs)
                continue
            }
            #expect(count <= 4 && datagram.vlans.count == count)
        }
    }

    @Test func `an interface without a name, or with a path of Windows, has its description`() {
        let path = "\\Device\\NPF_{1CF6B3A4-0000-4000-8000-000000000001}"
        var capture = ScriptCapture(
            .pcapng, interfaces: [(path, 1), (nil, 1), ("eth0", 1), (path, 1), ("", 1), (nil, 1)],
            descriptions: ["Ethernet 2", "Wi-Fi", "Uplink", "", "WLAN", "\0"])
        for interface in 0..<6 as Range<UInt32> {
            capture.add(packet.ethernet(), at: start, interface: interface)
        }
        let device = path.map { "\\{}".contains($0) ? "_" : $0 }
        #expect(
            read(capture.bytes).packets.map(\.interface)
                == ["Ethernet_2", "Wi-Fi", "eth0", String(device), "WLAN", "file"])
    }

    @Test func `interfaces of one capture may have different resolutions of times`() {
        let interfaces = [("a", 1), ("b", 1), ("c", 1), ("d", 1)] as [(String?, UInt16)]
        var capture = ScriptCapture(
            .pcapng, interfaces: interfaces, resolutions: [6, 9, 3, 0x80 | 10])
        for interface in 0..<4 as Range<UInt32> {
            capture.add(
                packet.ethernet(), at: start + Double(interface) + 0.25, interface: interface)
        }
        #expect(
            read(capture.bytes).packets.map(\.time)
                == (0..<4).map { 1_700_000_000_250_000 + $0 * 1_000_000 })
    }

    @Test(arguments: [ScriptCapture.Kind.pcap, .pcapng])
    func `a capture that is cut off is read up to the cut`(kind: ScriptCapture.Kind) {
        var capture = ScriptCapture(kind)
        let empty = capture.bytes.count
        for index in 0..<3 { capture.add(packet.ethernet(), at: start + Double(index)) }
        for count in 0..<capture.bytes.count {
            let (packets, reader) = read(Array(capture.bytes.prefix(count)), piece: 64)
            let whole = capture.offsets.dropFirst().count { $0 <= count }
            #expect(packets.count == whole)
            let isWhole = count == empty || capture.offsets.contains(count)
            if isWhole {
                #expect(reader.failure == nil)
            } else if count >= empty {
                let offset = capture.offsets.last { $0 <= count } ?? 0
                #expect(
                    reader.failure
                        == .init(offset: offset, message: "the capture is cut off", isCutOff: true))
            }
        }
    }

    @Test func `a capture with an impossible length is read up to there`() {
        var capture = ScriptCapture()
        capture.add(packet.ethernet(), at: start)
        let offset = capture.bytes.count
        let (packets, reader) = read(
            capture.bytes + [0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0])
        #expect(packets.count == 1)
        #expect(reader.failure?.offset == offset && reader.failure?.isCutOff == false)
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `changed bytes anywhere end in packets or a failure`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var capture = ScriptCapture(
            seed.isMultiple(of: 2) ? .pcap : .pcapng, isBigEndian: seed.isMultiple(of: 3))
        for index in 0..<4 {
            capture.add(
                (seed.isMultiple(of: 5) ? Self.ipv6 : packet).ethernet(vlans: [3]),
                at: start + Double(index))
        }
        var bytes = capture.bytes
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            bytes[Int.random(in: 4..<bytes.count, using: &generator)] =
                UInt8.random(in: 0...255, using: &generator)
        }
        let (packets, _) = read(bytes, piece: 50)
        #expect(packets.allSatisfy { 0...CaptureReader.latestTime ~= $0.time })
    }
}
