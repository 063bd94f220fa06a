// Drives a discovery engine with a clock of its own, and checks the laws that hold for any inputs.
import FoundationEssentials
import PeerList
import PeerListTestSupport
import StackProtocol
import TestSupport
import Testing

/// An engine, a clock, and the lookups that the engine has open.
///
/// Each input checks that a lookup is opened at most once and through a stack, that everything is closed before its
/// stack, that open lookups stay below the limits, and that ticks make progress.
final class EngineScript {
    private(set) var reports: [DiscoveryEvent.Kind] = []
    private(set) var open: [LookupKey: LookupRequest] = [:]
    /// The keys of the lookups in the order in which they were opened.
    private(set) var opened: [LookupKey] = []
    private(set) var probes: [(id: ProbeID, questions: [LinkProbe.Question])] = []
    /// The effects that are neither reports nor about lookups and probes of services.
    private(set) var others: [DiscoveryEffect] = []
    /// The kernel's neighbour table.
    var neighbours = NeighbourTable()
    /// The times at which the neighbour table was read.
    private(set) var readings: [Duration] = []
    private(set) var stacks: [StackSlot: StackStatus] = [:]
    /// The stack refuses lookups while this is true for them.
    var refuses: (LookupKey) -> StackError? = { _ in nil }
    /// Answers lookups that are opened.
    var whenOpened: (LookupKey, LookupRequest) -> Void = { _, _ in }
    /// The duration by which the wall clock was set ahead.
    var realTimeLead = Duration.zero
    /// The duration for which the machine has slept.
    var sleep = Duration.zero

    private var engine: DiscoveryEngine
    private(set) var now = Duration.zero

    init(
        _ options: BrowseOptions = BrowseOptions(), asking choice: BackendChoice = .daemon,
        random: any RandomNumberGenerator = SeededGenerator(seed: 1)
    ) {
        engine = DiscoveryEngine(options, asking: choice, random: random)
    }

    /// An engine with a daemon that runs.
    static func running(
        _ options: BrowseOptions = BrowseOptions(),
        random: any RandomNumberGenerator = SeededGenerator(seed: 1)
    ) -> EngineScript {
        let script = EngineScript(options, random: random)
        script.send(.start)
        script.connect(.daemon)
        return script
    }

    static let status = StackStatus(state: .running, hostName: "me.local", cacheLimit: 4_096)

    /// Gives the engine a candidate, which runs unless stated otherwise.
    func connect(_ slot: StackSlot, _ status: StackStatus = status) {
        stacks[slot] = status
        send(.stacks(stacks))
    }

    /// Changes the status of a stack.
    func change(_ slot: StackSlot = .current, _ change: (inout StackStatus) -> Void) {
        guard var status = stacks[slot] else { return }
        change(&status)
        stacks[slot] = status
        send(.stacks(stacks))
    }

    func send(_ input: DiscoveryInput) {
        var inputs = [input]
        while !inputs.isEmpty {
            let reading = ClockReading(now: now, realTimeLead: realTimeLead, sleep: sleep)
            for effect in engine.handle(inputs.removeFirst(), at: reading) {
                perform(effect, &inputs)
            }
        }
        let resolvers = open.keys.count { if case .resolver = $0 { true } else { false } }
        #expect(resolvers <= 128)
        #expect(open.count { if case .resolve = $0.value { false } else { true } } <= 256 + 1_040)
        #expect(deviceInfoNames.count <= 8)
        #expect(stacks[.current] != nil || open.isEmpty, "lookups are open without a stack")
    }

    private func perform(_ effect: DiscoveryEffect, _ inputs: inout [DiscoveryInput]) {
        switch effect {
        case .report(let kind): reports.append(kind)
        case .open(let key, let request):
            #expect(open[key] == nil, "\(key) is opened twice")
            #expect(stacks[.current] != nil)
            if let error = refuses(key) {
                inputs.append(.lookup(key, .failed(error)))
            } else {
                open[key] = request
                opened.append(key)
                whenOpened(key, request)
            }
        case .close(let key): open[key] = nil
        case .readNeighbours:
            readings.append(now)
            inputs.append(.neighbours(neighbours))
        case .probe(let id, let questions): probes.append((id, questions))
        case .use(let slot):
            #expect(stacks[.current] == nil)
            stacks[.current] = stacks.removeValue(forKey: slot)
        case .retire:
            stacks[.former] = stacks.removeValue(forKey: .current)
            open[.formerAnnouncement] = open.removeValue(forKey: .announcement)
        case .abandonFormer:
            others.append(effect)
            stacks[.former] = nil
            open[.formerAnnouncement] = nil
        case .closeStack(let slot):
            if slot == .current { #expect(open.keys.allSatisfy { $0 == .formerAnnouncement }) }
            stacks[slot] = nil
        default: others.append(effect)
        }
    }

    /// Lets time pass, with a tick at each deadline.
    func pass(_ time: Duration) {
        let end = now + time
        var idleTicks = 0
        while let due = engine.deadline, due <= end {
            idleTicks = due > now ? 0 : idleTicks + 1
            guard idleTicks < 1_000 else {
                Issue.record("ticks do not reach the deadline \(due)")
                return
            }
            now = max(now, due)
            send(.tick)
        }
        now = end
    }

    /// Sends an event of an open lookup.
    func send(_ event: LookupEvent, of key: LookupKey) {
        if open[key] != nil { send(.lookup(key, event)) }
    }

    /// Takes the probes that were sent since the last call, and gives each a result.
    @discardableResult
    func answerProbes(
        _ answer: ([LinkProbe.Question]) throws(ProbeError) -> Set<UUID>
    ) -> [(id: ProbeID, questions: [LinkProbe.Question])] {
        let sent = probes
        probes = []
        for (id, questions) in sent {
            let result: Result<Set<UUID>, ProbeError>
            do throws(ProbeError) {
                result = .success(try answer(questions))
            } catch {
                result = .failure(error)
            }
            send(.probed(id, result))
        }
        return sent
    }
}

extension EngineScript {
    static let eth0v4 = NetworkPath(interface: 2, family: .ipv4)

    /// Announces a type.
    func announceType(_ type: String, domain: String = "local") {
        send(.typeAppeared(type, domain: domain), of: .types)
    }

    func appear(
        _ name: String, _ type: String = "_http._tcp", domain: String = "local",
        on path: NetworkPath = eth0v4
    ) {
        let instance = ServiceInstance(name: name, type: type, domain: domain)
        send(.serviceAppeared(instance, path), of: .services(type: type, path.family))
    }

    func disappear(
        _ name: String, _ type: String = "_http._tcp", domain: String = "local",
        on path: NetworkPath = eth0v4
    ) {
        let instance = ServiceInstance(name: name, type: type, domain: domain)
        send(.serviceDisappeared(instance, path), of: .services(type: type, path.family))
    }

    /// Answers the lookup of a service, on each network of which there is one.
    func answer(
        _ name: String, on host: String, at address: HostAddress? = nil,
        txt: TXTRecord = TXTRecord()
    ) {
        let found = Resolution(host: host, port: 80, txt: txt, address: address)
        send(.resolved(found, isCached: false), of: .resolver(key(name).id))
        for (lookup, request) in open where lookup != .resolver(key(name).id) {
            guard case .resolve(let instance, _) = request, instance.key == key(name) else {
                continue
            }
            send(.resolved(found, isCached: false), of: lookup)
        }
    }

    /// Announces a web server, and answers its lookup.
    func bring(_ name: String, on host: String) {
        announceType("_http._tcp")
        appear(name)
        answer(name, on: host)
    }

    func addressAppears(_ last: UInt8, of host: String) {
        send(
            .recordAppeared(data: [10, 0, 0, last], Self.eth0v4), of: .addresses(host: host, .ipv4))
    }

    func addressDisappears(_ last: UInt8, of host: String) {
        send(
            .recordDisappeared(data: [10, 0, 0, last], Self.eth0v4),
            of: .addresses(host: host, .ipv4))
    }

    /// Reports that all cached addresses of a host were reported.
    func exhaustAddresses(of host: String) {
        for family in AddressFamily.allCases {
            send(.cacheExhausted, of: .addresses(host: host, family))
        }
    }

    /// The hosts with open address browsers.
    var watchedHosts: Set<String> {
        Set(open.keys.compactMap { if case .addresses(let host, _) = $0 { host } else { nil } })
    }

    /// The types that are browsed through IPv4.
    var browsedTypes: Set<String> {
        Set(
            open.keys.compactMap {
                if case .services(let type, .ipv4) = $0 { type } else { nil }
            })
    }

    /// The browsed types but for the commonest ones, which are browsed from the start.
    var otherTypes: Set<String> { browsedTypes.subtracting(KnownServiceType.commonest) }

    /// The number of open record browsers of services.
    var recordBrowserCount: Int {
        open.keys.count { if case .record = $0 { true } else { false } }
    }

    /// The names under which device-info records are looked up, in order.
    var deviceInfoNames: [String] {
        open.keys.compactMap { if case .deviceInfo(_, let name) = $0 { name } else { nil } }
            .sorted()
    }

    /// The lists of addresses that were reported of a host.
    func addresses(of host: HostName) -> [[String]] {
        reports.compactMap { kind in
            guard case .addresses(host, let addresses) = kind else { return nil }
            return addresses.map(\.description)
        }
    }

    func notices(_ code: Notice.Code) -> [String] {
        reports.compactMap { if case .notice(code, let text) = $0 { text } else { nil } }
    }

    var unanswered: [String] {
        reports.compactMap { if case .unanswered(let key) = $0 { key.name } else { nil } }
    }

    var found: [String] {
        reports.compactMap {
            if case .found(let sighting) = $0 { sighting.service.name } else { nil }
        }
    }

    var removed: [String] { removals.map(\.0.service.name) }

    var removals: [(Sighting, Departure)] {
        reports.compactMap { kind in
            if case .removed(let sighting, let reason) = kind { (sighting, reason) } else { nil }
        }
    }
}

extension NetworkPath {
    /// The path of an interface with an index.
    init(interface index: Int32, family: AddressFamily) {
        self.init(
            interface: NetworkInterface(index: index, name: "eth\(index - 2)"), family: family)
    }
}
