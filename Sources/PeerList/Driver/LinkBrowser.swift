// Drives the discovery engine on an event loop: carries out its effects, and passes it inputs.
public import FoundationEssentials
import Glibc
import StackProtocol
import PeerSystem

/// Discovery of the services on the link through avahi-daemon, or through an embedded stack while the daemon is away.
///
/// The actor runs on a thread of its own, because calls of libavahi block while the daemon is busy. Discovery continues
/// until ``stop()`` is called.
public actor LinkBrowser: CapturingBrowser {
    /// The number of undelivered events at which the network is no longer read.
    static let eventLimit = 16_384

    /// The minimum time between two readings of routes, which a router may change all the time.
    private static let routeInterval = Duration.seconds(1)

    /// The number of addresses of this machine above which former addresses are forgotten.
    private static let ownAddressLimit = 256

    /// The events of discovery, in order, for one reader; the sequence ends after ``stop()``.
    ///
    /// No event is dropped: without a removal, a service that is gone would stay in the list.
    public nonisolated var events: some AsyncSequence<DiscoveryEvent, Never> & Sendable {
        queue.events
    }

    /// The event loop on which this actor runs, and on which stacks deliver their events.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    private nonisolated let loop: EventLoop
    private nonisolated let queue: EventQueue
    private let options: BrowseOptions
    private let system: DiscoverySystem
    private var engine: DiscoveryEngine
    private var inputs: [DiscoveryInput] = []
    private var isHandling = false
    private var hasStarted = false
    private var isStopped = false
    private var witness: LinkWitness?
    private var capture: OpenCapture?
    private var stacks: [StackSlot: any LookupStack] = [:]
    private var lookups: [LookupKey: (lookup: any Lookup, number: Int)] = [:]
    private var lastNumber = 0
    /// The interfaces as of the last reading.
    private var interfaces: [LocalInterface] = []
    private var notifications: InterfaceNotifications?
    private var notificationWatch: DescriptorWatch?
    private var clock = ActiveClock()
    private var timer: (due: Duration, task: Task<Void, Never>)?
    /// The reported addresses of this machine, including former addresses, which other machines may still have cached.
    private var ownAddresses: Set<HostAddress> = []
    /// The networks and routes of this machine as last reported.
    private var routes = RouteTable()
    private var lastRouteReading: Duration?
    /// Whether routes are read again ``routeInterval`` after the last reading.
    private var isRouteReadingDue = false
    private var starting: CheckedContinuation<Result<String, BackendError>, Never>?
    private var verifications: [Int: CheckedContinuation<Verification, Never>] = [:]

    /// Creates a browser, which does nothing before ``start()``.
    ///
    /// - Parameters:
    ///   - options: The types and the paths to browse.
    ///   - choice: The backends that may be asked.
    ///   - helper: The path of the helper `peerlist-mdns`, which belongs to root or to the owner of the
    ///     program; `nil` to look beside the program and in `../libexec/peerlist`.
    public init(
        _ options: BrowseOptions = BrowseOptions(), asking choice: BackendChoice = .auto,
        helper: String? = nil
    ) {
        self.init(options, asking: choice, on: EventLoop(), .live(helper: helper))
    }

    init(
        _ options: BrowseOptions, asking choice: BackendChoice, on loop: EventLoop,
        _ system: DiscoverySystem
    ) {
        (self.options, self.loop, self.system) = (options, loop, system)
        engine = DiscoveryEngine(options, asking: choice)
        queue = EventQueue(
            limit: Self.eventLimit, onFull: { loop.pause() }, onRoom: { loop.resume() })
    }

    deinit { loop.end() }

    /// The backend in use, or the last backend that was used.
    public var backend: Backend { engine.backend }

    /// Connects to a backend and begins to browse.
    ///
    /// - Returns: The host name of this machine, such as `h1.local`.
    /// - Throws: ``BackendError`` if no backend that may be asked is available.
    /// - Precondition: The method has not been called before.
    public func start() async throws(BackendError) -> String {
        precondition(!hasStarted, "a browser is started once")
        hasStarted = true
        let result = await withCheckedContinuation { continuation in
            starting = continuation
            watchInterfaces()
            handle(.start)
            if isStopped { finishWaiting() }
        }
        if case .failure = result { end() }
        return try result.get()
    }

    /// Probes services on the link, past every cache.
    ///
    /// A service that answers is resolved again, and so becomes present. A service that does not answer is
    /// reported as unanswered until it answers, whatever the backend has cached. The events appear in ``events``
    /// before this returns or soon after.
    ///
    /// - Parameter services: The services. The first 128 are probed; if none of the 128 answers, the others count as
    ///   unanswered too.
    /// - Returns: The result, within 5 s, or more on a busy machine.
    public func verify(_ services: [UUID]) async -> Verification {
        lastNumber += 1
        let number = lastNumber
        return await withCheckedContinuation { continuation in
            verifications[number] = continuation
            handle(.verify(services, number))
            if isStopped { finishWaiting() }
        }
    }

    /// Packets are heard with ``BrowseOptions/usesWitness``. If nothing more can be written, the notice
    /// ``Notice/Code/captureEnded`` is reported.
    package func capture(to capture: OpenCapture) {
        guard !isStopped else { return }
        self.capture = capture
        witness?.capture(to: capture.descriptor)
    }

    package func endCapture() { capture = nil }

    /// Withdraws the announcement, closes every lookup, and ends ``events``.
    public nonisolated func stop() async {
        queue.finish()
        await end()
    }

    private func end() {
        guard !isStopped else { return }
        isStopped = true
        timer?.task.cancel()
        notificationWatch?.close()
        witness?.close()
        endCapture()
        for key in Array(lookups.keys) { close(key) }
        for slot in StackSlot.allCases { closeStack(slot) }
        queue.finish()
        finishWaiting()
        loop.resume()
    }

    private func finishWaiting() {
        starting?.resume(returning: .failure(BackendError("discovery was stopped")))
        starting = nil
        for waiting in verifications.values {
            waiting.resume(returning: .unavailable("discovery was stopped"))
        }
        verifications = [:]
    }
}

extension LinkBrowser {
    /// Passes an input to the engine, carries out the effects, and sets the timer.
    ///
    /// Effects may produce further inputs, which are handled after the effects. Changes of interfaces are passed before
    /// other inputs: the kernel notifies this process and the stack alike, so the engine learns of a change before it
    /// handles the removals that the stack reports because of the change.
    private func handle(_ input: DiscoveryInput) {
        if !isHandling, notifications?.drain() == true { readInterfaces() }
        inputs.append(input)
        handleInputs()
    }

    private func handleInputs() {
        guard !isHandling else { return }
        isHandling = true
        defer { isHandling = false }
        while !inputs.isEmpty, !isStopped {
            var next = inputs.removeFirst()
            switch next {
            case .stacks: next = .stacks(stacks.mapValues(\.status))
            case .lookup(let key, let event): next = .lookup(key, event.mapPath(named))
            default: break
            }
            for effect in engine.handle(next, at: readClocks()) where !isStopped {
                perform(effect)
            }
        }
        inputs = []
        setTimer()
    }

    /// Reads the clocks for the engine, for which a deadline that the loop has missed is a second away.
    private func readClocks() -> ClockReading {
        var reading = system.readClocks()
        reading.isLate = clock.advance(to: reading.now, limit: engine.deadline)
        reading.now = clock.now
        return reading
    }

    private func watchInterfaces() {
        guard let notifications = system.watchInterfaces() else { return }
        self.notifications = notifications
        notificationWatch = DescriptorWatch(notifications.descriptor, on: loop) { [weak self] in
            self?.assumeIsolated { browser in
                guard browser.notifications?.drain() == true else { return }
                browser.readInterfaces()
                browser.handleInputs()
            }
        }
        readInterfaces()
    }

    /// Passes the interfaces to the engine if they have changed.
    private func readInterfaces() {
        defer { readRoutes() }
        let present = system.interfaces()
        let isSame =
            present == interfaces
            && present.map(\.interface.name) == interfaces.map(\.interface.name)
        // An empty reading means that the system refused it, because there is always a loopback interface.
        guard !isSame, !present.isEmpty else { return }
        interfaces = present
        inputs.append(.interfaces(present))
        witness?.update(multicastPaths())
    }

    /// Returns a path with the name of its interface, from the last reading if that contains the interface.
    private func named(_ path: NetworkPath) -> NetworkPath {
        guard path.interface.name.isEmpty else { return path }
        let known = interfaces.first { $0.interface == path.interface }?.interface
        return NetworkPath(
            interface: known ?? NetworkInterface(index: path.interface.index), family: path.family)
    }

    private func setTimer() {
        guard !isStopped, let due = engine.deadline, timer.map({ due < $0.due }) ?? true else {
            return
        }
        timer?.task.cancel()
        let wait = clock.time(of: due) - system.readClocks().now
        let task = Task {
            guard (try? await Task.sleep(for: wait)) != nil, !Task.isCancelled else { return }
            timer = nil
            tick()
        }
        timer = (due, task)
    }

    private func tick() {
        guard !isStopped else { return }
        if queue.isFull {
            // Posted work waits until the reader has made room.
            loop.post { self.assumeIsolated { $0.tick() } }
        } else {
            handle(.tick)
        }
    }

    private func perform(_ effect: DiscoveryEffect) {
        switch effect {
        case .report(let kind): report(kind)
        case .open(let key, let request): open(key, request)
        case .close(let key): close(key)
        case .probe(let id, let questions):
            Task { handle(.probed(id, await system.probe(questions))) }
        case .askForTypes(let known):
            let types = system.askForTypes(known, multicastPaths())
            Task { for await type in types { handle(.typeAnswered(type)) } }
        case .askForAddresses(let hosts, let paths): system.askForAddresses(hosts, paths)
        case .readNeighbours: inputs.append(.neighbours(system.neighbours()))
        case .startWitness: startWitness()
        case .reportOwnAddresses: reportOwnAddresses()
        case .reportHostNameConflict(let wanted, let used):
            report(.notice(.hostNameConflict, system.hostNameConflict(wanted, used)))
        case .inquireDaemon:
            Task {
                let isSilent = await system.isDaemonSilent()
                handle(.inquired(isSilent: isSilent))
            }
        case .connectDaemon(let waits): connectDaemon(waits: waits)
        case .startHelper: startHelper()
        case .use(let slot): stacks[.current] = stacks.removeValue(forKey: slot)
        case .retire:
            stacks[.former] = stacks.removeValue(forKey: .current)
            lookups[.formerAnnouncement] = lookups.removeValue(forKey: .announcement)
        case .closeStack(let slot): closeStack(slot)
        case .abandonFormer:
            stacks.removeValue(forKey: .former)?.abandon()
            close(.formerAnnouncement)
        case .started(let result):
            starting?.resume(returning: result)
            starting = nil
        case .verified(let number, let verification):
            verifications.removeValue(forKey: number)?.resume(returning: verification)
        }
    }

    /// Reports an event after all events so far.
    private nonisolated func report(_ kind: DiscoveryEvent.Kind) {
        queue.append(DiscoveryEvent(kind, at: .now()))
    }

    /// Reports an event of another source, such as SSDP, after all events so far.
    package nonisolated func reportOther(_ kind: DiscoveryEvent.Kind) {
        report(kind)
        guard case .found(let sighting) = kind else { return }
        let path = NetworkPath(interface: sighting.interface, family: sighting.family)
        Task { await handle(.foundByOthers(path)) }
    }

    /// Reports the networks and routes of this machine if they have changed, at once or ``routeInterval`` after the last
    /// reading.
    private func readRoutes() {
        guard !isRouteReadingDue else { return }
        let now = system.readClocks().now
        if let last = lastRouteReading, now < last + Self.routeInterval {
            isRouteReadingDue = true
            Task {
                try? await Task.sleep(for: last + Self.routeInterval - now)
                isRouteReadingDue = false
                if !isStopped { readRoutes() }
            }
            return
        }
        lastRouteReading = now
        let table = system.routes(interfaces)
        guard table != routes else { return }
        routes = table
        report(.routes(table))
    }

    private func open(_ key: LookupKey, _ request: LookupRequest) {
        guard let stack = stacks[.current] else { return }
        precondition(lookups[key] == nil, "a lookup is closed before it is opened again")
        lastNumber += 1
        let number = lastNumber
        do throws(StackError) {
            let lookup = try stack.open(request) { event in
                if key == .announcement {
                    // An announcement can deliver an event before `open` returns it.
                    Task { await self.received(event, key, number) }
                } else {
                    self.assumeIsolated { $0.received(event, key, number) }
                }
            }
            lookups[key] = (lookup, number)
        } catch {
            inputs.append(.lookup(key, .failed(error)))
        }
    }

    private func received(_ event: LookupEvent, _ key: LookupKey, _ number: Int) {
        if lookups[key]?.number == number { handle(.lookup(key, event)) }
    }

    private func close(_ key: LookupKey) { lookups.removeValue(forKey: key)?.lookup.close() }

    private func connectDaemon(waits: Bool) {
        do throws(StackError) {
            // The closure's strong reference to this actor ends when the stack is closed.
            stacks[.daemon] = try system.connectDaemon(loop, waits) {
                Task { await self.handle(.stacks([:])) }
            }
            inputs.append(.stacks([:]))
        } catch {
            inputs.append(.daemonRefused(error))
        }
    }

    private func startHelper() {
        let settings = StackSettings(
            publishes: options.announcement != nil,
            usesLoopback: options.interface?.isLoopback ?? false)
        do throws(BackendError) {
            stacks[.helper] = try system.startHelper(loop, settings) {
                Task { await self.handle(.stacks([:])) }
            }
            inputs.append(.stacks([:]))
        } catch {
            inputs.append(.helperRefused(error.description))
        }
    }

    private func startWitness() {
        do throws(BackendError) {
            // The closure's strong reference to this actor ends when the witness is closed or has failed.
            witness = try system.startWitness(loop, multicastPaths()) { report in
                self.assumeIsolated { browser in
                    if case .failed = report { browser.witness = nil }
                    browser.handle(.witness(report))
                }
            }
            if let capture { witness?.capture(to: capture.descriptor) }
        } catch {
            inputs.append(.witness(.failed(error.description)))
        }
    }

    private func closeStack(_ slot: StackSlot) { stacks.removeValue(forKey: slot)?.close() }

    private func reportOwnAddresses() {
        let addresses = system.interfaces().filter { !$0.isLoopback }
            .flatMap { $0.addresses.map(\.address) }
        guard !ownAddresses.isSuperset(of: addresses) else { return }
        if ownAddresses.count > Self.ownAddressLimit { ownAddresses = [] }
        ownAddresses.formUnion(addresses)
        report(.ownAddresses(ownAddresses))
    }

    /// Returns the paths on which multicast DNS is used, within the options.
    private func multicastPaths() -> [NetworkPath] {
        system.interfaces().filter { local in
            local.isActive(allowingPointToPoint: false)
                && (options.interface == nil || options.interface == local.interface)
        }.flatMap { local in
            local.families.filter { options.family == nil || options.family == $0 }
                .map { NetworkPath(interface: local.interface, family: $0) }
        }
    }
}

extension LinkBrowser {
    /// Withdraws the announcement and disconnects, waiting at most `limit`.
    ///
    /// A backend that hangs withdraws the announcement later, when this process has ended and the
    /// backend continues.
    ///
    /// - Returns: Whether the backend did both in time.
    @discardableResult
    package nonisolated func stop(within limit: Duration) async -> Bool {
        await withTimeout(limit) { await self.stop() } != nil
    }
}
