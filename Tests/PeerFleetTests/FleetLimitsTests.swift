// Tests that one user of a broker takes from a fleet neither its places nor its time.
import FoundationEssentials
import PeerFleet
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@Suite(.timeLimit(.minutes(10))) struct FleetLimitsTests {
    /// A broker, a fleet that reads it, and a user that publishes what it likes below its name.
    private struct Attack {
        var broker = SimulatedBroker()
        var fleet: SimulatedFleet

        init(_ limits: FleetLimits = FleetLimits()) { fleet = SimulatedFleet(limits: limits) }

        static func evil(_ site: String = "home") -> ObserverName {
            ObserverName(site: site, observer: "evil")
        }

        mutating func connect() {
            fleet.connect(to: &broker)
            fleet.drain(&broker)
        }

        mutating func publish(_ status: ObserverStatus?, of name: ObserverName = evil()) {
            broker.publish(status?.payload ?? [], to: topics.status(of: name))
        }

        /// Publishes peers and the status of an observer that has them.
        mutating func publish(_ hosts: [Peer], of name: ObserverName = evil()) {
            for (index, peer) in hosts.enumerated() {
                broker.publish(peer.message(index + 1), to: topics.peer(peer.id, of: name))
            }
            publish(.online(hosts.count, sequence: hosts.count), of: name)
        }

        /// Publishes a status 100 times a second, or once in another interval.
        mutating func flap(
            for time: Duration, every interval: Duration = .milliseconds(10),
            of name: ObserverName = evil(), _ status: (Int) -> ObserverStatus?
        ) {
            for number in 0..<Int(time / interval) {
                publish(status(number), of: name)
                fleet.drain(&broker)
                fleet.wait(interval)
                fleet.drain(&broker)
            }
        }

        /// The peers that an observer shows.
        func hosts(of name: ObserverName) -> [String] {
            fleet.list.sections.peers.filter { $0.views.contains { $0.name == name } }.map(\.name)
        }
    }

    private static func hosts(_ count: Int, _ prefix: String = "h") -> [Peer] {
        (0..<count).map { .host("\(prefix)\($0)") }
    }

    private static func offline() -> ObserverStatus { ObserverStatus(.offline) }

    // MARK: Places

    @Test func `observers are read whatever one user publishes at other sites, also later ones`() {
        var attack = Attack()
        attack.publish([.host("early")], of: .cellar)
        for site in 0..<2_000 { attack.publish([], of: Attack.evil("a\(site)")) }
        attack.connect()
        attack.publish([.host("late")], of: .attic)
        attack.fleet.drain(&attack.broker)

        #expect(attack.hosts(of: .cellar) == ["early"])
        #expect(attack.hosts(of: .attic) == ["late"])
        let names = attack.fleet.list.statuses.map(\.name)
        #expect(names.count { $0.observer == "evil" } == FleetLimits().ofName.observers)
        #expect(attack.fleet.notices.count == 1)
        #expect(
            attack.fleet.notices[0].hasPrefix("observer evil is at more than 50 sites; it is not"))
    }

    @Test func `refused statuses of one user leave room for the notices about others`() {
        var attack = Attack()
        attack.connect()
        for site in 0..<2_000 {
            attack.broker.publish([0x7b], to: topics.status(of: Attack.evil("a\(site)")))
        }
        attack.broker.publish([0x7b], to: topics.status(of: .attic))
        attack.fleet.drain(&attack.broker)
        #expect(attack.fleet.notices.count == FleetLimits().ofName.observers + 1)
        #expect(attack.fleet.notices.last?.hasPrefix("observer attic of site home") == true)
    }

    @Test(arguments: [false, true])
    func `peers and bytes of one user leave room for those of others`(byBytes: Bool) {
        var limits = FleetLimits()
        if byBytes {
            limits.ofName.bytes = 7 * Self.hosts(10)[0].message(9).count
        } else {
            limits.ofName.peers = 7
        }
        var attack = Attack(limits)
        attack.publish(Self.hosts(5), of: Attack.evil())
        attack.publish(Self.hosts(5), of: Attack.evil("office"))
        attack.publish(Self.hosts(10, "x"), of: .attic)
        attack.connect()
        attack.fleet.settle(&attack.broker)

        let count = attack.hosts(of: Attack.evil()).count
        #expect(count + attack.hosts(of: Attack.evil("office")).count == 7)
        #expect(attack.hosts(of: .attic).count == 7)
        #expect(attack.fleet.notices.count == 2)
        #expect(attack.fleet.notices.contains { $0.hasPrefix("observer evil has published more") })
    }

    @Test func `reads of one user leave room for those of others`() {
        var attack = Attack()
        for site in 0..<20 { attack.publish(Self.hosts(1), of: Attack.evil("a\(site)")) }
        attack.publish([.host("late")], of: .office)
        attack.fleet.connect(to: &attack.broker)
        // All statuses arrive before the broker answers a read.
        for _ in 0..<2 { _ = attack.fleet.send(to: &attack.broker) }
        for _ in 0..<21 { _ = attack.fleet.read(from: &attack.broker) }
        let filters = attack.fleet.pending.compactMap { action in
            if case .subscribe(let filter) = action { filter } else { nil }
        }
        #expect(attack.fleet.list.statuses.count == 21)
        #expect(filters.count { $0.contains("/evil/peers/") } == FleetLimits().ofName.reads)
        #expect(filters.contains(topics.peers(of: .office)))
    }

    @Test func `services of one user are in a few domains`() {
        var attack = Attack()
        let hosts = Self.hosts(20).enumerated().map { index, host in
            var host = host
            host.services[0].domain = "d\(index)"
            return host
        }
        attack.publish(hosts)
        attack.publish([.host("x")], of: .attic)
        attack.connect()
        #expect(attack.hosts(of: Attack.evil()).count == FleetLimits().domainsOfName)
        #expect(attack.hosts(of: .attic) == ["x"])
        #expect(attack.fleet.notices.count == 1)
    }

    // MARK: Time

    @Test func `a status counts once a second, and the latest one counts`() {
        var attack = Attack()
        attack.publish(Self.hosts(3))
        attack.connect()
        let count = attack.fleet.statuses.count
        attack.flap(for: .seconds(20)) {
            .online(3, sequence: 3, host: "\($0)")
        }
        #expect((18...21).contains(attack.fleet.statuses.count - count))
        for last in [Self.offline(), .online(3, sequence: 3, host: "last")] {
            attack.publish(last)
            attack.fleet.drain(&attack.broker)
            attack.fleet.wait(.seconds(1))
            #expect(attack.fleet.list.statuses.map(\.status) == [last])
        }
        #expect(attack.fleet.list.sections.peers.count == 3)
    }

    @Test func `statuses of an observer with many peers count less often`() {
        var attack = Attack()
        attack.publish(Self.hosts(10_000))
        attack.connect()
        attack.fleet.wait(.seconds(1))
        let count = attack.fleet.statuses.count
        attack.flap(for: .seconds(10)) {
            .online(10_000, sequence: 10_000, host: "\($0)")
        }
        #expect((4...6).contains(attack.fleet.statuses.count - count))
    }

    @Test func `a status after a while counts at once, while those of another one wait`() {
        var attack = Attack()
        attack.publish(Self.hosts(3), of: .attic)
        attack.publish(Self.hosts(3))
        attack.connect()
        attack.flap(for: .seconds(3)) { _ in Self.offline() }
        attack.publish(Self.offline(), of: .attic)
        attack.fleet.drain(&attack.broker)
        #expect(attack.fleet.statuses.last?.name == .attic)
        #expect(attack.fleet.list.statuses.allSatisfy { $0.status.state == .offline })
    }

    @Test func `peers of an observer whose status waits are not delayed`() {
        var attack = Attack()
        attack.publish(Self.hosts(3))
        attack.connect()
        attack.publish(Self.offline())
        attack.broker.publish(
            Peer.host("h9").message(4), to: topics.peer(Peer.host("h9").id, of: Attack.evil()))
        attack.fleet.drain(&attack.broker)
        #expect(attack.hosts(of: Attack.evil()) == ["h0", "h1", "h2", "h9"])
        #expect(attack.fleet.list.statuses.map(\.status.state) == [.online])
    }

    @Test func `a status that is cleared and published again does not escape the limits`() {
        var attack = Attack()
        attack.publish(Self.hosts(100))
        attack.connect()
        let (updates, reads) = (attack.fleet.updates.count, attack.fleet.readCount)
        attack.flap(for: .seconds(60)) {
            $0 % 5 < 2 ? nil : .online(100, sequence: 100)
        }
        #expect(attack.fleet.readCount - reads <= 8)
        #expect(attack.fleet.updates.count - updates < 60 + 8 * 100)
        attack.publish(.online(100, sequence: 100))
        attack.fleet.settle(&attack.broker)
        #expect(attack.hosts(of: Attack.evil()).count == 100)
    }

    @Test func `the place of an observer is free a minute after its status was cleared`() {
        var limits = FleetLimits()
        limits.ofName.observers = 1
        var attack = Attack(limits)
        attack.publish(Self.hosts(1))
        attack.connect()
        attack.fleet.wait(.seconds(1))
        attack.publish(nil)
        attack.fleet.drain(&attack.broker)
        #expect(attack.fleet.list.statuses.isEmpty)
        for (time, isRead) in [(59, false), (1, true)] {
            attack.fleet.wait(.seconds(time))
            attack.publish(Self.hosts(1), of: Attack.evil("office"))
            attack.fleet.drain(&attack.broker)
            #expect(attack.hosts(of: Attack.evil("office")).isEmpty != isRead)
        }
    }

    @Test func `whatever an observer states, its peers are read every five to ten minutes`() {
        var attack = Attack()
        attack.publish(Self.hosts(20))
        attack.connect()
        let count = attack.fleet.readCount
        let interval = Duration.milliseconds(50)
        attack.flap(for: .seconds(299), every: interval) { .online(21, sequence: $0) }
        #expect(attack.fleet.readCount == count)
        attack.flap(for: .seconds(301), every: interval) { .online(21, sequence: $0) }
        #expect((1...2).contains(attack.fleet.readCount - count))
    }

    @Test func `observers that were read at once are read again at different times`() {
        var attack = Attack()
        let names = (0..<200).map { ObserverName(site: "home", observer: "o\($0)") }
        for name in names { attack.publish(Self.hosts(1), of: name) }
        attack.connect()
        var counts: [Int] = []
        for _ in 0..<20 {
            let count = attack.fleet.readCount
            for _ in 0..<30 {
                attack.fleet.wait(.seconds(1))
                attack.fleet.drain(&attack.broker)
            }
            counts.append(attack.fleet.readCount - count)
        }
        // Half of ten minutes without reads, then 200 reads in as much time.
        #expect(counts.prefix(9).allSatisfy { $0 == 0 })
        #expect(counts.dropFirst(10).allSatisfy { (1...25).contains($0) }, "\(counts)")
    }

    @Test func `a token bucket allows some at once, then one in each interval`() {
        let (start, second) = (ContinuousClock.now, Duration.seconds(1))
        var (bucket, times): (TokenBucket, [Duration]) = (TokenBucket(), [])
        for tenth in 0..<60 {
            let now = start + .milliseconds(100) * tenth
            if let time = bucket.nextTime(of: 3, every: second), time > now { continue }
            bucket.take(at: now, every: second)
            times.append(now - start)
        }
        #expect(times == [0, 0.1, 0.2, 1, 2, 3, 4, 5].map { .milliseconds(Int($0 * 1_000)) })
    }
}
