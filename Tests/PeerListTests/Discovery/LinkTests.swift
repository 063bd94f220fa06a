// Tests interfaces of this machine that go down and come back.
import FoundationEssentials
import PeerListTestSupport
import StackProtocol
import Testing

@testable import PeerList

/// A list of devices on the links of this machine, through a stack that drops the records of an interface that is down,
/// or keeps them as Avahi does without a carrier.
private final class LinkScript {
    let script: EngineScript
    private(set) var listing = PeerListing()
    /// The interfaces as the kernel has them.
    private var interfaces: [Int32: LocalInterface] = [:]
    /// The devices, by their numbers, and the paths on which they are.
    private var devices: [Int: [NetworkPath]] = [:]
    private var reported = 0
    private(set) var departures: [Departure] = []
    /// The numbers of devices that departed in each event in which one did.
    private(set) var departureCounts: [Int] = []
    private(set) var notices: [Notice] = []

    init(
        _ present: [LocalInterface] = [LinkScript.interface(2)],
        asking choice: BackendChoice = .daemon
    ) {
        script = EngineScript(asking: choice)
        for interface in present { interfaces[interface.interface.index] = interface }
        script.send(.interfaces(present))
        script.send(.start)
        script.connect(choice == .daemon ? .daemon : .helper)
        script.announceType("_http._tcp")
        fold()
    }

    static func interface(
        _ index: Int32, name: String? = nil, network: UInt8 = 0
    ) -> LocalInterface {
        let name = name ?? "eth\(index - 2)"
        let prefix: [UInt8] = [0xfd, 0, network, UInt8(index)]
        let addresses = [
            ([10, UInt8(index), network, 1], 24), (prefix + [UInt8](repeating: 1, count: 12), 64),
            ([0xfe, 0x80] + [UInt8](repeating: 1, count: 14), 64),
        ]
        return LocalInterface(
            NetworkInterface(index: index, name: name),
            addresses: addresses.map {
                .init(HostAddress(bytes: $0.0, interface: name), prefixLength: $0.1)
            })
    }

    static func paths(_ index: Int32) -> [NetworkPath] {
        AddressFamily.allCases.map { NetworkPath(interface: index, family: $0) }
    }

    func bring(_ number: Int, on paths: [NetworkPath] = LinkScript.paths(2)) {
        devices[number] = paths
        appear(number, on: paths)
        pass(.milliseconds(10))
    }

    private func appear(_ number: Int, on paths: [NetworkPath]) {
        let live = paths.filter {
            interfaces[$0.interface.index]?.liveFamilies.contains($0.family) == true
        }
        for path in live { script.appear("Web \(number)", on: path) }
        answer(number)
    }

    func answer(_ number: Int) {
        script.answer("Web \(number)", on: "h\(number).local", at: address(UInt8(number)))
        for path in devices[number] ?? [] {
            script.send(
                .recordAppeared(data: [10, 0, 0, UInt8(number)], path),
                of: .addresses(host: "h\(number).local", path.family))
        }
        script.exhaustAddresses(of: "h\(number).local")
        fold()
    }

    func disappear(_ number: Int, on paths: [NetworkPath] = LinkScript.paths(2)) {
        for path in paths { script.disappear("Web \(number)", on: path) }
        fold()
    }

    /// Changes an interface, and notifies the engine.
    func change(_ index: Int32 = 2, _ change: (inout LocalInterface?) -> Void) {
        change(&interfaces[index])
        script.send(
            .interfaces(interfaces.values.sorted { $0.interface.index < $1.interface.index }))
        fold()
    }

    /// Takes an interface down; the stack drops all records of it.
    func takeDown(_ index: Int32 = 2) {
        change(index) { $0?.isUp = false }
        drop(index)
    }

    func drop(_ index: Int32 = 2) {
        for number in devices.keys.sorted() {
            disappear(number, on: devices[number]?.filter { $0.interface.index == index } ?? [])
        }
    }

    /// Brings an interface up; all devices on it but some are found again.
    func bringUp(_ index: Int32 = 2, without missing: Set<Int> = []) {
        change(index) { $0?.isUp = true }
        find(index, without: missing)
    }

    func find(_ index: Int32 = 2, without missing: Set<Int> = []) {
        for number in devices.keys.sorted() where !missing.contains(number) {
            appear(number, on: devices[number]?.filter { $0.interface.index == index } ?? [])
        }
        pass(.milliseconds(500))
    }

    func pass(_ time: Duration) {
        script.pass(time)
        fold()
    }

    private func fold() {
        for kind in script.reports[reported...] {
            let outcome = listing.apply(DiscoveryEvent(kind, at: Timestamp(microseconds: 1)))
            notices += outcome.notices
            let gone = outcome.update?.items.departures ?? [:]
            departures += gone.values.map(\.reason)
            if !gone.isEmpty { departureCounts.append(gone.count) }
        }
        reported = script.reports.count
    }

    var peers: [Peer] { listing.sections.flatMap(\.items).map(\.peer) }
    var presences: [Presence] { peers.map(\.presence) }
    var messages: [String] { notices.map(\.message) }
}

@Suite struct LinkTests {
    private static let lost = "eth0 is down: what was seen through it is unknown until it is back"

    private func household(
        _ count: Int = 5, asking choice: BackendChoice = .daemon
    ) -> LinkScript {
        let script = LinkScript(asking: choice)
        for number in 1...count { script.bring(number) }
        script.pass(.seconds(5))
        return script
    }

    @Test(arguments: [4, 30, 290])
    func `while an interface is down peers are unknown, and present when it is back`(
        seconds: Int
    ) {
        let script = household()
        let before = script.peers
        script.takeDown()
        #expect(script.presences == Array(repeating: .unknown, count: 5))
        #expect(script.messages == [Self.lost])
        #expect(script.notices.first?.interface == "eth0")
        script.pass(.seconds(seconds))
        #expect(script.presences == Array(repeating: .unknown, count: 5))
        script.bringUp()
        #expect(script.presences == Array(repeating: .present, count: 5))
        script.pass(.seconds(30))
        #expect(script.peers == before, "as if the interface had never been down")
        #expect(script.departures.isEmpty)
        #expect(script.messages == [Self.lost, "eth0 is back"])
    }

    @Test(arguments: [false, true])
    func `a link is lost on which other sources alone have found services`(isUsed: Bool) {
        let script = LinkScript()
        script.pass(.seconds(30))
        if isUsed { script.script.send(.foundByOthers(LinkScript.paths(2)[0])) }
        script.takeDown()
        let losses = script.script.reports.count { if case .linkLost = $0 { true } else { false } }
        #expect(losses == (isUsed ? 1 : 0))
    }

    @Test func `peers that left meanwhile depart together, ten seconds after the return`() {
        let script = household()
        script.takeDown()
        script.pass(.seconds(4))
        script.bringUp(without: [2, 3])
        script.pass(.seconds(9))
        #expect(script.departures.isEmpty)
        script.pass(.seconds(1))
        #expect(script.departures == [.link, .link])
        #expect(script.departureCounts == [2])
        #expect(script.peers.map(\.host) == ["h1.local", "h4.local", "h5.local"])
    }

    @Test func `after five minutes all peers have left, and later ones arrive`() {
        let script = household()
        script.takeDown()
        script.pass(.seconds(299))
        #expect(script.peers.count == 5)
        script.pass(.seconds(1))
        #expect(script.departureCounts == [5])
        #expect(script.departures.allSatisfy { $0 == .link })
        #expect(script.notices.map(\.code) == [.linkLost, .linkExpired])
        script.pass(.seconds(60))
        script.bringUp()
        #expect(script.presences == Array(repeating: .present, count: 5))
        script.pass(.seconds(30))
        #expect(script.departureCounts == [5])
        #expect(script.notices.map(\.code) == [.linkLost, .linkExpired, .linkBack])
    }

    @Test func `on another network all peers of the former one have left`() {
        let script = household()
        script.takeDown()
        script.pass(.seconds(4))
        script.change { $0 = LinkScript.interface(2, network: 9) }
        #expect(script.departureCounts == [5])
        #expect(script.departures.allSatisfy { $0 == .link })
        script.find(without: [1, 2, 3, 4])
        script.pass(.seconds(30))
        #expect(script.peers.count == 1)
        #expect(script.notices.map(\.code) == [.linkLost, .linkExpired, .linkBack])
    }

    @Test func `a family that comes back first does not hide that the network is another`() {
        let script = household()
        script.takeDown()
        script.change { $0?.addresses.removeAll { !$0.address.description.hasPrefix("fe80") } }
        script.change { $0?.isUp = true }
        script.find()
        #expect(script.departures.isEmpty)
        script.pass(.seconds(3))
        script.change { $0 = LinkScript.interface(2, network: 9) }
        script.find()
        script.pass(.seconds(30))
        #expect(script.departures.isEmpty, "they were found again")
        #expect(script.presences == Array(repeating: .present, count: 5))
    }

    @Test func `a goodbye on a live link is reported at once`() {
        let script = household()
        script.disappear(2)
        #expect(script.departures == [.removed])
    }

    @Test func `a goodbye of a peer that was found again is reported at once`() {
        let script = household()
        script.takeDown()
        script.pass(.seconds(4))
        script.bringUp(without: [1])
        script.disappear(2)
        #expect(script.departures == [.removed])
    }

    @Test func `removals that come after the interface is back follow from its loss`() {
        let script = household()
        let before = script.peers
        script.change { $0?.isUp = false }
        script.change { $0?.isUp = true }
        script.drop()
        script.find()
        script.pass(.seconds(30))
        #expect(script.departures.isEmpty)
        #expect(script.peers == before)
    }

    @Test func `a peer that is also seen through another interface stays present`() {
        let script = LinkScript([LinkScript.interface(2), LinkScript.interface(3)])
        script.bring(1, on: LinkScript.paths(2) + LinkScript.paths(3))
        script.bring(2)
        script.takeDown()
        #expect(script.presences == [.present, .unknown])
        #expect(script.peers.first?.interfaces == ["eth1"])
        script.pass(.seconds(4))
        script.bringUp()
        script.pass(.seconds(30))
        #expect(script.presences == [.present, .present])
        #expect(script.peers.first?.interfaces == ["eth0", "eth1"])
        #expect(script.departures.isEmpty)
    }

    @Test func `an interface through which no peer was seen alone is lost quietly`() {
        let script = LinkScript([LinkScript.interface(2), LinkScript.interface(3)])
        script.bring(1, on: LinkScript.paths(2) + LinkScript.paths(3))
        script.takeDown()
        script.pass(.seconds(4))
        script.bringUp()
        #expect(script.notices.isEmpty)
    }

    @Test func `without an address of a family, peers of this family alone are unknown`() {
        let script = household(1)
        let ipv4 = [EngineScript.eth0v4]
        script.bring(2, on: ipv4)
        script.change { $0?.addresses.removeFirst() }
        script.drop()
        #expect(script.presences == [.unknown, .unknown], "the test drops all of the interface")
        #expect(
            script.messages == [
                "eth0 has no IPv4 address: what was seen through it is unknown until it is back"
            ])
    }

    @Test func `an interface with another name is browsed again when it is back`() {
        let script = household(1)
        script.takeDown()
        script.change { $0?.interface = NetworkInterface(index: 2, name: "lan0") }
        #expect(!script.script.reports.contains(.handedOver(to: .daemon, host: "me.local")))
        script.bringUp(without: [1])
        script.pass(.seconds(1))
        #expect(script.script.reports.contains(.handedOver(to: .daemon, host: "me.local")))
        script.script.announceType("_http._tcp")
        let lan0 = NetworkInterface(index: 2, name: "lan0")
        for family in AddressFamily.allCases {
            script.script.appear("Web 1", on: NetworkPath(interface: lan0, family: family))
        }
        script.answer(1)
        script.pass(.seconds(30))
        #expect(script.peers.map(\.interfaces) == [["lan0"]])
        #expect(script.presences == [.present])
        #expect(script.departures.isEmpty)
    }

    @Test func `an interface that is removed and made again, as of a VPN, is the same link`() {
        let script = household(2)
        script.change { $0 = nil }
        script.drop()
        #expect(script.presences == [.unknown, .unknown])
        script.pass(.seconds(60))
        script.change(7) { $0 = LinkScript.interface(7, name: "eth0") }
        for path in LinkScript.paths(7) { script.script.appear("Web 1", on: path) }
        script.answer(1)
        script.pass(.seconds(9))
        #expect(script.presences == [.present, .unknown])
        script.pass(.seconds(1))
        #expect(script.departures == [.link])
        #expect(script.notices.map(\.code) == [.linkLost, .linkExpired, .linkBack])
    }

    @Test func `without a carrier nobody is unanswered, and all are asked when it is back`() {
        let script = household(2)
        script.change { $0?.hasCarrier = false }
        #expect(script.presences == [.unknown, .unknown])
        for number in 1...2 {
            script.script.send(.timedOut, of: .resolver(key("Web \(number)").id))
        }
        script.pass(.seconds(200))
        #expect(script.script.answerProbes { _ in [] }.allSatisfy { $0.questions.isEmpty })
        #expect(script.presences == [.unknown, .unknown])

        script.change { $0?.hasCarrier = true }
        script.pass(.seconds(1))
        script.script.answerProbes { _ in [key("Web 1").id] }
        script.pass(.milliseconds(10))
        script.answer(1)
        #expect(script.presences == [.present, .unanswered])
        script.pass(.seconds(30))
        #expect(script.departures.isEmpty)
    }

    @Test func `records that expire without a carrier are asked for when it is back`() {
        let script = household(2)
        script.change { $0?.hasCarrier = false }
        script.disappear(2)
        script.pass(.seconds(60))
        script.change { $0?.hasCarrier = true }
        script.pass(.seconds(1))
        #expect(script.script.reports.contains(.handedOver(to: .daemon, host: "me.local")))
        script.script.announceType("_http._tcp")
        script.find()
        script.pass(.seconds(30))
        #expect(script.presences == [.present, .present])
        #expect(script.departures.isEmpty)
    }

    @Test func `services that the stack keeps for five minutes are browsed again afterwards`() {
        let script = household(2)
        script.change { $0?.hasCarrier = false }
        script.pass(.seconds(300))
        #expect(script.departureCounts == [2])
        script.change { $0?.hasCarrier = true }
        script.pass(.seconds(1))
        script.script.announceType("_http._tcp")
        script.find()
        #expect(script.presences == [.present, .present])
    }

    @Test func `a backend that restarts while an interface is down removes nothing on it`() {
        let script = household(2)
        script.takeDown()
        script.script.change { $0.state = .failed }
        script.pass(.seconds(1))
        script.script.connect(.daemon)
        script.pass(.seconds(20))
        #expect(script.presences == [.unknown, .unknown])
        script.script.announceType("_http._tcp")
        script.bringUp(without: [2])
        script.pass(.seconds(9))
        #expect(script.departures.isEmpty)
        script.pass(.seconds(1))
        #expect(script.departures == [.link])
        #expect(script.presences == [.present])
    }

    @Test(arguments: [BackendChoice.daemon, .embedded])
    func `after sleep, with an interface that comes back late, nobody departs`(
        choice: BackendChoice
    ) {
        let script = household(2, asking: choice)
        script.script.realTimeLead = .seconds(3_600)
        script.script.sleep = .seconds(3_600)
        script.drop()
        script.pass(.milliseconds(10))
        let backend: Backend = choice == .daemon ? .daemon : .embedded
        #expect(script.script.reports.contains(.handedOver(to: backend, host: "me.local")))
        script.change { $0?.hasCarrier = false }
        script.pass(.seconds(20))
        #expect(script.presences == [.unknown, .unknown])
        script.script.announceType("_http._tcp")
        script.change { $0?.hasCarrier = true }
        script.find()
        script.pass(.seconds(20))
        #expect(script.presences == [.present, .present])
        #expect(script.departures.isEmpty)
    }

    @Test func `a link that goes down again while it is caught up withholds on`() {
        let script = household(2)
        for _ in 1...5 {
            script.takeDown()
            script.pass(.seconds(3))
            script.bringUp(without: [1, 2])
            script.pass(.seconds(5))
        }
        #expect(script.departures.isEmpty)
        script.find()
        script.pass(.seconds(30))
        #expect(script.presences == [.present, .present])
        #expect(script.departures.isEmpty)
    }

    @Test func `at most 64 interfaces are waited for`() {
        let indices = Array(2..<82 as Range<Int32>)
        let script = LinkScript(indices.map { LinkScript.interface($0) })
        for index in indices { script.bring(Int(index), on: LinkScript.paths(index)) }
        for index in indices { script.takeDown(index) }
        #expect(script.presences.count { $0 == .unknown } == 64)
        #expect(script.departures.count == 16)
    }

    @Test func `at most as many removals are withheld as there can be services`() {
        var watch = LinkWatch()
        var step = DiscoveryStep(reading: ClockReading(now: .zero))
        let interface = LinkScript.interface(2)
        for present in [[interface], []] {
            _ = watch.update(present, isInUse: { _ in true }, isRunning: true, &step)
        }
        let withheld = (0...LinkWatch.removalLimit).count { watch.withhold(sighting("\($0)")) }
        #expect(withheld == LinkWatch.removalLimit)
    }
}
