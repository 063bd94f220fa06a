// Answers are sent slowly and a bounded number of them; what arrives at the other end is sorted.
import Glibc
import Testing

@testable import PeerList

@Suite struct VisibilityExchangeTests {
    private func answer(
        _ number: Int, to last: UInt8, on interface: NetworkInterface = eth0,
        isOfAcquaintance: Bool = false
    ) -> OutgoingReply {
        OutgoingReply(
            message: VisibilityReply(
                nonce: VisibilityNonce(), family: .ipv4, interface: interface.name,
                host: "h\(number).local"),
            address: HostAddress(
                bytes: [10, 0, UInt8(interface.index), last], interface: interface.name),
            port: 40_000, interface: interface, isOfAcquaintance: isOfAcquaintance)
    }

    /// The hosts that answers name, in the order in which they are sent, all in one moment.
    private func sent(_ batches: [OutgoingReply]...) async -> [String] { await sent(batches) }

    private func sent(_ batches: [[OutgoingReply]]) async -> [String] {
        let (hosts, entry) = AsyncStream.makeStream(of: String.self)
        let moment = ContinuousClock.now
        let sender = VisibilityReplySender(interval: .zero, now: { moment }) {
            entry.yield($0.message.host)
        }
        for batch in batches { await sender.send(batch) }
        entry.finish()
        return await hosts.reduce(into: []) { $0.append($1) }
    }

    @Test func `a flood of requests has no more answered than may wait`() async {
        let count = await sent((0..<1_000).map { answer($0, to: UInt8($0 % 200)) }).count
        #expect(count == VisibilityReplyTurns.laneLimit)
    }

    @Test func `a stranger under many addresses holds up nobody who was there before`() async {
        // As many addresses as there are, each asking once: they look like so many machines.
        let flood = (1..<250).map { answer($0, to: UInt8($0)) }
        let known = answer(1_000, to: 251, isOfAcquaintance: true)
        let elsewhere = answer(2_000, to: 252, on: eth1)
        let six = OutgoingReply(
            message: VisibilityReply(
                nonce: VisibilityNonce(), family: .ipv4, interface: "eth0", host: "h3000.local"),
            address: HostAddress(
                bytes: [0xfe, 0x80] + [UInt8](repeating: 1, count: 14), interface: "eth0"),
            port: 40_000, interface: eth0)
        let hosts = await sent(flood + [known, elsewhere, six])
        #expect(Set(hosts.prefix(4)) == ["h1.local", "h1000.local", "h2000.local", "h3000.local"])
        #expect(hosts.count == VisibilityReplyTurns.laneLimit + 3)
    }

    @Test func `no address is sent more than 24 answers a minute, whoever asks`() async {
        let flood = (0..<100).map { answer($0, to: 1) }
        let hosts = await sent(flood, flood, flood, [answer(7_000, to: 2)])
        #expect(hosts.count == 24 + 1)
        #expect(hosts.last == "h7000.local")
    }

    @Test func `who runs the doctor again and again is answered each time`() async {
        let runs = (0..<10).map { run in [answer(run, to: 1), answer(run, to: 1)] }
        let hosts = await sent(runs)
        #expect(hosts.count == 20)
    }

    @Test func `whoever asks gets a turn after each other one`() async {
        let hosts = await sent((0..<5).map { answer($0, to: 1) } + [answer(9, to: 2)])
        #expect(hosts.prefix(2) == ["h0.local", "h9.local"])
        #expect(hosts.count == 6)
    }

    @Test func `no more than ten answers leave in a second`() {
        #expect(VisibilityReplySender.interval >= .milliseconds(100))
    }

    @Test func `answers are kept once each, late ones dropped, and all else counted`() async throws
    {
        let listener = try VisibilityListener()
        let good = VisibilityReply(
            nonce: listener.nonce, family: .ipv6, interface: "eth0", host: "h2.local")
        let foreign = VisibilityReply(
            nonce: VisibilityNonce(), family: .ipv6, interface: "eth0", host: "h3.local")
        for bytes in [good.bytes, good.bytes, foreign.bytes, [0xff], []] {
            send(bytes, to: listener.port)
        }
        let harvest = await listener.harvest(for: .milliseconds(300))
        #expect(harvest.sights.map(\.message) == [good])
        #expect(harvest.sights.map(\.source.description) == ["127.0.0.1"])
        #expect(harvest.sights.map(\.interface) == [NetworkInterface(named: "lo")?.index])
        #expect(harvest.strayCount == 2)
    }

    @Test func `a port that is taken is no obstacle, and each has its own`() throws {
        let listeners = try [VisibilityListener(), VisibilityListener()]
        #expect(listeners[0].port != listeners[1].port)
    }

    @Test func `a flood of answers from one address is bounded`() async throws {
        let listener = try VisibilityListener()
        let harvest = Task { await listener.harvest(for: .seconds(1)) }
        for number in 0..<2_000 {
            let message = VisibilityReply(
                nonce: listener.nonce, family: .ipv4, interface: "eth0", host: "h\(number).local")
            send(message.bytes, to: listener.port)
        }
        let count = await harvest.value.sights.count
        #expect(count == VisibilityListener.sourceLimit)
    }

    @Test func `what is told beside a datagram is read, whatever it is`() {
        var control = [UInt8](repeating: 0, count: 40)
        (control[0], control[8], control[12], control[32]) = (36, 41, 50, 7)  // IPV6_PKTINFO
        #expect(Datagram.interface(in: control) == 7)
        #expect(Datagram.interface(in: Array(control.prefix(35))) == nil)
        control[0] = 20  // too short to hold the number
        #expect(Datagram.interface(in: control) == nil)
        #expect(Datagram.interface(in: [UInt8](repeating: 0xff, count: 64)) == nil)
        #expect(Datagram.interface(in: [UInt8](repeating: 0, count: 64)) == nil)
        #expect(Datagram.interface(in: []) == nil)
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
