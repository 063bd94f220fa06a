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
    /// The objects that one connection carries; fewer once the daemon refused more.
    private var room = objectsPerConnection
    /// Whether the bus refused another connection, so that those there are must do.
    private var isRefused = false

    /// Creates an empty set; `receive` is called on the loop after the state of a connection changed.
    init(on loop: EventLoop, receive: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.receive = receive
    }

    func open(waits: Bool) throws(StackError) { clients.append(try connect(waits: waits)) }

    /// The connection that was opened first, which says how the daemon is.
    var primary: AvahiClient? { clients.first }

    /// A connection that has room, if need be a new one.
    private func withRoom() throws(StackError) -> AvahiClient {
        if let client = clients.first(where: { $0.objectCount < room }) { return client }
        if !isRefused, clients.count < Self.connectionLimit {
            do throws(StackError) {
                let client = try connect(waits: false)
                clients.append(client)
                return client
            } catch {
                // The bus limits the number of connections of a user.
                guard error.kind == .tooManyObjects else { throw error }
                isRefused = true
            }
        }
        // A connection that carries much is slow, but it carries what the daemon allows.
        guard room == Self.objectsPerConnection,
            let client = clients.min(by: { $0.objectCount < $1.objectCount })
        else { throw StackError.tooManyObjects }
        return client
    }

    /// Opens a lookup on a connection that has room, if need be on another one than first tried.
    ///
    /// - Throws: ``StackError``, of the kind `tooManyObjects` if no connection takes one more.
    func open(
        _ request: LookupRequest, receive: @escaping @Sendable (LookupEvent) -> Void
    ) throws(StackError) -> any Lookup {
        while true {
            let client = try withRoom()
            do throws(StackError) {
                return try client.open(request, receive: receive)
            } catch {
                guard error.kind == .tooManyObjects, client.objectCount > 0,
                    client.objectCount < room
                else { throw error }
                room = client.objectCount
            }
        }
    }

    /// The state of the daemon: failed as soon as one connection is lost, because its lookups are lost with it.
    var state: StackStatus.State {
        clients.contains { $0.state == .failed } ? .failed : primary?.state ?? .connecting
    }

    /// Closes all connections; their objects must be closed by then.
    func close() {
        for client in clients { client.close() }
        clients = []
    }

    private func connect(waits: Bool) throws(StackError) -> AvahiClient {
        try AvahiClient(on: loop, waits: waits) { [receive] _ in receive() }
    }
}
