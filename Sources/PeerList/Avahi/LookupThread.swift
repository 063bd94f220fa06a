// Lookups on connections and a thread of their own, for the daemon keeps whoever makes one waiting.

/// Makes lookups for another loop, which does not wait for them.
///
/// A daemon that works through a flood of answers tells of services all the
/// while, but answers no call until it is done. Who browses on one thread and
/// looks up on another hears of them meanwhile.
actor LookupThread {
    /// The thread that libavahi is called on.
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    private nonisolated let loop = EventLoop()
    private nonisolated let asker: EventLoop
    private nonisolated let connectionLost: @Sendable () -> Void
    private var connections: AvahiConnections?
    private var lookups: [ObjectIdentifier: any Lookup] = [:]

    /// What makes a lookup on a connection, and delivers its events.
    typealias Maker<Event> =
        @Sendable (AvahiClient, @escaping @Sendable (Event) -> Void) throws(AvahiError) ->
        any Lookup

    /// A thread without a connection yet; the first lookup opens one.
    ///
    /// - Parameters:
    ///   - asker: The loop that lookups are asked on, and events are delivered on.
    ///   - connectionLost: Called there when a connection is of no use any more, and with it its lookups.
    init(for asker: EventLoop, connectionLost: @escaping @Sendable () -> Void) {
        self.asker = asker
        self.connectionLost = connectionLost
    }

    deinit { loop.end() }

    /// Has a lookup made, after all that was asked before.
    ///
    /// - Parameters:
    ///   - failure: The event that says why it could not be made.
    ///   - receive: Called on the asker's loop, never after the lookup was closed there.
    ///   - make: Makes it.
    /// - Returns: The lookup, which is open until it is closed.
    nonisolated func open<Event: Sendable>(
        failure: @escaping @Sendable (AvahiError) -> Event,
        receive: @escaping @Sendable (Event) -> Void, make: @escaping Maker<Event>
    ) -> any Lookup {
        let posted = PostedLookup(on: self, receive)
        let deliver = { @Sendable [asker] event in
            asker.postInTurn { posted.deliver(event) }
        }
        perform { thread in
            do throws(AvahiError) {
                thread.lookups[ObjectIdentifier(posted)] = try thread.make(deliver, make)
            } catch {
                deliver(failure(error))
            }
        }
        return posted
    }

    /// Closes all connections, and what is open on them.
    nonisolated func close() {
        perform { thread in
            for lookup in thread.lookups.values { lookup.close() }
            thread.lookups = [:]
            thread.connections?.close()
            thread.connections = nil
        }
    }

    fileprivate nonisolated func close<Event>(_ posted: PostedLookup<Event>) {
        // What was posted is held until then, so that nothing else has its identifier.
        perform { $0.lookups.removeValue(forKey: ObjectIdentifier(posted))?.close() }
    }

    private func make<Event>(
        _ deliver: @escaping @Sendable (Event) -> Void, _ make: Maker<Event>
    ) throws(AvahiError) -> any Lookup {
        let connections = try connected()
        return try connections.make { client throws(AvahiError) in try make(client, deliver) }
    }

    private func connected() throws(AvahiError) -> AvahiConnections {
        if let connections { return connections }
        let opened = AvahiConnections(on: loop) { [weak self] in
            self?.assumeIsolated { $0.stateChanged() }
        }
        try opened.open(waits: false)
        connections = opened
        return opened
    }

    private func stateChanged() {
        if connections?.state == .failed { asker.post(connectionLost) }
    }

    private nonisolated func perform(_ work: @escaping @Sendable (isolated LookupThread) -> Void) {
        loop.post { self.assumeIsolated(work) }
    }
}

/// A lookup that another thread makes and holds.
private final class PostedLookup<Event: Sendable>: Lookup, @unchecked Sendable {
    // @unchecked: `receive` is used on the loop of whoever asked only.
    private let thread: LookupThread
    private var receive: (@Sendable (Event) -> Void)?

    init(on thread: LookupThread, _ receive: @escaping @Sendable (Event) -> Void) {
        self.thread = thread
        self.receive = receive
    }

    func deliver(_ event: Event) { receive?(event) }

    func close() {
        guard receive != nil else { return }
        receive = nil
        thread.close(self)
    }
}
