// A connection to a broker whose events a test waits for.
import LabSupport
import PeerFleet
import PeerModel
import Testing
import PeerSystem

/// A connection to a broker whose events a test waits for.
actor BrokerClient {
    nonisolated let connection: BrokerConnection
    private nonisolated let events: AsyncStream<BrokerEvent>
    private var others: [BrokerEvent] = []  // that no wait was for

    /// Starts a connection.
    init(
        _ access: BrokerAccess, id: String,
        configure: (inout ConnectionOptions) -> Void = { _ in () }
    ) {
        var options = ConnectionOptions(clientID: id)
        options.firstRetry = .milliseconds(20)
        options.greatestRetry = .milliseconds(200)
        configure(&options)
        let (events, continuation) = AsyncStream<BrokerEvent>.makeStream()
        self.events = events
        connection = BrokerConnection(access, options) { continuation.yield($0) }
        connection.start()
    }

    /// Returns and removes the first event for which a closure returns a value.
    func next<Value: Sendable>(
        _ value: @escaping @Sendable (BrokerEvent) -> Value?
    ) async throws -> Value {
        for (index, event) in others.enumerated() {
            guard let found = value(event) else { continue }
            others.remove(at: index)
            return found
        }
        while true {
            let next = await withTimeout(.seconds(120)) { [events] in
                await events.first { _ in true }
            }
            let event = try #require(next ?? nil, "the event did not come; there are \(others)")
            if let found = value(event) { return found }
            others.append(event)
        }
    }

    /// Waits for an event.
    func expect(_ event: BrokerEvent) async throws {
        try await next { $0 == event ? () : nil }
    }

    /// Returns the next event.
    func nextEvent() async throws -> BrokerEvent { try await next { $0 } }

    /// Returns the next message.
    func message() async throws -> BrokerMessage {
        try await next { event in
            if case .message(let message) = event { message } else { nil }
        }
    }

    /// Waits for the connection, subscribes, and waits for the answer.
    func subscribe(_ filter: String, sendsRetained: Bool = true) async throws {
        try await expect(.connected)
        connection.subscribe(filter, sendsRetained: sendsRetained)
        try await expect(.subscribed(filter: filter, failure: nil))
    }

    /// Publishes a message, and waits for its acknowledgement.
    func publish(_ text: String, to topic: String, retained: Bool = false) async throws {
        let token = connection.publish(Array(text.utf8), to: topic, retained: retained)
        try await expect(.published(token, failure: nil))
    }

    @discardableResult
    func stop(_ last: RetainedMessage? = nil) async -> Bool {
        await connection.stop(last, within: .seconds(60))
    }
}

extension BrokerMessage {
    var text: String { String(decoding: payload, as: UTF8.self) }
}

extension TestBroker {
    /// The access to the broker as a user.
    nonisolated func access(_ user: String? = nil, password: String? = nil) -> BrokerAccess {
        BrokerAccess(BrokerURL(socket: socket, user: user), password: password)
    }
}
