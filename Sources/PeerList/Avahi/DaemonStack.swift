// avahi-daemon as a stack: lookups on one of several connections.

/// The stack of avahi-daemon, asked over the D-Bus system bus.
///
/// Opening a lookup is a blocking round trip, which takes as long as the daemon is busy. So the lookups that resolve
/// services, of which there are many, are opened on a thread of their own.
final class DaemonStack: LookupStack {
    private let connections: AvahiConnections
    private let lookups: LookupThread
    private let loss = ConnectionLoss()
    private let cacheLimit = DaemonSettings.ofThisMachine().cacheLimit

    /// Connects to the daemon.
    ///
    /// - Parameters:
    ///   - loop: The loop that the stack lives on; the caller runs on it.
    ///   - waits: Whether to wait for a daemon that is not there yet; the bus must be there.
    ///   - receive: Called on the loop after the state of the stack changed, also from within this call.
    /// - Throws: ``StackError`` if there is no daemon to connect to, or no bus.
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
            hostName: connections.primary?.hostName ?? "", cacheLimit: cacheLimit)
    }

    func open(
        _ request: LookupRequest, receive: @escaping @Sendable (LookupEvent) -> Void
    ) throws(StackError) -> any Lookup {
        switch request {
        case .types(let domain, let path):
            try connections.make { client throws(StackError) in
                try AvahiServiceTypeBrowser(
                    on: client, path: path, domain: domain, receive: receive)
            }
        case .services(let type, let domain, let path):
            try connections.make { client throws(StackError) in
                try AvahiServiceBrowser(
                    type: type, domain: domain, on: client, path: path, receive: receive)
            }
        case .resolve(let instance, let path):
            lookups.open(receive) { client, deliver throws(StackError) in
                try AvahiServiceResolver(instance, on: client, path: path, receive: deliver)
            }
        case .addresses(let host, let family, let path):
            try connections.make { client throws(StackError) in
                try AvahiRecordBrowser(
                    family.recordType, of: host, on: client, path: path, receive: receive)
            }
        case .records(let type, let instance, let path):
            lookups.open(receive) { client, deliver throws(StackError) in
                try AvahiRecordBrowser(
                    type.rawValue, of: instance.escapedName(), on: client, path: path,
                    receive: deliver)
            }
        case .publish(let announcement, let path):
            try connections.make { client throws(StackError) in
                try AvahiEntryGroup(announcement, on: client, path: path, receive: receive)
            }
        }
    }

    func close() {
        lookups.close()
        connections.close()
    }
}

/// Whether the connections of the lookup thread are lost.
private final class ConnectionLoss: @unchecked Sendable {
    // @unchecked: used on the stack's loop only.
    var hasHappened = false
}
