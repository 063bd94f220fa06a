// Discovery on the link through an mDNS stack: the stack's life, from start to stop.

/// A source of discovery events that asks avahi-daemon.
///
/// Everything of libavahi happens on the one thread that is this actor's
/// executor, and never on the caller's: its calls block while the daemon is
/// busy. When the daemon goes away it says so, waits for it, and begins again.
///
/// It lives until ``stop()`` is called.
public actor LinkBrowser: PeerBrowser {
    /// Everything that is found out, in order; for one reader.
    public nonisolated let events: AsyncStream<DiscoveryEvent>
    /// The event loop, on which all of libavahi runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    /// The time that things may take to be seen again after the daemon's return.
    static let catchUp = Duration.seconds(10)
    /// How long to wait before the bus is tried again.
    static let reconnect = Duration.milliseconds(500)

    let options: BrowseOptions
    private nonisolated let loop: EventLoop
    private nonisolated let sink: AsyncStream<DiscoveryEvent>.Continuation
    private let start = ContinuousClock.now
    private var life = Life.new

    private(set) var stack: (any LookupStack)?
    private var timer: (due: Duration, task: Task<Void, Never>)?
    private var caughtUpDue: Duration?

    var browsing = Browsing()
    var resolving = Resolving()
    var addressing = Addressing()
    var verifying = Verifying()
    var announcing = Announcing()

    private enum Life {
        case new
        /// Waiting for the daemon.
        case away
        /// The daemon answers.
        case running
        case stopped
    }

    /// A browser for these options; nothing happens before ``start()``.
    public init(_ options: BrowseOptions = BrowseOptions()) {
        self.options = options
        loop = EventLoop()
        (events, sink) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    deinit { loop.end() }

    /// Connects to the daemon and begins to browse.
    ///
    /// - Returns: The host name that this machine is known by, such as `h1.local`.
    /// - Throws: ``BackendError`` where the daemon does not run, or there is no D-Bus system bus.
    /// - Precondition: It has not been called before.
    public func start() async throws(BackendError) -> String {
        precondition(life == .new, "a browser is started once")
        do throws(AvahiError) {
            let host = try connect(waits: false)
            guard let host else { throw AvahiError.disconnected }
            return host
        } catch {
            life = .stopped
            disconnect()
            sink.finish()
            throw BackendError(
                """
                avahi-daemon cannot be asked: \(error.description.lowercased()). Start it with \
                'systemctl start avahi-daemon' (as root), or install it with \
                'apt-get install avahi-daemon'
                """)
        }
    }

    /// Withdraws what was announced, closes every lookup, and ends ``events``.
    public func stop() async {
        guard life != .stopped else { return }
        life = .stopped
        timer?.task.cancel()
        disconnect()
        sink.finish()
    }

    /// Reports something that was found out now.
    func report(_ kind: DiscoveryEvent.Kind) {
        sink.yield(DiscoveryEvent(kind, at: .now()))
    }

    /// Whether the daemon answers.
    var isRunning: Bool { life == .running }

    /// The time since this browser was made.
    var now: Duration { ContinuousClock.now - start }
}

extension LinkBrowser {
    /// Makes a stack, and begins to browse if the daemon is there.
    ///
    /// - Returns: The host name of this machine if the daemon is there, else `nil`.
    private func connect(waits: Bool) throws(AvahiError) -> String? {
        life = .away
        // The strong reference to this actor ends when the stack is closed.
        stack = try DaemonStack(on: loop, waits: waits) { Task { await self.stackChanged() } }
        return beginIfReady()
    }

    private func beginIfReady() -> String? {
        guard life == .away, let stack, stack.state.canBrowse else { return nil }
        life = .running
        let host = stack.hostName
        report(.running(host: host))
        beginBrowsing()
        publishIfReady()
        return host
    }

    /// The stack's state changed; how is read from the stack.
    private func stackChanged() {
        guard life != .stopped, let stack else { return }
        if stack.state == .failed {
            if life == .running { report(.lost(reason: AvahiError.disconnected.description)) }
            disconnect()
            reconnect()
        } else if life == .away {
            if beginIfReady() != nil { tellReturn() }
        } else {
            publishIfReady()
        }
    }

    private func tellReturn() {
        report(.notice(.backendBack, "avahi-daemon is back"))
        caughtUpDue = now + Self.catchUp
        planTimer()
    }

    private func reconnect() {
        life = .away
        do throws(AvahiError) {
            if try connect(waits: true) != nil { tellReturn() }
        } catch {
            // The bus itself is away, for which libavahi does not wait.
            disconnect()
        }
        planTimer()
    }

    private func disconnect() {
        closeAnnouncement()
        closeAddresses()
        closeResolvers()
        closeBrowsers()
        verifying.doubts = DoubtSchedule()
        stack?.close()
        stack = nil
        caughtUpDue = nil
    }

    /// Does what there is room and time for now, and sets the timer for the rest.
    func proceed() {
        continueResolving()
        continueBrowsing()
        continueVerifying()
        planTimer()
    }

    /// Makes the timer go off when the next thing is due.
    func planTimer() {
        guard life != .stopped else { return }
        let deadlines = [resolvingDeadline(), browsingDeadline(), verifyingDeadline(), caughtUpDue]
        var dues = deadlines.compactMap { $0 }
        if stack == nil { dues.append(now + Self.reconnect) }
        guard let due = dues.min(), timer.map({ due < $0.due }) ?? true else { return }
        timer?.task.cancel()
        let wait = due - now
        let task = Task {
            guard (try? await Task.sleep(for: wait)) != nil else { return }
            timerWentOff()
        }
        timer = (due, task)
    }

    private func timerWentOff() {
        guard life != .stopped else { return }
        timer = nil
        if stack == nil { return reconnect() }
        if let due = caughtUpDue, due <= now {
            caughtUpDue = nil
            report(.caughtUp)
        }
        proceed()
    }
}
