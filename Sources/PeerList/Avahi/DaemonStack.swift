// avahi-daemon as a stack: lookups on one of several connections.
import PeerSystem

/// The stack of avahi-daemon, asked over the D-Bus system bus.
///
/// Opening a lookup is a blocking round trip, which takes as long as the daemon is busy. So the lookups that resolve
/// services, of which there are many, are opened on a separate thread.
final class DaemonStack: LookupStack {
    private let connections: AvahiConnections
    private let lookups: LookupThread
    private let loss = ConnectionLoss()

    /// Connects to the daemon as ``AvahiClient/init(on:waits:receive:)`` does.
    init(
        on loop: EventLoop, waits: Bool, receive: @escaping @Sendable () -> Void
    ) throws(StackError) {
        let connections = AvahiConnections(on: loop, receive: receive)
        try connections.open(waits: waits)
        self.connections = connections
        lookups = LookupThread(for: loop) { [loss] in
            loss.hasHappened = true
            receive()
        }
    }

    var status: StackStatus {
        StackStatus(
            state: loss.hasHappened ? .failed : connections.state,
            hostName: connections.primary?.hostName ?? "",
            cacheLimit: DaemonSettings(readText(DaemonSettings.usualPath) ?? "").cacheLimit)
    }

    func open(
        _ request: LookupRequest, receive: @escaping @Sendable (LookupEvent) -> Void
    ) throws(StackError) -> any Lookup {
        switch request {
        case .resolve, .records: lookups.open(request, receive)
        default: try connections.open(request, receive: receive)
        }
    }

    func close() {
        lookups.close()
        connections.close()
    }

    /// The daemon itself withdraws what a client announced.
    func abandon() { close() }
}

/// Whether the connections of the lookup thread are lost.
private final class ConnectionLoss: @unchecked Sendable {
    // @unchecked: used on the stack's loop only.
    var hasHappened = false
}
