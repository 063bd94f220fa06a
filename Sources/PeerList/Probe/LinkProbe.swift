// Queries services on the link, past every cache.
import FoundationEssentials
import Glibc

/// Queries the SRV records of services on the link, and collects the services that are answered for.
///
/// A daemon answers from its cache until the TTLs of the records are over, whether or not their owner
/// still responds; and its queries list the known answers, so that the owner does not reply. The owner
/// must reply to a query without known answers (RFC 6762, sections 6 and 7.1).
package struct LinkProbe: Sendable {
    /// A service and the paths on which it is announced.
    package struct Question: Sendable {
        package let service: ServiceKey
        let paths: Set<NetworkPath>
    }

    /// The times at which the query is sent: packets are lost, and an owner answers once a second at most.
    static let sendTimes: [Duration] = [.zero, .milliseconds(1_100), .milliseconds(2_200)]
    /// The maximum time to wait for replies.
    static let limit = Duration.seconds(3)
    /// The maximum number of paths to query; more are a mistake.
    static let pathLimit = 32

    private let questions: [Question]
    private let names: [String: UUID]

    /// Creates a probe for services.
    init(_ questions: [Question]) {
        self.questions = questions
        let named = questions.compactMap { question in
            ProbeMessage.name(of: question.service).map { ($0, question.service.id) }
        }
        names = Dictionary(named, uniquingKeysWith: { first, _ in first })
    }

    /// Sends the queries, on a thread of its own, until all services are answered for or the time is over.
    ///
    /// - Returns: The services that answered, or an error if there is no path or no service to query.
    func run() async -> Result<Set<UUID>, ProbeError> {
        await withCheckedContinuation { continuation in
            let code = startThread { continuation.resume(returning: ask()) }
            if code != 0 { continuation.resume(returning: .failure(ProbeError(code: code))) }
        }
    }

    private func ask() -> Result<Set<UUID>, ProbeError> {
        // Without a query, silence would mean nothing.
        guard !names.isEmpty else { return .failure(ProbeError(code: EINVAL)) }
        var round = Round(names: names)
        for path in Set(questions.flatMap(\.paths)).prefix(Self.pathLimit) {
            let services = questions.filter { $0.paths.contains(path) }.map(\.service)
            round.open(path, for: services)
        }
        if let error = round.obstacle { return .failure(error) }
        let start = ContinuousClock.now
        var sends = Self.sendTimes[...]
        while !round.isComplete {
            let now = ContinuousClock.now - start
            guard now < Self.limit else { break }
            if Self.takeDue(from: &sends, at: now) {
                round.send()
                // Replies that came before the error count.
                if round.answered.isEmpty, let error = round.obstacle { return .failure(error) }
            }
            round.receive(within: Self.wait(for: sends.first, at: now))
        }
        return .success(round.answered)
    }

    /// Removes the times that are due; queries that are overdue together are sent once.
    ///
    /// - Returns: Whether something was due.
    static func takeDue(from sends: inout ArraySlice<Duration>, at now: Duration) -> Bool {
        let count = sends.count
        while let due = sends.first, due <= now { sends.removeFirst() }
        return sends.count < count
    }

    /// Returns the time to wait for replies; never negative, which `poll` takes for endless.
    static func wait(for next: Duration?, at now: Duration) -> Duration {
        max(.zero, min(next ?? limit, limit) - now)
    }
}

/// The sockets and queries of a running probe.
private struct Round {
    private let names: [String: UUID]
    private var sockets: [(socket: ProbeSocket, messages: [[UInt8]], works: Bool)] = []
    /// Sockets with ports of their own, for responders that reply by unicast alone; a firewall may block
    /// the replies.
    private var legacySockets: [(socket: ProbeSocket, messages: [[UInt8]])] = []
    private var lastError = ProbeError(code: ENODEV)
    private(set) var answered: Set<UUID> = []
    private var isRepeated = false

    init(names: [String: UUID]) { self.names = names }

    /// The error that prevents all queries, or `nil`.
    var obstacle: ProbeError? { sockets.contains(where: \.works) ? nil : lastError }

    var isComplete: Bool { answered.count == names.count }

    mutating func open(_ path: NetworkPath, for services: [ServiceKey]) {
        let messages = ProbeMessage.questions(for: services)
        do throws(ProbeError) {
            sockets.append((try ProbeSocket(path), messages, true))
        } catch {
            lastError = error
        }
        if let legacy = try? ProbeSocket(path, isLegacy: true) {
            legacySockets.append((legacy, messages))
        }
    }

    /// Sends the queries; all but the first time through the legacy sockets, too.
    mutating func send() {
        defer { isRepeated = true }
        for (socket, messages) in isRepeated ? legacySockets : [] {
            for message in messages { _ = socket.send(message) }
        }
        for place in sockets.indices {
            let errors = sockets[place].messages.compactMap(sockets[place].socket.send)
            sockets[place].works = errors.isEmpty
            if let error = errors.last { lastError = ProbeError(code: error) }
        }
    }

    mutating func receive(within limit: Duration) {
        let open = sockets.map(\.socket) + legacySockets.map(\.socket)
        for message in ProbeSocket.messages(on: open, within: limit) {
            answered.formUnion(ProbeMessage.answeredNames(in: message).compactMap { names[$0] })
        }
    }
}
