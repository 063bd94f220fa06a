// Drives the discovery engine on an event loop: carries out its effects, and feeds it with what happens.
public import FoundationEssentials
import Glibc
import StackProtocol

/// Discovery of the services on the link through avahi-daemon, or through an embedded stack while it is away.
///
/// All calls of libavahi are made on the thread that is this actor's executor, because they block while the
/// daemon is busy. Discovery goes on until ``stop()`` is called.
public actor LinkBrowser {
    /// The maximum number of undelivered events; the network is not read while there are that many.
    static let eventLimit = 16_384

    /// The number of addresses of this machine above which former ones are forgotten.
    private static let ownAddressLimit = 256

    /// Everything that discovery finds out, in order, for one reader; it ends after ``stop()``.
    ///
    /// No event is dropped: a lost removal would leave a ghost in the list.
    public nonisolated let events: AsyncStream<DiscoveryEvent>

    /// The event loop, on which all of libavahi runs.
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
    private var stacks: [StackSlot: any LookupStack] = [:]
    private var lookups: [LookupKey: (lookup: any Lookup, number: Int)] = [:]
    private var lastNumber = 0
    private var timer: (due: Duration, task: Task<Void, Never>)?
    /// The addresses of this machine that were reported, former ones included: others still have them cached.
    private var ownAddresses: Set<HostAddress> = []
    private var starting: CheckedContinuation<Result<String, BackendError>, Never>?
    private var verifications: [Int: CheckedContinuation<Verification, Never>] = [:]

    /// Creates a browser, which does nothing before ``start()``.
    ///
    /// - Parameters:
    ///   - options: What to browse for, and where.
    ///   - choice: The backends that may be asked.
    public init(
        _ options: BrowseOptions = BrowseOptions(), asking choice: BackendChoice = .auto
    ) {
        self.init(options, asking: choice, on: EventLoop(), .live)
    }

    init(
        _ options: BrowseOptions, asking choice: BackendChoice, on loop: EventLoop,
        _ system: DiscoverySystem
    ) {
        (self.options, self.loop, self.system) = (options, loop, system)
        engine = DiscoveryEngine(options, asking: choice)
        queue = EventQueue(
            limit: Self.eventLimit, onFull: { loop.pause() }, onRoom: { loop.resume() })
        events = queue.events
    }

    deinit { loop.end() }

    /// The backend in use, or that was used last.
    public var backend: Backend { engine.backend }

    /// Connects to a backend and begins to browse.
    ///
    /// - Returns: The host name of this machine, such as `h1.local`.
    /// - Throws: ``BackendError`` if no backend that may be asked is available.
    /// - Precondition: It has not been called before.
    public func start() async throws(BackendError) -> String {
        precondition(!hasStarted, "a browser is started once")
        hasStarted = true
        let result = await withCheckedContinuation { continuation in
            starting = continuation
            handle(.start)
            if isStopped { finishWaiting() }
        }
        if case .failure = result { end() }
        return try result.get()
    }

    /// Asks the link whether services are there, past every cache.
    ///
    /// A service that answers is resolved again, and so is present if it was not. One that does not is reported
    /// as unanswered, and stays so until it answers, whatever the backend has in its cache. The events are among
    /// ``events`` before this returns or soon after.
    ///
    /// - Parameter services: The services, of which the first 128 are asked for; if none of those answers, the
    ///   others count as unanswered too.
    /// - Returns: The result, within 5 s.
    public func verify(_ services: [UUID]) async -> Verification {
        lastNumber += 1
        let number = lastNumber
        return await withCheckedContinuation { continuation in
            verifications[number] = continuation
            handle(.verify(services, number))
            if isStopped { finishWaiting() }
        }
    }

    /// Withdraws what was announced, closes every lookup, and ends ``events``.
    public nonisolated func stop() async {
        queue.finish()
        await end()
    }

    private func end() {
        guard !isStopped else { return }
        isStopped = true
        timer?.task.cancel()
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
    /// Has the engine handle an input, carries out the effects, and sets the timer.
    ///
    /// Effects may produce further inputs, which are handled after them.
    private func handle(_ input: DiscoveryInput) {
        inputs.append(input)
        guard !isHandling else { return }
        isHandling = true
        defer { isHandling = false }
        while !inputs.isEmpty, !isStopped {
            var next = inputs.removeFirst()
            if case .stacks = next { next = .stacks(stacks.mapValues(\.status)) }
            for effect in engine.handle(next, at: system.readClocks()) where !isStopped {
                perform(effect)
            }
        }
        inputs = []
        setTimer()
    }

    private func setTimer() {
        guard !isStopped, let due = engine.deadline, timer.map({ due < $0.due }) ?? true else {
            return
        }
        timer?.task.cancel()
        let wait = due - system.readClocks().now
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
        case .probe(let purpose, let questions):
            Task {
                let result = await system.probe(questions)
                handle(.probed(purpose, questions, result))
            }
        case .askForTypes(let known):
            let types = system.askForTypes(known, linkPaths())
            Task { for await type in types { handle(.typeAnswered(type)) } }
        case .askForAddresses(let hosts, let paths): system.askForAddresses(hosts, paths)
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
        case .started(let result):
            starting?.resume(returning: result)
            starting = nil
        case .verified(let number, let verification):
            verifications.removeValue(forKey: number)?.resume(returning: verification)
        }
    }

    private func report(_ kind: DiscoveryEvent.Kind) {
        queue.append(DiscoveryEvent(kind, at: .now()))
    }

    private func open(_ key: LookupKey, _ request: LookupRequest) {
        guard let stack = stacks[.current] else { return }
        precondition(lookups[key] == nil, "a lookup is closed before it is opened again")
        lastNumber += 1
        let number = lastNumber
        do throws(StackError) {
            let lookup =
                if key == .announcement {
                    // An announcement reports before it is returned.
                    try stack.open(request) { event in
                        Task { await self.received(event, key, number) }
                    }
                } else {
                    try stack.open(request) { event in
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
            // The strong references to this actor end when the stack is closed.
            stacks[.daemon] = try system.connectDaemon(loop, waits) {
                Task { await self.stacksChanged() }
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
                Task { await self.stacksChanged() }
            }
            inputs.append(.stacks([:]))
        } catch {
            inputs.append(.helperRefused(error.description))
        }
    }

    private func stacksChanged() { handle(.stacks([:])) }

    private func closeStack(_ slot: StackSlot) { stacks.removeValue(forKey: slot)?.close() }

    private func reportOwnAddresses() {
        let addresses = system.interfaces().filter { !$0.isLoopback }
            .flatMap { $0.addresses.map(\.address) }
        guard !ownAddresses.isSuperset(of: addresses) else { return }
        if ownAddresses.count > Self.ownAddressLimit { ownAddresses = [] }
        ownAddresses.formUnion(addresses)
        report(.ownAddresses(ownAddresses))
    }

    /// The paths on which multicast DNS is spoken, within the options.
    private func linkPaths() -> [LinkPath] {
        system.interfaces().filter { local in
            local.isActive(allowingPointToPoint: false)
                && (options.interface == nil || options.interface == local.interface)
        }.flatMap { local in
            local.families.filter { options.family == nil || options.family == $0 }
                .map { LinkPath(interface: local.interface.index, family: $0) }
        }
    }
}

/// Everything outside of the process that discovery uses.
struct DiscoverySystem: Sendable {
    /// Reads the clocks.
    var readClocks: @Sendable () -> ClockReading
    /// Connects to the daemon, on a loop; whether to wait for it, and what to call when its state changes.
    var connectDaemon:
        @Sendable (EventLoop, Bool, @escaping @Sendable () -> Void) throws(StackError) ->
            any LookupStack
    /// Starts a helper.
    var startHelper:
        @Sendable (EventLoop, StackSettings, @escaping @Sendable () -> Void) throws(BackendError) ->
            any LookupStack
    /// Returns whether the daemon keeps silent when it is asked.
    var isDaemonSilent: @Sendable () async -> Bool
    /// Asks the link for services, and returns those that answer.
    var probe: @Sendable ([LinkProbe.Question]) async -> Result<Set<UUID>, ProbeError>
    /// Asks the link on some paths for types that are not among the known ones.
    var askForTypes: @Sendable (Set<String>, [LinkPath]) -> AsyncStream<String>
    /// Asks the link for the addresses of hosts; the stack hears the answers.
    var askForAddresses: @Sendable ([String], Set<LinkPath>) -> Void
    /// Returns the interfaces of this machine.
    var interfaces: @Sendable () -> [LocalInterface]
    /// Returns the text about a host name that another responder owns, and the one used instead.
    var hostNameConflict: @Sendable (String, String) -> String

    /// The machine that this program runs on.
    static var live: DiscoverySystem {
        let start = ContinuousClock.now
        return DiscoverySystem(
            readClocks: {
                let running = clockTime(CLOCK_MONOTONIC)
                return ClockReading(
                    now: ContinuousClock.now - start,
                    realTimeLead: clockTime(CLOCK_REALTIME) - running,
                    sleep: clockTime(CLOCK_BOOTTIME) - running)
            },
            connectDaemon: { loop, waits, receive throws(StackError) in
                try DaemonStack(on: loop, waits: waits, receive: receive)
            },
            startHelper: { loop, settings, receive throws(BackendError) in
                try EmbeddedStack(
                    on: loop, settings: settings, path: HelperPath.find(), receive: receive)
            },
            isDaemonSilent: { await DaemonInquiry.ask(within: .seconds(5)) == .silent },
            probe: { await LinkProbe($0).run() },
            askForTypes: { TypeProbe(known: $0, paths: $1).run() },
            askForAddresses: { hosts, paths in
                for path in paths {
                    guard let socket = try? ProbeSocket(path) else { continue }
                    for message in ProbeMessage.addressQuestions(for: hosts) {
                        _ = socket.send(message)
                    }
                }
            },
            interfaces: LocalInterface.all,
            hostNameConflict: { wanted, used in
                let owner =
                    hasOtherResponder()
                    ? "another mDNS responder, probably one on this machine, owns \(wanted); "
                        + "'peerlist doctor' names those that run here"
                    : "another machine owns \(wanted)"
                return "announced as \(used), since \(owner)"
            })
    }
}

private func clockTime(_ clock: clockid_t) -> Duration {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// Whether the machine has more sockets at the port of multicast DNS than the helper's one for each family.
private func hasOtherResponder() -> Bool {
    ["udp", "udp6"].contains { table in
        guard let file = unsafe fopen("/proc/self/net/\(table)", "re") else { return false }
        defer { unsafe _ = fclose(file) }
        var line = [CChar](repeating: 0, count: 512)
        var count = 0
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            // "sl local_address:port rem_address:port …", in hexadecimal digits.
            let text = line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            let words = String(decoding: text, as: UTF8.self).split(separator: " ")
            if words.dropFirst().first?.hasSuffix(":14E9") == true { count += 1 }
        }
        return count > 1
    }
}
