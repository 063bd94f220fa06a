// The connections to the daemon, and how lookups are spread over them.

/// The connections to the daemon.
///
/// libavahi searches all objects of a connection for every signal, and the
/// daemon refuses more than 1,024 of them; so no connection carries many, and
/// another one is opened when the others are full.
final class AvahiConnections {
    /// The objects that one connection carries.
    static let objectsPerConnection = 128
    /// The connections that are opened; the bus allows 256 to one user, others included.
    static let connectionLimit = 16

    private let loop: EventLoop
    private let receive: @Sendable () -> Void
    private var clients: [AvahiClient] = []

    /// No connection yet.
    ///
    /// - Parameters:
    ///   - loop: The loop that the connections live on.
    ///   - receive: Called on the loop after the state of a connection changed.
    init(on loop: EventLoop, receive: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.receive = receive
    }

    /// Opens the first connection.
    func open(waits: Bool) throws(AvahiError) { clients.append(try connect(waits: waits)) }

    /// The connection that was opened first, which says how the daemon is.
    var primary: AvahiClient? { clients.first }

    /// A connection that has room, if need be a new one.
    func withRoom() throws(AvahiError) -> AvahiClient {
        if let client = clients.first(where: { $0.objectCount < Self.objectsPerConnection }) {
            return client
        }
        guard clients.count < Self.connectionLimit else { throw AvahiError.tooManyObjects }
        let client = try connect(waits: false)
        clients.append(client)
        return client
    }

    /// What the daemon is doing; when one connection is lost, so is all that the daemon told.
    var state: StackState {
        clients.contains { $0.state == .failed } ? .failed : primary?.state ?? .connecting
    }

    /// Closes all connections; their objects must be closed by then.
    func close() {
        for client in clients { client.close() }
        clients = []
    }

    private func connect(waits: Bool) throws(AvahiError) -> AvahiClient {
        try AvahiClient(on: loop, waits: waits) { [receive] _ in receive() }
    }
}
