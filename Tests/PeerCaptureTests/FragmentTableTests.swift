// Tests of putting together datagrams of fragments: order, overlaps, time, bounds.
import TestSupport
import Testing

@testable import PeerCapture

@Suite struct FragmentTableTests {
    private static let payload = message([
        .text("Web._http._tcp", (0..<20).map { "key\($0)=" + String(repeating: "x", count: 100) })
    ])
    private static let link: [UInt8] = [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [5]
    private static let packets = [
        ScriptPacket(payload: payload), ScriptPacket(payload: payload, source: link),
    ]
    private static let parts = [0..<800, 800..<1_600, 1_600..<9_000]

    /// A table, and the contents of the packets that it was given.
    private struct Receiver {
        var table = FragmentTable()
        var count = 0

        mutating func receive(
            _ packet: [UInt8], on interface: Int = 0, at time: Int64 = 0
        ) -> Datagram? {
            count += 1
            let content = PacketContent(
                packet, 0..<packet.count, linkType: 101, originalLength: packet.count)
            guard case .fragment(let fragment) = content else {
                Issue.record("no fragment: \(content)")
                return nil
            }
            let position = CapturePosition(packet: count, offset: 0)
            let whole = table.add(fragment, on: interface, at: time, position)
            if case .datagram(let datagram) = whole { return datagram }
            return nil
        }

        mutating func losses() -> [FragmentTable.Reason] {
            table.removeAll()
            return table.removeLosses().map(\.reason)
        }
    }

    @Test(arguments: [false, true])
    func `fragments in any order are put together`(options: Bool) {
        for packet in Self.packets where packet.source.count == 16 || !options {
            let fragments = packet.fragments(Self.parts, options: options)
            for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                var receiver = Receiver()
                let datagrams = order.map { receiver.receive(fragments[$0]) }
                #expect(datagrams[0] == nil && datagrams[1] == nil)
                #expect(datagrams[2]?.payload == packet.payload)
                #expect(datagrams[2]?.source == packet.source && datagrams[2]?.hopLimit == 255)
                #expect(receiver.losses().isEmpty)
            }
        }
    }

    @Test func `a fragment that is repeated counts once`() {
        for packet in Self.packets {
            let fragments = packet.fragments(Self.parts)
            var receiver = Receiver()
            let datagrams = [0, 0, 1, 1, 0, 2].map { receiver.receive(fragments[$0]) }
            #expect(datagrams.last??.payload == packet.payload)
        }
    }

    @Test func `fragments that overlap make their datagram unusable, with those still to come`() {
        let overlaps: [[Range<Int>]] = [
            [0..<800, 792..<1_600, 1_600..<9_000], [800..<1_600, 0..<808, 1_600..<9_000],
            [0..<800, 1_600..<9_000, 8..<1_600], [0..<800, 0..<808, 800..<1_600, 1_600..<9_000],
            // A fragment behind the end, and a second end.
            [1_600..<9_000, 0..<800, 800..<1_608],
        ]
        for packet in Self.packets {
            for ranges in overlaps {
                var receiver = Receiver()
                for fragment in packet.fragments(ranges) + packet.fragments(Self.parts) {
                    #expect(receiver.receive(fragment) == nil)
                }
                #expect(receiver.losses() == [.overlapping])
            }
            var shorter = packet
            shorter.payload.removeLast(400)
            var receiver = Receiver()
            _ = receiver.receive(packet.fragments([1_600..<9_000])[0])
            _ = receiver.receive(shorter.fragments([1_600..<9_000])[0])
            for fragment in packet.fragments(Self.parts) {
                #expect(receiver.receive(fragment) == nil)
            }
        }
    }

    @Test func `fragments of different datagrams are not mixed`() {
        for packet in Self.packets {
            var other = packet
            other.source[other.source.count - 1] = 6
            let (first, second) = (packet.fragments(Self.parts), other.fragments(Self.parts))
            let numbered = packet.fragments(Self.parts, identification: 8)
            for mixed in [[first[0], second[1], first[2]], [first[0], numbered[1], first[2]]] {
                var receiver = Receiver()
                #expect(mixed.allSatisfy { receiver.receive($0) == nil })
                #expect(receiver.losses() == [.incomplete])
            }
            var receiver = Receiver()
            let received = [0, 1, 0].enumerated().map {
                receiver.receive(first[$0.offset], on: $0.element)
            }
            #expect(received.allSatisfy { $0 == nil })
        }
    }

    @Test func `a datagram that is not complete after 30 seconds is given up`() {
        for packet in Self.packets {
            let fragments = packet.fragments(Self.parts)
            for (seconds, isWhole) in [(29, true), (31, false)] {
                var receiver = Receiver()
                _ = receiver.receive(fragments[0])
                _ = receiver.receive(fragments[1])
                let last = receiver.receive(fragments[2], at: Int64(seconds) * 1_000_000)
                #expect((last != nil) == isWhole)
                #expect(receiver.losses() == (isWhole ? [] : [.incomplete]))
            }
        }
    }

    @Test func `a datagram has the lowest hop limit of its fragments`() {
        var routed = Self.packets[0]
        routed.hopLimit = 64
        var receiver = Receiver()
        _ = receiver.receive(Self.packets[0].fragments(Self.parts)[0])
        _ = receiver.receive(routed.fragments(Self.parts)[1])
        #expect(receiver.receive(Self.packets[0].fragments(Self.parts)[2])?.hopLimit == 64)
    }

    @Test func `only fragments of multicast DNS are said to be missing`() {
        var other = Self.packets[0]
        (other.port, other.destination) = (2_049, 2_049)
        var receiver = Receiver()
        #expect(other.fragments(Self.parts).allSatisfy { receiver.receive($0) == nil })
        _ = receiver.receive(Self.packets[1].fragments(Self.parts)[1])
        #expect(receiver.losses().isEmpty)
    }

    @Test func `incomplete datagrams are bounded, and that one was given up is known`() {
        let limits = FragmentTable.limits
        var receiver = Receiver()
        for number in 0...limits.datagrams {
            let fragments = Self.packets[0].fragments(
                Self.parts, identification: UInt16(number))
            _ = receiver.receive(fragments[0])
        }
        #expect(receiver.table.removeLosses().map(\.reason) == [.limit])

        // As many bytes as there may be, of large datagrams.
        var large = Self.packets[0]
        large.payload = [UInt8](repeating: 0, count: 65_000)
        receiver = Receiver()
        for number in 0...(limits.bytes / 60_000) {
            let fragments = large.fragments([0..<60_000], identification: UInt16(number))
            _ = receiver.receive(fragments[0])
        }
        #expect(receiver.table.removeLosses().map(\.reason).contains(.limit))

        // More fragments than a datagram may have.
        receiver = Receiver()
        let pieces = stride(from: 0, to: 65_008, by: 8).map { $0..<$0 + 8 }
        #expect(large.fragments(pieces).allSatisfy { receiver.receive($0) == nil })
        #expect(receiver.losses() == [.overlapping])
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `random fragments make the datagram that was sent, or none`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let packet = Self.packets[Int(seed % 2)]
        var (ranges, end) = ([Range<Int>](), 0)
        while end < packet.udp.count {
            let next = end + 8 * Int.random(in: 1...60, using: &generator)
            ranges.append(end..<next)
            end = next
        }
        let sent = packet.fragments(ranges.shuffled(using: &generator))
        var receiver = Receiver()
        var (whole, dropped) = (0, 0)
        for fragment in sent {
            guard Int.random(in: 0..<100, using: &generator) > 0 else {
                dropped += 1
                continue
            }
            for _ in 0..<Int.random(in: 1...2, using: &generator) {
                guard whole == 0, let datagram = receiver.receive(fragment) else { continue }
                #expect(datagram.payload == packet.payload)
                whole += 1
            }
        }
        #expect(whole == (dropped == 0 ? 1 : 0))
    }
}
