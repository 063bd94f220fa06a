// The listener keeps distinct replies with its nonce and bounds what strangers can add.
import Glibc
import PeerList
import PeerListTestSupport
import Testing

@Suite struct VisibilityListenerTests {
    private func reply(
        _ nonce: VisibilityNonce, from host: String, _ family: AddressFamily = .ipv6
    ) -> VisibilityReply {
        VisibilityReply(nonce: nonce, family: family, interface: "eth0", host: host)
    }

    @Test func `replies are kept once, replies to other probes ignored, and strays counted`()
        async throws
    {
        let listener = try VisibilityListener()
        let good = reply(listener.nonce, from: "h2.local")
        let other = reply(VisibilityNonce(), from: "h3.local")
        for bytes in [good.bytes, good.bytes, other.bytes, [0xff], []] {
            send(bytes, to: listener.port)
        }
        let replies = await listener.replies(within: .milliseconds(300))
        #expect(replies.received.map(\.reply) == [good])
        #expect(replies.received.map(\.source.description) == ["127.0.0.1"])
        #expect(replies.received.map(\.interface) == [NetworkInterface(named: "lo")?.index])
        #expect(replies.strayCount == 2)
    }

    @Test func `a listener uses another port if the usual one is taken`() throws {
        let listeners = try [VisibilityListener(), VisibilityListener()]
        #expect(listeners[0].port != listeners[1].port)
    }

    @Test func `the number of replies kept from one address is limited`() async throws {
        let listener = try VisibilityListener()
        let replies = Task { await listener.replies(within: .seconds(1)) }
        for number in 0..<2_000 {
            send(reply(listener.nonce, from: "h\(number).local").bytes, to: listener.port)
        }
        let count = await replies.value.received.count
        #expect(count == VisibilityListener.sourceLimit)
    }

    private func send(_ bytes: [UInt8], to port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                let size = socklen_t(MemoryLayout<sockaddr_in>.size)
                _ = unsafe sendto(descriptor, bytes, bytes.count, 0, $0, size)
            }
        }
    }
}
