// The wire form of a visibility reply: it round-trips, and anything else is rejected.
import PeerList
import PeerListTestSupport
import TestSupport
import Testing

@Suite struct VisibilityReplyTests {
    private let nonce = VisibilityNonce()

    private func reply(_ host: String = "h2.local") -> VisibilityReply {
        VisibilityReply(nonce: nonce, family: .ipv6, interface: "wlan0", host: host)
    }

    @Test(arguments: ["h2.local", "Anna's laptop.local", "küche.local", "a  b.local"])
    func `a reply round-trips`(host: String) {
        #expect(VisibilityReply(reply(host).bytes) == reply(host))
    }

    @Test func `the wire form is the documented one`() throws {
        let nonce = try #require(VisibilityNonce("0123456789abcdef0123456789abcdef"))
        let reply = VisibilityReply(
            nonce: nonce, family: .ipv4, interface: "eth0", host: "h2.local")
        #expect(
            String(decoding: reply.bytes, as: UTF8.self)
                == "peerlist-sees-you 1 0123456789abcdef0123456789abcdef ipv4 eth0 h2.local")
    }

    @Test(arguments: [
        "", "peerlist-sees-you", "peerlist-sees-you 1 NONCE ipv4 eth0",
        "peerlist-sees-you 2 NONCE ipv4 eth0 h2.local",
        "peerlist-sees-you 1 NONCE ipv5 eth0 h2.local",
        "peerlist-sees-you 1 0123 ipv4 eth0 h2.local",
        "peerlist-sees-you 1 NONCE ipv4  h2.local", "peerlist-sees-you 1 NONCE ipv4 eth0 ",
        "peerlist-sees-you 1 NONCE ipv4 interface-name-of-20 h2.local",
        "peerlist-sees-you 1 NONCE ipv4 eth\u{1b} h2.local",
        "peerlist-sees-you 1 NONCE ipv4 eth0 h2\u{1b}[2J",
        "peerlist-sees-you 1 NONCE ipv4 eth0 a\nb",
    ])
    func `a malformed datagram is rejected`(text: String) {
        let bytes = Array(text.replacing("NONCE", with: nonce.text).utf8)
        #expect(VisibilityReply(bytes) == nil)
    }

    @Test func `a datagram that is too long or not UTF-8 is rejected`() {
        #expect(VisibilityReply(reply(String(repeating: "h", count: 253)).bytes) != nil)
        #expect(VisibilityReply(reply(String(repeating: "h", count: 254)).bytes) == nil)
        #expect(VisibilityReply(reply().bytes + [UInt8](repeating: 0x20, count: 512)) == nil)
        #expect(VisibilityReply(reply().bytes + [0xff]) == nil)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a damaged datagram is rejected or round-trips`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = reply().bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
                in: 0...255, using: &generator)
        }
        guard let read = VisibilityReply(bytes) else { return }
        #expect(read.bytes == bytes)
    }

    @Test func `nonces are distinct, and other forms are rejected`() {
        #expect(Set((0..<100).map { _ in VisibilityNonce() }).count == 100)
        #expect(VisibilityNonce(nonce.text) == nonce)
        for text in ["", "0123", nonce.text + "0", nonce.text.uppercased() + "G"] {
            #expect(VisibilityNonce(text) == nil)
        }
    }
}
