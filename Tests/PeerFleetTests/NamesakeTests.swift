// Tests how a fleet tells apart the devices of one host name on several networks.
import FoundationEssentials
import PeerFleet
import PeerModel
import PeerListTestSupport
import PeerRecording
import TestSupport
import Testing

@Suite struct NamesakeTests {
    private static let barn = ObserverName(site: "home", observer: "barn")
    private static let hall = ObserverName(site: "office", observer: "hall")
    private static let names = [ObserverName.attic, .cellar, .office, barn, hall]
    private static let online = names.map {
        FleetChange.status($0, .online(host: "\($0.observer).local"))
    }
    private static let plain = Peer.host("pi").id

    private static func id(_ observer: String, of plain: UUID = plain) -> UUID {
        UUID(name: observer, inNamespace: plain)
    }

    private static func pi(_ addresses: String..., macs: [String] = []) -> Peer {
        var peer = Peer.host("pi", addresses: addresses)
        peer.macs = macs
        return peer
    }

    private static func see(_ peer: Peer, _ name: ObserverName) -> FleetChange {
        .peer(name, peer.id, peer)
    }

    /// Returns the list of observers that are online.
    private func list(_ sightings: (ObserverName, Peer)...) -> FleetListing {
        FleetListing(Self.online + sightings.map { Self.see($1, $0) })
    }

    /// The identifiers of the rows, and the names of the observers that see each.
    private func rows(_ list: FleetListing) -> [UUID: [String]] {
        Dictionary(
            uniqueKeysWithValues: list.sections.peers.map {
                ($0.id, $0.views.map(\.name.observer))
            })
    }

    // MARK: Several hosts

    @Test func `a host name with other addresses on another network is another device`() throws {
        let list = list((.attic, Self.pi("10.0.0.5")), (.cellar, Self.pi("10.1.0.5")))
        #expect(
            rows(list) == [
                Self.id("home/attic"): ["attic"], Self.id("home/cellar"): ["cellar"],
            ])
        #expect(list.sections.peers.map(\.name) == ["pi (home/attic)", "pi (home/cellar)"])
        #expect(list.sections.peers.map(\.addresses) == [["10.0.0.5"], ["10.1.0.5"]])
        #expect(list.sections.peers.allSatisfy { $0.views.allSatisfy { $0.claim == nil } })
        #expect(list.sections.peers.allSatisfy { $0.identity.value == "pi.local" })
    }

    @Test(arguments: [
        // An address in common, whatever the interface of the observer.
        ([pi("10.0.0.5", "10.0.0.6"), pi("10.0.0.6")]),
        [pi("10.0.0.5", "fe80::1%eth0"), pi("10.0.0.6", "fe80::1%wlan0")],
        [pi("10.0.0.5", macs: ["00:00:5e:00:53:01"]), pi("10.0.0.6", macs: ["00:00:5E:00:53:01"])],
        // What is known does not tell two hosts apart.
        [pi(), pi("10.0.0.5")], [pi("10.0.0.5"), pi("2001:db8::1")],
        [pi("10.0.0.5"), pi("fe80::1%eth0")], [pi("172.17.0.1"), pi("10.0.0.5")],
    ])
    func `observers that know one host, or too little, list one device`(peers: [Peer]) {
        for peers in [peers, peers.reversed()] {
            let list = list((.attic, peers[0]), (.cellar, peers[1]))
            #expect(rows(list) == [Self.plain: ["attic", "cellar"]])
        }
    }

    @Test(arguments: [
        [pi("10.0.0.5", "172.17.0.1"), pi("10.1.0.5", "172.17.0.1")],
        [pi("10.0.0.5", "127.0.0.1"), pi("10.1.0.5", "127.0.0.1")],
        [pi("fe80::1%eth0"), pi("fe80::2%eth0")],
    ])
    func `addresses that every machine can have make no device of two`(peers: [Peer]) {
        #expect(rows(list((.attic, peers[0]), (.cellar, peers[1]))).count == 2)
    }

    @Test func `observers of one network list one device, and its identifier is that of the first`()
    {
        let list = list(
            (.cellar, Self.pi("10.0.0.5")), (.attic, Self.pi("10.0.0.5", "10.0.0.6")),
            (Self.barn, Self.pi("10.1.0.5")))
        #expect(
            rows(list) == [
                Self.id("home/attic"): ["attic", "cellar"], Self.id("home/barn"): ["barn"],
            ])
    }

    @Test func `an observer that knows no addresses yet adds no row, and changes no identifier`() {
        var list = list((.cellar, Self.pi("10.0.0.5")), (Self.barn, Self.pi("10.1.0.5")))
        let before = Set(rows(list).keys)
        #expect(list.apply([Self.see(Self.pi(), .attic)])?.items.arrivals.isEmpty == true)
        #expect(Set(rows(list).keys) == before)
        list.apply([Self.see(Self.pi("10.0.0.5"), .attic)])
        #expect(rows(list)[Self.id("home/attic")] == ["attic", "cellar"])
    }

    @Test func `each site has hosts of its own`() {
        let office = Identity.uuid(forName: "office/pi.local")
        let list = list(
            (.attic, Self.pi("10.0.0.5")), (.office, Self.pi("10.1.0.5")),
            (Self.hall, Self.pi("10.2.0.5")))
        #expect(
            rows(list) == [
                Self.plain: ["attic"], Self.id("office/desk", of: office): ["desk"],
                Self.id("office/hall", of: office): ["hall"],
            ])
    }

    @Test func `a device that its records identify is one, whatever its addresses`() {
        let (one, other) = (Self.pi("10.0.0.5"), Self.pi("10.1.0.5"))
        let list = list(
            (.attic, one.announcing(.announced(1))), (.cellar, other.announcing(.announced(1))))
        #expect(rows(list) == [.announced(1): ["attic", "cellar"]])
    }

    @Test func `an impostor of the identifier of a host name is none of its hosts`() {
        let list = list(
            (.attic, Self.pi("10.0.0.5")), (.cellar, Self.pi("10.1.0.5")),
            (Self.barn, Peer.host("x").announcing(Self.plain)))
        #expect(rows(list)[Self.plain] == ["barn"])
        #expect(rows(list).count == 3)
    }

    // MARK: Changes

    @Test func `the row goes on as that of the first observer, and the other host arrives`() throws
    {
        var list = list((.attic, Self.pi("10.0.0.5")))
        list.apply([], isSettled: true)
        let change = list.apply([Self.see(Self.pi("10.1.0.5"), .cellar)], at: 5, isSettled: true)
        let update = try #require(change)
        #expect(update.cause == .identity)
        #expect(update.items.replacements == [Self.plain: Self.id("home/attic")])
        #expect(update.items.departures.mapValues(\.reason) == [Self.plain: .identity])
        #expect(
            Set(update.items.arrivals.keys) == [Self.id("home/attic"), Self.id("home/cellar")])
    }

    @Test(arguments: [ObserverName.attic, .cellar])
    func `the last host of a name has the plain identifier again`(gone: ObserverName) throws {
        var list = list((.attic, Self.pi("10.0.0.5")), (.cellar, Self.pi("10.1.0.5")))
        let other = gone == .attic ? ObserverName.cellar : .attic
        let change = list.apply([.peer(gone, Self.plain, nil)], at: 5)
        let update = try #require(change)
        #expect(
            update.items.departures.mapValues(\.reason)
                == [Self.id(gone.title): .removed, Self.id(other.title): .identity])
        #expect(update.items.replacements == [Self.id(other.title): Self.plain])
        #expect(rows(list) == [Self.plain: [other.observer]])
        #expect(list.sections.peers.map(\.name) == ["pi"])
    }

    @Test func `two rows whose observers find an address in common become one`() throws {
        var list = list((.attic, Self.pi("10.0.0.5")), (.cellar, Self.pi("10.1.0.5")))
        let change = list.apply([Self.see(Self.pi("10.1.0.5", "10.0.0.5"), .cellar)], at: 5)
        let update = try #require(change)
        #expect(
            update.items.replacements == [
                Self.id("home/attic"): Self.plain, Self.id("home/cellar"): Self.plain,
            ])
        #expect(update.items.departures.values.allSatisfy { $0.reason == .identity })
        #expect(rows(list) == [Self.plain: ["attic", "cellar"]])
    }

    @Test func `an identifier changes only if the first observer of the host does`() throws {
        var list = list(
            (.attic, Self.pi("10.0.0.5")), (Self.barn, Self.pi("10.0.0.5")),
            (.cellar, Self.pi("10.1.0.5")))
        #expect(
            list.apply([.peer(Self.barn, Self.plain, nil)], at: 5)?.items.departures.isEmpty
                == true)
        list.apply([Self.see(Self.pi("10.0.0.5"), Self.barn)], at: 6)
        let change = list.apply([.peer(.attic, Self.plain, nil)], at: 7)
        let update = try #require(change)
        #expect(update.items.replacements == [Self.id("home/attic"): Self.id("home/barn")])
        // New addresses are those of the same host.
        let further = list.apply([Self.see(Self.pi("10.7.0.5"), .cellar)], at: 8)
        let moved = try #require(further)
        #expect(moved.items.changes.keys.map(\.self) == [Self.id("home/cellar")])
        #expect(moved.cause == .changed)
    }

    // MARK: An address that changes

    @Test func `a device whose new address an observer has not heard of yet is one`() {
        var list = list((.attic, Self.pi("10.0.0.5")), (.cellar, Self.pi("10.0.0.5")))
        list.apply([Self.see(Self.pi("10.0.0.9"), .attic)], at: 10)
        #expect(rows(list) == [Self.plain: ["attic", "cellar"]])
        list.apply([], at: 150)
        #expect(rows(list).count == 1)
        list.apply([Self.see(Self.pi("10.0.0.9"), .cellar)], at: 151)
        list.apply([], at: 1000)
        #expect(rows(list) == [Self.plain: ["attic", "cellar"]])
    }

    @Test func `a device that came back with another address meanwhile is one, too`() {
        var list = list((.attic, Self.pi("10.0.0.5")), (.cellar, Self.pi("10.0.0.5")))
        list.apply([.peer(.attic, Self.plain, nil)], at: 10)
        list.apply([Self.see(Self.pi("10.0.0.9"), .attic)], at: 30)
        #expect(rows(list) == [Self.plain: ["attic", "cellar"]])
    }

    @Test func `observers that still contradict each other after three minutes see two hosts`()
        throws
    {
        var list = list((.attic, Self.pi("10.0.0.5")), (.cellar, Self.pi("10.0.0.5")))
        list.apply([Self.see(Self.pi("10.1.0.9"), .attic)], at: 10)
        #expect(list.apply([], at: 189) == nil)
        let change = list.apply([], at: 190)
        let update = try #require(change)
        #expect(update.items.replacements.count == 1)
        #expect(rows(list).count == 2)
        #expect(list.apply([], at: 1000) == nil)
    }

    @Test func `hosts stay apart while an observer is away`() {
        var list = list((.attic, Self.pi("10.0.0.5")), (.cellar, Self.pi("10.1.0.5")))
        let before = rows(list)
        let update = list.apply([.status(.attic, ObserverStatus(.offline))], at: 5)
        #expect(update?.items.departures.isEmpty == true && update?.items.arrivals.isEmpty == true)
        #expect(rows(list) == before)
        #expect(list.item(Self.id("home/attic"))?.peer.presence == .unknown)
        #expect(list.item(Self.id("home/cellar"))?.peer.presence == .present)
    }

    // MARK: Order

    /// The rows follow from the last messages alone, once addresses that changed are forgotten.
    @Test(arguments: seeds(200))
    func `the hosts of a name do not depend on the order of messages`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var last: [ObserverName: [UUID: FleetChange]] = [:]
        var history: [FleetChange] = []
        for _ in 0..<30 {
            let name = Self.names.randomElement(using: &generator) ?? .attic
            let peer = Self.random(using: &generator)
            let isThere = Int.random(in: 0..<5, using: &generator) > 0
            history.append(.peer(name, peer.id, isThere ? peer : nil))
            last[name, default: [:]][peer.id] = history.last
        }
        var list = FleetListing(Self.online)
        for (second, change) in history.enumerated() { list.apply([change], at: Double(second)) }
        list.apply([], at: 500)
        var changes = last.values.flatMap(\.values)
        for _ in 0..<3 {
            changes.shuffle(using: &generator)
            var fresh = FleetListing()
            for change in (Self.online + changes).shuffled(using: &generator) {
                fresh.apply([change])
            }
            #expect(fresh.sections.isSame(as: list.sections), "seed \(seed)")
            #expect(FleetListing(Self.online + changes).sections.isSame(as: list.sections))
        }
        let ids = list.sections.peers.map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    private static func random(using generator: inout SeededGenerator) -> Peer {
        let known = [
            "10.0.0.5", "10.0.0.6", "10.1.0.5", "10.1.0.6", "fe80::1%eth0", "fe80::1%wlan0",
            "fe80::2%eth0", "2001:db8::1", "172.17.0.1",
        ]
        var peer = Peer.host(
            ["pi", "esp"].randomElement(using: &generator) ?? "pi",
            addresses: known.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 })
        if Int.random(in: 0..<6, using: &generator) == 0 { peer.macs = ["00:00:5e:00:53:01"] }
        return peer
    }
}
