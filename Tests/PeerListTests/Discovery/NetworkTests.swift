// Tests hosts and services of one name on several networks of this machine.
import FoundationEssentials
import PeerListTestSupport
import StackProtocol
import Testing

@testable import PeerList

/// A list on two networks, `eth0` with 10.0.0.0/24 and `eth1` with 10.0.1.0/24, unless they are one.
private final class TwoNetworks {
    let script: EngineScript
    private(set) var listing = PeerListing()
    private var reported = 0
    /// The greatest number of rows so far.
    private(set) var mostRows = 0
    static let paths = [
        NetworkPath(interface: 2, family: .ipv4), NetworkPath(interface: 3, family: .ipv4),
    ]

    init(areOne: Bool = false, isSecondKnown: Bool = true) {
        script = EngineScript()
        var second = Self.interface(1, network: areOne ? 0 : 1)
        if !isSecondKnown { second.addresses = [] }
        script.send(.interfaces([Self.interface(0), second]))
        script.send(.start)
        script.connect(.daemon)
        script.announceType("_http._tcp")
        fold()
    }

    /// The second interface gets its address.
    func secondBecomesKnown() {
        script.send(.interfaces([Self.interface(0), Self.interface(1, network: 1)]))
        fold()
    }

    private static func interface(_ number: UInt8, network: UInt8 = 0) -> LocalInterface {
        let name = "eth\(number)"
        return LocalInterface(
            NetworkInterface(index: Int32(number) + 2, name: name),
            addresses: [
                .init(
                    HostAddress(bytes: [10, 0, network, 100 + number], interface: name),
                    prefixLength: 24)
            ])
    }

    static func address(_ number: UInt8, on network: Int) -> HostAddress {
        HostAddress(bytes: [10, 0, UInt8(network), number], interface: "")
    }

    func appear(_ name: String, on network: Int) {
        script.appear(name, on: Self.paths[network])
        fold()
    }

    func disappear(_ name: String, on network: Int) {
        script.disappear(name, on: Self.paths[network])
        fold()
    }

    /// Answers the lookup of a service that is open on a network, and the lookups of the host's addresses.
    func answer(
        _ name: String, on network: Int, host: String = "pi.local", at address: HostAddress
    ) {
        let open = script.open.first { lookup in
            guard case .resolve(let instance, let path) = lookup.value else { return false }
            return instance.name == name && path == Self.paths[network].lookupPath
        }
        guard let open else {
            Issue.record("\(name) is not resolved on network \(network)")
            return
        }
        let found = Resolution(host: host, port: 80, txt: TXTRecord(), address: address)
        script.send(.resolved(found, isCached: false), of: open.key)
        fold()
    }

    /// Reports the address records of all hosts that are looked up.
    func answerAddresses(_ records: [(HostAddress, network: Int)]) {
        for key in script.open.keys {
            guard case .addresses(_, .ipv4) = key else { continue }
            for (address, network) in records {
                script.send(
                    .recordAppeared(data: address.bytes, Self.paths[network]), of: key)
            }
        }
        for host in script.watchedHosts { script.exhaustAddresses(of: host) }
        fold()
    }

    func pass(_ time: Duration) {
        script.pass(time)
        fold()
    }

    private func fold() {
        let time = script.now.components
        for kind in script.reports[reported...] {
            let event = DiscoveryEvent(
                kind,
                at: Timestamp(
                    microseconds: time.seconds * 1_000_000 + time.attoseconds / 1_000_000_000_000))
            _ = listing.apply(event)
            mostRows = max(mostRows, peers.count)
        }
        reported = script.reports.count
    }

    var peers: [Peer] { listing.sections.flatMap(\.items).map(\.peer) }
}

@Suite struct NetworkTests {
    private let first = TwoNetworks.address(7, on: 0)
    private let second = TwoNetworks.address(8, on: 1)

    @Test func `equal names of host and service on two networks are two devices`() {
        let networks = TwoNetworks()
        networks.appear("Web", on: 0)
        networks.appear("Web", on: 1)
        networks.answer("Web", on: 0, at: first)
        networks.answer("Web", on: 1, at: second)
        networks.answerAddresses([(first, 0), (second, 1)])
        networks.pass(.seconds(2))
        let peers = networks.peers
        #expect(peers.map(\.host) == ["pi.local", "pi.local"])
        #expect(peers.map(\.addresses) == [["10.0.0.7"], ["10.0.1.8"]])
        #expect(peers.map(\.interfaces) == [["eth0"], ["eth1"]])
        #expect(peers.map(\.services.count) == [1, 1])
        #expect(peers.map(\.identity.value) == ["pi.local%eth0", "pi.local%eth1"])
        #expect(Set(peers.map(\.name)).count == 2)

        networks.disappear("Web", on: 1)
        #expect(networks.peers.map(\.identity.value) == ["pi.local"])
        #expect(networks.peers.map(\.addresses) == [["10.0.0.7"]])
    }

    @Test func `the identifiers do not depend on the network that answers first`() {
        let lists = [[0, 1], [1, 0]].map { order in
            let networks = TwoNetworks()
            for network in order {
                networks.appear("Web", on: network)
                networks.answer("Web", on: network, at: network == 0 ? first : second)
            }
            networks.answerAddresses([(first, 0), (second, 1)])
            networks.pass(.seconds(2))
            return Dictionary(
                uniqueKeysWithValues: networks.peers.map { ($0.addresses, $0.id) })
        }
        #expect(lists[0].count == 2)
        #expect(lists[0] == lists[1])
    }

    @Test func `what was seen before the network of an interface was known is told apart later`() {
        let networks = TwoNetworks(isSecondKnown: false)
        networks.appear("Web", on: 0)
        networks.appear("Web", on: 1)
        networks.answer("Web", on: 0, at: first)
        networks.answerAddresses([(first, 0), (second, 1)])
        networks.pass(.seconds(5))
        #expect(networks.peers.map(\.addresses) == [["10.0.0.7", "10.0.1.8"]])
        networks.secondBecomesKnown()
        networks.answer("Web", on: 1, at: second)
        networks.pass(.milliseconds(500))
        networks.answerAddresses([(first, 0), (second, 1)])
        networks.pass(.seconds(2))
        // A host that loses an address is asked before.
        _ = networks.script.answerProbes { Set($0.map(\.service.id)) }
        networks.pass(.seconds(1))
        #expect(networks.peers.map(\.addresses) == [["10.0.0.7"], ["10.0.1.8"]])
    }

    @Test func `services of different names on hosts of one name are two devices`() {
        let networks = TwoNetworks()
        networks.appear("Front", on: 0)
        networks.answer("Front", on: 0, at: first)
        networks.appear("Back", on: 1)
        networks.answer("Back", on: 1, at: second)
        networks.answerAddresses([(first, 0), (second, 1)])
        #expect(networks.peers.map(\.name).sorted() == ["Back", "Front"])
        #expect(networks.peers.allSatisfy { $0.services.count == 1 && $0.addresses.count == 1 })
    }

    @Test(arguments: [false, true])
    func `what is the same on two networks is one device, and never two`(areOne: Bool) {
        let networks = TwoNetworks(areOne: areOne)
        networks.appear("Web", on: 0)
        networks.appear("Web", on: 1)
        networks.answer("Web", on: 0, at: first)
        // A reflector repeats the records, or the networks are one.
        if !areOne { networks.answer("Web", on: 1, at: first) }
        networks.answerAddresses([(first, 0), (first, 1)])
        networks.pass(.seconds(2))
        #expect(networks.peers.map(\.addresses) == [["10.0.0.7"]])
        #expect(networks.peers.map(\.interfaces) == [["eth0", "eth1"]])
        #expect(networks.peers.map(\.services.count) == [1])
        #expect(networks.mostRows == 1)
    }

    @Test func `this machine is one device on all of its networks`() {
        let networks = TwoNetworks()
        networks.appear("Web", on: 1)
        networks.answer("Web", on: 1, host: "me.local", at: TwoNetworks.address(101, on: 1))
        networks.appear("Web", on: 0)
        networks.appear("Own", on: 0)
        networks.answer("Own", on: 0, host: "me.local", at: TwoNetworks.address(100, on: 0))
        networks.answerAddresses([
            (TwoNetworks.address(100, on: 0), 0), (TwoNetworks.address(101, on: 1), 1),
        ])
        networks.pass(.seconds(2))
        #expect(networks.peers.map(\.host) == ["me.local"])
        #expect(networks.peers.map(\.services.count) == [2])
        #expect(networks.peers.map(\.addresses) == [["10.0.0.100", "10.0.1.101"]])
    }

    @Test func `a service that waits behind another of its name is there when that leaves`() {
        let networks = TwoNetworks()
        networks.appear("Web", on: 0)
        networks.answer("Web", on: 0, at: first)
        networks.appear("Web", on: 1)
        networks.disappear("Web", on: 0)
        networks.answer("Web", on: 1, at: second)
        networks.answerAddresses([(second, 1)])
        #expect(networks.peers.map(\.addresses) == [["10.0.1.8"]])
        #expect(networks.peers.map(\.identity.value) == ["pi.local"])
    }

    @Test func `a probe asks each of two services of one name on its network`() {
        let networks = TwoNetworks()
        for network in [0, 1] {
            networks.appear("Web", on: network)
            networks.answer("Web", on: network, at: network == 0 ? first : second)
        }
        networks.pass(.seconds(1))
        let ids = networks.peers.flatMap(\.services).map(\.id)
        #expect(Set(ids).count == 2)
        networks.script.send(.verify(ids, 1))
        let questions = networks.script.probes.last?.questions ?? []
        #expect(questions.map { $0.paths.count } == [1, 1])
        #expect(Set(questions.flatMap(\.paths)) == Set(TwoNetworks.paths))
    }
}
