// avahi-daemon as a stack: its connections, and a lookup on one that has room for each that is made.

/// The stack of avahi-daemon, asked over the D-Bus system bus.
///
/// Making a lookup is a blocking round trip, which takes as long as the daemon
/// is busy. What there are many of, the lookups of services, wait on a thread
/// of their own.
final class DaemonStack: LookupStack {
    private let connections: AvahiConnections
    private let lookups: LookupThread
    private let loss = Loss()

    /// Connects to the daemon.
    ///
    /// - Parameters:
    ///   - loop: The loop that the stack lives on; the caller runs on it.
    ///   - waits: Whether a daemon that is not there yet is waited for. The bus must be there in any case.
    ///   - receive: Called on the loop after the state of the stack changed, also from within this call.
    /// - Throws: What libavahi says where there is no daemon to connect to, or no bus.
    init(
        on loop: EventLoop, waits: Bool, receive: @escaping @Sendable () -> Void
    ) throws(AvahiError) {
        let connections = AvahiConnections(on: loop, receive: receive)
        try connections.open(waits: waits)
        self.connections = connections
        lookups = LookupThread(for: loop) { [loss] in
            loss.isTotal = true
            receive()
        }
    }

    var state: StackState { loss.isTotal ? .failed : connections.state }

    var hostName: String { connections.primary?.hostName ?? "" }

    var warning: String? { nil }

    func browseTypes(
        in domain: String?, path: LookupPath, receive: @escaping @Sendable (TypeEvent) -> Void
    ) throws(AvahiError) -> any Lookup {
        try connections.make { client throws(AvahiError) in
            try AvahiServiceTypeBrowser(on: client, path: path, domain: domain, receive: receive)
        }
    }

    func browseServices(
        ofType type: String, domain: String, path: LookupPath,
        receive: @escaping @Sendable (ServiceEvent) -> Void
    ) throws(AvahiError) -> any Lookup {
        try connections.make { client throws(AvahiError) in
            try AvahiServiceBrowser(
                type: type, domain: domain, on: client, path: path, receive: receive)
        }
    }

    func resolve(
        _ instance: ServiceInstance, path: LookupPath,
        receive: @escaping @Sendable (ResolveEvent) -> Void
    ) throws(AvahiError) -> any Lookup {
        lookups.open(failure: ResolveEvent.failed, receive: receive) {
            client, deliver throws(AvahiError) in
            try AvahiServiceResolver(instance, on: client, path: path, receive: deliver)
        }
    }

    func browseRecords(
        _ type: RecordType, of name: String, path: LookupPath,
        receive: @escaping @Sendable (RecordEvent) -> Void
    ) throws(AvahiError) -> any Lookup {
        switch type {
        case .a, .aaaa:
            try connections.make { client throws(AvahiError) in
                try AvahiRecordBrowser(type, of: name, on: client, path: path, receive: receive)
            }
        case .srv, .txt:
            lookups.open(failure: { _ in .cacheExhausted }, receive: receive) {
                client, deliver throws(AvahiError) in
                try AvahiRecordBrowser(type, of: name, on: client, path: path, receive: deliver)
            }
        }
    }

    func publish(
        _ announcement: Announcement, path: LookupPath,
        receive: @escaping @Sendable (PublishEvent) -> Void
    ) throws(AvahiError) -> any Lookup {
        try connections.make { client throws(AvahiError) in
            try AvahiEntryGroup(announcement, on: client, path: path, receive: receive)
        }
    }

    func close() {
        lookups.close()
        connections.close()
    }
}

/// Whether the connections that look services up are lost.
private final class Loss: @unchecked Sendable {
    // @unchecked: used on the stack's loop only.
    var isTotal = false
}
