// The datagram of a machine that sees this one: what it holds comes back, and nothing else is taken.
import TestSupport
import Testing

@testable import PeerList

@Suite struct VisibilityReplyTests {
    private let nonce = VisibilityNonce()

    private func message(_ host: String = "h2.local") -> VisibilityReply {
        VisibilityReply(nonce: nonce, family: .ipv6, interface: "wlan0", host: host)
    }

    @Test(arguments: ["h2.local", "Anna's laptop.local", "küche.local", "a  b.local"])
    func `what is written is read`(host: String) {
        #expect(VisibilityReply(message(host).bytes) == message(host))
    }

    @Test func `the words are those of the description`() throws {
        let nonce = try #require(VisibilityNonce("0123456789abcdef0123456789abcdef"))
        let message = VisibilityReply(
            nonce: nonce, family: .ipv4, interface: "eth0", host: "h2.local")
        #expect(
            String(decoding: message.bytes, as: UTF8.self)
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
    func `what has another form is no answer`(text: String) {
        let bytes = Array(text.replacing("NONCE", with: nonce.text).utf8)
        #expect(VisibilityReply(bytes) == nil)
    }

    @Test func `what is too long, or no text, is no answer`() {
        #expect(VisibilityReply(message(String(repeating: "h", count: 253)).bytes) != nil)
        #expect(VisibilityReply(message(String(repeating: "h", count: 254)).bytes) == nil)
        #expect(VisibilityReply(message().bytes + [UInt8](repeating: 0x20, count: 512)) == nil)
        #expect(VisibilityReply(message().bytes + [0xff]) == nil)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a damaged datagram is no answer, or one of the same form`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = message().bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
                in: 0...255, using: &generator)
        }
        guard let read = VisibilityReply(bytes) else { return }
        #expect(read.bytes == bytes)
    }

    @Test func `no two nonces are the same, and only such words are nonces`() {
        #expect(Set((0..<100).map { _ in VisibilityNonce() }).count == 100)
        #expect(VisibilityNonce(nonce.text) == nonce)
        for text in ["", "0123", nonce.text + "0", nonce.text.uppercased() + "G"] {
            #expect(VisibilityNonce(text) == nil)
        }
    }
}
