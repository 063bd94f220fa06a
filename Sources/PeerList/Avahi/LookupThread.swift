// Opens lookups on a thread of its own, because each is a blocking call to the daemon.

/// Opens lookups for another loop, which does not wait for them.
///
/// While a daemon handles a flood of answers, it reports services but answers no call. With lookups on a thread of
/// their own, the browsing loop receives these reports at once.
actor LookupThread {
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    private nonisolated let loop = EventLoop()
    private nonisolated let asker: EventLoop
    private nonisolated let connectionLost: @Sendable () -> Void
    private var connections: AvahiConnections?
    private var lookups: [ObjectIdentifier: any Lookup] = [:]

    /// Creates a thread without a connection; the first lookup opens one.
    ///
    /// - Parameters:
    ///   - asker: The loop on which lookups are requested and events are delivered.
    ///   - connectionLost: Called on that loop when a connection and its lookups are lost.
    init(for asker: EventLoop, connectionLost: @escaping @Sendable () -> Void) {
        self.asker = asker
        self.connectionLost = connectionLost
    }

    deinit { loop.end() }

    /// Opens a lookup, after all lookups that were requested before.
    ///
    /// `receive` is called on the asker's loop with events, or with the error of a lookup that could not be
    /// opened; never after the lookup was closed there.
    nonisolated func open(
        _ request: LookupRequest, _ receive: @escaping @Sendable (LookupEvent) -> Void
    ) -> any Lookup {
        let posted = PostedLookup(on: self, receive)
        let deliver = { @Sendable [asker, loop] event in
            asker.post(from: loop) { posted.deliver(event) }
        }
        perform { thread in
            do throws(StackError) {
                thread.lookups[ObjectIdentifier(posted)] = try thread.connected()
                    .open(request, receive: deliver)
            } catch {
                deliver(.failed(error))
            }
        }
        return posted
    }

    nonisolated func close() {
        perform { thread in
            for lookup in thread.lookups.values { lookup.close() }
            thread.lookups = [:]
            thread.connections?.close()
            thread.connections = nil
        }
    }

    fileprivate nonisolated func close(_ posted: PostedLookup) {
        // The closure retains the posted lookup until then, so no other object can have its identifier.
        perform { $0.lookups.removeValue(forKey: ObjectIdentifier(posted))?.close() }
    }

    private func connected() throws(StackError) -> AvahiConnections {
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

/// A lookup that another thread opens and holds.
private final class PostedLookup: Lookup, @unchecked Sendable {
    // @unchecked: `receive` is only used on the asker's loop.
    private let thread: LookupThread
    private var receive: (@Sendable (LookupEvent) -> Void)?

    init(on thread: LookupThread, _ receive: @escaping @Sendable (LookupEvent) -> Void) {
        self.thread = thread
        self.receive = receive
    }

    func deliver(_ event: LookupEvent) { receive?(event) }

    func close() {
        guard receive != nil else { return }
        receive = nil
        thread.close(self)
    }
}
