// Fuzzes the messages of a broker: any topics and payloads make a list that the lines fold to.
import FoundationEssentials
import PeerFleet
import PeerModel
import PeerRecording

/// Called by libFuzzer with each input: lines of a topic, a tab and a payload.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFleet(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    var fleet = FuzzedFleet()
    for line in input.split(separator: UInt8(ascii: "\n")).prefix(100) {
        let parts = line.split(
            separator: UInt8(ascii: "\t"), maxSplits: 1, omittingEmptySubsequences: false)
        // A broker refuses topics that are not UTF-8.
        guard let topic = parts.first.flatMap({ String(validating: $0, as: UTF8.self) }) else {
            continue
        }
        let payload = parts.dropFirst().first.map(Array.init) ?? []
        check(topic)
        check(payload: payload)
        fleet.receive(payload, on: topic)
    }
    fleet.check()
    return 0
}

private let topics = FleetTopics(prefix: "p")

private func check(_ topic: String) {
    let again: String? =
        switch topics.parse(topic) {
        case .status(let name)?: topics.status(of: name)
        case .peer(let name, let id)?: topics.peer(id, of: name)
        case .census(let name)?: topics.census(of: name)
        case .mark(let name)?: topics.mark(of: name)
        case nil: nil
        }
    if let again { precondition(again.utf8.elementsEqual(topic.utf8), "\(topic) is \(again)") }
}

private func check(payload: [UInt8]) {
    if let status = try? ObserverStatus(payload) {
        precondition((try? ObserverStatus(status.payload)) == status, "another status")
    }
    if let census = try? ObserverCensus(payload) {
        precondition((try? ObserverCensus(census.payload)) == census, "another census")
    }
    if let message = try? NumberedPeer(payload) {
        let again = try? NumberedPeer(message.payload)
        precondition(again?.sequence == message.sequence, "another number")
        precondition(again?.payload == message.payload, "another peer")
    }
}

/// A fleet with the lines of its list.
private struct FuzzedFleet {
    private var subscriber: FleetSubscriber
    private var now = ContinuousClock.now
    private var list = FleetListing()
    private var encoder = LineEncoder()
    private var folded = RecordedList()

    init() {
        var limits = FleetLimits()
        limits.all = .init(observers: 3, peers: 8, bytes: 16 << 10, reads: 1)
        limits.ofName = .init(observers: 2, peers: 5, bytes: 8 << 10, reads: 1)
        subscriber = FleetSubscriber(topics, limits: limits)
        let id = Identity.uuid(forName: "me.local")
        let header = LineHeader(
            run: id, observerHost: "me.local", observerID: id, backend: "daemon", grouping: .device)
        fold(encoder.begin(header, sections: [], at: Timestamp(microseconds: 0)))
        handle(subscriber.connected(at: now))
    }

    mutating func receive(_ payload: [UInt8], on topic: String) {
        switch topic {
        case "lost":
            handle(subscriber.lost())
            handle(subscriber.connected(at: now))
        case "wait":
            now = subscriber.deadline ?? now
            handle(subscriber.advance(to: now))
        default: handle(subscriber.received(payload, on: topic, at: now))
        }
    }

    /// Applies the changes of actions; a read ends at once, as the broker keeps nothing.
    private mutating func handle(_ actions: [FleetSubscriber.Action]) {
        var (waiting, steps) = (actions, 0)
        while !waiting.isEmpty {
            steps += 1
            precondition(steps < 10_000, "reading does not end")
            switch waiting.removeFirst() {
            case .change(let change):
                var event = FleetEvent(at: Timestamp(microseconds: 0))
                event.changes = [change]
                if let update = list.apply(event), let line = encoder.update(update) { fold(line) }
            case .unsubscribe(let filter): waiting += subscriber.unsubscribed(filter, at: now)
            case .subscribe, .notice, .settled: break
            }
        }
    }

    private mutating func fold(_ line: [UInt8]) {
        do {
            try folded.apply(RecordedLine(line, grouping: .device))
        } catch {
            fatalError("a line does not fit: \(error): \(String(decoding: line, as: UTF8.self))")
        }
    }

    func check() {
        precondition(list.statuses.count <= 3, "too many observers")
        let sections = list.rows.sections
        let views = sections.flatMap(\.items).reduce(0) { $0 + $1.peer.views.count }
        precondition(views <= 8, "too many views")
        #if PLANTED
            if views > 2, list.statuses.contains(where: { $0.status.state == .offline }) {
                fatalError("planted")
            }
        #endif
        let made = beginning(with: sections, .device)
        precondition(
            beginning(with: folded.listSections, .device) == made, "the lines fold to another list")
    }
}
