// Discovery on the link through an mDNS stack: its life, from start to stop.
import Glibc

/// A source of discovery events that asks an mDNS stack: avahi-daemon's, or one of our own.
///
/// Everything of libavahi happens on the one thread that is this actor's
/// executor, and never on the caller's: its calls block while the daemon is
/// busy. When what is asked goes away it says so, waits for it or asks another,
/// and begins again.
///
/// It lives until ``stop()`` is called.
public actor LinkBrowser: PeerBrowser {
    /// Everything that is found out, in order; for one reader.
    public nonisolated let events: AsyncStream<DiscoveryEvent>
    /// The event loop, on which all of libavahi runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    /// The time that things may take to be seen again after a backend's return.
    static let catchUp = Duration.seconds(10)

    /// So many events wait for their reader at the most.
    static let eventLimit = 16_384

    let options: BrowseOptions
    /// Which backends may be asked.
    let choice: BackendChoice
    nonisolated let loop: EventLoop
    private nonisolated let sink: AsyncStream<DiscoveryEvent>.Continuation
    /// When this browser was made.
    var start = ContinuousClock.now
    var life = Life.new

    /// What is asked, while something is.
    var stack: (any LookupStack)?
    /// Who is asked, or was last.
    public internal(set) var backend = Backend.daemon
    private var timer: (due: Duration, task: Task<Void, Never>)?
    var caughtUpDue: Duration?
    /// When it is looked whether there is room for what found none.
    var roomCheckDue: Duration?

    var backends = Backends()
    var browsing = Browsing()
    var resolving = Resolving()
    var addressing = Addressing()
    var silence = SilenceDetector()
    var verifying = Verifying()
    var suspecting = Suspecting()
    var announcing = Announcing()
    var limits = Limits()

    enum Life {
        case new
        /// Nobody answers.
        case away
        /// The stack answers.
        case running
        case stopped
    }

    /// A browser for these options; nothing happens before ``start()``.
    public init(
        _ options: BrowseOptions = BrowseOptions(), asking choice: BackendChoice = .auto
    ) {
        self.options = options
        self.choice = choice
        loop = EventLoop()
        (events, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.eventLimit))
    }

    deinit { loop.end() }

    /// Connects to a backend and begins to browse; ``backend`` is known afterwards.
    ///
    /// - Returns: The host name that this machine is known by, such as `h1.local`.
    /// - Throws: ``BackendError`` where no backend that may be asked can be.
    /// - Precondition: It has not been called before.
    public func start() async throws(BackendError) -> String {
        precondition(life == .new, "a browser is started once")
        life = .away
        do throws(BackendError) {
            return try await firstHost()
        } catch {
            end()
            throw error
        }
    }

    /// Withdraws what was announced, closes every lookup, and ends ``events``.
    public nonisolated func stop() async {
        // First of all, since the loop may stand still until somebody takes an event.
        sink.finish()
        await end()
    }

    private func end() {
        guard life != .stopped else { return }
        life = .stopped
        timer?.task.cancel()
        disconnect()
        closeBackends()
        sink.finish()
    }

    /// Reports something that was found out now.
    ///
    /// Where too much waits for the reader already, the loop stands still, and
    /// the stack waits with it: strangers cannot fill the memory with what they
    /// do, and no event is lost.
    func report(_ kind: DiscoveryEvent.Kind) {
        let event = DiscoveryEvent(kind, at: .now())
        while case .dropped = sink.yield(event) { usleep(1_000) }
    }

    /// Whether there is a stack that answers.
    var isRunning: Bool { life == .running }

    /// The time since this browser was made.
    var now: Duration { ContinuousClock.now - start }
}

extension LinkBrowser {
    /// Closes all lookups, and the stack that they went through.
    func disconnect() {
        closeAnnouncement()
        closeAddresses()
        closeResolvers()
        closeBrowsers()
        verifying.doubts = DoubtSchedule()
        suspecting = Suspecting()
        stack?.close()
        stack = nil
        (caughtUpDue, roomCheckDue) = (nil, nil)
    }

    /// Does what there is room and time for now, and sets the timer for the rest.
    func proceed() {
        continueResolving()
        continueAddresses()
        continueLooking()
        continueBrowsing()
        continueVerifying()
        continueSuspecting()
        continueListening()
        continueLimits()
        continueClock()
        planTimer()
    }

    /// Makes the timer go off when the next thing is due.
    func planTimer() {
        guard life != .stopped else { return }
        let deadlines = [
            resolvingDeadline(), browsingDeadline(), verifyingDeadline(), suspectingDeadline(),
            listeningDeadline(), backendsDeadline(), limits.checkDue, tryingDeadline(),
            addressesDeadline(), clockDeadline(), caughtUpDue,
        ]
        guard let due = deadlines.compactMap({ $0 }).min(), timer.map({ due < $0.due }) ?? true
        else { return }
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
        continueBackends()
        if let due = caughtUpDue, due <= now {
            caughtUpDue = nil
            report(.caughtUp)
        }
        continueTrying()
        proceed()
    }
}
