// Tests of what is said to happen in a fleet: to its observers and brokers, and to their devices.
import DiffCore
import FoundationEssentials
import PeerFleet
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import PeerText
import Testing

@testable import PeerSession

@Suite struct FleetSourceTests {
    private var source = FleetSource(ListOptions(), brokers: ["a.example", "b.example"])
    private var account = Happenings()
    private let hall = ObserverName(site: "home", observer: "hall")
    private let cellar = ObserverName(site: "home", observer: "cellar")
    private let tv = device("tv", "googlecast", address: "10.0.0.30")
    private let nas = device("nas", "smb", address: "10.0.0.4")

    /// Applies changes, and returns what is said by the end of ten seconds after them.
    private mutating func apply(
        _ changes: FleetChange..., at seconds: Double, from broker: Int = 0, failure: String? = nil
    ) -> [String] {
        var event = FleetEvent(at: House.time(seconds))
        (event.broker, event.changes, event.failure) = (broker, changes, failure)
        event.isSettled = failure == nil
        let effects = source.apply(event)
        if let items = effects.devices?.items { account.apply(items) }
        for happening in effects.happenings { account.add(happening) }
        if let end = source.fillEnd(at: event.time) { account.fill = .over(end) }
        return account.removeDue(at: House.time(seconds + 10)).compactMap { happening in
            switch happening {
            case .item(let event):
                event.event == .there ? nil : "\(event.event) \(event.item.name)"
            case .source(let event): event.sentence ?? "\(event.event.rawValue) \(event.name)"
            }
        }
    }

    /// Applies a change that belongs to a later one, and returns what is said at once.
    private mutating func change(_ change: FleetChange, at seconds: Double) -> [String] {
        var event = FleetEvent(at: House.time(seconds))
        (event.changes, event.isSettled) = ([change], true)
        if let items = source.apply(event).devices?.items { account.apply(items) }
        return account.removeDue(at: House.time(seconds)).compactMap(\.ofItem).map {
            "\($0.event) \($0.item.name)"
        }
    }

    private func status(_ name: ObserverName, _ state: ObserverStatus.State?) -> FleetChange {
        .status(name, state.map { ObserverStatus($0) })
    }

    /// Reads a fleet of one observer.
    private mutating func begin() {
        account.fill = .running
        _ = apply(status(hall, .online), .peer(hall, tv.id, tv), at: 1)
        _ = apply(at: 2, from: 1)
    }

    @Test mutating func `devices that come with the end of the initial fill were there before`() {
        account.fill = .running
        _ = apply(at: 1, from: 1)
        #expect(apply(status(hall, .online), .peer(hall, tv.id, tv), at: 2) == [])
        #expect(account.fill == .over(House.time(2)))
    }

    @Test mutating func `a search says what is there and which brokers are waited for`() {
        #expect(source.searchText == "0 devices of 0 observers, waiting for 2 brokers")
        _ = apply(status(hall, .online), status(cellar, .offline), at: 1)
        #expect(source.searchText == "0 devices of 1 observer, waiting for 1 broker")
        _ = apply(.peer(hall, tv.id, tv), at: 2, from: 1)
        #expect(source.searchText == "1 device of 1 observer")
    }

    @Test mutating func `an observer that joins is one event, and its devices have not arrived`() {
        begin()
        #expect(apply(status(cellar, .syncing), at: 100) == [])
        #expect(apply(.peer(cellar, nas.id, nas), at: 101) == [])
        #expect(
            apply(status(cellar, .online), at: 120) == ["observer home/cellar joined: 1 device"])
        let phone = device("phone", "ssh", address: "10.0.0.9")
        #expect(apply(.peer(cellar, phone.id, phone), at: 140) == ["arrived phone"])
        #expect(apply(.peer(cellar, phone.id, nil), at: 160) == ["left phone"])
    }

    @Test mutating func `an observer that is away and back is two events, and changes no device`() {
        begin()
        #expect(
            apply(status(hall, .offline), at: 100)
                == ["observer home/hall is away: 1 device unknown"])
        #expect(apply(status(hall, .syncing), at: 110) == [])
        #expect(
            apply(status(hall, .online), at: 120) == ["observer home/hall is back: 1 device"])
        #expect(apply(status(hall, .online), at: 140) == [])
    }

    @Test
    mutating func `an observer that starts again changes no device while it finds it in parts`() {
        begin()
        _ = apply(status(hall, .offline), at: 100)
        let part = device("tv", "ssh", address: "10.0.0.30")
        #expect(apply(status(hall, .syncing), .peer(hall, tv.id, part), at: 110) == [])
        #expect(apply(.peer(hall, tv.id, tv), at: 121) == [])
        #expect(
            apply(status(hall, .online), at: 132) == ["observer home/hall is back: 1 device"])
        #expect(apply(.peer(hall, tv.id, part), at: 150) == ["changed tv"])
        // What has changed meanwhile is said when it is known.
        _ = apply(status(hall, .offline), at: 200)
        #expect(apply(status(hall, .syncing), .peer(hall, tv.id, tv), at: 210) == [])
        #expect(
            apply(status(hall, .online), at: 221) == [
                "changed tv", "observer home/hall is back: 1 device",
            ])
    }

    @Test mutating func `a broker that is lost and back is two events, also with its observers`() {
        begin()
        #expect(
            apply(status(hall, .offline), at: 100, failure: "refused")
                == ["broker-lost a.example"])
        #expect(apply(at: 110, failure: "refused") == [])
        #expect(apply(at: 115, from: 1, failure: "refused") == ["broker-lost b.example"])
        #expect(apply(status(hall, .online), at: 120) == ["broker-back a.example"])
    }

    // MARK: Identifiers that change

    /// The television, once its records identify it.
    private var identified: Peer {
        var peer = tv
        (peer.identity, peer.name) = (
            Identity(source: .txt, value: "uuid:1", type: "_x._tcp"), "tv"
        )
        peer.id = peer.identity.id
        return peer
    }

    @Test(arguments: [false, true])
    mutating func `a device whose identifier changes neither arrives nor departs`(isBack: Bool) {
        begin()
        let (old, new) = isBack ? (identified, tv) : (tv, identified)
        if isBack {
            _ = apply(.peer(hall, new.id, nil), .peer(hall, old.id, old), at: 50)
        }
        // The observer publishes the new identifier first.
        #expect(change(.peer(hall, new.id, new), at: 100) == [])
        #expect(apply(.peer(hall, old.id, nil), at: 100.1) == ["identified tv"])
        #expect(source.devices.snapshot.itemIdentifiers == [new.id])
    }

    @Test mutating func `both identifiers of a device in one event are one change`() {
        begin()
        let new = identified
        #expect(
            apply(.peer(hall, tv.id, nil), .peer(hall, new.id, new), at: 100) == ["identified tv"])
    }

    @Test(arguments: [false, true])
    mutating func `a device whose identifier changes while an observer is away does not depart`(
        clearsFirst: Bool
    ) {
        begin()
        _ = apply(status(cellar, .online), .peer(cellar, tv.id, tv), at: 20)
        _ = apply(status(cellar, .offline), at: 100)
        let new = identified
        #expect(change(.peer(hall, new.id, new), at: 200) == [])
        #expect(apply(.peer(hall, tv.id, nil), at: 200.1) == ["identified tv (home)"])
        #expect(apply(status(cellar, .syncing), at: 1000) == [])
        let (published, cleared) =
            (FleetChange.peer(cellar, new.id, new), FleetChange.peer(cellar, tv.id, nil))
        let said =
            change(clearsFirst ? cleared : published, at: 1000.1)
            + apply(clearsFirst ? published : cleared, at: 1000.2)
        #expect(said == ["identified tv"])
        #expect(
            apply(status(cellar, .online), at: 1001) == ["observer home/cellar is back: 1 device"])
        #expect(source.devices.snapshot.itemIdentifiers == [new.id])
    }

    @Test mutating func `hosts of one name that are told apart do not arrive if they were known`() {
        begin()
        _ = apply(status(cellar, .online), .peer(cellar, tv.id, tv), at: 20)
        var other = tv
        other.addresses = ["10.1.0.30"]
        // The address is that of another host only when it has been so for three minutes.
        #expect(apply(.peer(cellar, tv.id, other), at: 40).allSatisfy { $0.hasPrefix("changed") })
        let said = apply(at: 300)
        #expect(source.devices.snapshot.numberOfItems == 2)
        #expect(said.allSatisfy { $0.hasPrefix("identified") || $0.hasPrefix("changed") })
        #expect(said.count { $0.hasPrefix("identified") } == 2)
        #expect(
            apply(.peer(cellar, tv.id, nil), at: 400) == ["identified tv", "left tv (home/cellar)"])
    }

    /// An observer knows the addresses of a device a moment after the device itself.
    @Test(arguments: [[], ["2001:db8::1"]])
    mutating func `a host of a known name on another network arrives`(first: [String]) {
        begin()
        _ = apply(status(cellar, .online), at: 20)
        var other = tv
        other.addresses = first
        #expect(change(.peer(cellar, tv.id, other), at: 39.9) == [])
        #expect(source.devices.snapshot.numberOfItems == 1)
        other.addresses.append("10.1.0.30")
        let said = apply(.peer(cellar, tv.id, other), at: 40)
        #expect(said.contains("arrived tv (home/cellar)"))
        #expect(said.contains("identified tv (home/hall)"))
        #expect(!said.contains { $0.hasPrefix("left") })
    }

    @Test mutating func `a recording tells which host of a name goes on from its addresses`() throws
    {
        begin()
        _ = apply(status(cellar, .online), at: 20)
        var other = tv
        other.addresses = ["10.1.0.30"]
        var event = FleetEvent(at: House.time(40))
        event.changes = [.peer(cellar, tv.id, other)]
        var items = try #require(source.apply(event).devices?.items)
        (items.replacements, items.predecessors) = ([:], [:])
        account.apply(items)
        let said = account.removeDue(at: House.time(50)).compactMap(\.ofItem)
        #expect(said.first { $0.event == .identified }?.item.peer.addresses == tv.addresses)
        #expect(said.first { $0.event == .arrived }?.item.peer.addresses == other.addresses)
        #expect(said.count == 2)
    }
}
