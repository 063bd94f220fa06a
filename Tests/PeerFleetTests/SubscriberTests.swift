// Tests which messages a fleet accepts, what it subscribes to, and how it mends lost messages.
import FoundationEssentials
import PeerFleet
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@Suite struct SubscriberTests {
    private static let printer = Peer.host("printer")

    /// Returns a broker that keeps the status of an observer and its peers, numbered from 1.
    private func broker(
        _ peers: [Peer], of names: [ObserverName] = [.attic]
    ) -> SimulatedBroker {
        var broker = SimulatedBroker()
        for name in names {
            for (index, peer) in peers.enumerated() {
                broker.publish(peer.message(index + 1), to: topics.peer(peer.id, of: name))
            }
            publish(.online(peers.count, sequence: peers.count), of: name, to: &broker)
        }
        return broker
    }

    private func publish(
        _ status: ObserverStatus?, of name: ObserverName = .attic, to broker: inout SimulatedBroker
    ) {
        broker.publish(status?.payload ?? [], to: topics.status(of: name))
    }

    private func fleet(
        _ broker: inout SimulatedBroker, _ limits: FleetLimits = FleetLimits()
    ) -> SimulatedFleet {
        var fleet = SimulatedFleet(limits: limits)
        fleet.connect(to: &broker)
        fleet.drain(&broker)
        return fleet
    }

    private func hosts(_ count: Int) -> [Peer] { (0..<count).map { .host("h\($0)") } }

    // MARK: Reading

    @Test func `a fleet reads what the broker keeps, and is settled then`() {
        var broker = broker(hosts(3), of: [.attic, .cellar, .office])
        let fleet = fleet(&broker)
        #expect(fleet.isSettled)
        #expect(fleet.list.sections.peers.map(\.views.count).sorted() == [1, 1, 1, 2, 2, 2])
        #expect(fleet.notices.isEmpty)
    }

    @Test func `a broker that keeps nothing is settled at once`() {
        var broker = SimulatedBroker()
        #expect(fleet(&broker).isSettled)
    }

    @Test func `at most a few observers are read at once`() {
        let names = (0..<20).map { ObserverName(site: "home", observer: "o\($0)") }
        var broker = broker(hosts(2), of: names)
        var limits = FleetLimits()
        limits.all.reads = 3
        var fleet = SimulatedFleet(limits: limits)
        fleet.connect(to: &broker)
        var (running, most) = (0, 0)
        for _ in 0..<1000 {
            if case .subscribe(let filter)? = fleet.pending.first, filter.hasSuffix("/peers/+") {
                running += 1
            }
            if case .unsubscribe(let filter)? = fleet.pending.first, filter.hasSuffix("/mark") {
                most = max(most, running)
            }
            if fleet.send(to: &broker) { continue }
            let before = fleet.pending.count
            guard fleet.read(from: &broker) else { break }
            if fleet.pending.count > before, running >= limits.all.reads { running -= 1 }
        }
        #expect((1...limits.all.reads).contains(most))
        #expect(fleet.isSettled)
        #expect(fleet.list.sections.peers.first?.views.count == 20)
    }

    @Test func `an observer whose status is cleared while others wait makes way for them`() {
        var broker = broker(hosts(2), of: [.attic, .cellar])
        var limits = FleetLimits()
        limits.all.reads = 1
        var fleet = SimulatedFleet(limits: limits)
        fleet.connect(to: &broker)
        // Both statuses are read, so that one observer is being read and the other one waits.
        while fleet.list.statuses.count < 2 {
            _ = fleet.send(to: &broker) || fleet.read(from: &broker)
        }
        publish(nil, of: fleet.list.statuses[0].name, to: &broker)
        fleet.settle(&broker)
        #expect(fleet.isSettled)
        #expect(fleet.list.sections.peers.map(\.views.count) == [1, 1])
    }

    @Test func `an observer whose status is cleared is removed with its peers`() {
        var broker = broker(hosts(3))
        var fleet = fleet(&broker)
        publish(nil, to: &broker)
        fleet.settle(&broker)
        #expect(fleet.list.sections.isEmpty && fleet.list.statuses.isEmpty)
    }

    // MARK: Census

    /// Publishes the census of a process, in which some of the peers are.
    private func publish(
        _ peers: [Peer], _ sequence: Int, run: UUID = .announced(9),
        to broker: inout SimulatedBroker
    ) {
        let census = ObserverCensus(run: run, sequence: sequence, of: peers.map(\.id))
        broker.publish(census.payload, to: topics.census(of: .attic))
    }

    private var runningStatus: ObserverStatus {
        var status = ObserverStatus.online(3, sequence: 3)
        status.run = .announced(9)
        return status
    }

    @Test(arguments: [true, false])
    func `a peer that a broker keeps, and the census lacks, is gone`(isEarly: Bool) {
        var broker = broker(hosts(3))
        publish(runningStatus, to: &broker)
        if isEarly { publish(hosts(2), 3, to: &broker) }
        var fleet = fleet(&broker)
        if !isEarly { publish(hosts(2), 3, to: &broker) }
        fleet.drain(&broker)
        #expect(fleet.list.sections.peers.map(\.name) == ["h0", "h1"])
        // The broker goes on to keep it.
        fleet.settle(&broker)
        fleet.lose(&broker)
        fleet.connect(to: &broker)
        fleet.settle(&broker)
        #expect(fleet.list.sections.peers.map(\.name) == ["h0", "h1"])
        // It comes back.
        broker.publish(hosts(3)[2].message(4), to: topics.peer(hosts(3)[2].id, of: .attic))
        fleet.drain(&broker)
        #expect(fleet.list.sections.peers.count == 3)
    }

    @Test func `a census tells nothing of later peers, and that of another process nothing at all`()
    {
        var broker = broker(hosts(3))
        publish(runningStatus, to: &broker)
        publish(hosts(2), 2, to: &broker)
        var fleet = fleet(&broker)
        #expect(fleet.list.sections.peers.count == 3)
        fleet.wait(.seconds(60))
        publish([], 99, run: .announced(8), to: &broker)
        fleet.drain(&broker)
        #expect(fleet.list.sections.peers.count == 3)
        var status = runningStatus
        status.run = .announced(8)
        publish(status, to: &broker)
        fleet.settle(&broker)
        #expect(fleet.list.sections.isEmpty)
    }

    @Test func `censuses are compared once a second, and a malformed one is a notice`() {
        var broker = broker(hosts(3))
        publish(runningStatus, to: &broker)
        publish(hosts(3), 3, to: &broker)
        var fleet = fleet(&broker)
        publish(hosts(1), 3, to: &broker)
        fleet.drain(&broker)
        #expect(fleet.list.sections.peers.count == 3)
        fleet.wait(.seconds(1))
        #expect(fleet.list.sections.peers.count == 1)
        broker.publish(Array("[]".utf8), to: topics.census(of: .attic))
        fleet.drain(&broker)
        #expect(fleet.notices.count == 1)
    }

    // MARK: Away

    @Test func `an observer that states nothing for three of its intervals is away until it does`()
    {
        var broker = broker(hosts(2))
        var status = ObserverStatus.online(2, sequence: 2)
        status.interval = 60
        publish(status, to: &broker)
        var fleet = fleet(&broker)
        for _ in 0..<10 {
            fleet.wait(.seconds(179))
            publish(status, to: &broker)
            fleet.drain(&broker)
        }
        #expect(fleet.list.online == [.attic: true])
        #expect(fleet.statuses.count == 1)
        fleet.wait(.seconds(180))
        #expect(fleet.list.online == [.attic: false])
        #expect(fleet.list.sections.peers.map(\.presence) == [.unknown, .unknown])
        fleet.wait(.seconds(3600))
        fleet.drain(&broker)
        #expect(fleet.list.sections.peers.count == 2, "it is away, and has not departed")
        publish(status, to: &broker)
        fleet.drain(&broker)
        #expect(fleet.list.online == [.attic: true])
        #expect(fleet.list.sections.peers.map(\.presence) == [.present, .present])
    }

    @Test(arguments: [(0, 30), (-5, 30), (-1_000_000, 30), (Int.max, 10_800)])
    func `an interval that is too short or too long counts as the next one`(
        interval: Int, seconds: Int
    ) {
        var broker = broker(hosts(1))
        var status = ObserverStatus.online(1, sequence: 1)
        status.interval = interval
        publish(status, to: &broker)
        var fleet = fleet(&broker)
        fleet.wait(.seconds(seconds - 1))
        #expect(fleet.list.online == [.attic: true])
        fleet.wait(.seconds(1))
        #expect(fleet.list.online == [.attic: false])
    }

    @Test func `an observer that states no interval is online until it says otherwise`() {
        var broker = broker(hosts(1))
        var fleet = fleet(&broker)
        fleet.wait(.seconds(86_400))
        #expect(fleet.list.online == [.attic: true])
    }

    @Test func `an observer that the broker has forgotten is removed after a new connection`() {
        var broker = broker(hosts(3), of: [.attic, .cellar])
        var fleet = fleet(&broker)
        fleet.lose(&broker)
        #expect(fleet.list.sections.peers.allSatisfy { $0.presence == .unknown })
        #expect(fleet.list.sections.peers.count == 3)
        publish(nil, to: &broker)
        fleet.connect(to: &broker)
        fleet.settle(&broker)
        #expect(fleet.list.statuses.map(\.name) == [.cellar])
        #expect(fleet.list.sections.peers.allSatisfy { $0.presence == .present })
    }

    @Test func `peers with lower numbers are read if broker and observer have lost theirs`() {
        var broker = broker(hosts(5))
        var fleet = fleet(&broker)
        fleet.lose(&broker)
        broker.restart()
        var other = hosts(5)[4]
        other.addresses = ["10.0.0.1"]
        broker.publish(other.message(1), to: topics.peer(other.id, of: .attic))
        publish(.online(1, sequence: 1), to: &broker)
        fleet.connect(to: &broker)
        fleet.settle(&broker)
        #expect(fleet.list.sections.peers.map(\.addresses) == [["10.0.0.1"]])
    }

    // MARK: Reading again

    @Test(arguments: [false, true])
    func `a lost message is mended when the observer is read again`(isDeparture: Bool) {
        var broker = broker(hosts(3))
        var fleet = fleet(&broker)
        var changed = hosts(3)[0]
        changed.presence = .unanswered
        broker.publish(
            isDeparture ? [] : changed.message(4), to: topics.peer(changed.id, of: .attic),
            isLost: true)
        publish(.online(isDeparture ? 2 : 3, sequence: 4), to: &broker)
        fleet.drain(&broker)
        #expect(fleet.list.item(changed.id)?.peer.presence == .present)
        fleet.wait(FleetSubscriber.rereadInterval)
        fleet.drain(&broker)
        #expect(fleet.list.item(changed.id)?.peer.presence == (isDeparture ? nil : .unanswered))
    }

    @Test func `what is read again unchanged changes nothing`() {
        var broker = broker(hosts(3))
        var fleet = fleet(&broker)
        let (count, updates) = (fleet.readCount, fleet.updates.count)
        fleet.settle(&broker)
        #expect(fleet.readCount > count)
        #expect(fleet.updates.count == updates)
        #expect(fleet.list.sections.peers.count == 3)
    }

    @Test func `the latest message about a peer counts, whatever its number`() {
        var broker = broker([])
        var fleet = fleet(&broker)
        var later = Self.printer
        later.addresses = ["10.0.0.2"]
        for message in [Self.printer.message(7), later.message(6)] {
            broker.publish(message, to: topics.peer(later.id, of: .attic))
        }
        fleet.drain(&broker)
        #expect(fleet.list.sections.peers.map(\.addresses) == [["10.0.0.2"]])
    }

    @Test(arguments: [Int.max, -Int.max, 0])
    func `any number can be stated`(number: Int) {
        var broker = broker(hosts(2))
        var fleet = fleet(&broker)
        for _ in 0..<3 {
            publish(.online(-1, sequence: number), to: &broker)
            broker.publish(
                Self.printer.message(number), to: topics.peer(Self.printer.id, of: .attic))
            publish(.online(.max, sequence: number), to: &broker)
            #expect(fleet.settle(&broker) < 1000)
        }
        #expect(fleet.list.sections.peers.count == 3)
    }

    // MARK: Refused messages

    @Test func `a malformed message is dropped with a notice, once for each observer`() {
        var broker = broker(hosts(1), of: [.attic, .cellar])
        var fleet = fleet(&broker)
        for name in [ObserverName.attic, .cellar] {
            for _ in 0..<3 {
                broker.publish([0x7b], to: topics.peer(Self.printer.id, of: name))
                broker.publish([0x7b], to: topics.peer(hosts(1)[0].id, of: name))
                broker.publish([0x7b], to: topics.status(of: name))
            }
        }
        fleet.drain(&broker)
        #expect(fleet.notices.count == 2)
        #expect(fleet.list.sections.peers.map(\.id) == hosts(1).map(\.id))
        #expect(fleet.list.statuses.allSatisfy { $0.status.state == .online })
    }

    private static let wrong: [Peer] = {
        var (host, announced, txt) = (printer, printer.announcing(.announced(1)), printer)
        host.identity.value = "tv.local"
        announced.identity.value = UUID.announced(2).uuidString
        txt.identity = Identity(source: .txt, value: "serial:x:1")
        var (unordered, twice) = (printer, printer)
        unordered.services = [Service("a", "_ssh._tcp"), Service("a", "_http._tcp")]
        twice.services = [Service("a", "_ssh._tcp"), Service("a", "_ssh._tcp")]
        return [host, announced, txt, unordered, twice]
    }()

    @Test(arguments: wrong) func `a peer that contradicts itself is dropped`(peer: Peer) {
        var broker = broker([peer])
        let fleet = fleet(&broker)
        #expect(fleet.list.sections.isEmpty)
        #expect(fleet.notices.count == 1)
    }

    @Test func `a peer on the topic of another one is dropped`() {
        var broker = broker(hosts(1))
        broker.publish(Self.printer.message(1), to: topics.peer(.announced(1), of: .attic))
        let fleet = fleet(&broker)
        #expect(fleet.list.sections.peers.map(\.name) == ["h0"])
        #expect(fleet.notices.count == 1)
    }

    @Test func `a message that is too large is reported, and its peer stays`() {
        var broker = broker(hosts(2))
        var fleet = fleet(&broker)
        for host in hosts(2) + [Self.printer] {
            fleet.readOversized(1 << 20, on: topics.peer(host.id, of: .attic))
        }
        #expect(fleet.notices.count == 1)
        #expect(fleet.list.sections.peers.count == 2)
    }

    @Test func `messages on other topics and of unknown observers are ignored`() {
        var subscriber = FleetSubscriber(topics)
        let now = ContinuousClock.now
        _ = subscriber.connected(at: now)
        for topic in [
            "x", topics.mark(of: .attic), topics.statusMark,
            topics.peer(.announced(1), of: .attic),
        ] {
            #expect(subscriber.received([0x7b], on: topic, at: now).isEmpty)
            #expect(subscriber.oversized(1 << 20, on: topic).isEmpty)
        }
    }

    // MARK: Limits

    @Test func `observers beyond the limit are not read, with one notice`() {
        let names = (0..<6).map { ObserverName(site: "home", observer: "o\($0)") }
        var broker = broker(hosts(1), of: names)
        var limits = FleetLimits()
        limits.all.observers = 3
        let fleet = fleet(&broker, limits)
        #expect(fleet.list.statuses.count == 3)
        #expect(fleet.list.sections.peers.map(\.views.count) == [3])
        #expect(fleet.notices.count == 1)
    }

    @Test(arguments: [false, true])
    func `peers beyond the limit are not shown, with one notice`(byBytes: Bool) {
        var broker = broker(hosts(10), of: [.attic, .cellar])
        var limits = FleetLimits()
        if byBytes {
            limits.all.bytes = 7 * hosts(10)[0].message(99).count
        } else {
            limits.all.peers = 7
        }
        var fleet = fleet(&broker, limits)
        let views = { (fleet: SimulatedFleet) in
            fleet.list.sections.peers.reduce(0) { $0 + $1.views.count }
        }
        #expect(views(fleet) == 7)
        #expect(fleet.notices.count == 1)
        #expect(fleet.isSettled)
        // Space that becomes free is used again.
        for host in hosts(10) { broker.publish([], to: topics.peer(host.id, of: .attic)) }
        for host in hosts(10) {
            broker.publish(host.message(99), to: topics.peer(host.id, of: .cellar))
        }
        fleet.drain(&broker)
        #expect(views(fleet) == 7)
        #expect(fleet.notices.count == 1)
    }
}
