// Tests that a fleet and an observer continue when a broker has lost its messages.
import DiffCore
import FoundationEssentials
import PeerFleet
import PeerModel
import PeerRecording
import Testing

@Suite struct ForgetfulBrokerTests {
    private static let topics = FleetTopics(prefix: "peerlist")
    private static let name = ObserverName(site: "office", observer: "h2")

    private static func peer(_ host: String, id: UUID? = nil) -> Peer {
        let start = Timestamp(microseconds: 0)
        return Peer(
            id: id ?? Identity.uuid(forName: host), name: host, host: host, presence: .present,
            identity: Identity(
                source: id == nil ? .hostName : .announced, value: id?.uuidString ?? host),
            firstSeen: start, lastSeen: start)
    }

    private static let run = UUID()

    private static func status(
        _ state: ObserverStatus.State, peers: Int? = nil, number: Int? = nil
    ) -> [UInt8] {
        var status = ObserverStatus(state)
        (status.run, status.peers, status.sequence) = (run, peers, number)
        return status.payload
    }

    /// A subscriber that has read an observer with two peers and was reconnected to a broker without messages.
    private struct Reconnected {
        var subscriber = FleetSubscriber(topics)
        var now = ContinuousClock.now
        let kept = peer("a.local")
        let gone = peer("b.local")
        let actions: [FleetSubscriber.Action]

        init() {
            _ = subscriber.connected(at: now)
            _ = subscriber.received(
                status(.online, peers: 2, number: 2), on: topics.status(of: name), at: now)
            for (number, peer) in [kept, gone].enumerated() {
                _ = subscriber.received(
                    message(peer, number + 1), on: topic(of: peer), at: now)
            }
            _ = subscriber.unsubscribed(topics.statusMark, at: now)
            _ = subscriber.unsubscribed(topics.mark(of: name), at: now)
            _ = subscriber.lost()
            now += .seconds(1)
            _ = subscriber.connected(at: now)
            actions = subscriber.unsubscribed(topics.statusMark, at: now)
        }

        mutating func wait(_ time: Duration) -> [FleetSubscriber.Action] {
            now += time
            return subscriber.advance(to: now)
        }

        /// Receives a status or a message about a peer, a second later.
        mutating func receive(_ payload: [UInt8], on topic: String) -> [FleetSubscriber.Action] {
            now += .seconds(1)
            return subscriber.received(payload, on: topic, at: now)
        }

        /// Ends the read of the observer.
        mutating func endRead() -> [FleetSubscriber.Action] {
            subscriber.unsubscribed(topics.mark(of: name), at: now)
        }
    }

    private static func message(_ peer: Peer, _ number: Int) -> [UInt8] {
        NumberedPeer(sequence: number, peer: peer).payload
    }

    private static func topic(of peer: Peer) -> String { topics.peer(peer.id, of: name) }

    @Test func `an observer that the broker has forgotten is kept until it has had time to return`()
    {
        var fleet = Reconnected()
        #expect(fleet.actions.removed.isEmpty)
        #expect(fleet.wait(.seconds(59)).isEmpty)

        let expired = fleet.wait(.seconds(1))
        #expect(Set(expired.removed) == [fleet.kept.id, fleet.gone.id])
        #expect(expired.contains { if case .change(.status(_, nil)) = $0 { true } else { false } })
        #expect(fleet.wait(.seconds(3600)).isEmpty)
        #expect(fleet.subscriber.deadline == nil)
    }

    @Test func `while the broker is away again an observer has all its time to return`() {
        var fleet = Reconnected()
        #expect(fleet.wait(.seconds(30)).isEmpty)
        _ = fleet.subscriber.lost()
        #expect(fleet.wait(.seconds(3600)).isEmpty)

        _ = fleet.subscriber.connected(at: fleet.now)
        _ = fleet.subscriber.unsubscribed(Self.topics.statusMark, at: fleet.now)
        #expect(fleet.wait(.seconds(59)).removed.isEmpty)
        #expect(fleet.wait(.seconds(1)).removed.count == 2)
    }

    @Test(arguments: [ObserverStatus.State.online, .offline])
    func `peers that an observer does not publish again are removed when it has published all`(
        state: ObserverStatus.State
    ) {
        var fleet = Reconnected()
        let status = Self.topics.status(of: Self.name)
        let begun = fleet.receive(Self.status(.syncing), on: status)
        let read = fleet.endRead()
        let published = fleet.receive(Self.message(fleet.kept, 3), on: Self.topic(of: fleet.kept))
        #expect((begun + read + published).removed.isEmpty)

        let complete = fleet.receive(Self.status(state, peers: 1, number: 3), on: status)
        #expect(complete.removed == [fleet.gone.id])
        #expect(fleet.wait(.seconds(60)).isEmpty)
    }

    @Test func `an observer whose status is an old one that the broker had saved has not returned`()
    {
        var fleet = Reconnected()
        let status = Self.topics.status(of: Self.name)
        let old = fleet.receive(Self.status(.online, peers: 1, number: 1), on: status)
        let read = fleet.endRead()
        #expect((old + read).removed.isEmpty)
        #expect((old + read).states == [.syncing])

        let new = fleet.receive(Self.status(.online, peers: 0, number: 4), on: status)
        #expect(new.states == [.online])
        #expect(Set(new.removed) == [fleet.kept.id, fleet.gone.id])
    }
}

extension [FleetSubscriber.Action] {
    /// The states that observers changed to.
    fileprivate var states: [ObserverStatus.State] {
        compactMap { action in
            if case .change(.status(_, let status?)) = action { status.state } else { nil }
        }
    }

    /// The peers that were removed.
    fileprivate var removed: [UUID] {
        compactMap { action in
            if case .change(.peer(_, let id, nil)) = action { id } else { nil }
        }
    }
}
