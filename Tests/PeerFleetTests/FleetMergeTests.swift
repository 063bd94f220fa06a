// Tests how what the observers know becomes one list of devices.
import FoundationEssentials
import PeerFleet
import PeerModel
import PeerListTestSupport
import PeerRecording
import TestSupport
import Testing

@Suite struct FleetMergeTests {
    private static let online = [ObserverName.attic, .cellar, .office].map {
        FleetChange.status($0, .online(host: "\($0.observer).local"))
    }

    /// Returns the devices of a fleet whose observers are online.
    private func devices(_ peers: (ObserverName, Peer)...) -> [Peer] {
        FleetListing(Self.online + peers.map { .peer($0, $1.id, $1) }).sections.peers
    }

    // MARK: Identity

    @Test func `a host name is one device within a site, and others at other sites`() {
        let printer = Peer.host("printer")
        let devices = devices((.attic, printer), (.cellar, printer), (.office, printer))
        #expect(devices.map(\.views.count).sorted() == [1, 2])
        let local = devices.first { $0.views.count == 2 }
        #expect(local?.id == printer.id, "the standard site has the identifiers of the link")
        let other = devices.first { $0.views.count == 1 }
        #expect(other?.id == Identity.uuid(forName: "office/printer.local"))
    }

    @Test(arguments: [Identity.Source.announced, .txt, .name])
    func `an identifier in a record is one device at all sites`(source: Identity.Source) {
        var printer = Peer.host("printer").announcing(.announced(1))
        printer.identity.source = source
        let devices = devices((.attic, printer), (.cellar, printer), (.office, printer))
        #expect(devices.map(\.id) == [printer.id])
        #expect(devices[0].views.map(\.name) == [.attic, .cellar, .office])
    }

    @Test func `a service without a host is one within a site only`() {
        let service = Peer(
            unresolved: Service("printer", "_ipp._tcp"), presence: .resolving,
            firstSeen: House.time(0), lastSeen: House.time(0))
        let devices = devices((.attic, service), (.cellar, service), (.office, service))
        #expect(devices.map(\.views.count).sorted() == [1, 2])
    }

    @Test func `a peer that gets another identity leaves the device that it was`() {
        let known = Peer.host("printer")
        let device = known.announcing(.announced(1))
        var list = FleetListing(Self.online + [.peer(.attic, known.id, known)])
        list.apply([.peer(.attic, known.id, nil), .peer(.attic, device.id, device)])
        #expect(list.sections.peers.map(\.id) == [device.id])
        list.apply([.peer(.attic, device.id, nil)])
        #expect(list.sections.isEmpty)
    }

    @Test func `a second peer of an observer that is the same device is refused, and it is said`()
        throws
    {
        let host = Peer.host("printer")
        let fake = Peer.host("x").announcing(Identity.uuid(forName: "office/printer.local"))
        var list = FleetListing(Self.online + [.peer(.office, host.id, host)])
        #expect(list.apply([.peer(.office, fake.id, fake)]) == nil)
        #expect(
            list.conflicts == [
                "observer office/desk has published 'x' twice; the later one is not shown, and neither "
                    + "are others like it"
            ])
        #expect(list.peerCount(of: .office) == 1)
        list.apply([.peer(.office, fake.id, nil)])
        #expect(list.sections.peers.map(\.name) == ["printer"])
        // It is said once, and a refused peer goes nowhere.
        let other = Peer.host("y").announcing(.announced(1))
        list.apply([.peer(.office, other.id, other)])
        list.apply([.peer(.office, fake.id, fake)])
        #expect(list.conflicts.isEmpty)
        list.apply([.peer(.office, host.id, nil)])
        #expect(list.sections.peers.map(\.name) == ["y"])
    }

    @Test func `a host name with a slash is no device of another site`() {
        let printer = Peer.host("printer")
        let value = "office/printer.local"
        var fake = Peer.host("x")
        (fake.id, fake.identity.value) = (Identity.uuid(forName: value), value)
        #expect(devices((.office, printer), (.attic, fake)).map(\.views.count) == [1, 1])
    }

    // MARK: Names

    /// A device with another name than that of its host.
    private func named(_ name: String, _ host: String) -> Peer {
        var peer = Peer.host(host)
        peer.name = name
        return peer
    }

    @Test func `devices of one name are told apart by their hosts, or else by their sites`() {
        let (left, right) = (named("TV", "lounge"), named("TV", "bedroom"))
        #expect(
            devices((.attic, left), (.cellar, right)).map(\.name) == [
                "TV (bedroom)", "TV (lounge)",
            ])
        #expect(devices((.attic, left), (.cellar, left)).map(\.name) == ["TV"])
        let printer = Peer.host("printer")
        #expect(
            devices((.attic, printer), (.office, printer)).map(\.name)
                == ["printer (home)", "printer (office)"])
    }

    @Test func `a name is as announced again when the other device of that name is gone`() {
        let (left, right) = (named("TV", "lounge"), named("TV", "bedroom"))
        var list = FleetListing(Self.online + [.peer(.attic, left.id, left)])
        let arrival = list.apply([.peer(.cellar, right.id, right)])
        #expect(arrival?.items.changes[left.id]?.now.peer.name == "TV (lounge)")
        #expect(list.sections.peers.map(\.name) == ["TV (bedroom)", "TV (lounge)"])
        let departure = list.apply([.peer(.cellar, right.id, nil)])
        #expect(departure?.items.changes[left.id]?.now.peer.name == "TV")
        #expect(list.sections.peers.map(\.name) == ["TV"])
    }

    @Test func `two devices of one name in any order have the same names`() {
        let peers = [named("TV", "lounge"), named("TV", "bedroom"), named("TV", "tv")]
        let orders = [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1]]
        for order in orders {
            var list = FleetListing(Self.online)
            for index in order {
                list.apply([.peer(.attic, peers[index].id, peers[index])])
            }
            #expect(
                list.sections.peers.map(\.name) == ["TV", "TV (bedroom)", "TV (lounge)"],
                "\(order)")
        }
    }

    /// An observer that lists both names them apart itself.
    @Test(arguments: ["TV", "TV (lounge)"])
    func `devices of one name and host are told apart by their sites too`(name: String) {
        let television = named(name, "lounge")
        let alike: [(ObserverName, Peer)] = [
            (.attic, television), (.office, television), (.cellar, named("TV", "bedroom")),
        ]
        for order in [alike, alike.reversed()] {
            var list = FleetListing(Self.online)
            for (observer, peer) in order { list.apply([.peer(observer, peer.id, peer)]) }
            let bedroom = name == "TV" ? "TV (bedroom)" : "TV"
            #expect(
                list.sections.peers.map(\.name) == [
                    bedroom, "TV (lounge, home)", "TV (lounge, office)",
                ])
            list.apply([.peer(.office, television.id, nil)])
            #expect(list.sections.peers.map(\.name) == [bedroom, "TV (lounge)"])
            list.apply([.peer(.cellar, order[0].1.id, nil), .peer(.cellar, order[2].1.id, nil)])
            #expect(list.sections.peers.map(\.name) == [name])
        }
    }

    @Test func `a name told apart by its host differs from one that an observer told apart`() {
        let devices = devices(
            (.attic, named("TV", "lounge")), (.cellar, named("TV", "bedroom")),
            (.office, named("TV (lounge)", "lounge")))
        #expect(
            devices.map(\.name) == ["TV (bedroom)", "TV (lounge, home)", "TV (lounge, office)"])
    }

    // MARK: Presence

    @Test(arguments: [
        ([Presence.present, .unanswered], Presence.present),
        ([.unanswered, .resolving], .unanswered),
        ([.resolving], .resolving), ([.unknown, .unanswered], .unknown),
    ])
    func `the presence of a device is the best one`(views: [Presence], best: Presence) {
        let names = [ObserverName.attic, .cellar]
        let changes = zip(names, views).map { name, presence in
            let peer = Peer.host("printer", presence)
            return FleetChange.peer(name, peer.id, peer)
        }
        let device = FleetListing(Self.online + changes).sections.peers.first
        #expect(device?.presence == best)
        #expect(device?.views.map(\.presence) == views)
    }

    @Test(arguments: [nil, ObserverStatus(.offline), ObserverStatus(.syncing)])
    func `the views of an observer that is not online are unknown, and no device departs`(
        status: ObserverStatus?
    ) throws {
        let (shared, own) = (Peer.host("shared", .unanswered), Peer.host("own"))
        var list = FleetListing(
            Self.online + [
                .peer(.attic, shared.id, shared), .peer(.attic, own.id, own),
                .peer(.cellar, shared.id, shared),
            ])
        let update = list.apply([.status(.attic, status)])
        #expect(update?.items.departures.isEmpty == true && update?.items.arrivals.isEmpty == true)
        #expect(list.item(own.id)?.peer.presence == .unknown)
        #expect(list.item(shared.id)?.peer.presence == .unanswered)
        #expect(list.item(shared.id)?.peer.views.map(\.presence) == [.unknown, .unanswered])
        let back = list.apply([Self.online[0]])
        #expect(back?.items.changes.count == 2)
        #expect(list.item(own.id)?.peer.presence == .present)
    }

    @Test func `a device departs when its last view does`() throws {
        let printer = Peer.host("printer")
        var list = FleetListing(
            Self.online + [.peer(.attic, printer.id, printer), .peer(.cellar, printer.id, printer)])
        let first = list.apply([.peer(.attic, printer.id, nil)])
        #expect(first?.items.departures.isEmpty == true)
        let last = list.apply([.peer(.cellar, printer.id, nil)])
        #expect(last.map { Array($0.items.departures.keys) } == [printer.id])
        #expect(list.sections.isEmpty)
    }

    // MARK: Contradictions

    private static let stranger = ObserverName(site: "aaa", observer: "stranger")
    private static let here = online + [.status(stranger, .online(host: "bad.local"))]
    /// The device with an identifier in a record, as three observers see it.
    private static let chromecast = {
        var peer = Peer.host("cast", addresses: ["10.0.0.5"])
        (peer.name, peer.kind) = ("Living Room TV", .mediaPlayer)
        peer.identity = Identity(source: .txt, value: "uuid:1", type: "_googlecast._tcp", key: "id")
        peer.id = Identity(source: .txt, value: "uuid:1").id
        return peer
    }()
    /// The same, as an observer of another site claims it.
    private static let owned = {
        var peer = chromecast
        (peer.name, peer.host, peer.kind) = ("Owned", "evil.local", .printer)
        (peer.addresses, peer.services) = (["10.66.6.6"], [Service("Owned", "_ssh._tcp")])
        (peer.label, peer.macs, peer.firstSeen) = ("Owned", ["00:00:5e:00:53:66"], House.time(-99))
        return peer
    }()

    private static func claim(_ peer: Peer, by names: ObserverName...) -> [FleetChange] {
        names.map { .peer($0, peer.id, peer) }
    }

    /// Expects the row of the device as its site knows it, with the other observer's view beside it.
    private func expectHonest(_ list: FleetListing, _ presence: Presence = .present) throws {
        let row = try #require(list.sections.peers.first)
        #expect((row.name, row.host, row.kind) == ("Living Room TV", "cast.local", .mediaPlayer))
        #expect(row.addresses == ["10.0.0.5"] && row.services.map(\.type) == ["_http._tcp"])
        #expect(row.label == nil && row.macs.isEmpty && row.firstSeen == House.time(0))
        #expect(row.presence == presence && row.id == Self.chromecast.id)
        let view = try #require(row.views.first { $0.name == Self.stranger })
        #expect(view.presence == .present)
        #expect(view.claim == DeviceClaim(name: "Owned", host: "evil.local", kind: .printer))
        #expect(row.views.count { $0.claim != nil } == 1)
    }

    @Test func `a later view that contradicts the first is a view of its own, and it is said`()
        throws
    {
        var list = FleetListing(Self.here + Self.claim(Self.chromecast, by: .office))
        list.apply([], isSettled: true)
        list.apply(Self.claim(Self.owned, by: Self.stranger), at: 1, isSettled: true)
        try expectHonest(list)
        #expect(list.conflicts.isEmpty, "observers hear of a new name one after the other")
        list.apply([], at: 11, isSettled: true)
        #expect(
            list.conflicts == [
                "observer aaa/stranger contradicts others about 'Living Room TV': it claims 'Owned', "
                    + "'evil.local', 'printer'; the list does not follow it"
            ])
        list.apply(Self.claim(Self.owned, by: .attic), at: 12, isSettled: true)
        try expectHonestName(list)

        // It does not answer the first one any more, or left it, and comes back.
        var silent = Self.chromecast
        silent.presence = .unanswered
        list.apply(
            [.peer(.attic, Self.owned.id, nil)] + Self.claim(silent, by: .office), isSettled: true)
        try expectHonest(list, .unanswered)
        list.apply([.peer(.office, silent.id, nil)], isSettled: true)
        let row = try #require(list.sections.peers.first)
        #expect(row.name == "Owned" && row.views.map(\.name) == [Self.stranger])
        var again = Self.owned
        again.addresses = ["10.66.6.7"]
        list.apply(Self.claim(again, by: Self.stranger), isSettled: true)
        list.apply(Self.claim(Self.chromecast, by: .office), isSettled: true)
        try expectHonest(list)

        // The first one is away, and comes back.
        list.apply([.status(.office, ObserverStatus(.offline))], isSettled: true)
        #expect(list.sections.peers.map(\.name) == ["Owned"])
        list.apply([Self.online[2]], isSettled: true)
        try expectHonest(list)
    }

    private func expectHonestName(_ list: FleetListing) throws {
        #expect(list.sections.peers.map(\.name) == ["Living Room TV"])
    }

    @Test func `when the first observer is removed, the next one is followed`() throws {
        var list = FleetListing(Self.here + Self.claim(Self.chromecast, by: .attic, .office))
        list.apply([], isSettled: true)
        list.apply(Self.claim(Self.owned, by: Self.stranger), isSettled: true)
        for name in [ObserverName.attic, .office] {
            try expectHonest(list)
            list.apply(
                [.status(name, nil), .peer(name, Self.chromecast.id, nil)], isSettled: true)
        }
        #expect(list.sections.peers.map(\.name) == ["Owned"])
    }

    @Test
    func `where nobody is known to be first, the claim of most names is followed, at once said`()
        throws
    {
        var list = FleetListing(
            Self.here + Self.claim(Self.owned, by: Self.stranger)
                + Self.claim(Self.chromecast, by: .office, .cellar))
        list.apply([], isSettled: true)
        try expectHonest(list)
        #expect(list.conflicts.count == 1)

        // Several sites of one user are one name.
        let sites = (0..<5).map { ObserverName(site: "aaa\($0)", observer: "stranger") }
        let more = sites.flatMap {
            [.status($0, .online())] + Self.claim(Self.owned, by: $0)
        }
        #expect(
            FleetListing(
                Self.here + more + Self.claim(Self.chromecast, by: .office, .cellar)
            ).sections.peers.map(\.name) == ["Living Room TV"])
    }

    @Test func `a trusted site is followed, whoever was first`() throws {
        for sites in [["office"], ["other", "office", "aaa"]] {
            var list = FleetListing(trusting: sites)
            list.apply(Self.here + Self.claim(Self.owned, by: Self.stranger), isSettled: true)
            #expect(list.sections.peers.map(\.name) == ["Owned"])
            list.apply(Self.claim(Self.chromecast, by: .office), isSettled: true)
            try expectHonest(list)
        }
    }

    @Test func `an announced identifier that is that of other evidence proves less`() throws {
        let forged = Self.owned.announcing(Self.chromecast.id)
        let list = FleetListing(
            Self.here + Self.claim(forged, by: Self.stranger, .attic)
                + Self.claim(Self.chromecast, by: .office))
        try expectHonestName(list)
        var alike = Self.chromecast.announcing(Self.chromecast.id)
        alike.addresses = ["10.66.6.6"]
        let row = FleetListing(
            Self.here + Self.claim(alike, by: Self.stranger)
                + Self.claim(Self.chromecast, by: .office)
        ).sections.peers.first
        #expect(row?.addresses == ["10.0.0.5"])
        #expect(row?.views.first?.claim != nil)
    }

    @Test func `an observer that continues a name, or knows no kind, contradicts nothing`() {
        var (other, named) = (Self.chromecast, Self.chromecast)
        (other.name, other.kind) = ("Living Room TV (cast)", nil)
        named.name = "Bedroom"
        var list = FleetListing(
            Self.here + Self.claim(Self.chromecast, by: .attic)
                + Self.claim(other, by: .cellar) + Self.claim(named, by: .office))
        list.apply([], isSettled: true)
        let claims = list.sections.peers.first?.views.map(\.claim)
        #expect(claims == [nil, nil, DeviceClaim(name: "Bedroom")])
    }

    @Test func `a label counts at its site, as it is shown instead of the name`() {
        var labelled = Self.chromecast
        labelled.label = "Owned"
        func label(_ other: ObserverName) -> String? {
            var list = FleetListing(Self.here + Self.claim(Self.chromecast, by: .attic))
            list.apply([], isSettled: true)
            list.apply(Self.claim(labelled, by: other), isSettled: true)
            return list.sections.peers.first?.label
        }
        #expect(label(.cellar) == "Owned" && label(Self.stranger) == nil)
    }

    // MARK: What is merged

    @Test func `a device has the addresses and services that any observer knows`() throws {
        let one = Peer.host(
            "printer", addresses: ["10.0.0.1", "fe80::1%eth0"], types: ["_http._tcp", "_ssh._tcp"])
        var other = Peer.host(
            "printer", addresses: ["10.1.0.1", "10.0.0.1", "fe80::1%lan"],
            types: ["_http._tcp", "_ipp._tcp"], seen: -60)
        (other.kind, other.maker, other.label) = (.printer, "HP", "Office")
        other.macs = ["00:00:5e:00:53:01"]
        let device = try #require(devices((.attic, one), (.cellar, other)).first)
        #expect(device.addresses == ["10.0.0.1", "fe80::1%eth0", "10.1.0.1"])
        #expect(device.services.map(\.type) == ["_http._tcp", "_ipp._tcp", "_ssh._tcp"])
        #expect((device.kind, device.maker, device.label) == (.printer, "HP", "Office"))
        #expect(device.macs == other.macs)
        #expect((device.firstSeen, device.lastSeen) == (other.firstSeen, one.lastSeen))
        #expect(!device.isSelf && device.interfaces.isEmpty)
    }

    @Test func `the strongest word of all observers counts, and each keeps its own`() throws {
        var (one, other) = (Peer.host("printer"), Peer.host("printer"))
        one.vouchedBy = Vouching(.reflector, sender: "10.0.0.1")
        other.vouchedBy = Vouching(.own, sender: "10.0.0.5")
        let device = try #require(devices((.attic, one), (.cellar, other)).first)
        #expect(device.vouchedBy == other.vouchedBy)
        #expect(device.views.map(\.vouchedBy) == [one.vouchedBy, other.vouchedBy])
        other.vouchedBy = nil
        let heardOnce = try #require(devices((.attic, one), (.cellar, other)).first)
        #expect(heardOnce.vouchedBy == one.vouchedBy)
    }

    @Test func `a service whose name is spelled in another way is the same`() throws {
        let one = Peer.host("Printer")
        var other = one
        other.services = [Service("PRINTER", "_http._tcp"), Service("a", "_ssh._tcp")]
        #expect(other.services[0].id == one.services[0].id)
        let device = try #require(devices((.attic, one), (.cellar, other)).first)
        #expect(device.services.map(\.name) == ["Printer", "a"])
    }

    @Test func `a device has at most 64 addresses from other observers`() throws {
        let peers = (0..<3).map { site in
            Peer.host(
                "printer", addresses: ["10.9.9.9"] + (0..<50).map { "10.0.\(site).\($0)" })
        }
        let other = ObserverName(site: "home", observer: "barn")
        let list = FleetListing(
            Self.online + [.status(other, .online())]
                + zip([.attic, .cellar, other], peers).map { .peer($0, $1.id, $1) })
        #expect(list.sections.peers.first?.addresses.count == 64)
    }

    @Test func `views are in the order of sites and names, whatever came first`() throws {
        let printer = Peer.host("printer").announcing(.announced(1))
        var names = [("b", "z"), ("a", "z"), ("b", "a"), ("B", "b"), ("a", "é")].map {
            ObserverName(site: $0, observer: $1)
        }
        var generator = SeededGenerator(seed: 1)
        names.shuffle(using: &generator)
        let list = FleetListing(names.map { .peer($0, printer.id, printer) })
        let expected = ["B/b", "a/z", "a/é", "b/a", "b/z"]
        let views = try #require(list.sections.peers.first).views
        #expect(views.map { "\($0.name.site)/\($0.name.observer)" } == expected)
    }

    @Test func `an observer that returns under its name after it was removed is another one`() {
        let printer = Peer.host("printer")
        var list = FleetListing(Self.online + [.peer(.attic, printer.id, printer)])
        for number in 0..<3 {
            list.apply([.status(.attic, nil), .peer(.attic, printer.id, nil)])
            #expect(list.sections.isEmpty && list.statuses.count == 2)
            let name = ObserverName(site: "home", observer: "new \(number)")
            list.apply([.peer(name, printer.id, printer), .status(name, .online())])
            #expect(list.sections.peers.map { $0.views.map(\.name) } == [[name]])
            list.apply([.peer(name, printer.id, nil), .status(name, nil)])
            list.apply([Self.online[0], .peer(.attic, printer.id, printer)])
            #expect(list.sections.peers.map { $0.views.map(\.name) } == [[.attic]])
        }
    }

    @Test func `a sign of life alone changes nothing`() {
        var list = FleetListing(Self.online + [.peer(.attic, Peer.host("a").id, .host("a"))])
        var later = Peer.host("a")
        later.lastSeen = House.time(60)
        #expect(list.apply([.peer(.attic, later.id, later)]) == nil)
        #expect(
            list.apply([.status(.cellar, .online(7, sequence: 9, host: "cellar.local"))]) == nil)
    }
}
