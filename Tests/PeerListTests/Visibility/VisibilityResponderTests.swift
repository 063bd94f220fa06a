// Who asks whether it is seen is answered once for each path, and nobody can have others answered.
import FoundationEssentials
import Testing

@testable import PeerList

@Suite struct VisibilityResponderTests {
    private let nonce = VisibilityNonce()
    private let type = "_peerlist._tcp"
    /// This machine: 10.0.0.9 and fe80::9 on eth0.
    private let interfaces = [
        LocalInterface(
            eth0,
            addresses: [
                LocalInterface.Address(address(9), prefixLength: 24),
                LocalInterface.Address(linkLocal(9), prefixLength: 64),
            ]),
        LocalInterface(
            loopback, isLoopback: true,
            addresses: [
                LocalInterface.Address(
                    HostAddress(bytes: [127, 0, 0, 1], interface: "lo"), prefixLength: 8)
            ]),
    ]

    /// Feeds events to a list and to those who answer for it; returns all answers.
    private func answers(
        _ kinds: [DiscoveryEvent.Kind], _ requests: inout VisibilityResponder,
        _ script: EventScript,
        isPublished: Bool = true
    ) -> [OutgoingReply] {
        kinds.flatMap { kind in
            script.feed(kind)
            return requests.answers(
                after: kind, at: script.time, in: script.listing, isPublished: { isPublished },
                interfaces: { interfaces })
        }
    }

    private func answers(
        port: UInt16 = 40_000, host: String = "h1.local", txt: [String]? = nil,
        from addresses: [HostAddress] = [address(1), linkLocal(1)],
        on interface: NetworkInterface = eth0
    ) -> [OutgoingReply] {
        let script = EventScript()
        var requests = VisibilityResponder()
        return answers(
            [
                .running(host: "h9.local"),
                .found(sighting("q", type, on: interface)),
                .resolved(
                    key("q", type),
                    resolution(
                        host, port: port, txt: txt ?? ["probe=\(nonce.text)"], address: nil)),
                .addresses(host: host, addresses),
            ], &requests, script)
    }

    @Test func `a path is answered once through each family`() {
        let script = EventScript()
        var requests = VisibilityResponder()
        let asked = resolution("h1.local", port: 40_000, txt: ["probe=\(nonce.text)"])
        let first = answers(
            [
                .running(host: "h9.local"), .found(sighting("q", type)),
                .resolved(key("q", type), asked),
                .addresses(host: "h1.local", [address(1), linkLocal(1)]),
            ], &requests, script)
        #expect(first.map(\.address) == [address(1), linkLocal(1)])
        #expect(first.allSatisfy { $0.message.family == .ipv4 && $0.port == 40_000 })
        #expect(first.allSatisfy { $0.message.host == "h9.local" && $0.message.nonce == nonce })
        #expect(first.allSatisfy { $0.interface == eth0 && $0.message.interface == "eth0" })

        let again = answers(
            [
                .resolved(key("q", type), asked),
                .addresses(host: "h1.local", [address(1), linkLocal(1)]),
            ], &requests, script)
        #expect(again.isEmpty)

        let other = answers([.found(sighting("q", type, on: eth0, .ipv6))], &requests, script)
        #expect(other.count == 2)
        #expect(other.allSatisfy { $0.message.family == .ipv6 })
    }

    @Test func `a machine that is not published does not tell its name`() {
        let script = EventScript()
        var requests = VisibilityResponder()
        let given = answers(
            [
                .running(host: "h9.local"), .found(sighting("q", type)),
                .resolved(
                    key("q", type),
                    resolution("h1.local", port: 40_000, txt: ["probe=\(nonce.text)"])),
            ], &requests, script, isPublished: false)
        #expect(given.map(\.message.host) == [VisibilityReply.unnamed])
        #expect(given.allSatisfy { VisibilityReply($0.message.bytes) == $0.message })
    }

    @Test func `a machine that was there for a minute is no newcomer when it asks`() {
        let script = EventScript()
        var requests = VisibilityResponder()
        func ask(_ nonce: VisibilityNonce) -> [OutgoingReply] {
            let asked = resolution("h1.local", port: 40_000, txt: ["probe=\(nonce.text)"])
            return answers(
                [.found(sighting("q", type)), .resolved(key("q", type), asked)], &requests, script)
        }
        _ = answers([.running(host: "h9.local")], &requests, script)
        #expect(ask(VisibilityNonce()).map(\.isOfAcquaintance) == [false])
        // The list's clock goes on by a second with each event.
        for number in 0..<60 { script.feed(.found(sighting("other \(number)"))) }
        #expect(ask(VisibilityNonce()).map(\.isOfAcquaintance) == [true])
    }

    @Test func `a new nonce is answered anew, and one that was withdrawn is not`() {
        let script = EventScript()
        var requests = VisibilityResponder()
        func asking(_ nonce: VisibilityNonce) -> DiscoveryEvent.Kind {
            .resolved(
                key("q", type), resolution("h1.local", port: 40_000, txt: ["probe=\(nonce.text)"]))
        }
        let begin: [DiscoveryEvent.Kind] = [
            .running(host: "h9.local"), .found(sighting("q", type)), asking(nonce),
        ]
        #expect(answers(begin, &requests, script).count == 1)
        #expect(answers([asking(VisibilityNonce())], &requests, script).count == 1)
        let gone = answers(
            [.removed(sighting("q", type)), .found(sighting("q", type))], &requests, script)
        #expect(gone.isEmpty)
    }

    @Test func `what asks wrongly gets no answer`() {
        #expect(answers().count == 2)
        #expect(answers(txt: ["probe=short"]).isEmpty)
        #expect(answers(txt: ["probe"]).isEmpty)
        #expect(answers(txt: ["id=\(nonce.text)"]).isEmpty)
        for port: UInt16 in [0, 53, 1_023, 5_353] { #expect(answers(port: port).isEmpty) }
        #expect(answers(port: 1_024).count == 2)
    }

    @Test func `an announcement that names somebody beyond the link has nobody answered`() {
        let beyond: [[UInt8]] = [
            [8, 8, 8, 8], [10, 0, 1, 1], [224, 0, 0, 251], [255, 255, 255, 255], [10, 0, 0, 255],
            [10, 0, 0, 0], [127, 0, 0, 1], [0, 0, 0, 0],
            [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xfb],
            [UInt8](repeating: 0, count: 15) + [1], [UInt8](repeating: 0, count: 16),
        ]
        for bytes in beyond {
            let address = HostAddress(bytes: bytes, interface: "eth0")
            #expect(answers(from: [address]).isEmpty, "\(bytes)")
        }
        #expect(answers(from: [linkLocal(1, on: "eth1")]).isEmpty)
        #expect(answers(on: loopback).isEmpty)
        #expect(answers(on: eth1).isEmpty)
    }

    @Test func `this machine does not answer itself, by name or by address`() {
        #expect(answers(host: "H9.local").isEmpty)
        #expect(answers(from: [address(9)]).isEmpty)
        #expect(answers(from: [address(1), address(9)]).isEmpty)
    }

    @Test func `a flood of newcomers does not make this machine forget one that it knew`() {
        let script = EventScript()
        var requests = VisibilityResponder()
        func ask(_ name: String, on host: String) -> [OutgoingReply] {
            let asked = resolution(host, port: 40_000, txt: ["probe=\(VisibilityNonce().text)"])
            return answers(
                [.found(sighting(name, type)), .resolved(key(name, type), asked)], &requests,
                script)
        }
        _ = answers([.running(host: "h9.local")], &requests, script)
        script.bring("Web", on: "h1.local")
        for number in 0..<60 { script.feed(.found(sighting("other \(number)"))) }
        #expect(ask("q", on: "h1.local").count == 1)
        for number in 0..<1_000 { #expect(ask("f\(number)", on: "f\(number).local").count == 1) }
        let later = answers([.found(sighting("q", type, on: eth0, .ipv6))], &requests, script)
        #expect(later.map(\.message.family).contains(.ipv6))
    }

    @Test func `who asks in a flood finds room, and memory does not grow`() {
        let script = EventScript()
        var requests = VisibilityResponder()
        _ = answers([.running(host: "h9.local")], &requests, script)
        for number in 0..<1_000 {
            let name = "q\(number)"
            let asked = resolution(
                "h1.local", port: 40_000, txt: ["probe=\(VisibilityNonce().text)"])
            let given = answers(
                [.found(sighting(name, type)), .resolved(key(name, type), asked)], &requests,
                script)
            #expect(given.count == 1)
        }
        let counts = Mirror(reflecting: requests).children.compactMap { child in
            (child.value as? any Collection)?.count
        }
        #expect(counts.count == 3)
        #expect(counts.max() ?? .max <= VisibilityResponder.memoryLimit)
    }
}

/// fe80::`last`, seen on an interface.
private func linkLocal(_ last: UInt8, on interface: String = "eth0") -> HostAddress {
    let bytes: [UInt8] = [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [last]
    return HostAddress(bytes: bytes, interface: interface)
}
