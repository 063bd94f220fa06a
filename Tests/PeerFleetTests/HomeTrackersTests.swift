// Tests which devices Home Assistant tracks, and when they are at home, away and unavailable.
import FoundationEssentials
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import TestSupport
import Testing

@testable import PeerFleet

extension HomeTrackers {
    /// The trackers of the attic, in a list of chosen kinds.
    static var standard: Self { attic() }

    static func attic(
        after time: Duration? = standardTime, isOfKinds: Bool = true
    ) -> Self {
        HomeTrackers(
            HomeAssistant(of: .attic, topics: topics, version: "1"), after: time,
            isOfKinds: isOfKinds)
    }
}

extension HomeAssistant {
    /// Returns the description of the tracker of a device whose MAC addresses no other one has.
    func config(of peer: Peer) -> [UInt8] {
        config(of: peer, connections: Self.connections(of: peer))
    }
}

@Suite struct HomeTrackersTests {
    private static let tv = Peer.host("tv").announcing(.announced(1))
    private static let phone = Peer.host("phone").announcing(.announced(2))

    /// A house in which the television is at home.
    private func house(_ time: Duration = HomeTrackers.standardTime) -> TrackedHouse {
        var house = TrackedHouse(.attic(after: time))
        house.connect()
        house.show([Self.tv, Self.phone])
        house.wait(.seconds(10))
        #expect(house.states == ["home", "home"])
        house.count = 0
        return house
    }

    // MARK: MAC addresses

    @Test func `a MAC address that several devices have is no connection of any of them`() {
        let mac = "b8:27:eb:12:34:56"
        func having(_ macs: String..., peer: Peer) -> Peer {
            var peer = peer
            peer.macs = macs
            return peer
        }
        var house = TrackedHouse(.attic())
        house.connect()
        func connects(_ peer: Peer) -> Bool {
            String(decoding: house.config(peer) ?? [], as: UTF8.self).contains(
                "[\"mac\",\"\(mac)\"]")
        }
        // A range extender answers for the phone with its own address.
        let (tv, phone) = (having(mac, peer: Self.tv), having(mac, peer: Self.phone))
        house.show([tv, Self.phone])
        house.wait(.seconds(10))
        #expect(connects(tv) && house.config(phone) != nil)
        house.show([tv, phone])
        #expect(!connects(tv) && !connects(phone))
        let guest = having(mac, peer: .host("guest"))
        house.show([tv, phone, guest])
        house.show([tv, having("00:00:5e:00:53:01", peer: phone), guest])
        #expect(!connects(tv), "a device without a tracker has the address")
        house.show([tv, phone])
        // Home Assistant has a departed device with a tracker.
        house.show([tv])
        #expect(!connects(tv))
        house.show([tv, having("00:00:5e:00:53:01", peer: phone)])
        #expect(connects(tv))
        house.show([Self.tv, phone])
        #expect(connects(phone))
    }

    // MARK: Away

    @Test(arguments: [5, 60, 179])
    func `a device that is unanswered for less than the time, and returns, has not changed`(
        seconds: Int
    ) {
        var house = house()
        house.show([Self.tv.being(.unanswered), Self.phone])
        house.wait(.seconds(seconds))
        house.show([Self.tv, Self.phone])
        house.wait(.seconds(600))
        #expect(house.count == 0)
    }

    @Test func `a device that departs and returns within the time has not changed`() {
        var house = house()
        house.show([Self.phone])
        house.wait(.seconds(100))
        house.show([Self.tv.being(.resolving), Self.phone])
        house.show([Self.tv, Self.phone])
        house.wait(.seconds(600))
        #expect(house.count == 0)
    }

    @Test func `a device is away when it has been gone for the time, however it went`() {
        for peers in [[Self.phone], [Self.tv.being(.unanswered), Self.phone]] {
            var house = house()
            house.show(peers)
            house.wait(.seconds(175))
            #expect(house.state(Self.tv) == "home")
            house.wait(.seconds(5))
            #expect(house.state(Self.tv) == "not_home")
            #expect(house.count == 1)
            house.show([Self.tv, Self.phone])
            #expect(house.state(Self.tv) == "home")
        }
    }

    @Test func `a device that is unanswered and then departs is gone since it was unanswered`() {
        var house = house()
        house.show([Self.tv.being(.unanswered), Self.phone])
        house.wait(.seconds(100))
        house.show([Self.phone])
        house.wait(.seconds(80))
        #expect(house.state(Self.tv) == "not_home")
    }

    @Test func `the time is that of the option`() {
        var house = house(.seconds(20))
        house.show([Self.phone])
        house.wait(.seconds(15))
        #expect(house.state(Self.tv) == "home")
        house.wait(.seconds(5))
        #expect(house.state(Self.tv) == "not_home")
    }

    @Test(arguments: seeds(200))
    func `a device is away only after it was gone for the time`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var house = house()
        var (gone, expected) = (Duration?.none, "home")
        for _ in 0..<60 {
            let presences: [Presence?] = [.present, .present, .unanswered, nil]
            let presence = presences[Int.random(in: 0..<4, using: &generator)]
            house.show([presence.map { Self.tv.being($0) }, Self.phone].compactMap(\.self))
            if presence == .present {
                (gone, expected) = (nil, "home")
            } else {
                gone = gone ?? .zero
            }
            for _ in 0..<Int.random(in: 0..<20, using: &generator) {
                house.wait(.seconds(5))
                gone = gone.map { $0 + .seconds(5) }
                if let gone, gone >= HomeTrackers.standardTime { expected = "not_home" }
                #expect(house.state(Self.tv) == expected)
            }
            #expect(house.state(Self.phone) == "home")
        }
    }

    // MARK: Unavailable

    @Test func `while the backend is down, devices are unavailable, and not away`() {
        var house = house()
        house.show([Self.phone])
        house.wait(.seconds(100))
        house.tell(.backendLost, "daemon")
        house.show([Self.phone.being(.unknown)])
        #expect(house.states == ["unavailable", "unavailable"])
        house.wait(.seconds(3600))
        #expect(house.states == ["unavailable", "unavailable"], "it may have returned unseen")
        house.tell(.backendBack, "daemon")
        house.show([Self.phone])
        #expect(house.state(Self.phone) == "home")
        house.wait(.seconds(15))
        #expect(house.state(Self.tv) == "unavailable")
        house.wait(.seconds(175))
        #expect(house.state(Self.tv) == "unavailable")
        house.wait(.seconds(5))
        #expect(house.state(Self.tv) == "not_home")
    }

    @Test func `a device that is not found after a backend's return is away after the time`() {
        var house = house()
        house.show([Self.tv.being(.unknown), Self.phone.being(.unknown)])
        house.show([Self.phone], reason: .backend)
        #expect(house.state(Self.tv) == "unavailable")
        house.wait(.seconds(175))
        #expect(house.state(Self.tv) == "unavailable")
        house.wait(.seconds(5))
        #expect(house.state(Self.tv) == "not_home")
    }

    @Test(arguments: Departure.allCases)
    func `only a device that was there to be seen leaving is away`(reason: Departure) {
        var house = house()
        house.show([Self.phone], reason: reason)
        switch reason {
        case .removed, .identity, .expired, .revoked: #expect(house.state(Self.tv) == "home")
        default: #expect(house.state(Self.tv) == "unavailable")
        }
        house.wait(.seconds(3600))
        #expect(house.state(Self.tv) == "not_home")
        house.show([Self.tv, Self.phone])
        #expect(house.state(Self.tv) == "home")
    }

    @Test func `an observer that ends and starts again goes on with its trackers`() {
        var house = house()
        let kept = house.kept
        house.restart(.standard)
        house.connect()
        #expect(house.kept == kept)
        house.wait(.seconds(20))
        house.show([Self.tv])
        house.wait(.seconds(155))
        #expect(house.kept == kept)
        house.wait(.seconds(5))
        #expect(house.states == ["home", "not_home"].sorted())
        #expect(house.state(Self.phone) == "not_home", "nothing was seen of it since the start")
    }

    @Test func `devices are waited for after a start, however short the time is`() {
        var house = house(.seconds(1))
        house.restart(.attic(after: .seconds(1)))
        house.connect()
        house.wait(.seconds(55))
        #expect(house.states == ["home", "home"])
        house.wait(.seconds(5))
        #expect(house.states == ["not_home", "not_home"])
    }

    // MARK: Identifiers

    /// The television under its host name, with its present evidence or without it.
    private func unnamed(_ evidence: Bool = true) -> Peer {
        var peer = Peer.host("tv")
        peer.evidence = [Identity(host: "tv.local")]
        if evidence {
            peer.services.append(Service("TV", "_ipp._tcp"))
            peer.evidence = [Self.evidence, Identity(host: "tv.local")]
        }
        return peer
    }
    /// The evidence in the records of a television.
    private static let evidence = {
        var service = Service("TV", "_ipp._tcp")
        service.txt = TXTRecord([
            .init(key: "UUID", value: .text("e3248000-80ce-11db-8000-30055c000001"))
        ])
        return Identity.all(of: [service], host: "tv.local")[0]
    }()
    /// The television, identified by a UUID.
    private static let named = {
        var peer = Peer.host("tv")
        peer.evidence = [evidence, Identity(host: "tv.local")]
        (peer.id, peer.identity) = (evidence.id, evidence)
        return peer
    }()

    @Test func `a tracker goes on under a stronger identifier, and the old one is cleared`() {
        var house = TrackedHouse(.standard)
        house.connect()
        var weak = unnamed(false)
        weak.label = "TV"
        house.show([weak])
        house.wait(.seconds(10))
        #expect(house.state(weak) == "home")
        var strong = Self.named
        strong.label = "TV"
        house.show([strong], replacing: [weak.id: strong.id])
        #expect(house.trackers == [strong.id])
        #expect(
            house.messages == ["home", "home"], "at one topic and at the other; it was never away")
        house.show([])
        house.wait(.seconds(180))
        #expect(house.messages.suffix(1) == ["not_home"])
    }

    @Test func `a device whose identifier is claimed by another one is unavailable, not away`() {
        var house = house()
        var stranger = Peer.host("stranger")
        stranger.evidence = [Self.evidence, Identity(host: "stranger.local")]
        house.show([Self.named, Self.phone])
        house.wait(.seconds(10))
        #expect(house.state(Self.named) == "home")
        house.show([unnamed(), stranger, Self.phone], replacing: [Self.named.id: unnamed().id])
        #expect(house.state(Self.named) == "unavailable")
        house.wait(.seconds(3600))
        #expect(house.state(Self.named) == "unavailable")
        #expect(house.state(unnamed()) == nil, "one device has one tracker")
        house.show([Self.named, Self.phone], replacing: [unnamed().id: Self.named.id])
        #expect(house.state(Self.named) == "home")
    }

    @Test(arguments: seeds(300))
    func `one device has one tracker, which is away only after it was gone for the time`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        var house = house()
        house.show([Self.named, Self.phone])
        house.wait(.seconds(10))
        var (shown, gone): (Peer?, Duration) = (Self.named, .zero)
        // Under a host name alone, a device is known for as long as it stays.
        var isKnown = true
        for _ in 0..<50 {
            let forms: [Peer?] = [
                Self.named, Self.named.being(.unanswered), unnamed(), unnamed(false), nil,
            ]
            let next = forms[Int.random(in: 0..<5, using: &generator)]
            var replaced: [UUID: UUID] = [:]
            if let shown, let next, shown.id != next.id { replaced = [shown.id: next.id] }
            house.show([next, Self.phone].compactMap(\.self), replacing: replaced)
            shown = next
            isKnown = next != nil && (isKnown || next?.evidence?.first == Self.evidence)
            if next?.presence == .present, isKnown { gone = .zero }
            for _ in 0..<Int.random(in: 0..<60, using: &generator) {
                house.wait(.seconds(5))
                if next?.presence != .present || !isKnown { gone += .seconds(5) }
                #expect(house.trackers == [Self.named.id, Self.tv.id, Self.phone.id])
                if gone < HomeTrackers.standardTime {
                    #expect(house.state(Self.named) != "not_home")
                }
            }
            if next == Self.named { #expect(house.state(Self.named) == "home") }
            if next == unnamed() { #expect(house.state(Self.named) == "unavailable") }
        }
    }

    @Test func `a device that leaves while its identifier is contested is away after the time`() {
        var house = house()
        house.show([Self.named])
        house.wait(.seconds(10))
        house.show([unnamed()], replacing: [Self.named.id: unnamed().id])
        house.show([])
        house.wait(.seconds(175))
        #expect(house.state(Self.named) == "unavailable")
        house.wait(.seconds(5))
        #expect(house.state(Self.named) == "not_home")
    }

    @Test func `a device that withdraws its evidence before it leaves stays at home for the time`()
    {
        var house = house()
        house.show([Self.named])
        house.wait(.seconds(10))
        house.count = 0
        house.show([unnamed(false)], replacing: [Self.named.id: unnamed(false).id])
        house.show([])
        house.wait(.seconds(175))
        #expect(house.state(Self.named) == "home")
        house.wait(.seconds(5))
        #expect(house.state(Self.named) == "not_home")
    }

    @Test func `an identifier that is contested since the start is unavailable, not away`() {
        var house = house()
        house.show([Self.named])
        house.wait(.seconds(10))
        house.restart(.standard)
        house.connect()
        house.show([unnamed(), Self.tv])
        house.wait(.seconds(600))
        #expect(house.state(Self.named) == "unavailable")
    }

    // MARK: Guests

    @Test func `a guest gets no tracker until it is known for a day`() {
        var house = TrackedHouse(.attic(isOfKinds: false))
        house.connect()
        house.show([Self.tv])
        house.wait(.seconds(86_390))
        #expect(house.trackers.isEmpty)
        house.wait(.seconds(10))
        #expect(house.trackers == [Self.tv.id])
    }

    @Test func `a device that the ledger has known for a day, or that has a label, is no guest`() {
        var (known, labelled) = (Self.tv, Peer.host("phone"))
        known.firstEverSeen = House.time(-86_400)
        labelled.label = "Anna’s phone"
        var house = TrackedHouse(.attic(isOfKinds: false))
        house.connect()
        house.show([known, labelled, Self.phone])
        house.wait(.seconds(10))
        #expect(house.trackers == [known.id, labelled.id])
        labelled.label = nil
        house.show([known, labelled, Self.phone])
        #expect(house.trackers == [known.id])
    }

    @Test func `a device that is unknown at first gets a tracker when it is known`() {
        var house = TrackedHouse(.attic())
        house.connect()
        house.show([Self.tv.being(.unknown), Self.phone])
        house.wait(.seconds(60))
        #expect(house.states == ["home"])
        house.show([Self.tv, Self.phone])
        house.wait(.seconds(5))
        #expect(house.states == ["home", "home"])
    }

    @Test func `a device that leaves within seconds gets no tracker`() {
        var house = TrackedHouse(.standard)
        house.connect()
        house.show([Self.tv])
        house.show([])
        house.wait(.seconds(600))
        #expect(house.kept.isEmpty)
    }

    // MARK: A fleet

    /// The house of two observers, who see the television, and a phone that only the attic sees.
    private func fleet() -> TrackedHouse {
        var house = TrackedHouse(
            HomeTrackers(
                HomeAssistant(of: nil, topics: topics, version: "1"),
                after: HomeTrackers.standardTime, isOfKinds: true), of: nil)
        house.connect()
        house.observe([.attic: true, .cellar: true])
        house.show([Self.tv.seen(by: [.attic, .cellar]), Self.phone.seen(by: [.attic])])
        house.wait(.seconds(10))
        #expect(house.states == ["home", "home"])
        return house
    }

    @Test func `a device that only observers that are away list is unavailable`() {
        var house = fleet()
        house.observe([.attic: false, .cellar: true])
        house.show([
            Self.tv.seen(by: [.attic, .cellar]), Self.phone.being(.unknown).seen(by: [.attic]),
        ])
        house.wait(.seconds(3600))
        #expect(house.state(Self.tv) == "home")
        #expect(house.state(Self.phone) == "unavailable")
        house.observe([.attic: true, .cellar: true])
        house.show([Self.tv.seen(by: [.attic, .cellar]), Self.phone.seen(by: [.attic])])
        #expect(house.state(Self.phone) == "home")
    }

    @Test func `a device that departs, and whose observers are away then, is unavailable`() {
        var house = fleet()
        house.show([Self.tv.seen(by: [.attic, .cellar])])
        house.wait(.seconds(100))
        house.observe([.attic: false, .cellar: true])
        house.wait(.seconds(3600))
        #expect(house.state(Self.phone) == "unavailable")
        house.observe([.attic: true, .cellar: true])
        house.wait(.seconds(175))
        #expect(house.state(Self.phone) == "unavailable")
        house.wait(.seconds(5))
        #expect(house.state(Self.phone) == "not_home")
    }

    @Test func `an observer that is removed takes no device away from home`() {
        var house = fleet()
        house.observe([.cellar: true])
        house.show([Self.tv.seen(by: [.cellar])])
        house.wait(.seconds(3600))
        #expect(house.state(Self.phone) == "unavailable")
    }

    @Test func `a device that observers list under its host name alone is unavailable, not away`() {
        var house = fleet()
        house.show([Peer.host("tv").seen(by: [.attic]), Self.phone.seen(by: [.attic])])
        house.wait(.seconds(10))
        #expect(house.state(Self.tv) == "unavailable")
        house.wait(.seconds(3600))
        #expect(house.state(Self.tv) == "unavailable")
        house.show([Self.tv.seen(by: [.attic]), Self.phone.seen(by: [.attic])])
        #expect(house.state(Self.tv) == "home")
    }

    @Test func `a device that has left is not home while another network has one of its host name`()
    {
        var house = fleet()
        func radio(_ address: String, _ id: UUID, _ observer: ObserverName) -> Peer {
            var peer = Peer.host("radio", addresses: [address]).seen(by: [observer])
            (peer.id, peer.label) = (id, "Radio")
            return peer
        }
        let here = radio("10.0.0.5", UUID(), .attic)
        let there = radio("10.1.0.5", UUID(), .cellar)
        house.show([here, there])
        house.wait(.seconds(10))
        #expect(house.state(here) == "home" && house.state(there) == "home")
        house.show([there])
        house.wait(.seconds(300))
        #expect(house.state(here) == "not_home" && house.state(there) == "home")
    }

    @Test func `a device that gets a stronger identifier in a fleet has one tracker`() {
        var house = fleet()
        var weak = Peer.host("radio")
        weak.label = "Radio"
        house.show([weak.seen(by: [.attic])])
        house.wait(.seconds(10))
        #expect(house.trackers.contains(weak.id))
        let strong = weak.announcing(.announced(7))
        house.show([strong.seen(by: [.attic])])
        house.wait(.seconds(10))
        #expect(house.trackers == [strong.id, Self.tv.id, Self.phone.id])
        #expect(house.state(strong) == "home")
    }

    // MARK: The broker's messages

    @Test func `without the option, what an earlier run has told is cleared, and nothing else`() {
        var house = house()
        let other = HomeAssistant(
            of: ObserverName(site: "office", observer: "attic"), topics: topics, version: "1")
        house.kept[other.configTopic(Self.tv.id)] = other.config(of: Self.tv)
        house.kept[other.stateTopic(Self.tv.id)] = Array("home".utf8)
        house.restart(.attic(after: nil))
        house.connect()
        house.show([Self.tv])
        house.wait(.seconds(600))
        #expect(
            Set(house.kept.keys) == [other.configTopic(Self.tv.id), other.stateTopic(Self.tv.id)])
        #expect(!house.reads, "it is read back once")
    }

    @Test func `descriptions at topics that trackers do not have are cleared`() {
        var house = TrackedHouse(.standard)
        let topic = "homeassistant/device_tracker/attic/Home_1/config"
        house.kept[topic] = HomeAssistant(of: .attic, topics: topics, version: "1").config(
            of: Self.tv)
        house.kept["homeassistant/device_tracker/attic/other/config"] = Array("{}".utf8)
        house.connect()
        #expect(Set(house.kept.keys) == ["homeassistant/device_tracker/attic/other/config"])
    }

    @Test(arguments: 0..<100)
    func `after a broker was away, or has lost everything, it has the state of each tracker`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        let peers = (0..<6).map { Peer.host("h\($0)").announcing(.announced($0)) }
        var (house, twin) = (TrackedHouse(.standard), TrackedHouse(.standard))
        twin.connect()
        for _ in 0..<40 {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: house.connect()
            case 1: house.lose(forgetting: Bool.random(using: &generator))
            case 2:
                let time = Duration.seconds(Int.random(in: 1..<100, using: &generator))
                house.wait(time)
                twin.wait(time)
            default:
                let shown = peers.filter { _ in Bool.random(using: &generator) }
                house.show(shown)
                twin.show(shown)
            }
        }
        house.connect()
        #expect(house.kept == twin.kept)
    }

    @Test func `a connection at which the broker has everything takes no message`() {
        var house = house()
        house.lose(forgetting: false)
        house.connect()
        #expect(house.count == 0)
    }
}

/// The trackers of a list, with a broker that keeps their messages.
private struct TrackedHouse {
    private var tracking: HomeTrackers
    private var script: [UUID: ListItem] = [:]
    private var now = HomeTrackers.Instant.now
    private var today: Double = 0
    private var account = Happenings()
    private var isConnected = false
    /// The messages that the broker keeps.
    var kept: [String: [UInt8]] = [:]
    /// The number of messages so far.
    var count = 0
    /// The states that were published, in order.
    private(set) var messages: [String] = []

    /// The start of the topics of states.
    private let base: String

    init(_ trackers: HomeTrackers, of name: ObserverName? = .attic) {
        (tracking, base) = (trackers, topics.trackers(of: name))
    }

    /// The states that the broker keeps, in alphabetical order.
    var states: [String] {
        kept.filter { $0.key.hasPrefix(base) }.values
            .map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// The devices of which the broker keeps descriptions.
    var trackers: Set<UUID> {
        Set(
            kept.keys.filter { $0.hasSuffix("/config") }.compactMap { topic in
                let identifier = topic.utf8.dropLast("/config".utf8.count).suffix(36)
                return UUID(uuidString: String(Substring(identifier)))
            }.filter { kept[base + $0.uuidString.lowercased()] != nil })
    }

    /// Whether a connection would read messages back.
    var reads: Bool { !tracking.filters.isEmpty }

    func state(_ peer: Peer) -> String? {
        kept[base + peer.id.uuidString.lowercased()]
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The description of the tracker of a device.
    func config(_ peer: Peer) -> [UInt8]? {
        kept[HomeAssistant(of: .attic, topics: topics, version: "1").configTopic(peer.id)]
    }

    /// Changes which observers of a fleet are online.
    mutating func observe(_ online: [ObserverName: Bool]) {
        account.note(online)
        tracking.apply(account.attendance.sources, at: now)
        publish()
    }

    /// Loses something through which devices are heard, or has it return.
    mutating func tell(_ event: SourceHappening.Event, _ name: String) {
        account.add(SourceHappening(event, name, count: 1, at: House.time(today)))
        tracking.apply(account.attendance.sources, at: now)
        publish()
    }

    /// Begins another run of the program.
    mutating func restart(_ trackers: HomeTrackers) {
        (tracking, script, isConnected) = (trackers, [:], false)
    }

    mutating func connect() {
        isConnected = true
        tracking.beginRead()
        for (topic, payload) in kept where tracking.filters.contains(where: { matches($0, topic) })
        {
            tracking.readBack(payload, on: topic)
        }
        tracking.endRead(at: now)
        publish()
    }

    mutating func lose(forgetting isForgetting: Bool) {
        isConnected = false
        if isForgetting { kept = [:] }
    }

    /// Changes the list.
    mutating func show(
        _ peers: [Peer], replacing replacements: [UUID: UUID] = [:],
        reason: Departure = .removed
    ) {
        let new = Dictionary(uniqueKeysWithValues: peers.map { ($0.id, ListItem.peer($0)) })
        var items = ItemChanges(
            at: House.time(today), from: script.keys, { [script] in script[$0] }, to: new,
            replaced: replacements)
        for (id, departure) in items.departures where departure.reason == .removed {
            items.departures[id]?.reason = reason
        }
        script = new
        tracking.apply(items, at: now)
        publish()
    }

    /// Lets time pass in steps of five seconds.
    mutating func wait(_ time: Duration) {
        var rest = time
        while rest > .zero {
            let step = min(rest, .seconds(5))
            (now, today, rest) = (now + step, today + step / .seconds(1), rest - step)
            tracking.advance(to: now, House.time(today))
            publish()
        }
    }

    private mutating func publish() {
        guard isConnected else { return }
        while let (payload, topic) = tracking.next() {
            count += 1
            kept[topic] = payload.isEmpty ? nil : payload
            if topic.hasPrefix(base), !payload.isEmpty {
                messages.append(String(decoding: payload, as: UTF8.self))
            }
        }
    }

    private func matches(_ filter: String, _ topic: String) -> Bool {
        let (filter, topic) = (filter.split(separator: "/"), topic.split(separator: "/"))
        return filter.count == topic.count
            && zip(filter, topic).allSatisfy { $0 == "+" || $0 == $1 }
    }
}

extension Peer {
    /// The device as these observers list it.
    fileprivate func seen(by observers: [ObserverName]) -> Peer {
        var peer = self
        peer.views = observers.map {
            PeerView(name: $0, host: "", presence: presence, since: firstSeen)
        }
        return peer
    }

    fileprivate func being(_ presence: Presence) -> Peer {
        var peer = self
        peer.presence = presence
        return peer
    }
}
