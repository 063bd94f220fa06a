// Probes get one reply per path and family, at a bounded rate, and only on the link.
import FoundationEssentials
import PeerList
import PeerListTestSupport
import Testing

@Suite struct VisibilityResponderTests {
    private let nonce = VisibilityNonce()
    private let type = "_peerlist._tcp"
    /// This machine: 10.0.0.9 and fe80::9 on eth0, 10.0.1.9 on eth1.
    private let interfaces = [
        LocalInterface(
            eth0,
            addresses: [
                LocalInterface.Address(address(9), prefixLength: 24),
                LocalInterface.Address(linkLocal(9), prefixLength: 64),
            ]),
        LocalInterface(
            eth1,
            addresses: [
                LocalInterface.Address(
                    HostAddress(bytes: [10, 0, 1, 9], interface: "eth1"), prefixLength: 24)
            ]),
        LocalInterface(
            loopback, isLoopback: true,
            addresses: [
                LocalInterface.Address(
                    HostAddress(bytes: [127, 0, 0, 1], interface: "lo"), prefixLength: 8)
            ]),
    ]

    /// A list and a responder that handle the same events, at a time that the test advances.
    private final class Machine {
        let script = EventScript()
        var responder = VisibilityResponder()
        var now = ContinuousClock.now
        var isPublished = true
        private let interfaces: [LocalInterface]

        init(_ interfaces: [LocalInterface]) {
            self.interfaces = interfaces
            _ = replies([.running(host: "h9.local")])
        }

        func replies(
            _ events: [DiscoveryEvent.Kind]
        ) -> [VisibilityResponder.OutgoingReply] {
            events.flatMap { event in
                script.feed(event)
                return responder.replies(
                    to: event, in: script.listing, isPublished: { isPublished }, at: now,
                    interfaces: { interfaces })
            }
        }
    }

    private func machine() -> Machine { Machine(interfaces) }

    /// The events of a probe named `name`: found on an interface, and resolved.
    private func probe(
        _ name: String = "q", on interface: NetworkInterface = eth0, host: String = "h1.local",
        port: UInt16 = 40_000, txt: [String]? = nil, address: HostAddress? = address(1)
    ) -> [DiscoveryEvent.Kind] {
        [
            .found(sighting(name, type, on: interface)),
            .resolved(
                key(name, type),
                resolution(
                    host, port: port, txt: txt ?? ["probe=\(nonce.text)"], address: address)),
        ]
    }

    /// The replies to a probe of a host with certain addresses.
    private func replies(
        port: UInt16 = 40_000, host: String = "h1.local", txt: [String]? = nil,
        from addresses: [HostAddress] = [address(1), linkLocal(1)],
        on interface: NetworkInterface = eth0
    ) -> [VisibilityResponder.OutgoingReply] {
        machine().replies(
            probe(on: interface, host: host, port: port, txt: txt, address: nil) + [
                .addresses(host: HostName(host), addresses)
            ])
    }

    @Test func `a path gets one reply through each family`() {
        let machine = machine()
        let addresses: DiscoveryEvent.Kind = .addresses(
            host: "h1.local", [address(1), linkLocal(1)])
        let first = machine.replies(probe() + [addresses])
        #expect(first.map(\.address) == [address(1), linkLocal(1)])
        #expect(first.allSatisfy { $0.reply.family == .ipv4 && $0.port == 40_000 })
        #expect(first.allSatisfy { $0.reply.host == "h9.local" && $0.reply.nonce == nonce })
        #expect(first.allSatisfy { $0.interface == eth0 && $0.reply.interface == "eth0" })

        #expect(machine.replies([probe()[1], addresses]).isEmpty)

        let other = machine.replies([.found(sighting("q", type, on: eth0, .ipv6))])
        #expect(other.count == 2)
        #expect(other.allSatisfy { $0.reply.family == .ipv6 })
    }

    @Test func `a machine whose name is not published omits it`() {
        let machine = machine()
        machine.isPublished = false
        let replies = machine.replies(probe())
        #expect(replies.map(\.reply.host) == [VisibilityReply.unnamed])
        #expect(replies.allSatisfy { VisibilityReply($0.reply.bytes) == $0.reply })
    }

    @Test func `a new nonce gets a new reply, and a withdrawn probe gets none`() {
        let machine = machine()
        #expect(machine.replies(probe()).count == 1)
        let again = probe(txt: ["probe=\(VisibilityNonce().text)"])[1]
        #expect(machine.replies([again]).count == 1)
        let gone = machine.replies([.removed(sighting("q", type)), .found(sighting("q", type))])
        #expect(gone.isEmpty)
    }

    @Test func `an invalid probe gets no reply`() {
        #expect(replies().count == 2)
        #expect(replies(txt: ["probe=short"]).isEmpty)
        #expect(replies(txt: ["probe"]).isEmpty)
        #expect(replies(txt: ["id=\(nonce.text)"]).isEmpty)
        for port: UInt16 in [0, 53, 1_023, 5_353] { #expect(replies(port: port).isEmpty) }
        #expect(replies(port: 1_024).count == 2)
    }

    @Test func `an address that is not on the link gets no reply`() {
        let beyond: [[UInt8]] = [
            [8, 8, 8, 8], [10, 0, 1, 1], [224, 0, 0, 251], [255, 255, 255, 255], [10, 0, 0, 255],
            [10, 0, 0, 0], [127, 0, 0, 1], [0, 0, 0, 0],
            [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xfb],
            [UInt8](repeating: 0, count: 15) + [1], [UInt8](repeating: 0, count: 16),
        ]
        for bytes in beyond {
            let address = HostAddress(bytes: bytes, interface: "eth0")
            #expect(replies(from: [address]).isEmpty, "\(bytes)")
        }
        #expect(replies(from: [linkLocal(1, on: "eth1")]).isEmpty)
        #expect(replies(on: loopback).isEmpty)
        #expect(replies(on: eth1).isEmpty)
    }

    @Test func `this machine does not reply to itself, by name or by address`() {
        #expect(replies(host: "H9.local").isEmpty)
        #expect(replies(from: [address(9)]).isEmpty)
        #expect(replies(from: [address(1), address(9)]).isEmpty)
    }

    @Test func `a flood gets ten replies a second per interface, after twenty at once`() {
        let machine = machine()
        var sent: [Int] = []
        for second in 0..<4 {
            var count = 0
            for number in 0..<100 {
                let probe = probe("f\(second) \(number)", host: "f\(number).local")
                count += machine.replies(probe).count
            }
            sent.append(count)
            machine.now += .seconds(1)
        }
        #expect(sent == [20, 10, 10, 10])
        machine.now -= .seconds(1)
        let elsewhere = HostAddress(bytes: [10, 0, 1, 7], interface: "eth1")
        let other = probe("q", on: eth1, host: "h7.local", address: elsewhere)
        #expect(machine.replies(other).count == 1, "another interface is not affected")
    }

    @Test func `a reply beyond the rate becomes due with the next event of its probe`() {
        let machine = machine()
        for number in 0..<30 { _ = machine.replies(probe("f\(number)", host: "f\(number).local")) }
        #expect(machine.replies(probe("q", host: "h1.local")).isEmpty)
        machine.now += .seconds(1)
        let later = machine.replies([.found(sighting("q", type, on: eth0, .ipv6))])
        #expect(Set(later.map(\.reply.family)) == [.ipv4, .ipv6])
    }

    @Test func `at most 64 probes are open, and the latest always is`() {
        let machine = machine()
        for number in 0..<200 {
            #expect(machine.replies(probe("q\(number)")).count == 1)
            machine.now += .seconds(1)
        }
        let probes = Mirror(reflecting: machine.responder).children.first { $0.label == "probes" }
        #expect((probes?.value as? any Collection)?.count == VisibilityResponder.probeLimit)
    }
}

/// fe80::`last`, seen on an interface.
private func linkLocal(_ last: UInt8, on interface: String = "eth0") -> HostAddress {
    let bytes: [UInt8] = [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [last]
    return HostAddress(bytes: bytes, interface: interface)
}
