// Looks up the found services and their hosts: resolves them, watches addresses, and probes silent hosts.
import FoundationEssentials
import HeardRecords
import StackProtocol

/// The found services and hosts, and the lookups for each.
///
/// A service is resolved once it is added. Its host is added with the first resolved service, and removed with the last;
/// the addresses and the device-info record of a host are looked up for as long.
struct ServiceLookups {
    var table = ServiceTable()
    var resolver = ResolveScheduler()
    var addresses: AddressWatcher
    var deviceInfo: DeviceInfoLookups
    var silence = SilenceDetector()
    var limits = LimitMonitor()
    private var namesakes = NamesakeServices()
    /// The stack's name of this machine.
    var hostName = ""
    private let path: LookupPath

    /// Whether services wait to be resolved.
    var isBusy: Bool { resolver.schedule.isBusy }

    init(path: LookupPath) {
        self.path = path
        addresses = AddressWatcher(path: path)
        deviceInfo = DeviceInfoLookups(path: path)
    }

    /// Closes all lookups, and forgets the services and hosts.
    mutating func end(_ step: inout DiscoveryStep) {
        addresses.end(&step)
        deviceInfo.end(&step)
        resolver.removeAll(&step)
        table.reset()
        addresses = AddressWatcher(path: path)
        deviceInfo = DeviceInfoLookups(path: path)
        namesakes = NamesakeServices()
        silence.reset()
        limits.reset(at: step.now)
    }

    // MARK: Services

    /// Adds a service on a path, and resolves it if it is new, or was lost.
    mutating func add(
        _ sighting: Sighting, _ instance: ServiceInstance, isCatchingUp: Bool,
        _ step: inout DiscoveryStep
    ) -> ServiceTable.Addition {
        let id = sighting.service.id
        let wasLost = table.isLost(id)
        let addition = table.add(sighting, instance, &step)
        switch addition {
        case .refused:
            if table.isOverLimit { limits.scheduleRoomCheck(at: step.now) }
        case .service:
            limits.scheduleCheck(at: step.now)
            resolver.add(id, at: step.now)
        case .sighting:
            limits.scheduleCheck(at: step.now)
            if wasLost, !table.isLost(id) { resolver.resolveAgain(id, &step) }
            if table.networks.areSeveral, let host = table[id]?.host {
                addresses.reportOrSchedule(host.key, table, isCatchingUp: isCatchingUp, &step)
            }
        case .nothing: break
        }
        return addition
    }

    /// Removes a service on a path.
    ///
    /// - Returns: Whether the service was removed with its last path.
    mutating func remove(_ sighting: Sighting, _ step: inout DiscoveryStep) -> Bool {
        let id = sighting.service.id
        guard table.remove(sighting), let service = table[id] else { return false }
        limits.scheduleCheck(at: step.now)
        guard service.sightings.isEmpty else {
            resolver.pathRemoved(sighting.place.path, of: service, &step)
            return false
        }
        resolver.remove(id, &step)
        silence.clear(id)
        removeFromHost(id, service.host, &step)
        table.remove(id)
        return true
    }

    /// Reports a hidden service.
    mutating func show(_ id: UUID, _ step: inout DiscoveryStep) {
        table.show(id)
        for sighting in table[id]?.sightings(on: { _ in true }) ?? [] {
            step.report(.found(sighting))
        }
    }

    /// Looks up services and their hosts again whose links are back.
    mutating func lookUpAgain(_ ids: [UUID], _ step: inout DiscoveryStep) {
        let known = ids.filter { table[$0]?.host != nil }
        let believed = silence.doubt(known, table, at: step.now)
        for id in believed + ids.filter({ table[$0]?.host == nil }) {
            resolver.resolveAgain(id, &step)
        }
        for host in Set(known.compactMap { table[$0]?.host?.key }) {
            addresses.lookUpAgain(host, at: step.now)
        }
    }

    // MARK: Resolutions

    /// Handles a resolution of a service by the backend.
    ///
    /// A hidden service waits: its name was found on another network before, and the service of that name is not
    /// resolved, or has another host. In the latter case it is another service, which is listed soon.
    mutating func resolved(
        _ service: ServiceTable.Service, _ resolution: Resolution, isCached: Bool,
        isCatchingUp: Bool, _ step: inout DiscoveryStep
    ) {
        let id = service.key.id
        let resolution = table.located(resolution, of: id)
        guard !service.isHidden else {
            if table[service.key.nameID]?.host != nil {
                namesakes.add(id, resolution, at: step.now)
            }
            return resolver.wait(id, &step)
        }
        // Cached records of an unresponsive service do not prove that it is there.
        let isBelieved = (!isCached || !silence.isUnresponsive(id)) && !table.isLost(id)
        // Addresses of a host that is not reported would be reported too early.
        guard isBelieved || service.host != nil else { return resolver.wait(id, &step) }
        if isBelieved { silence.clear(id) }
        table.setHost(resolution, of: id)
        limits.scheduleCheck(at: step.now)
        if let former = service.host, former != resolution.hostName {
            // An open lookup would continue to report the address of the former host.
            removeFromHost(id, former, &step)
            return resolver.resolveAgain(id, &step)
        }
        resolver.answered(id, watches: !limits.isRefused, &step)
        report(resolution, of: service, isBelieved: isBelieved, &step)
        if !isCached { silence.heard(resolution.hostName.key, at: step.now) }
        if isBelieved {
            addresses.hostAnswered(resolution, table, isCatchingUp: isCatchingUp, &step)
        }
    }

    /// Reports a service as resolved by heard records. The backend confirms the resolution later.
    mutating func resolvedAsHeard(
        _ service: ServiceTable.Service, _ resolution: Resolution, _ step: inout DiscoveryStep
    ) {
        let resolution = table.located(resolution, of: service.key.id)
        table.setHost(resolution, of: service.key.id)
        limits.scheduleCheck(at: step.now)
        resolver.heard(service.key.id, at: step.now)
        report(resolution, of: service, isBelieved: true, &step)
    }

    /// Reports a resolution, and adds the service to its host.
    private mutating func report(
        _ resolution: Resolution, of service: ServiceTable.Service, isBelieved: Bool,
        _ step: inout DiscoveryStep
    ) {
        let id = service.key.id
        if resolution.host == hostName { step.add(.reportOwnAddresses) }
        if isBelieved {
            step.report(.resolved(service.key, table.limited(resolution, of: id, &step)))
        }
        guard let (host, isNew) = table.addToHost(id) else { return }
        for other in table.hiddenServices(named: id) { resolver.resolveAgain(other, &step) }
        if isNew { addresses.add(host, at: step.now) }
        deviceInfo.add(host, offering: service.instance, at: step.now)
        silence.addHost(host, at: step.now)
    }

    private mutating func removeFromHost(
        _ id: UUID, _ host: HostName?, _ step: inout DiscoveryStep
    ) {
        guard let removed = table.remove(id, fromHost: host) else { return }
        addresses.remove(removed, &step)
        deviceInfo.remove(removed, &step)
        silence.removeHost(removed)
        step.removedHosts.append(removed)
    }

    /// Handles a lookup of a service that timed out on a path.
    ///
    /// - Returns: Whether the service answers on no path.
    mutating func timedOut(
        _ service: ServiceTable.Service, _ step: inout DiscoveryStep
    ) -> Bool {
        let id = service.key.id
        guard !table.isLost(id) else {
            resolver.wait(id, &step)
            return false
        }
        switch resolver.timedOut(service) {
        case nil: break
        case .hasOtherPath where silence.suspect(service, table, at: step.now):
            resolver.wait(id, &step)
        case .hasOtherPath: resolver.resolveOnOtherPath(id, &step)
        case .isUnanswered: return true
        }
        return false
    }

    /// Reports a service that answers on no path. Services of its name on other networks are others.
    mutating func unanswered(_ service: ServiceTable.Service, _ step: inout DiscoveryStep) {
        let id = service.key.id
        resolver.unanswered(id, &step)
        silence.clear(id)
        if !service.isHidden { step.report(.unanswered(service.key)) }
        for other in table.hiddenServices(named: id) {
            show(other, &step)
            resolver.resolveAgain(other, &step)
        }
    }

    /// Handles a lookup that could not be opened or has ended.
    mutating func failed(
        _ error: StackError, _ text: @autoclosure () -> String, _ step: inout DiscoveryStep
    ) {
        guard error.kind == .tooManyObjects else {
            return limits.report(error, "\(text()): \(error)", &step)
        }
        let hasMadeRoom = deviceInfo.end(&step)
        resolver.lowerLimits(hasRoom: hasMadeRoom, &step)
        limits.lookupRefused(at: step.now)
    }

    // MARK: Hosts

    /// Handles the results of a probe of hosts that lost addresses.
    mutating func probed(
        _ results: [(host: String, isThere: Bool)], _ step: inout DiscoveryStep
    ) {
        for (host, isThere) in results where addresses.isWaiting(host) && !table.isHostLost(host) {
            addresses.probed(host, isThere: isThere, table, &step)
            for id in isThere ? [] : table.hosts[host]?.services ?? [] {
                silence.missed(id, table, &step)
            }
        }
    }

    /// Notes a packet that a host itself sent as a sign of life, so that the host is not probed.
    mutating func noteLife(of sender: HeardSender, at now: Duration) {
        guard sender.isLocal else { return }
        let name = Identity.canonical(sender.name)
        let network = table.networks.name(of: sender.interface)
        let other = network.map { HostName(name, on: $0).key }
        let named = [name, other].compactMap { $0 }.filter { table.hosts[$0] != nil }
        let service = named.isEmpty ? table[Identity.uuid(forName: name)]?.host?.key : nil
        for host in named + [service].compactMap({ $0 })
        where addresses.reportedAddresses(of: host).contains(sender.address) {
            silence.spoke(host, table, at: now)
        }
    }

    // MARK: Times

    /// Returns the time at which an advance is due; the resolver waits while the daemon is busy with new services.
    mutating func deadline(busyUntil: Duration) -> Duration? {
        [
            resolver.deadline(busyUntil: busyUntil), addresses.deadline(), namesakes.due,
            deviceInfo.deadline(), silence.deadline(), limits.deadline,
        ].compactMap { $0 }.min()
    }

    /// Lists the services that are others than the services of the same name on other networks, and opens resolvers.
    mutating func advanceServices(
        busyUntil: Duration, isCatchingUp: Bool, _ step: inout DiscoveryStep
    ) {
        for (id, resolution) in namesakes.popDue(at: step.now, in: table) {
            show(id, &step)
            if let service = table[id] {
                resolved(
                    service, resolution, isCached: false, isCatchingUp: isCatchingUp, &step)
            }
        }
        resolver.advance(table, busyUntil: busyUntil, &step)
    }

    /// Opens the lookups of hosts.
    mutating func advanceHosts(_ step: inout DiscoveryStep) {
        let (lost, sharers) = addresses.advance(
            table, resolver.schedule,
            isUnresponsive: { [silence, table] in silence.isUnresponsive($0) || table.isLost($0) },
            &step)
        silence.probeAfterLoss(lost, table, &step)
        silence.doubtSharers(sharers)
        // Services that wait to be resolved take precedence, unless unresponsive hosts delay them.
        let isCrowded = resolver.schedule.isBusy && !resolver.schedule.isHeldUp
        deviceInfo.advance(hasRoom: !isCrowded && !limits.isRefused, &step)
    }
}
