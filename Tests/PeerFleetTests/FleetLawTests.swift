// Tests that a fleet's list follows from what the broker keeps, whatever happened on the way.
import FoundationEssentials
import PeerFleet
import PeerModel
import PeerListTestSupport
import PeerRecording
import TestSupport
import Testing

@Suite struct FleetLawTests {
    @Test(arguments: seeds(100))
    func `a fleet ends in the list that the broker keeps`(seed: UInt64) throws {
        try check(FleetRun(seed: seed, losing: false), seed)
    }

    @Test(arguments: seeds(100))
    func `a fleet that loses messages has the list that the broker keeps after the next reading`(
        seed: UInt64
    ) throws {
        try check(FleetRun(seed: seed, losing: true), seed)
    }

    private func check(_ run: consuming FleetRun, _ seed: UInt64) throws {
        run.run()
        #expect(run.steps < 100_000, "reading does not end")
        let expected = run.broker.list.sections
        #expect(run.fleet.list.sections.isSame(as: expected), "seed \(seed)")
        #expect(run.fleet.isSettled)
        let states = run.fleet.list.statuses.map(\.status)
        #expect(states == run.broker.list.statuses.map(\.status))
        #expect(try fold(run.fleet.updates).isSame(as: expected), "the lines of seed \(seed)")
    }

    /// Returns the list to which the lines of updates fold.
    private func fold(_ updates: [PeerListUpdate]) throws -> [ListSection] {
        var encoder = LineEncoder()
        var folded = RecordedList()
        let begin = encoder.begin(House.header(.device), at: House.time(0))
        for line in [begin] + updates.compactMap({ encoder.update($0) }) {
            try folded.apply(RecordedLine(line, grouping: .device))
        }
        return folded.listSections
    }
}

/// A random run of a fleet: the scripts of its observers, and what befalls the fleet's reader.
private struct FleetRun {
    private struct Message {
        let payload: [UInt8]
        let topic: String
    }

    private(set) var broker = SimulatedBroker()
    private(set) var fleet: SimulatedFleet
    private(set) var steps = 0
    private var generator: SeededGenerator
    private var scripts: [ArraySlice<Message>] = []
    private let isLosing: Bool

    init(seed: UInt64, losing isLosing: Bool) {
        self.isLosing = isLosing
        generator = SeededGenerator(seed: seed)
        var limits = FleetLimits()
        limits.all.reads = Int.random(in: 1...3, using: &generator)
        fleet = SimulatedFleet(limits: limits)
        let names = [
            ObserverName.attic, .cellar, .office, ObserverName(site: "office", observer: "hall"),
        ]
        scripts = names.map { script(of: $0)[...] }
    }

    mutating func run() {
        fleet.connect(to: &broker)
        while scripts.contains(where: { !$0.isEmpty }) {
            steps += 1
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<45: publish()
            case 45..<66: _ = fleet.send(to: &broker)
            case 66..<70: fleet.wait(.milliseconds(Int.random(in: 0...2_000, using: &generator)))
            // A new connection would hide what was lost.
            case 70..<(isLosing ? 99 : 97): _ = fleet.read(from: &broker)
            default:
                fleet.lose(&broker)
                if Bool.random(using: &generator) { publish() }
                fleet.connect(to: &broker)
            }
        }
        steps += fleet.settle(&broker)
    }

    private mutating func publish() {
        let index = scripts.indices.randomElement(using: &generator) ?? 0
        guard let message = scripts[index].popFirst() else { return }
        let isPeer = message.topic.contains("/peers/")
        let isLost = isLosing && isPeer && Int.random(in: 0..<5, using: &generator) == 0
        broker.publish(message.payload, to: message.topic, isLost: isLost)
    }

    // MARK: Scripts

    private mutating func script(of name: ObserverName) -> [Message] {
        var messages: [Message] = []
        var kept: [UUID: Int] = [:]
        var sequence = 0
        func state(_ status: ObserverStatus) {
            messages.append(Message(payload: status.payload, topic: topics.status(of: name)))
        }
        func publish(_ id: UUID, _ peer: Peer?) {
            sequence += 1
            kept[id] = peer == nil ? nil : sequence
            let payload = peer?.message(sequence) ?? []
            messages.append(Message(payload: payload, topic: topics.peer(id, of: name)))
        }
        func online() {
            state(.online(kept.count, sequence: sequence, host: "\(name.observer).local"))
        }
        /// Connects again, with the numbers that the broker keeps.
        func restart(_ peers: [Peer]) {
            if Bool.random(using: &generator) { state(ObserverStatus(.offline)) }
            // A new connection repeats what the broker has not confirmed.
            let repeated = messages.suffix(Int.random(in: 0...8, using: &generator))
            state(ObserverStatus(.syncing))
            messages += repeated
            if Bool.random(using: &generator) { sequence = kept.values.max() ?? 0 }
            let there = Set(peers.map(\.id))
            for id in kept.keys.sorted(by: { $0 < $1 }) where !there.contains(id) {
                publish(id, nil)
            }
            for peer in peers { publish(peer.id, peer) }
            online()
        }

        restart((0..<2).map { _ in randomPeer() })
        for _ in 0..<Int.random(in: 5..<40, using: &generator) {
            switch Int.random(in: 0..<20, using: &generator) {
            case 0..<9:
                let peer = randomPeer()
                publish(peer.id, peer)
            case 9..<14:
                let ids = kept.keys.sorted { $0 < $1 }
                if let id = ids.randomElement(using: &generator) { publish(id, nil) }
            case 14..<17: online()
            case 17: restart((0..<3).map { _ in randomPeer() })
            case 18:
                // Where nothing is lost, messages may be repeated at any time.
                let count = Int.random(in: 1...min(8, messages.count), using: &generator)
                if !isLosing { messages += messages.suffix(count) }
            default: state(ObserverStatus(.offline))
            }
        }
        if isLosing || Bool.random(using: &generator) {
            online()
        } else if Bool.random(using: &generator) {
            messages.append(Message(payload: [], topic: topics.status(of: name)))
        }
        return messages
    }

    private mutating func randomPeer() -> Peer {
        func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        let types = ["_http._tcp", "_ipp._tcp", "_ssh._tcp"].filter { _ in random(0...1) == 0 }
        var peer = Peer.host(
            "host\(random(0...3))", Presence.allCases[random(0...3)],
            addresses: (0..<random(0...3)).map { "10.0.\($0).\(random(1...3))" },
            types: types.isEmpty ? ["_smb._tcp"] : types, seen: Double(random(0...99)))
        if random(0...2) == 0 { peer = peer.announcing(.announced(random(0...2))) }
        if random(0...3) == 0 { peer.label = "label \(random(0...2))" }
        if random(0...3) == 0 { peer.macs = ["00:00:5e:00:53:0\(random(0...3))"] }
        if random(0...5) == 0 { peer.services[0].domain = "example.org" }
        return peer
    }
}
