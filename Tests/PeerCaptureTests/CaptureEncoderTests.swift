// Tests that the packets that the witness writes are read again as they were heard.
import DNSMessages
import TestSupport
import Testing

@testable import PeerCapture

@Suite struct CaptureEncoderTests {
    private func heard(
        _ bytes: [UInt8], from source: [UInt8], hopLimit: UInt8 = 255, on interface: Int32,
        at time: UInt64
    ) -> CaptureEncoder.Message {
        CaptureEncoder.Message(
            bytes, from: source, port: 5353, to: (groups[source.count] ?? [], 5353),
            hopLimit: hopLimit, interface: interface, time: time)
    }

    private func read(_ bytes: [UInt8]) -> ([(CaptureReader.Packet, PacketContent)], CaptureReader)
    {
        var reader = CaptureReader(name: "file")
        var packets: [(CaptureReader.Packet, PacketContent)] = []
        reader.append(bytes)
        while let packet = reader.next() {
            let content = PacketContent(
                reader.buffer, packet.bytes, linkType: packet.linkType,
                originalLength: packet.originalLength)
            packets.append((packet, content))
        }
        reader.finish()
        return (packets, reader)
    }

    private let groups: [Int: [UInt8]] = [
        4: [224, 0, 0, 251], 16: [0xff, 0x02] + [UInt8](repeating: 0, count: 13) + [0xfb],
    ]
    private let addresses: [[UInt8]] = [
        [192, 168, 1, 5], [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [5],
    ]

    @Test(arguments: 0..<100) func `messages are read as they were heard`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var encoder = CaptureEncoder()
        var bytes: [UInt8] = []
        let names = ["eth0", "wlan0", "a"]
        let messages = (0..<20).map { index in
            heard(
                (0..<Int.random(in: 1...300, using: &random)).map { _ in
                    .random(in: 0...255, using: &random)
                },
                from: addresses.randomElement(using: &random) ?? [],
                hopLimit: .random(in: 0...255, using: &random),
                on: .random(in: 1...3, using: &random), at: 1_700_000_000_000_000 + UInt64(index))
        }
        for message in messages {
            encoder.add(message, onInterface: names[Int(message.interface) - 1])
            if Bool.random(using: &random) { bytes += encoder.removeBytes() }
        }
        bytes += encoder.removeBytes()
        let (packets, reader) = read(bytes)
        #expect(reader.failure == nil)
        #expect(packets.count == messages.count)
        for ((packet, content), message) in zip(packets, messages) {
            #expect(packet.time == Int64(message.time))
            #expect(reader.interfaceNames[packet.interface] == names[Int(message.interface) - 1])
            guard case .datagram(let datagram) = content else {
                Issue.record("no datagram")
                continue
            }
            #expect(datagram.payload == message.bytes)
            #expect(datagram.source == message.source)
            #expect((datagram.sourcePort, datagram.destinationPort) == (5353, 5353))
            #expect(datagram.hopLimit == message.hopLimit)
        }
    }

    @Test func `a capture is continued by another section`() {
        var bytes: [UInt8] = []
        for time in [1, 2] as [UInt64] {
            var encoder = CaptureEncoder()
            encoder.add(heard([1], from: addresses[0], on: 3, at: time), onInterface: "eth0")
            bytes += encoder.removeBytes()
        }
        let (packets, reader) = read(bytes)
        #expect(packets.map(\.0.time) == [1, 2])
        #expect(reader.interfaceNames == ["file", "eth0"])
    }

    @Test func `a capture without packets is one`() {
        var encoder = CaptureEncoder()
        let (packets, reader) = read(encoder.removeBytes())
        #expect(packets.isEmpty && reader.failure == nil)
    }
}
