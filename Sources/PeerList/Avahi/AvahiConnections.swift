// The connections to the daemon, and how lookups are spread over them.

/// The connections to the daemon.
///
/// libavahi searches all objects of a connection for every signal, and the daemon refuses more than
/// 1,024 objects. So a connection carries few objects, and another connection is opened when all
/// are full.
final class AvahiConnections {
    /// The maximum number of objects of a connection.
    static let objectsPerConnection = 128
    /// The maximum number of connections; the bus allows a user 256, in all programs together.
    static let connectionLimit = 16

    private let loop: EventLoop
    private let receive: @Sendable () -> Void
    private var clients: [AvahiClient] = []
    /// The number of objects that a connection may carry; lowered when the daemon refuses one.
    private var room = objectsPerConnection
    /// Whether the bus refused another connection, so that the open ones must carry all objects.
    private var isRefused = false

    /// Creates an empty set; `receive` is called on the loop after the state of a connection changed.
    init(on loop: EventLoop, receive: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.receive = receive
    }

    func open(waits: Bool) throws(StackError) { clients.append(try connect(waits: waits)) }

    /// The connection that was opened first, which reports the state of the daemon.
    var primary: AvahiClient? { clients.first }

    /// Returns a connection that has room, opening one if necessary.
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
        // A connection with many objects is slow, but carries as many as the daemon allows.
        guard room == Self.objectsPerConnection,
            let client = clients.min(by: { $0.objectCount < $1.objectCount })
        else { throw StackError.tooManyObjects }
        return client
    }

    /// Opens a lookup on a connection that has room, or on another connection if the daemon refuses the lookup there.
    ///
    /// - Throws: ``StackError``, of the kind `tooManyObjects` if no connection accepts another
    ///   object.
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

    /// The state of the daemon: failed as soon as one connection is lost, because the lookups on it are lost too.
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
