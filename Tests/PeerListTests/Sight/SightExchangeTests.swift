// Answers are sent slowly and a bounded number of them; what arrives at the other end is sorted.
import Glibc
import Testing

@testable import PeerList

@Suite struct SightExchangeTests {
    private func answer(_ number: Int) -> SightAnswer {
        SightAnswer(
            message: SightMessage(
                nonce: SightNonce(), family: .ipv4, interface: "eth0", host: "h\(number).local"),
            address: HostAddress(bytes: [10, 0, 0, 1], interface: "eth0"), port: 40_000,
            interface: NetworkInterface(index: 2, name: "eth0"))
    }

    @Test func `a flood of requests has no more answered than may wait`() async {
        let (hosts, entry) = AsyncStream.makeStream(of: String.self)
        let sender = SightSender(interval: .zero) { entry.yield($0.message.host) }
        await sender.send((0..<1_000).map(answer))
        entry.finish()
        var sent: [String] = []
        for await host in hosts { sent.append(host) }
        #expect(sent == (0..<SightSender.queueLimit).map { "h\($0).local" })
    }

    @Test func `no more than ten answers leave in a second`() {
        #expect(SightSender.interval >= .milliseconds(100))
    }

    @Test func `answers are kept once each, and all else is counted and dropped`() async throws {
        let listener = try SightListener()
        let good = SightMessage(
            nonce: listener.nonce, family: .ipv6, interface: "eth0", host: "h2.local")
        let foreign = SightMessage(
            nonce: SightNonce(), family: .ipv6, interface: "eth0", host: "h3.local")
        for bytes in [good.bytes, good.bytes, foreign.bytes, [0xff], []] {
            send(bytes, to: listener.port)
        }
        let harvest = await listener.harvest(for: .milliseconds(300))
        #expect(harvest.sights.map(\.message) == [good])
        #expect(harvest.sights.map(\.source.description) == ["127.0.0.1"])
        #expect(harvest.strayCount == 3)
    }

    @Test func `a flood of answers is bounded`() async throws {
        let listener = try SightListener()
        let harvest = Task { await listener.harvest(for: .seconds(1)) }
        for number in 0..<2_000 {
            let message = SightMessage(
                nonce: listener.nonce, family: .ipv4, interface: "eth0", host: "h\(number).local")
            send(message.bytes, to: listener.port)
        }
        let count = await harvest.value.sights.count
        #expect(count == SightListener.answerLimit)
    }

    private func send(_ bytes: [UInt8], to port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        let loopback = HostAddress(bytes: [127, 0, 0, 1], interface: "lo")
        unsafe loopback.withSocketAddress(
            port: port, interface: NetworkInterface(index: 1, name: "lo")
        ) {
            _ = unsafe sendto(descriptor, bytes, bytes.count, 0, $0, $1)
        }
    }
}
