// Tests what an observer publishes, and which of two observers of one name goes on.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import PeerRecording
import Synchronization
import TestSupport
import Testing

@testable import PeerFleet

@Suite struct PublisherTests {
    // MARK: The broker's state

    @Test func `starting publishes what is there, clears what is not, and is online then`() {
        var house = PublishingHouse()
        house.broker.publish(Peer.host("ghost").message(7), to: house.topic("ghost"))
        house.broker.publish(Peer.host("tv").message(9), to: house.topic("tv"))
        house.show(["tv", "printer"])
        house.connect()
        #expect(house.states == [.syncing, .online])
        #expect(house.keptPeers == ["printer", "tv"])
        #expect(house.keptStatus?.peers == 2)
        #expect(house.keptStatus?.sequence == 12, "numbers continue those that the broker keeps")
    }

    @Test func `an observer is online only when its initial fill is over`() {
        var house = PublishingHouse()
        house.fill(isRunning: true)
        house.connect()
        house.show(["tv", "printer"])
        house.drain()
        #expect(house.states == [.syncing])
        #expect(house.keptPeers == ["printer", "tv"])
        house.fill(isRunning: false)
        house.drain()
        #expect(house.states == [.syncing, .online])
    }

    @Test
    func `until the initial fill is over, nothing that an earlier run has published is cleared`() {
        var house = PublishingHouse()
        house.broker.publish(Peer.host("tv").message(9), to: house.topic("tv"))
        house.broker.publish(Peer.host("ghost").message(8), to: house.topic("ghost"))
        house.fill(isRunning: true)
        house.show(["part of the tv"])
        house.connect()
        #expect(house.keptPeers == ["ghost", "part of the tv", "tv"])
        house.show(["tv"])
        house.drain()
        house.fill(isRunning: false)
        house.drain()
        #expect(house.keptPeers == ["tv"] && house.states == [.syncing, .online])
    }

    @Test func `a change is one message, with the next number`() throws {
        var house = PublishingHouse()
        house.connect()
        house.show(["tv"])
        let count = house.broker.count
        house.show(["tv", "printer"])
        house.drain()
        #expect(house.broker.count == count + 1)
        house.show(["printer"])
        house.drain()
        #expect(house.keptPeers == ["printer"])
        let payload = try #require(house.broker.kept[house.topic("printer")])
        #expect(try NumberedPeer(payload).sequence == 2)
    }

    @Test func `a device with a new identifier is published before the old one is cleared`() {
        var house = PublishingHouse()
        house.show((0..<20).map { "old \($0)" })
        house.connect()
        house.show((0..<20).map { "new \($0)" })
        house.drain()
        #expect(house.lastMessages(40).map(\.isEmpty) == (0..<40).map { $0 >= 20 })
        // Also if an earlier run has published the old one.
        var again = PublishingHouse()
        again.broker = house.broker
        again.show((0..<20).map { "old \($0)" })
        again.connect()
        again.drain()
        #expect(again.lastMessages(41).dropLast().map(\.isEmpty) == (0..<40).map { $0 >= 20 })
    }

    @Test func `the number of messages is stated once after changes`() {
        var house = PublishingHouse()
        house.connect()
        #expect(house.restate() == 0)
        house.show(["tv"])
        house.drain()
        #expect(house.restate() == 1)
        #expect(house.keptStatus?.sequence == 1 && house.keptStatus?.peers == 1)
        #expect(house.restate() == 0)
    }

    @Test func `an observer states once a minute that it is online, also if nothing changes`() {
        var house = PublishingHouse()
        house.connect()
        var count = 0
        for _ in 0..<120 { count += house.wait(.seconds(5)) }
        #expect(count == 10)
        #expect(house.keptStatus?.interval == 60)
    }

    @Test func `a census has the peers that are there, and is published again when they change`()
        throws
    {
        var house = PublishingHouse()
        house.connect()
        var payloads: [[UInt8]] = []
        for hosts in [[], ["tv"], ["tv", "phone"], ["tv", "phone"], ["phone"]] {
            house.show(hosts)
            house.wait(.seconds(5))
            payloads.append(try #require(house.broker.kept[topics.census(of: .attic)]))
        }
        #expect(payloads[2] == payloads[3])
        let census = try ObserverCensus(payloads[4])
        #expect(census.run == House.header(.device).run && census.sequence == 3)
        #expect(census.lacks(Peer.host("tv").id, publishedAs: 3))
        #expect(!census.lacks(Peer.host("phone").id, publishedAs: 3))
    }

    @Test func `while the broker is away nothing is queued, and the final state is published`() {
        var house = PublishingHouse()
        house.show(["a", "b"])
        house.connect()
        house.lose()
        for number in 0..<500 { #expect(house.show(["b", "x\(number)"]) == 0) }
        #expect(house.restate() == 0)
        let count = house.broker.count
        house.connect()
        #expect(house.keptPeers == ["b", "x499"])
        // Syncing, a, b, x499, online.
        #expect(house.broker.count == count + 5)
    }

    @Test func `a broker that has lost what it kept gets everything again`() {
        var house = PublishingHouse(trackers: .standard)
        house.labels = ["tv": "TV"]
        house.show(["tv"])
        house.connect()
        house.wait(.seconds(5))
        let kept = Set(house.broker.kept.keys)
        #expect(kept.count == 5, "the status, the peer, the census, and a tracker with its state")
        house.lose()
        house.broker.restart()
        house.connect()
        house.wait(.seconds(5))
        #expect(Set(house.broker.kept.keys) == kept)
    }

    @Test(arguments: [true, false])
    func `without Home Assistant, the broker may refuse to be read for it`(isOff: Bool) {
        var house = PublishingHouse(trackers: isOff ? .attic(after: nil) : .standard)
        house.connect()
        let filter = HomeAssistant(of: .attic, topics: topics, version: "1").configs
        #expect(house.publisher.isOptional(filter) == isOff)
        #expect(!house.publisher.isOptional(topics.peers(of: .attic)))
    }

    @Test func `at most 64 messages about peers are unconfirmed`() {
        var house = PublishingHouse()
        house.show((0..<1000).map { "h\($0)" })
        house.connect(confirming: false)
        // The window includes the status before.
        let first = house.unconfirmed
        #expect((60...64).contains(first))
        house.confirm(10)
        #expect(house.unconfirmed == first)
        house.drain()
        #expect(house.keptPeers.count == 1000)
        #expect(house.keptStatus?.state == .online)
    }

    @Test func `what changes while messages are unconfirmed is published once`() throws {
        var house = PublishingHouse()
        house.show((0..<200).map { "h\($0)" })
        house.connect(confirming: false)
        for _ in 0..<100 {
            house.show([])
            house.show((0..<200).map { "h\($0)" })
        }
        house.show(["a"])
        house.drain()
        #expect(house.keptPeers == ["a"])
        #expect(house.broker.count < 1000)
    }

    @Test func `a peer that is too large is published without its last services`() throws {
        var publisher = PublishingHouse()
        publisher.extraServices = 5000
        publisher.show(["tv"])
        publisher.connect()
        let payload = try #require(publisher.broker.kept[publisher.topic("tv")])
        #expect(payload.count <= FleetTopics.payloadLimit)
        let services = try NumberedPeer(payload).peer.services
        #expect((100..<5000).contains(services.count))
    }

    @Test func `refused messages are one notice`() {
        var house = PublishingHouse()
        house.show(["a", "b", "c"])
        house.failure = "not authorized"
        house.connect()
        house.show(["d"])
        house.drain()
        #expect(house.notices.count == 1)
        #expect(house.notices.first?.contains("not authorized") == true)
    }

    // MARK: Two observers of one name

    @Test(arguments: 0..<100)
    func `of two observers of one name, the one that connected last goes on`(seed: UInt64) {
        var pair = PublishingPair(seed: seed)
        pair.connect(0)
        pair.drain()
        pair.connect(1)
        pair.drain()
        #expect(pair.ended == [0])
        #expect(pair.keptRun == pair.runs[1])
        #expect(pair.state == .online)
        #expect(pair.broker.count < 30)
    }

    @Test(arguments: 0..<200)
    func `of two observers of one name, exactly one goes on whenever they connect`(seed: UInt64) {
        var pair = PublishingPair(seed: seed)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let index = Int.random(in: 0...1, using: &generator)
            if Int.random(in: 0..<4, using: &generator) == 0 {
                pair.connect(index)
            } else {
                for _ in 0..<5 { pair.step() }
            }
        }
        for index in 0...1 { pair.connect(index) }
        pair.drain()
        #expect(pair.ended.count == 1)
        #expect(pair.state == .online)
        #expect(pair.keptRun == pair.runs[pair.ended == [0] ? 1 : 0])
        #expect(pair.keptPeers == [pair.ended == [0] ? "h1" : "h0"])
        #expect(pair.broker.count < 1000)
    }

    @Test(arguments: 0..<100)
    func `late messages of an observer that was taken over do not stay`(seed: UInt64) {
        var pair = PublishingPair(seed: seed)
        pair.connect(0)
        pair.drain()
        pair.show(["h0", "late"], 0)
        pair.connect(1)
        pair.drain()
        #expect(pair.ended == [0])
        #expect(pair.keptPeers == ["h1"])
    }

    @Test func `a late will of an earlier connection makes an observer publish its state again`() {
        var pair = PublishingPair(seed: 1)
        pair.connect(0)
        pair.drain()
        pair.broker.publish(ObserverStatus(.offline).payload, to: topics.status(of: .attic))
        pair.drain()
        #expect(pair.state == .online)
        pair.broker.publish([], to: topics.status(of: .attic))
        pair.drain()
        #expect(pair.state == .online)
        #expect(pair.ended.isEmpty)
    }

    @Test func `a status of an observer that ended without a word ends no other one`() {
        var pair = PublishingPair(seed: 1)
        var status = ObserverStatus.online(3, sequence: 7)
        status.run = .announced(9)
        pair.broker.publish(status.payload, to: topics.status(of: .attic))
        pair.connect(0)
        pair.drain()
        #expect(pair.ended.isEmpty)
        #expect(pair.state == .online)
    }
}

/// A publisher with its list, as the only client of a simulated broker.
private struct PublishingHouse {
    private static let client = 1

    var broker = SimulatedBroker()
    private(set) var publisher: ObserverPublisher
    /// The number of kept messages that the broker has not confirmed.
    private(set) var unconfirmed = 0
    private(set) var states: [ObserverStatus.State] = []
    private var payloads: [[UInt8]] = []
    private(set) var notices: [String] = []
    /// The reason for which the broker refuses messages.
    var failure: String?
    var labels: [String: String] = [:]
    /// The number of services that each peer has besides its first one.
    var extraServices = 0
    private var script = ListScript()
    private let clock = Clock()

    private final class Clock: Sendable {
        let uptime = Mutex(HomeTrackers.Instant.now)
    }

    init(trackers: HomeTrackers? = nil) {
        publisher = ObserverPublisher(
            .attic, topics: topics, status: ObserverStatus(.syncing), trackers: trackers,
            clock: { House.time(0) }, uptime: { [clock] in clock.uptime.withLock(\.self) })
        publisher.began(House.header(.device))
    }

    /// The payloads of the last messages, in order.
    func lastMessages(_ count: Int) -> ArraySlice<[UInt8]> { payloads.suffix(count) }

    func topic(_ host: String) -> String { topics.peer(Peer.host(host).id, of: .attic) }

    var keptStatus: ObserverStatus? {
        broker.kept[topics.status(of: .attic)].flatMap { try? ObserverStatus($0) }
    }

    /// The names of the peers that the broker keeps, in order.
    var keptPeers: [String] {
        broker.kept.filter { $0.key.contains("/peers/") }.values
            .compactMap { try? NumberedPeer($0).peer.name }.sorted()
    }

    mutating func connect(confirming: Bool = true) {
        broker.connect(Self.client)
        unconfirmed = 0
        perform(publisher.connected())
        drain(confirming: confirming)
    }

    mutating func fill(isRunning: Bool) { perform(publisher.filling(isRunning)) }

    mutating func lose() {
        broker.disconnect(Self.client)
        publisher.lost()
    }

    /// Changes the list, and returns the number of messages that follow at once.
    @discardableResult
    mutating func show(_ hosts: [String]) -> Int {
        let peers = hosts.map { host in
            var peer = Peer.host(host)
            peer.label = labels[host]
            peer.services += (0..<extraServices).map { number in
                let digits = String(number)
                let name = String(repeating: "0", count: 60 - digits.count) + digits
                return Service(name, "_more._tcp")
            }
            return peer
        }
        let update = script.change(.changed, at: House.time(0), to: peers.sections(.device))
        return perform(publisher.updated(update.items))
    }

    /// Lets time pass, and returns the number of statuses that follow.
    @discardableResult
    mutating func wait(_ time: Duration) -> Int {
        let count = states.count
        clock.uptime.withLock { $0 += time }
        perform(publisher.advance())
        drain()
        return states.count - count
    }

    /// States the number of messages, and returns the number of statuses.
    mutating func restate() -> Int { wait(.zero) }

    mutating func confirm(_ count: Int) {
        for _ in 0..<count where unconfirmed > 0 {
            unconfirmed -= 1
            perform(publisher.confirmed(failure: failure))
        }
    }

    mutating func drain(confirming: Bool = true) {
        while true {
            switch broker.next(Self.client) {
            case .message(let message):
                perform(
                    publisher.received(
                        message.payload, on: message.topic, isKept: message.isRetained))
            case .unsubscribed(let filter): perform(publisher.unsubscribed(filter))
            case nil:
                guard confirming, unconfirmed > 0 else { return }
                confirm(1)
            }
        }
    }

    @discardableResult
    private mutating func perform(_ actions: [ObserverPublisher.Action]) -> Int {
        var count = 0
        for action in actions {
            switch action {
            case .subscribe(let filter): broker.subscribe(Self.client, filter)
            case .unsubscribe(let filter): broker.unsubscribe(Self.client, filter)
            case .keep(let payload, let topic):
                (count, unconfirmed) = (count + 1, unconfirmed + 1)
                payloads.append(payload)
                broker.publish(payload, to: topic)
                if let status = try? ObserverStatus(payload) { states.append(status.state) }
            case .notice(_, let text): notices.append(text)
            case .takenOver: break
            }
        }
        return count
    }
}

/// Two publishers of one name, whose messages arrive in any order of the two.
private struct PublishingPair {
    let runs: [UUID]
    var broker = SimulatedBroker()
    /// The indices of the observers whose name was taken over.
    private(set) var ended: Set<Int> = []
    private var publishers: [ObserverPublisher] = []
    private var scripts = [ListScript(), ListScript()]
    /// The actions that the broker has not handled.
    private var pending: [[ObserverPublisher.Action]] = [[], []]
    private var generator: SeededGenerator

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        runs = (0..<2).map { _ in UUID.random(using: &generator) }
        self.generator = generator
        publishers = runs.map { run in
            var publisher = ObserverPublisher(
                .attic, topics: topics, status: ObserverStatus(.syncing))
            var header = House.header(.device)
            header.run = run
            publisher.began(header)
            return publisher
        }
        for index in 0...1 { show(["h\(index)"], index) }
    }

    private var kept: ObserverStatus? {
        broker.kept[topics.status(of: .attic)].flatMap { try? ObserverStatus($0) }
    }
    var keptRun: UUID? { kept?.run }
    var state: ObserverStatus.State? { kept?.state }
    /// The names of the peers that the broker keeps, in order.
    var keptPeers: [String] {
        broker.kept.filter { $0.key.contains("/peers/") }.values
            .compactMap { try? NumberedPeer($0).peer.name }.sorted()
    }

    /// Changes the list of an observer.
    mutating func show(_ hosts: [String], _ index: Int) {
        let peers = hosts.map { Peer.host($0) }
        let update = scripts[index].change(
            .changed, at: House.time(0), to: peers.sections(.device))
        perform(publishers[index].updated(update.items), index)
    }

    mutating func connect(_ index: Int) {
        guard !ended.contains(index) else { return }
        publishers[index].lost()
        broker.connect(index)
        pending[index] = []
        perform(publishers[index].connected(), index)
    }

    /// Has a random one of the two send or read something; returns `false` if neither can.
    @discardableResult
    mutating func step() -> Bool {
        let first = Int.random(in: 0...1, using: &generator)
        for index in [first, 1 - first] {
            if Bool.random(using: &generator) {
                if send(index) || read(index) { return true }
            } else if read(index) || send(index) {
                return true
            }
        }
        return false
    }

    mutating func drain() {
        var steps = 0
        while steps < 10_000, step() { steps += 1 }
    }

    private mutating func send(_ index: Int) -> Bool {
        guard !pending[index].isEmpty else { return false }
        switch pending[index].removeFirst() {
        case .subscribe(let filter): broker.subscribe(index, filter)
        case .unsubscribe(let filter): broker.unsubscribe(index, filter)
        case .keep(let payload, let topic):
            broker.publish(payload, to: topic)
            perform(publishers[index].confirmed(failure: nil), index)
        case .takenOver:
            // It ends with its last message.
            let last = publishers[index].will
            broker.publish(last.payload, to: last.topic)
            broker.disconnect(index)
        case .notice: break
        }
        return true
    }

    private mutating func read(_ index: Int) -> Bool {
        switch broker.next(index) {
        case .message(let message):
            perform(
                publishers[index].received(
                    message.payload, on: message.topic, isKept: message.isRetained), index)
        case .unsubscribed(let filter): perform(publishers[index].unsubscribed(filter), index)
        case nil: return false
        }
        return true
    }

    private mutating func perform(_ actions: [ObserverPublisher.Action], _ index: Int) {
        for action in actions {
            if case .takenOver = action { ended.insert(index) }
            pending[index].append(action)
        }
    }
}
