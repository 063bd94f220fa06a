// Opens lookups on a thread of its own, because each is a blocking call to the daemon.

/// Opens lookups for another loop, which does not wait for them.
///
/// A daemon that works through a flood of answers reports services all the while, but answers no call until it is
/// done. With lookups on a thread of their own, the browsing loop receives these reports meanwhile.
actor LookupThread {
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    private nonisolated let loop = EventLoop()
    private nonisolated let asker: EventLoop
    private nonisolated let connectionLost: @Sendable () -> Void
    private var connections: AvahiConnections?
    private var lookups: [ObjectIdentifier: any Lookup] = [:]

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

    /// Opens a lookup, after those that were asked for before.
    ///
    /// `receive` is called on the asker's loop, never after the lookup was closed there; also with the error of a
    /// lookup that could not be opened.
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
        // What was posted is held until then, so that nothing else has its identifier.
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

/// A lookup that another thread makes and holds.
private final class PostedLookup: Lookup, @unchecked Sendable {
    // @unchecked: `receive` is used on the loop of whoever asked only.
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
