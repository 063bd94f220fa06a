// Removes all that an observer has left at a broker.
import FoundationEssentials
package import PeerModel
import PeerRecording

/// The removal of the messages of an observer that is away: its status, its peers, and its device trackers.
package struct ObserverRemoval: Sendable {
    /// The results of a removal.
    package enum Outcome: Sendable, Equatable {
        /// The messages of an observer were removed.
        case removed(ObserverName, count: Int)
        /// The observer publishes.
        case online(ObserverName, host: String)
        /// No observer has the name.
        case unknown
        /// Observers of several sites have the name.
        case several([ObserverName])
        /// The broker cannot be reached, or refuses something.
        case failed(String)
    }

    /// The steps after an event.
    private enum Step {
        case next
        /// To wait whether the observer states its status again.
        case wait(ObserverName, Duration)
        case end(Outcome)
    }

    private let word: String
    private let topics: FleetTopics
    private let prefix: String
    private var statuses: [ObserverName: ObserverStatus] = [:]
    private var name: ObserverName?
    private var home: HomeAssistant?
    /// Whether it is waited for a status of an observer that the broker has as online.
    private var isWaiting = false
    /// The topics that are to be cleared.
    private var found: Set<String> = []
    private var unconfirmed = 0

    /// Removes the messages of an observer.
    ///
    /// An observer that ended at the same moment as the broker may stay online there. So the removal waits for an
    /// observer whose status has an interval.
    ///
    /// - Parameters:
    ///   - word: The name of the observer, or `SITE/OBSERVER`.
    ///   - access: The broker.
    ///   - prefix: The topic below which Home Assistant looks for devices.
    ///   - limit: The time for the removal, without waiting for the observer.
    ///   - report: Called before waiting for the observer, with the time.
    /// - Returns: The result.
    package static func remove(
        _ word: String, _ access: BrokerAccess, homeAssistant prefix: String,
        within limit: Duration,
        report: (ObserverName, Duration) -> Void
    ) async -> Outcome {
        // `nil` is the end of waiting.
        let (events, entry) = AsyncStream<BrokerEvent?>.makeStream()
        let id = UUID.randomByKernel().uuidString.lowercased()
        let connection = BrokerConnection(access, .init(clientID: "peerlist-forget-\(id)")) {
            entry.yield($0)
        }
        connection.start()
        func timeout(after time: Duration) -> Task<Void, any Error> {
            Task {
                try await Task.sleep(for: time)
                entry.finish()
            }
        }
        var end = timeout(after: limit)
        var removal = ObserverRemoval(word, FleetTopics(prefix: access.url.prefix), prefix)
        var outcome = Outcome.failed("no answer within \(limit.components.seconds) s")
        for await event in events {
            let step = event.map { removal.handle($0, connection) } ?? removal.proceed(connection)
            switch step {
            case .next: continue
            case .wait(let name, let time):
                report(name, time)
                end.cancel()
                end = timeout(after: time + limit)
                Task {
                    try await Task.sleep(for: time)
                    entry.yield(nil)
                }
                continue
            case .end(let result): outcome = result
            }
            break
        }
        end.cancel()
        _ = await connection.stop(within: .seconds(1))
        return outcome
    }

    private init(_ word: String, _ topics: FleetTopics, _ prefix: String) {
        (self.word, self.topics, self.prefix) = (word, topics, prefix)
    }

    private mutating func handle(_ event: BrokerEvent, _ connection: BrokerConnection) -> Step {
        switch event {
        case .connected:
            connection.subscribe(topics.allStatuses)
            connection.unsubscribe(topics.statusMark)
        case .message(let message):
            note(message)
            if isWaiting, !message.isRetained, let name, let status = statuses[name],
                message.topic == topics.status(of: name), status.state != .offline
            {
                return .end(.online(name, host: status.host))
            }
        case .unsubscribed(topics.statusMark): return choose() ?? proceed(connection)
        case .unsubscribed:
            guard let name, !found.isEmpty else { return .end(.unknown) }
            // The status last, as readers forget an observer without one.
            let status = topics.status(of: name)
            for topic in found.subtracting([status]).sorted() + [status] {
                unconfirmed += 1
                connection.publish([], to: topic, retained: true)
            }
        case .published(_, let failure):
            if let failure { return .end(.failed("it refused to remove a message: \(failure)")) }
            unconfirmed -= 1
            if unconfirmed == 0, let name { return .end(.removed(name, count: found.count)) }
        case .subscribed(_, let failure?): return .end(.failed("it refuses to be read: \(failure)"))
        case .lost(let reason, _), .refused(let reason): return .end(.failed(reason))
        case .subscribed, .oversized: break
        }
        return .next
    }

    /// Reads all that the observer has left.
    private mutating func proceed(_ connection: BrokerConnection) -> Step {
        guard let name, let home else { return .end(.unknown) }
        isWaiting = false
        let own = [topics.peers(of: name), topics.census(of: name), home.states]
        for filter in own + [home.allConfigs] {
            connection.subscribe(filter)
        }
        connection.unsubscribe(topics.mark(of: name))
        return .next
    }

    private mutating func note(_ message: BrokerMessage) {
        guard !message.payload.isEmpty else { return }
        if case .status(let name)? = topics.parse(message.topic) {
            statuses[name] = (try? ObserverStatus(message.payload)) ?? ObserverStatus(.offline)
            if name == self.name { found.insert(message.topic) }
            return
        }
        guard let name, let home, message.isRetained else { return }
        let isOfHome = message.topic.hasPrefix(topics.trackers(of: name))
        if isOfHome || home.isOwn(message.payload) || topics.parse(message.topic) != nil {
            found.insert(message.topic)
        }
    }

    /// Chooses the observer; returns `nil` if it is away.
    private mutating func choose() -> Step? {
        let matches = statuses.keys.filter {
            $0.observer == word || "\($0.site)/\($0.observer)" == word
        }.sorted()
        guard matches.count < 2 else { return .end(.several(matches)) }
        guard let name = matches.first ?? ObserverName(title: word) else { return .end(.unknown) }
        self.name = name
        home = HomeAssistant(of: name, topics: topics, prefix: prefix, version: "")
        guard let status = statuses[name] else { return nil }
        found.insert(topics.status(of: name))
        guard status.state != .offline else { return nil }
        guard let interval = status.interval else { return .end(.online(name, host: status.host)) }
        isWaiting = true
        let bounds = FleetSubscriber.statusIntervals
        return .wait(
            name, .seconds(min(max(interval, bounds.lowerBound), bounds.upperBound)) * 3 / 2)
    }
}

extension ObserverName {
    /// Creates the name of `SITE/OBSERVER`; `nil` for any other text.
    fileprivate init?(title: String) {
        let parts = title.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy(FleetTopics.isName) else { return nil }
        self.init(site: String(parts[0]), observer: String(parts[1]))
    }
}
