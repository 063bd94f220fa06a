// Finds devices by SSDP, by WS-Discovery and in the kernel's neighbour table.
package import FoundationEssentials
import Glibc
package import PeerList
package import PeerModel
import PeerSystem
import SilentDevices
import SilentMessages
import SilentProtocol
import StackProtocol

/// Listens to what devices tell by other protocols than multicast DNS, and reports it as events of discovery.
///
/// Devices are asked at the start, on interfaces that come, and when a device is verified. What they send is parsed in a
/// helper process without rights. Nothing is announced, and no question is answered.
package actor SilentBrowser: CapturingBrowser {
    /// When a protocol was asked on a path, and the error if that failed.
    package struct Inquiry: Sendable, Hashable {
        package let source: DiscoveryProtocol
        package let path: NetworkPath
        package let time: Timestamp
        package let error: String?

        package init(
            source: DiscoveryProtocol, path: NetworkPath, time: Timestamp, error: String?
        ) {
            (self.source, self.path, self.time, self.error) = (source, path, time, error)
        }
    }

    private static let sources: [DiscoveryProtocol: Statement.Speaker] = [.ssdp: .ssdp, .wsd: .wsd]
    /// The time for answers to a question, in which devices choose their moment (MX is 2 s).
    private static let answerTime = Duration.milliseconds(2_500)
    /// The time between two readings of the kernel's neighbour table in which devices are looked for.
    private static let neighbourInterval = Duration.seconds(30)
    /// The minimum time between two readings for the addresses of senders.
    private static let readingInterval: Int64 = 200_000

    private nonisolated let loop = EventLoop()
    private let protocols: Set<DiscoveryProtocol>
    private let options: BrowseOptions
    private let report: @Sendable (DiscoveryEvent.Kind) -> Void
    private var table = SilentTable()
    private var reader: SilentReader?
    private var capture: OpenCapture?
    private var fetches: DescriptionFetches
    private var interfaces: [LocalInterface] = []
    private var paths: Set<NetworkPath> = []
    private var notifications: InterfaceNotifications?
    private var watch: DescriptorWatch?
    private var timer: (due: Int64, task: Task<Void, Never>)?
    private var neighbours = NeighbourTable()
    private var lastReading: Int64 = 0
    private var inquiries: [Inquiry] = []
    private var isStopped = false
    private var hasReportedLimit = false
    private var retries = 0
    /// The time of the last question to all devices.
    private var lastQuestion: Int64 = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    /// Creates a browser, which does nothing before ``start()``.
    ///
    /// - Parameters:
    ///   - protocols: The protocols; multicast DNS is left out.
    ///   - options: The interface and the family.
    ///   - fetchesDescriptions: Whether what devices describe at their own addresses is fetched.
    ///   - report: Receives the events, on the browser's thread.
    package init(
        _ protocols: Set<DiscoveryProtocol>, on options: BrowseOptions,
        fetchesDescriptions: Bool = true,
        report: @escaping @Sendable (DiscoveryEvent.Kind) -> Void
    ) {
        (self.protocols, self.options, self.report) = (protocols, options, report)
        fetches = DescriptionFetches(isOn: fetchesDescriptions)
    }

    /// Returns the time in which devices answer the question at the start by some protocols; zero if none is asked.
    package static func answerTime(by protocols: Set<DiscoveryProtocol>) -> Duration {
        protocols.isDisjoint(with: sources.keys) ? .zero : answerTime
    }

    /// Opens the sockets, and asks all devices.
    package func start() {
        notifications = InterfaceNotifications.subscribe()
        if let notifications {
            watch = DescriptorWatch(notifications.descriptor, on: loop) { [weak self] in
                self?.assumeIsolated { browser in
                    if browser.notifications?.drain() == true { browser.readInterfaces() }
                }
            }
        }
        readInterfaces()
        if protocols.contains(.neighbours) { Task { await followNeighbours() } }
    }

    /// That nothing more can be written is reported by the browser of multicast DNS, which hears packets all the time.
    package func capture(to capture: OpenCapture) {
        guard !isStopped else { return }
        self.capture = capture
        reader?.capture(to: capture)
    }

    package func endCapture() { capture = nil }

    /// The last question of each protocol on each path, in no order.
    package func lastInquiries() -> [Inquiry] { inquiries }

    /// The number of devices of each protocol; O(*n*) for *n* devices.
    package func deviceCounts() -> [DiscoveryProtocol: Int] {
        let counts = table.counts
        return Self.sources.compactMapValues { counts[$0] }
    }

    /// Verifies services: those of these protocols by a question to all devices, the rest by other means.
    ///
    /// - Parameters:
    ///   - services: The services, of any protocol.
    ///   - verifyOthers: Verifies the services of multicast DNS.
    /// - Returns: The services that answered, of all that were asked.
    package func verify(
        _ services: [UUID], others verifyOthers: @Sendable ([UUID]) async -> Verification
    ) async -> Verification {
        let asked = isStopped ? [] : services.filter(table.canAsk)
        let rest = services.filter { !table.hasService($0) }
        guard !asked.isEmpty else {
            return rest.isEmpty
                ? .unavailable("only the neighbour table has it") : await verifyOthers(rest)
        }
        let start = Self.now()
        // Several batches of services are one question.
        if start - lastQuestion > 1_000_000 { ask(paths) }
        for (address, path) in table.addresses(of: asked) { askAlone(address, path) }
        async let end: Void = ActiveClock.wait(for: Self.answerTime)
        let others = rest.isEmpty ? nil : await verifyOthers(rest)
        _ = await end
        let (answered, effects) = table.settle(asked, askedAt: start)
        perform(effects)
        guard case .answered(let more, let count)? = others else {
            return answered.isEmpty
                ? others ?? .unanswered : .answered(answered, of: services.count)
        }
        return .answered(answered.union(more), of: asked.count + count)
    }

    /// Closes the sockets, and ends the helper.
    package func stop() {
        isStopped = true
        endCapture()
        reader?.close()
        reader = nil
        watch?.close()
        timer?.task.cancel()
        loop.end()
    }

    private static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

// MARK: Interfaces

extension SilentBrowser {
    private func readInterfaces() {
        guard !isStopped else { return }
        interfaces = LocalInterface.all()
        let live = Set(
            interfaces.filter {
                $0.isActive(allowingPointToPoint: false) && !$0.isLoopback
                    && (options.interface == nil || options.interface == $0.interface)
            }.flatMap { local in
                local.families.filter { options.family == nil || options.family == $0 }
                    .map { NetworkPath(interface: local.interface, family: $0) }
            })
        let (gone, new) = (paths.subtracting(live), live.subtracting(paths))
        guard !gone.isEmpty || !new.isEmpty else { return }
        paths = live
        table.lose(gone)
        startReader()
        reader?.update(live)
        table.find(new, at: Self.now())
        ask(new)
        readNeighbours()
        setTimer()
    }

    private func startReader() {
        guard reader == nil, !isStopped, !protocols.isDisjoint(with: Self.sources.keys) else {
            return
        }
        do throws(BackendError) {
            reader = try SilentReader(
                on: loop, speakers: protocols.compactMap { Self.sources[$0] }
            ) { [weak self] event in
                self?.assumeIsolated { $0.handle(event) }
            } failed: { [weak self] reason in
                self?.assumeIsolated { $0.readerEnded(reason) }
            }
            reader?.begin()
            if let capture { reader?.capture(to: capture) }
        } catch {
            report(.notice(.witnessFailed, "SSDP and WS-Discovery are not heard: \(error)"))
        }
    }

    private func ask(_ paths: Set<NetworkPath>) {
        lastQuestion = Self.now()
        for path in paths.sorted() {
            for (source, speaker) in Self.sources where protocols.contains(source) {
                let error =
                    if let reader { reader.ask(speaker, on: path) } else { "no helper runs" }
                inquiries.removeAll { $0.source == source && $0.path == path }
                inquiries.append(
                    Inquiry(source: source, path: path, time: .now(), error: error))
            }
        }
    }

    private func askAlone(_ address: HostAddress, _ path: NetworkPath) {
        for (source, speaker) in Self.sources where protocols.contains(source) {
            reader?.ask(speaker, on: path, at: address)
        }
    }

    /// Starts the helper again after some time, until it runs.
    private func restartReader() {
        retries += 1
        Task {
            try? await Task.sleep(for: .seconds(min(retries, 10)))
            startReader()
            guard let reader else { return isStopped ? () : restartReader() }
            reader.update(paths)
            ask(paths)
            startFetches()
        }
    }
}

// MARK: Events

extension SilentBrowser {
    private func readerEnded(_ reason: String) {
        guard !isStopped else { return }
        reader = nil
        fetches.restart()
        report(
            .notice(.witnessFailed, "SSDP and WS-Discovery are not heard for now: \(reason)"))
        restartReader()
    }

    private func handle(_ event: SilentEvent) {
        guard !isStopped else { return }
        switch event {
        case .hello, .listening: break
        case .unconfined(let missing):
            if let warning = missing.warning { report(.notice(.notConfined, warning)) }
        case .told(let statement, let sender, let interface):
            guard let path = path(of: sender, on: interface) else { return }
            let address = HostAddress(bytes: sender, interface: path.interface.name)
            let origin = SilentDevice.Origin(
                address, on: path, mac: mac(of: address, on: path.interface))
            perform(table.hear(statement, from: origin, at: Self.now()))
        case .described(let id, let type, let texts):
            guard let key = fetches.end(id) else { return }
            let values = Dictionary(texts.map { ($0.key, $0.value) }) { first, _ in first }
            perform(table.describe(key, as: type.isEmpty ? nil : type, values))
            learnHardware()
        case .failed(let id, let reason):
            if let key = fetches.end(id) {
                perform(table.describe(key, as: reason, at: Self.now()))
            }
            learnHardware()
        }
    }

    /// Returns the path on which a packet came; `nil` unless its sender is on a network of the interface.
    private func path(of sender: [UInt8], on index: Int32) -> NetworkPath? {
        guard let local = interfaces.first(where: { $0.interface.index == index }) else {
            return nil
        }
        let address = HostAddress(bytes: sender, interface: local.interface.name)
        let path = NetworkPath(interface: local.interface, family: address.family)
        let isOnLink =
            address.isLinkLocal
            || local.addresses.contains { own in
                own.address.family == address.family
                    && own.address.prefix(own.prefixLength) == address.prefix(own.prefixLength)
            }
        return isOnLink && paths.contains(path) ? path : nil
    }

    private func perform(_ effects: [SilentTable.Effect]) {
        for effect in effects {
            switch effect {
            case .report(let kind): report(kind)
            case .fetch(let key, let url, let address, let path):
                // Anybody on the link can send from an IPv6 address of this machine.
                guard address.family == .ipv4 || !isOwn(address) else { continue }
                do throws(DescriptionAddress.Refusal) {
                    try fetches.add(key, url, address, path)
                } catch {
                    perform(table.describe(key, as: "\(error)", at: Self.now()))
                }
            case .ask(let speaker, let address, let path):
                reader?.ask(speaker, on: path, at: address)
            case .resolve(let key, let path): reader?.resolve(key.device, on: path)
            case .askAll: ask(paths)
            }
        }
        if table.omittedCount > 0, !hasReportedLimit {
            hasReportedLimit = true
            report(.notice(.serviceLimit, Self.limitNotice))
        }
        startFetches()
        setTimer()
    }

    private static let limitNotice = """
        more devices than \(SilentTable.deviceLimit) tell of themselves by SSDP or WS-Discovery, or more than \
        \(SilentTable.senderLimit) of one address; the rest are not shown
        """

    private func startFetches() {
        guard let reader else { return }
        while let (id, fetch) = fetches.next(at: Self.now()) {
            if !reader.fetch(id, fetch) { _ = fetches.end(id) }
        }
    }

    private func isOwn(_ address: HostAddress) -> Bool {
        interfaces.contains { $0.addresses.contains { $0.address == address } }
    }

    private func setTimer() {
        let due = [table.due, fetches.due].compactMap(\.self).min()
        guard !isStopped, let due, timer.map({ due < $0.due }) ?? true else { return }
        timer?.task.cancel()
        let wait = max(0, due - Self.now())
        let task = Task {
            await ActiveClock.wait(for: .microseconds(wait))
            guard !Task.isCancelled, !isStopped else { return }
            timer = nil
            perform(table.advance(to: Self.now()))
        }
        timer = (due, task)
    }
}

// MARK: Neighbours

extension SilentBrowser {
    /// Returns the MAC address of a sender in the kernel's table, which is read at most every 200 ms.
    private func mac(of address: HostAddress, on interface: NetworkInterface) -> MACAddress? {
        let now = Self.now()
        if now - lastReading >= Self.readingInterval {
            (neighbours, lastReading) = (NeighbourTable.current(), now)
        }
        return neighbours.hardwareAddresses(of: [address], on: [interface]).first
    }

    /// Hands the MAC addresses to the table that the kernel has learned since devices were heard.
    private func learnHardware() {
        let unknown = table.addressesWithoutMAC
        guard !unknown.isEmpty else { return }
        (neighbours, lastReading) = (NeighbourTable.current(), Self.now())
        for address in unknown {
            let all = interfaces.map(\.interface)
            guard let mac = neighbours.hardwareAddresses(of: [address], on: all).first else {
                continue
            }
            perform(table.learn(mac, of: address))
        }
    }

    private func followNeighbours() async {
        while !isStopped {
            readNeighbours()
            try? await Task.sleep(for: Self.neighbourInterval)
        }
    }

    private func readNeighbours() {
        guard protocols.contains(.neighbours) else { return }
        let now = Self.now()
        for (bytes, index, mac) in NeighbourTable.current().answering {
            guard
                let interface = interfaces.first(where: { $0.interface.index == index })?.interface
            else { continue }
            let address = HostAddress(bytes: bytes, interface: interface.name)
            let path = NetworkPath(interface: interface, family: address.family)
            if paths.contains(path) { perform(table.see(mac, at: address, on: path, now)) }
        }
    }
}
