// Checks a broker: whether it can be reached, written and read, and which observers publish there.
import FoundationEssentials
import PeerFleet
import PeerModel
import PeerRecording
import PeerText

/// The answers of a broker to an observer that asks as itself.
///
/// It reads the statuses of the observers, and none of their peers, which `FleetFeed` reads with them: of a large
/// fleet, a hundred megabytes.
struct BrokerAnswers: Sendable {
    /// The result of something that was asked for.
    enum Answer: Sendable, Equatable { case none, done, failed(String) }

    var connection = Answer.none
    /// Whether the broker took a message on a topic of the observer.
    var publishing = Answer.none
    /// Whether that message came back.
    var reading = Answer.none
    /// Whether all statuses have been read.
    var hasStatuses = false
    /// The statuses of the observers.
    var statuses: [ObserverName: ObserverStatus] = [:]
    /// The statuses that are not as documented.
    var malformedCount = 0

    /// Whether no more is to be expected.
    fileprivate var isComplete: Bool {
        if case .failed = connection { return true }
        if case .failed = publishing { return hasStatuses }
        return publishing != .none && reading != .none && hasStatuses
    }
}

extension BrokerAnswers {
    /// Asks a broker as an observer of a name.
    static func ask(
        _ access: BrokerAccess, as name: ObserverName, within limit: Duration
    ) async -> BrokerAnswers {
        let (events, entry) = AsyncStream<BrokerEvent>.makeStream()
        let id = UUID.randomByKernel().uuidString.lowercased()
        let connection = BrokerConnection(access, .init(clientID: "peerlist-doctor-\(id)")) {
            entry.yield($0)
        }
        connection.start()
        let timeout = Task {
            try? await Task.sleep(for: limit)
            entry.finish()
        }
        let topics = FleetTopics(prefix: access.url.prefix)
        var answers = BrokerAnswers()
        for await event in events {
            answers.note(event, from: connection, topics, name, message: Array(id.utf8))
            if answers.isComplete { break }
        }
        timeout.cancel()
        _ = await connection.stop(within: .seconds(1))
        return answers
    }

    private mutating func note(
        _ event: BrokerEvent, from connection: BrokerConnection, _ topics: FleetTopics,
        _ name: ObserverName, message: [UInt8]
    ) {
        let (test, mark) = (topics.test(of: name), topics.mark(of: name))
        switch event {
        case .connected:
            self.connection = .done
            connection.subscribe(test)
            connection.subscribe(topics.allStatuses, quality: 0)
            connection.unsubscribe(mark)
        case .lost(let reason, _), .refused(let reason):
            if self.connection == .none { self.connection = .failed(reason) }
        case .oversized: break
        case .subscribed(test, let failure):
            if let failure { reading = .failed(failure) }
            connection.publish(message, to: test, retained: false)
        case .subscribed(_, let failure):
            if let failure { reading = .failed(failure) }
        case .unsubscribed: hasStatuses = true
        case .published(_, let failure):
            publishing = failure.map { .failed($0) } ?? .done
        case .message(let received):
            if received.topic == test, received.payload == message { reading = .done }
            guard case .status(let name)? = topics.parse(received.topic) else { return }
            do throws(LineError) {
                guard !received.payload.isEmpty else { return }
                statuses[name] = try ObserverStatus(received.payload)
            } catch {
                malformedCount += 1
            }
        }
    }
}

/// The checks of `peerlist doctor --broker`.
struct BrokerCheck {
    static let checks = [
        ("broker", "Broker"), ("publish", "Publishing"), ("read", "Reading"),
        ("observers", "Observers"), ("clocks", "Clocks of the observers"),
    ]

    /// The difference of two clocks that is reported.
    private static let clockLimit = Duration.seconds(2)
    /// The number of observers that a finding names.
    private static let nameLimit = 20

    let access: BrokerAccess
    let name: ObserverName
    let answers: BrokerAnswers
    let now: Timestamp
    let limit: Duration

    /// The results of all checks, in order.
    var reports: [CheckReport] {
        let findings = [connection, publishing, reading, observers, clocks]
        return zip(Self.checks, findings).map { check, findings in
            CheckReport(id: check.0, title: check.1, findings: findings)
        }
    }

    private var connection: [Finding] {
        let url = access.url.description
        switch answers.connection {
        case .none:
            return .one(
                .problem, "\(url) does not answer.",
                advice: "check its address, and firewalls between it and this machine")
        case .failed(let reason):
            return .one(
                .problem, "\(url) cannot be used: \(reason).",
                advice: "check that the broker runs, --ca-file, and the user and --password-file")
        case .done where !access.url.isSecure && access.url.user != nil:
            return .one(
                .warning, "\(url) answers and accepts the login, which is not encrypted.",
                advice: "use mqtts:// where others could listen; see docs/fleet.md")
        case .done:
            return .one(
                .ok, "\(url) answers\(access.url.isSecure ? ", with a trusted certificate" : "").")
        }
    }

    /// The findings about something that needs a connection.
    private func findings(
        _ answer: BrokerAnswers.Answer, _ done: String, _ failed: String, advice: String
    ) -> [Finding] {
        guard answers.connection == .done else {
            return .one(.unknown, "This check requires a connection to the broker.")
        }
        let topics = "of observer \(name.observer) of site \(name.site)"
        return switch answer {
        case .done: .one(.ok, "\(done) the topics \(topics).")
        case .failed(let reason):
            .one(.problem, "\(failed) the topics \(topics): \(reason).", advice: advice)
        case .none:
            .one(
                .problem,
                "\(failed) the topics \(topics): no answer within \(limit.components.seconds) s.",
                advice: advice)
        }
    }

    private var publishing: [Finding] {
        findings(
            answers.publishing, "The user may publish to", "The user may not publish to",
            advice: "allow it in the access rules of the broker; 'peerlist fleet' "
                + "does not need it")
    }

    private var reading: [Finding] {
        if case .failed = answers.publishing {
            return answers.statuses.isEmpty
                ? .one(.unknown, "Nothing could be published that could be read.")
                : .one(.ok, "The user may read the statuses of the observers.")
        }
        return findings(
            answers.reading, "The user may read", "The user may not read",
            advice: "allow it in the access rules of the broker: observers read their own topics, "
                + "peerlist fleet reads all")
    }

    private var observers: [Finding] {
        guard answers.hasStatuses else {
            return .one(.unknown, "The statuses of the observers could not be read.")
        }
        var findings: [Finding] = []
        if answers.malformedCount > 0 {
            findings.append(
                Finding(
                    .warning, "\(answers.malformedCount) statuses are not those of peerlist.",
                    advice: "use another prefix for other programs: URL/PREFIX"))
        }
        for (state, outcome) in [
            (ObserverStatus.State.online, DoctorOutcome.ok), (.syncing, .ok), (.offline, .warning),
        ] {
            let names = answers.statuses.filter { $0.value.state == state }.keys.sorted()
            guard !names.isEmpty else { continue }
            findings.append(
                Finding(
                    outcome,
                    "\(names.count) \(names.count == 1 ? "observer is" : "observers are") "
                        + "\(state.rawValue): \(Self.listed(names)).",
                    advice: state == .offline
                        ? "start them again; what they published is unknown until then" : nil,
                    facts: [("observers", .texts(names.map(\.title)))]))
        }
        guard findings.isEmpty else { return findings }
        return .one(
            .warning, "No observer publishes there, or the user may not read their statuses.",
            advice: "start one on each network: peerlist --publish \(access.url)")
    }

    private var clocks: [Finding] {
        let limit = Self.clockLimit.components.seconds * 1_000_000
        let ahead = answers.statuses.filter { _, status in
            [status.time, status.since].compactMap(\.self)
                .contains { $0.microseconds > now.microseconds + limit }
        }.keys.sorted()
        guard answers.statuses.contains(where: { $0.value.time != nil }) else {
            return .one(.unknown, "No observer has stated its time.")
        }
        guard !ahead.isEmpty else {
            return .one(.ok, "No clock of an observer is ahead of that of this machine.")
        }
        return .one(
            .warning, "The clocks of \(Self.listed(ahead)) are ahead of that of this machine.",
            advice:
                "set the clocks by NTP; the order of changes does not depend on them, the times "
                + "shown do")
    }

    private static func listed(_ names: [ObserverName]) -> String {
        let shown = names.prefix(nameLimit).map(\.title)
        let rest = names.count - shown.count
        return (shown + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: ", ")
    }
}
