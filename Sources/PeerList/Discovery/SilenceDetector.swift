// Probes services past the cache: on request, after time-outs, and to check silent hosts.
import FoundationEssentials

/// Decides which services are probed, and which of them are unanswered.
///
/// A daemon answers from its cache until the records' TTLs end, so a peer that disappeared without a goodbye
/// stays known for two minutes, or for hours. Probes bypass the cache.
struct SilenceDetector {
    /// The maximum number of services in one probe, so that it is a few packets on each path.
    static let probeSize = 128
    /// The maximum number of verifications and probes of suspects at a time.
    static let probeLimit = 4
    /// The time for which services that time out together are gathered for one probe.
    static let gatheringTime = Duration.milliseconds(100)
    /// The number of services in the second probe of a silent host. The first probe has one service, which may be gone
    /// although the host is there.
    private static let secondServices = 4
    /// The time from the return of a link to the probe of the services on it. Meanwhile the stack can report that it
    /// has dropped them.
    static let doubtTime = Duration.seconds(1)
    /// The number of services to probe of a host that lost addresses, or whose addresses another host has.
    private static let servicesAfterLoss = 2

    /// The consequences of a probe's result, apart from reported events.
    struct Outcome {
        /// The services that answered and must be resolved again.
        var answered: [UUID] = []
        /// The suspects that did not answer.
        var missed: [UUID] = []
        /// The suspects that must be resolved on another path.
        var onOtherPath: [UUID] = []
        /// The hosts that were probed because they lost addresses, and whether they answered.
        var probedHosts: [(host: String, isThere: Bool)] = []
    }

    private var unresponsive = UnresponsiveServices()
    private var hosts = HostSilence()
    private var suspects: Set<UUID> = []
    private var suspectsDue: Duration?
    /// The hosts to probe because another host has their addresses.
    private var sharers: Set<String> = []
    private var probes: [ProbeID: Probe] = [:]
    private var lastProbe = 0

    private struct Probe {
        var services: [UUID] = []
        var hosts: [String] = []
        /// The hosts of the services.
        var owners: [UUID: String] = [:]
        var verification = 0
        /// The services to verify for which the probe has no room.
        var rest: [UUID] = []
    }

    /// Forgets all services, hosts and probes, except probes of verifications, which wait for a result.
    mutating func reset() {
        (unresponsive, hosts) = (UnresponsiveServices(), HostSilence())
        (suspects, suspectsDue, sharers) = ([], nil, [])
        probes = probes.filter { $0.key.purpose == .verification }
    }

    /// Whether a service did not answer a probe, and has shown no sign of life since.
    func isUnresponsive(_ id: UUID) -> Bool { unresponsive.contains(id) }

    /// Records that a service is there, has expired, or was removed.
    mutating func clear(_ id: UUID) { unresponsive.remove(id) }

    mutating func addHost(_ host: String, at now: Duration) { hosts.add(host, at: now) }

    mutating func removeHost(_ host: String) { hosts.remove(host) }

    mutating func heard(_ host: String, at now: Duration) { hosts.heard(host, at: now) }

    /// Records a packet that a host sent itself: its unresponsive services are probed at once.
    mutating func spoke(_ host: String, _ table: ServiceTable, at now: Duration) {
        hosts.heard(host, at: now)
        for id in table.hosts[host]?.services ?? [] where unresponsive.contains(id) {
            unresponsive.retry(id, at: now)
        }
    }

    /// Schedules a probe of services whose cached records prove nothing, because their link was lost.
    ///
    /// - Returns: The services that cannot be probed.
    mutating func doubt(_ ids: [UUID], _ table: ServiceTable, at now: Duration) -> [UUID] {
        for id in ids where table.question(for: id) != nil {
            unresponsive.add(id, due: now + Self.doubtTime)
        }
        return ids.filter { !unresponsive.contains($0) }
    }

    /// Marks a service as unresponsive and reports it as unanswered, unless its link is lost. An unresponsive service
    /// is probed again at growing intervals.
    mutating func missed(_ id: UUID, _ table: ServiceTable, _ step: inout DiscoveryStep) {
        guard let service = table[id], !table.isLost(id) else { return }
        unresponsive.add(id, at: step.now)
        step.report(.unanswered(service.key))
    }

    /// Adds a service that timed out on one path, and the other services of its host, to the next probe.
    ///
    /// When a machine falls silent, so do all of its services. Resolving them on another path would take 5 s for every
    /// few services; one probe tests all of them.
    ///
    /// - Returns: `false` if the service cannot be probed.
    /// - Complexity: O(*n*) in the services of the host.
    mutating func suspect(
        _ service: ServiceTable.Service, _ table: ServiceTable, at now: Duration
    ) -> Bool {
        guard let host = service.host, table.question(for: service.key.id) != nil else {
            return false
        }
        guard suspects.insert(service.key.id).inserted else { return true }
        let others = table.hosts[host.key]?.services ?? []
        suspects.formUnion(others.filter { !isUnresponsive($0) })
        if suspectsDue == nil { suspectsDue = now + Self.gatheringTime }
        return true
    }

    /// Probes the services that a user wants to verify, unless a reason prevents that.
    ///
    /// The first 128 services are probed. If none of the 128 answers, the others count as unresponsive too.
    mutating func verify(
        _ ids: [UUID], _ number: Int, unavailable: String?, _ table: ServiceTable,
        _ step: inout DiscoveryStep
    ) {
        let questions = ids.compactMap(table.question)
        let reason =
            unavailable ?? (hasProbeRoom ? nil : "other peers are being verified")
            ?? (questions.isEmpty ? "no service of it is announced on this link" : nil)
        if let reason { return step.add(.verified(number, .unavailable(reason))) }
        let rest = questions.dropFirst(Self.probeSize).map(\.service.id)
        send(
            Array(questions.prefix(Self.probeSize)), .verification, &step,
            Probe(verification: number, rest: rest))
    }

    /// Probes hosts that lost addresses, unless such a probe is running.
    mutating func probeAfterLoss(
        _ names: [String], _ table: ServiceTable, _ step: inout DiscoveryStep
    ) {
        if !names.isEmpty, !isProbing(.lostAddresses) {
            probe(names, services: Self.servicesAfterLoss, .lostAddresses, table, &step)
        }
    }

    /// Schedules a probe of hosts that have the addresses of another host: an address may have passed to it.
    mutating func doubtSharers(_ names: [String]) { sharers.formUnion(names) }

    mutating func deadline() -> Duration? {
        let dues = [
            sharers.isEmpty || isProbing(.sharedAddresses) ? nil : .zero,
            isProbing(.unresponsive) ? nil : unresponsive.deadline,
            hasProbeRoom ? suspectsDue : nil, isProbing(.silentHosts) ? nil : hosts.deadline(),
        ]
        return dues.compactMap { $0 }.min()
    }

    mutating func advance(_ table: ServiceTable, _ step: inout DiscoveryStep) {
        probeUnresponsive(table, &step)
        probeSuspects(table, &step)
        if !sharers.isEmpty, !isProbing(.sharedAddresses) {
            let names = sharers.sorted().prefix(Self.probeSize)
            sharers.subtract(names)
            probe(Array(names), services: Self.servicesAfterLoss, .sharedAddresses, table, &step)
        }
        guard !isProbing(.silentHosts) else { return }
        let (names, haveMissed) = hosts.popDue(at: step.now)
        guard !names.isEmpty else { return }
        probe(names, services: haveMissed ? Self.secondServices : 1, .silentHosts, table, &step)
    }

    /// Handles the result of a probe: the services that answered, or the error that prevented the
    /// probe.
    ///
    /// Unless the backend is running, silence has no consequence in a verification, for unresponsive services and for
    /// silent hosts. The result of a probe from before ``reset()`` is ignored, unless it is a verification.
    mutating func probed(
        _ id: ProbeID, _ result: Result<Set<UUID>, ProbeError>, isRunning: Bool,
        _ table: ServiceTable, _ step: inout DiscoveryStep
    ) -> Outcome {
        var outcome = Outcome()
        guard let probe = probes.removeValue(forKey: id) else { return outcome }
        let ids = probe.services
        let answered = try? result.get()
        switch id.purpose {
        case .verification:
            outcome.answered = apply(
                ids, answered, isRunning: isRunning, table, &step)
            // If no service of a full probe answers, the rest counts as unresponsive too.
            for id in probe.rest where isRunning && answered?.isEmpty == true {
                missed(id, table, &step)
            }
            step.add(.verified(probe.verification, Self.verification(result, of: ids.count)))
        case .unresponsive:
            outcome.answered = apply(
                ids, answered, isRunning: isRunning, table, &step)
            // A service that could not be probed stays unresponsive.
            for id in ids where answered == nil && unresponsive.contains(id) {
                unresponsive.add(id, at: step.now)
            }
        case .suspects:
            // If the services could not be probed, the other path decides.
            for id in ids where table[id] != nil {
                if answered?.contains(id) ?? true {
                    outcome.onOtherPath.append(id)
                } else {
                    outcome.missed.append(id)
                    missed(id, table, &step)
                }
            }
        case .silentHosts:
            guard isRunning else { break }
            for (host, isThere) in hostResults(probe, answered, table, &step) {
                if isThere {
                    hosts.heard(host, at: step.now)
                } else if hosts.missed(host, at: step.now) {
                    for id in table.hosts[host]?.services ?? [] {
                        missed(id, table, &step)
                    }
                }
            }
        case .sharedAddresses:
            let results = hostResults(probe, answered, table, &step)
            for (host, isThere) in results where isRunning {
                guard !isThere else {
                    hosts.heard(host, at: step.now)
                    continue
                }
                for id in table.hosts[host]?.services ?? [] { missed(id, table, &step) }
            }
        case .lostAddresses:
            outcome.probedHosts = hostResults(probe, answered, table, &step)
        }
        return outcome
    }

    /// Reports the answers of services, and marks the others as unresponsive.
    ///
    /// - Returns: The services that answered.
    private mutating func apply(
        _ ids: [UUID], _ answered: Set<UUID>?, isRunning: Bool, _ table: ServiceTable,
        _ step: inout DiscoveryStep
    ) -> [UUID] {
        guard let answered, isRunning else { return [] }
        var there: [UUID] = []
        for id in ids {
            guard let service = table[id] else { continue }
            guard answered.contains(id) else {
                missed(id, table, &step)
                continue
            }
            unresponsive.remove(id)
            if let host = service.host { hosts.heard(host.key, at: step.now) }
            step.report(.answered(service.key))
            there.append(id)
        }
        return there
    }

    private static func verification(
        _ result: Result<Set<UUID>, ProbeError>, of count: Int
    ) -> Verification {
        switch result {
        case .success(let answered):
            answered.isEmpty ? .unanswered : .answered(answered, of: count)
        case .failure(let error):
            .unavailable("the question cannot be sent: \(error.description)")
        }
    }

    private mutating func probeUnresponsive(_ table: ServiceTable, _ step: inout DiscoveryStep) {
        guard !isProbing(.unresponsive) else { return }
        let due = unresponsive.due(at: step.now).prefix(Self.probeSize)
        let questions = due.compactMap(table.question)
        for id in due where table.question(for: id) == nil { unresponsive.add(id, at: step.now) }
        guard !questions.isEmpty else { return }
        send(questions, .unresponsive, &step)
    }

    private mutating func probeSuspects(_ table: ServiceTable, _ step: inout DiscoveryStep) {
        guard let due = suspectsDue, due <= step.now, hasProbeRoom else { return }
        let questions = Array(suspects.compactMap(table.question).prefix(Self.probeSize))
        suspects.subtract(questions.map(\.service.id))
        suspects = suspects.filter { table[$0] != nil && !questions.isEmpty }
        suspectsDue = suspects.isEmpty ? nil : step.now + Self.gatheringTime
        guard !questions.isEmpty else { return }
        send(questions, .suspects, &step)
    }

    /// Probes services of hosts; unresponsive services are omitted, because they are probed anyway.
    private mutating func probe(
        _ names: [String], services count: Int, _ purpose: ProbePurpose, _ table: ServiceTable,
        _ step: inout DiscoveryStep
    ) {
        let room = min(count, max(1, Self.probeSize / max(1, names.count)))
        var questions: [LinkProbe.Question] = []
        var owners: [UUID: String] = [:]
        for host in names {
            let services = table.hosts[host]?.services.filter { !unresponsive.contains($0) } ?? []
            for question in services.sorted().lazy.compactMap(table.question).prefix(room) {
                questions.append(question)
                owners[question.service.id] = host
            }
        }
        send(questions, purpose, &step, Probe(hosts: names, owners: owners))
    }

    private mutating func send(
        _ questions: [LinkProbe.Question], _ purpose: ProbePurpose, _ step: inout DiscoveryStep,
        _ probe: Probe = Probe()
    ) {
        lastProbe += 1
        let id = ProbeID(purpose: purpose, number: lastProbe)
        probes[id] = probe
        probes[id]?.services = questions.map(\.service.id)
        step.add(.probe(id, questions))
    }

    private func isProbing(_ purpose: ProbePurpose) -> Bool {
        probes.keys.contains { $0.purpose == purpose }
    }

    /// Whether another verification or probe of suspects may be sent.
    private var hasProbeRoom: Bool {
        probes.keys.count { [.verification, .suspects].contains($0.purpose) } < Self.probeLimit
    }

    /// Returns the hosts that were probed, and whether they answered; hosts that could not be probed count as there.
    private func hostResults(
        _ probe: Probe, _ answered: Set<UUID>?, _ table: ServiceTable, _ step: inout DiscoveryStep
    ) -> [(host: String, isThere: Bool)] {
        let silent = answered.map { answered in
            Set(probe.owners.values).subtracting(answered.compactMap { probe.owners[$0] })
        }
        for id in probe.services where answered?.contains(id) == true {
            if let key = table[id]?.key { step.report(.answered(key)) }
        }
        return probe.hosts.filter { table.hosts[$0] != nil }.map {
            ($0, silent?.contains($0) != true)
        }
    }
}

/// The services that did not answer a probe although they are cached, and the time of the next probe of each.
///
/// Until the cache drops such a service, cached records of the service are ignored, and only another probe can show
/// that the service is back.
struct UnresponsiveServices {
    /// The time to the first repeated probe of a service; it doubles with each missed probe.
    static let firstInterval = Duration.seconds(10)
    /// The maximum time to the next probe of a service.
    static let longestInterval = Duration.seconds(60)
    /// The maximum number of services; for further services the cache is believed.
    static let limit = 4_096

    private var services: [UUID: (due: Duration, interval: Duration)] = [:]

    func contains(_ id: UUID) -> Bool { services[id] != nil }

    /// Adds a service, or schedules the next probe of a service that missed another one.
    mutating func add(_ id: UUID, at now: Duration) {
        let last = services[id]?.interval
        guard last != nil || services.count < Self.limit else { return }
        let interval = last.map { min($0 * 2, Self.longestInterval) } ?? Self.firstInterval
        services[id] = (now + interval, interval)
    }

    /// Adds a service with the time of its first probe, or changes the time of a known service's next probe.
    mutating func add(_ id: UUID, due: Duration) {
        guard services[id] != nil || services.count < Self.limit else { return }
        services[id] = (due, Self.firstInterval / 2)
    }

    /// Schedules the next probe of a known service at once, unless the service was probed in the last second.
    mutating func retry(_ id: UUID, at now: Duration) {
        guard let (due, interval) = services[id], due - interval + .seconds(1) <= now else {
            return
        }
        services[id]?.due = min(due, now)
    }

    mutating func remove(_ id: UUID) { services[id] = nil }

    func due(at now: Duration) -> [UUID] { services.filter { $0.value.due <= now }.map(\.key) }

    var deadline: Duration? { services.values.map(\.due).min() }
}
