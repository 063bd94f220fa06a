// A broker in memory, with its retained messages and the clients' queues.
import FoundationEssentials
import PeerFleet
import PeerModel
import PeerRecording

/// A broker that keeps messages. What it sends to a client waits in order until the client reads it.
struct SimulatedBroker {
    /// An event on the way to a client.
    enum Event {
        case message(BrokerMessage)
        case unsubscribed(String)
    }

    private struct Client {
        var filters: Set<String> = []
        var queue: ArraySlice<Event> = []
    }

    private(set) var kept: [String: [UInt8]] = [:]
    /// The number of messages that were published.
    private(set) var count = 0
    private var clients: [Int: Client] = [:]

    /// Connects a client, which has neither subscriptions nor messages of an earlier connection.
    mutating func connect(_ client: Int) { clients[client] = Client() }

    mutating func disconnect(_ client: Int) { clients[client] = nil }

    /// Forgets what it keeps, and all connections, as one without persistence does when it restarts.
    mutating func restart() { (kept, clients) = ([:], [:]) }

    /// Publishes a message; clients that lose it are not sent it.
    mutating func publish(_ payload: [UInt8], to topic: String, isLost: Bool = false) {
        count += 1
        kept[topic] = payload.isEmpty ? nil : payload
        let message = BrokerMessage(topic: topic, payload: payload, isRetained: false)
        for id in clients.keys.sorted() where !isLost {
            if clients[id]?.filters.contains(where: { Self.matches($0, topic) }) == true {
                clients[id]?.queue.append(.message(message))
            }
        }
    }

    mutating func subscribe(_ client: Int, _ filter: String) {
        clients[client]?.filters.insert(filter)
        for (topic, payload) in kept.filter({ Self.matches(filter, $0.key) })
            .sorted(by: { $0.key < $1.key })
        {
            let message = BrokerMessage(topic: topic, payload: payload, isRetained: true)
            clients[client]?.queue.append(.message(message))
        }
    }

    mutating func unsubscribe(_ client: Int, _ filter: String) {
        clients[client]?.filters.remove(filter)
        clients[client]?.queue.append(.unsubscribed(filter))
    }

    /// Returns the next event that a client reads.
    mutating func next(_ client: Int) -> Event? {
        clients[client]?.queue.popFirst()
    }

    private static func matches(_ filter: String, _ topic: String) -> Bool {
        // Most topics differ from the filter before its first wildcard.
        guard topic.hasPrefix(filter.prefix { $0 != "+" }) else { return false }
        let (filter, topic) = (filter.split(separator: "/"), topic.split(separator: "/"))
        return filter.count == topic.count
            && zip(filter, topic).allSatisfy { $0 == "+" || $0 == $1 }
    }
}

/// A subscriber with its list, as a client of a simulated broker.
struct SimulatedFleet {
    static let client = 0

    private(set) var subscriber: FleetSubscriber
    private(set) var list = FleetListing()
    /// The updates of the list.
    private(set) var updates: [PeerListUpdate] = []
    private(set) var notices: [String] = []
    /// The changes of statuses so far, and the number of times that peers of observers were read.
    private(set) var statuses: [(name: ObserverName, status: ObserverStatus?)] = []
    private(set) var readCount = 0
    private(set) var isSettled = false
    /// The time, which passes only where a test lets it.
    private(set) var now = ContinuousClock.now
    private let start: ContinuousClock.Instant
    /// The actions that the broker has not handled.
    private(set) var pending: [FleetSubscriber.Action] = []

    init(limits: FleetLimits = FleetLimits()) {
        subscriber = FleetSubscriber(topics, limits: limits)
        start = now
    }

    mutating func connect(to broker: inout SimulatedBroker) {
        broker.connect(Self.client)
        (pending, isSettled) = ([], false)
        perform(subscriber.connected(at: now))
    }

    mutating func lose(_ broker: inout SimulatedBroker) {
        broker.disconnect(Self.client)
        pending = []
        perform(subscriber.lost())
    }

    /// Has the broker handle a subscription or its end; returns `false` if there is none.
    mutating func send(to broker: inout SimulatedBroker) -> Bool {
        guard !pending.isEmpty else { return false }
        switch pending.removeFirst() {
        case .subscribe(let filter): broker.subscribe(Self.client, filter)
        case .unsubscribe(let filter): broker.unsubscribe(Self.client, filter)
        case .change, .notice, .settled: break
        }
        return true
    }

    /// Reads an event from the broker; returns `false` if there is none.
    mutating func read(from broker: inout SimulatedBroker) -> Bool {
        switch broker.next(Self.client) {
        case .message(let message):
            perform(subscriber.received(message.payload, on: message.topic, at: now))
        case .unsubscribed(let filter): perform(subscriber.unsubscribed(filter, at: now))
        case nil: return false
        }
        return true
    }

    /// Sends and reads until nothing is left; returns the number of steps.
    @discardableResult
    mutating func drain(_ broker: inout SimulatedBroker) -> Int {
        var steps = 0
        while steps < 1_000_000, send(to: &broker) || read(from: &broker) { steps += 1 }
        return steps
    }

    /// Lets time pass.
    mutating func wait(_ time: Duration) {
        now += time
        perform(subscriber.advance(to: now))
    }

    /// Lets time pass, and sends and reads, until every observer has been read again; returns the number of
    /// steps.
    @discardableResult
    mutating func settle(_ broker: inout SimulatedBroker) -> Int {
        // Reads that the limits in time delay are over a minute later.
        let end = now + FleetSubscriber.rereadInterval + .seconds(60)
        var steps = drain(&broker)
        while let deadline = subscriber.deadline, deadline <= end, steps < 1_000_000 {
            now = deadline
            perform(subscriber.advance(to: now))
            steps += 1 + drain(&broker)
        }
        // Until then, an observer may have missed that a device has another address.
        now = max(now, end) + .seconds(180)
        perform([])
        return steps
    }

    /// Reads that a message was too large.
    mutating func readOversized(_ size: Int, on topic: String) {
        perform(subscriber.oversized(size, on: topic))
    }

    private mutating func perform(_ actions: [FleetSubscriber.Action]) {
        var changes: [FleetChange] = []
        for action in actions {
            switch action {
            case .subscribe(let filter):
                pending.append(action)
                if filter.hasSuffix("/peers/+") { readCount += 1 }
            case .unsubscribe: pending.append(action)
            case .change(let change):
                changes.append(change)
                if case .status(let name, let status) = change { statuses.append((name, status)) }
            case .notice(_, let text): notices.append(text)
            case .settled: isSettled = true
            }
        }
        // Those of one step are of different subjects or in their order; a feed keeps the last of each.
        let seconds = Double((now - start).components.seconds)
        if let update = list.apply(changes, at: seconds) { updates.append(update) }
    }
}

extension SimulatedBroker {
    /// The list that follows from what the broker keeps.
    var list: FleetListing {
        var changes: [FleetChange] = []
        var observers: Set<ObserverName> = []
        for (topic, payload) in kept {
            guard case .status(let name)? = topics.parse(topic),
                let status = try? ObserverStatus(payload)
            else { continue }
            observers.insert(name)
            changes.append(.status(name, status))
        }
        for (topic, payload) in kept {
            guard case .peer(let name, let id)? = topics.parse(topic), observers.contains(name),
                let message = try? NumberedPeer(payload)
            else { continue }
            changes.append(.peer(name, id, message.peer))
        }
        return FleetListing(changes)
    }
}
