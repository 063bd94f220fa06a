// The discovery engine: decides, from inputs and their times, which lookups are open and what is
// reported.
import FoundationEssentials
import HeardRecords
import StackProtocol

/// Everything that discovery decides, as a value without I/O.
///
/// The caller passes each input with a reading of the clocks, carries out the effects in order, and sends a
/// ``DiscoveryInput/tick`` when ``deadline`` has come.
package struct DiscoveryEngine {
    /// The bounds of what is kept of heard records; a service with a larger TXT record is resolved by the backend.
    private static var heardLimits: RecordServices.Limits {
        var limits = RecordServices.Limits()
        (limits.names, limits.addresses) = (4_096, 16)
        limits.txtSize = DiscoveryRules.smallRecord
        return limits
    }

    private let options: BrowseOptions
    private var backends: BackendSelector
    private var table = ServiceTable()
    private var types: TypeBrowsing
    private var resolver = ResolveScheduler()
    private var addresses: AddressWatcher
    private var deviceInfo: DeviceInfoLookups
    private var hardware = HardwareWatcher()
    private var silence = SilenceDetector()
    private var limits = LimitMonitor()
    private var clock = ClockMonitor()
    private var announcer: Announcer
    private var links = LinkWatch()
    /// The paths on which other sources have found services.
    private var othersPaths: Set<NetworkPath> = []
    private var witness = WitnessControl()
    private var heard = RecordServices(Self.heardLimits)
    private var heardTypes = HeardTypes()
    /// The services that may be resolved by heard records if they have to wait for the backend.
    private var heardServices: [UUID] = []
    private var unfound = HeardServices()
    private var contested = ContestedRemovals()
    private var namesakes = NamesakeServices()
    private var caughtUpDue: Duration?
    /// The removed services whose records still describe their devices, in the order of the removals.
    private var withdrawals: ArraySlice<(due: Duration, service: ServiceKey)> = []
    /// The times at which the records of these services no longer count, by the latest removal of each service.
    private var withdrawalDues: [UUID: Duration] = [:]
    private var step = DiscoveryStep(reading: ClockReading(now: .zero))

    /// The time at which the next tick is due, or `nil` for never.
    package private(set) var deadline: Duration?

    package init(
        _ options: BrowseOptions, asking choice: BackendChoice,
        random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) {
        self.options = options
        backends = BackendSelector(choice)
        types = TypeBrowsing(options, hostName: "")
        addresses = AddressWatcher(path: options.path)
        deviceInfo = DeviceInfoLookups(path: options.path)
        announcer = Announcer(options, random: random)
    }

    var isRunning: Bool { backends.isRunning }

    var backend: Backend { backends.backend }

    /// Handles an input, and returns the effects to carry out, in order.
    ///
    /// `reading` is the reading of the clocks at the time of the input; ``ClockReading/now`` must not decrease.
    package mutating func handle(
        _ input: DiscoveryInput, at reading: ClockReading
    ) -> [DiscoveryEffect] {
        step = DiscoveryStep(reading: reading)
        switch input {
        case .start:
            // Before the backend, whose first queries are answered at once.
            if options.usesWitness, !options.announcesOnly { witness.start(&step) }
            backends.start(&step)
        case .inquired(let isSilent): backends.inquired(isSilent: isSilent, &step)
        case .daemonRefused(let error): backends.daemonRefused(error, &step)
        case .helperRefused(let reason): backends.helperFailed(reason, &step)
        case .interfaces(let interfaces): interfacesChanged(interfaces)
        case .stacks(let statuses): stacksChanged(statuses)
        case .lookup(let key, let event): handle(event, of: key)
        case .probed(let id, let result): probed(id, result)
        case .typeAnswered(let type):
            heardTypes.listed(type)
            if isRunning { typeAnswered(type) }
        case .witness(.heard(let records, let senders)): recordsHeard(records, senders)
        case .witness(let report):
            witness.handle(report, &step)
            // Without the witness, the records would be believed for ever.
            if case .failed = report { heard = RecordServices(Self.heardLimits) }
            if case .listening = report, options.reportsSenders { step.report(.heard([])) }
        case .neighbours(let neighbours): if isRunning { neighboursRead(neighbours) }
        case .foundByOthers(let path): othersPaths.insert(path)
        case .verify(let ids, let number):
            silence.verify(ids, number, unavailable: backends.absence, table, &step)
        case .tick:
            // Not while an event is handled, because the event's lookup would be closed from within its own callback.
            if isRunning, clock.isRestartDue || links.isRestartDue { restartBrowsing() }
            if isRunning, limits.popRoomCheck(at: now) { lookForRoom() }
        }
        advance()
        return step.effects
    }

    private var now: Duration { step.now }

    /// Performs everything that is due, and schedules the next tick.
    private mutating func advance() {
        backends.advance(&step)
        witness.advance(&step)
        announcer.advance(isRunning ? backends.current : nil, &step)
        if isRunning { dropKept(links.advance(&step)) }
        if let due = caughtUpDue, due <= now {
            caughtUpDue = nil
            step.report(.caughtUp)
        }
        while let (due, service) = withdrawals.first, due <= now {
            withdrawals.removeFirst()
            guard withdrawalDues[service.id] == due else { continue }
            withdrawalDues[service.id] = nil
            step.report(.forgotten(service))
        }
        var deadlines = [
            backends.deadline, announcer.deadline, caughtUpDue, withdrawals.first?.due,
            witness.deadline,
        ]
        if isRunning {
            advanceLookups()
            deadlines += [
                types.deadline(isResolving: resolver.schedule.isBusy),
                resolver.deadline(busyUntil: busyUntil), addresses.deadline(),
                unfound.deadline, contested.deadline, namesakes.due, deviceInfo.deadline(),
                hardware.deadline,
                silence.deadline(),
                limits.deadline, heardTypes.deadline,
                clock.deadline(at: now), links.deadline, links.isRestartDue ? now : nil,
            ]
        }
        deadline = deadlines.compactMap { $0 }.min()
    }

    private mutating func advanceLookups() {
        browseHeardTypes()
        types.advance(isResolving: resolver.schedule.isBusy, &step)
        listAsHeard()
        listNamesakes()
        resolver.advance(table, busyUntil: busyUntil, &step)
        resolveAsHeard()
        let (lost, sharers) = addresses.advance(
            table, resolver.schedule,
            isUnresponsive: { [silence, table] in silence.isUnresponsive($0) || table.isLost($0) },
            &step)
        silence.probeAfterLoss(lost, table, &step)
        silence.doubtSharers(sharers)
        // Services that wait to be resolved take precedence, unless unresponsive hosts delay them.
        let isCrowded = resolver.schedule.isBusy && !resolver.schedule.isHeldUp
        deviceInfo.advance(hasRoom: !isCrowded && !limits.isRefused, &step)
        if let due = silence.deadline(), due <= now,
            !clock.hasJumpedAhead(backend, at: step.reading)
        {
            silence.advance(table, &step)
        }
        limits.check(
            table, failedBrowses: types.failedCount, isBusy: resolver.schedule.isBusy, backend,
            cacheLimit: backends.current?.cacheLimit ?? 0, &step)
        clock.advance(backend, at: step.reading)
        if step.effects.contains(where: \.isReasonToReadNeighbours) { hardware.schedule(at: now) }
        hardware.advance(&step)
    }

    /// The time until which the daemon is assumed to be busy with new services.
    private var busyUntil: Duration { types.lastActivity + TypeBrowsing.familyWait.quiet }
}

// MARK: - Backends

extension DiscoveryEngine {
    private mutating func stacksChanged(_ statuses: [StackSlot: StackStatus]) {
        if let reason = backends.update(statuses, &step) {
            closeStack()
            step.report(.lost(reason: reason))
            backends.awaitDaemon(&step)
        }
        backends.checkCandidates(&step)
        useReadyCandidate()
        if isRunning, let status = backends.current { announcer.stackChanged(status, &step) }
    }

    private mutating func useReadyCandidate() {
        guard let slot = backends.readyCandidate else { return }
        if announcer.retire(&step) { backends.closed() }
        closeStack()
        let isReturn = backends.use(slot, &step)
        if isReturn { caughtUpDue = now + LinkWatch.catchUpTime }
        beginBrowsing()
        if let status = backends.current { announcer.stackChanged(status, &step) }
        backends.finishUse(&step)
    }

    /// Closes all lookups through the stack in use, and the stack itself unless it was retired.
    private mutating func closeStack() {
        announcer.withdraw(&step)
        closeLookups()
        if backends.current != nil { step.add(.closeStack(.current)) }
        backends.closed()
        caughtUpDue = nil
    }

    private mutating func closeLookups() {
        addresses.end(&step)
        deviceInfo.end(&step)
        resolver.removeAll(&step)
        types.end(&step)
        table.reset()
        addresses = AddressWatcher(path: options.path)
        deviceInfo = DeviceInfoLookups(path: options.path)
        hardware = HardwareWatcher()
        (heardServices, unfound) = ([], HeardServices())
        contested = ContestedRemovals()
        namesakes = NamesakeServices()
        silence.reset()
        limits.reset(at: now)
        clock.end()
        links.browsingEnded()
        table.lostPaths = links.lostPaths
    }

    private mutating func beginBrowsing() {
        guard !options.announcesOnly else { return }
        types = TypeBrowsing(options, hostName: backends.hostName)
        table.reset(domain: types.domain)
        table.ownHost = Identity.canonical(backends.hostName)
        step.add(.reportOwnAddresses)
        clock.begin(backend, at: step.reading)
        types.begin(&step)
        heardTypes.browsingBegan(at: now)
    }

    /// Browses again for everything; services that are not found within ``LinkWatch/catchUpTime`` are gone.
    private mutating func restartBrowsing() {
        closeLookups()
        step.report(.handedOver(to: backend, host: backends.hostName))
        caughtUpDue = now + LinkWatch.catchUpTime
        beginBrowsing()
    }
}

// MARK: - Links

extension DiscoveryEngine {
    private mutating func interfacesChanged(_ interfaces: [LocalInterface]) {
        // Services may have been reported that this backend has not found yet.
        let isIncomplete = !isRunning || caughtUpDue != nil
        let expired = links.update(
            interfaces,
            isInUse: { [table, othersPaths] in
                isIncomplete || table.uses($0) || othersPaths.contains($0)
            }, isRunning: isRunning, &step)
        if links.isCatchingUp, caughtUpDue != nil { caughtUpDue = now + LinkWatch.catchUpTime }
        dropKept(expired)
        let lost = table.services.keys.filter(table.isLost)
        table.lostPaths = links.lostPaths
        networksChanged(to: links.networks)
        let back = lost.filter { !table.isLost($0) }
        let known = back.filter { table[$0]?.host != nil }
        let believed = silence.doubt(known, table, at: now)
        for id in believed + back.filter({ table[$0]?.host == nil }) {
            resolver.resolveAgain(id, &step)
        }
        for host in Set(known.compactMap { table[$0]?.host?.key }) {
            addresses.lookUpAgain(host, at: now)
        }
    }

    /// Handles the networks of this machine: what was one host on an interface whose network was not known may be two.
    private mutating func networksChanged(to networks: OwnNetworks) {
        guard networks != table.networks else { return }
        table.networks = networks
        for (service, sightings) in table.dividedServices {
            for sighting in sightings {
                serviceDisappeared(sighting)
                serviceAppeared(
                    service.instance,
                    Sighting(
                        service: table.key(of: service.instance, on: sighting.interface),
                        interface: sighting.interface, family: sighting.family,
                        subtype: sighting.subtype))
            }
        }
        for host in table.hosts.keys {
            addresses.reportOrSchedule(host, table, isCatchingUp: isCatchingUp, &step)
        }
    }

    /// Removes the sightings that the stack still has on paths whose sightings no longer count.
    private mutating func dropKept(_ paths: [NetworkPath]) {
        for path in paths {
            let kept = table.services.values.flatMap { $0.sightings { $0 == path } }
            for sighting in kept { removeFromTable(sighting) }
            if !kept.isEmpty { links.stackKeeps(path) }
        }
    }

    /// Whether the services of a backend or a link that is back are being found again.
    private var isCatchingUp: Bool { caughtUpDue != nil || links.isCatchingUp }
}

// MARK: - Lookups

extension DiscoveryEngine {
    private mutating func handle(_ event: LookupEvent, of key: LookupKey) {
        switch key {
        case .types: handleTypes(event)
        case .services(let type, _): handleServices(event, of: type, key)
        case .resolver(let id): handleResolver(event, id)
        case .record(let type, let id):
            if case .recordAppeared = event { resolver.recordAppeared(type, of: id, at: now) }
        case .addresses(let host, let family):
            if case .recordDisappeared = event, hasClockJumpedAhead() || table.isHostLost(host) {
                return
            }
            addresses.handle(event, of: host, family, table, isCatchingUp: isCatchingUp, &step)
        case .deviceInfo: deviceInfo.handle(event, of: key, table, &step)
        case .announcement:
            if let status = backends.current {
                announcer.handle(event, status, &step)
            }
        case .formerAnnouncement: break
        }
    }

    private mutating func handleTypes(_ event: LookupEvent) {
        switch event {
        case .typeAppeared(let type, let domain) where ServiceKey.isPlausible(type: type):
            heardTypes.listed(Identity.canonical(type))
            if !types.typeAppeared(type, domain: domain, &step) {
                limits.scheduleRoomCheck(at: now)
            }
        case .settled: step.report(.settled)
        case .failed(let error): browseFailed(.types, error)
        default: break
        }
    }

    private mutating func handleServices(
        _ event: LookupEvent, of type: String, _ browse: LookupKey
    ) {
        switch event {
        case .serviceAppeared(let instance, let path):
            let sighting = sighting(instance, path, type)
            // A record of one type may point to a service of another.
            guard sighting.service.isPlausible,
                Identity.canonical(instance.type) == Identity.canonical(wholeType(of: type))
            else { return }
            unfound.remove(sighting.service.id)
            serviceAppeared(instance, sighting)
        case .serviceDisappeared(let instance, let path):
            if !hasClockJumpedAhead() { backendDropped(sighting(instance, path, type)) }
        case .settled: step.report(.settled)
        case .failed(let error): browseFailed(browse, error)
        default: break
        }
    }

    private func sighting(
        _ instance: ServiceInstance, _ path: NetworkPath, _ type: String
    ) -> Sighting {
        Sighting(
            service: table.key(of: instance, on: path.interface), interface: path.interface,
            family: path.family, subtype: subtype(of: type))
    }

    private mutating func serviceAppeared(_ instance: ServiceInstance, _ sighting: Sighting) {
        let id = sighting.service.id
        let wasLost = table.isLost(id)
        var isNew = false
        switch table.add(sighting, instance, &step) {
        case .refused:
            if table.isOverLimit { limits.scheduleRoomCheck(at: now) }
            return
        case .service:
            limits.scheduleCheck(at: now)
            resolver.add(id, at: now)
            isNew = true
        case .sighting:
            limits.scheduleCheck(at: now)
            if wasLost, !table.isLost(id) { resolver.resolveAgain(id, &step) }
            if table.networks.areSeveral, let host = table[id]?.host {
                addresses.reportOrSchedule(host.key, table, isCatchingUp: isCatchingUp, &step)
            }
        case .nothing: break
        }
        links.found(sighting)
        contested.found(sighting)
        if !unfound.isListed(id) { types.serviceAppeared(at: now) }
        if table[id]?.isHidden == true { return }
        step.report(.found(sighting))
        if isNew, options.usesWitness { heardServices.append(id) }
    }

    /// Handles a sighting that the backend has no more, which is doubted if no sender of its announcement withdrew that.
    private mutating func backendDropped(_ sighting: Sighting) {
        if heard.contradictsRemoval(of: sighting), contested.hasRoom, !isCatchingUp,
            !table.lostPaths.contains(sighting.place.path),
            let service = table[sighting.service.id],
            silence.suspect(service, table, at: now)
        {
            return contested.add(sighting, at: now)
        }
        let isWithdrawn = heard.isWithdrawn(sighting)
        serviceDisappeared(sighting)
        // A machine that says goodbye on one path may be gone on the others too.
        if isWithdrawn, let service = table[sighting.service.id], !table.isLost(service.key.id) {
            table.setWithdrawn(service.key.id, to: true)
            _ = silence.suspect(service, table, at: now)
        }
    }

    /// Handles the results of a probe for services that the backend has dropped.
    private mutating func probedContested(_ answered: [UUID]) {
        for id in answered where contested.contains(id) {
            if let type = table[id]?.instance.type { types.browseAgain(type, &step) }
        }
        for sighting in contested.removeAll(where: silence.isUnresponsive) {
            serviceDisappeared(sighting)
        }
    }

    /// Removes a service that did not answer after its owner had withdrawn it on a path: the packets that withdraw it on
    /// the others were lost.
    private mutating func dropWithdrawn(_ id: UUID) {
        guard let service = table[id], service.isWithdrawn else { return }
        let live = service.sightings { [table] in !table.lostPaths.contains($0) }
        for sighting in live { serviceDisappeared(sighting, .removed) }
    }

    private mutating func serviceDisappeared(_ sighting: Sighting, _ reason: Departure? = nil) {
        let id = sighting.service.id
        let isKnown = table[id] != nil
        let isHidden = table[id]?.isHidden == true
        let reason =
            reason ?? heard.departure(of: sighting, isSilent: silence.isUnresponsive(id))
        removeFromTable(sighting)
        if isHidden { return }
        if table[id] == nil || table.isLost(id), links.withhold(sighting) { return }
        if isKnown, table[id] == nil {
            withdrawals.append((now + DiscoveryRules.withdrawalTime, sighting.service))
            withdrawalDues[id] = now + DiscoveryRules.withdrawalTime
        }
        step.report(.removed(sighting, reason))
        // It is there alone now, wherever it is.
        if isKnown, table[id] == nil {
            for other in table.hiddenServices(named: id) { join(other) }
        }
    }

    private mutating func removeFromTable(_ sighting: Sighting) {
        let id = sighting.service.id
        if table.remove(sighting), let service = table[id] {
            limits.scheduleCheck(at: now)
            if service.sightings.isEmpty {
                resolver.remove(id, &step)
                silence.clear(id)
                removeFromHost(id, service.host)
                unfound.remove(id)
                table.remove(id)
            } else {
                resolver.pathRemoved(sighting.place.path, of: service, &step)
            }
        }
    }

    private mutating func removeFromHost(_ id: UUID, _ host: HostName?) {
        guard let removed = table.remove(id, fromHost: host) else { return }
        addresses.remove(removed, &step)
        deviceInfo.remove(removed, &step)
        hardware.remove(removed)
        silence.removeHost(removed)
    }

    private mutating func browseFailed(_ browse: LookupKey, _ error: StackError) {
        let what = types.browseFailed(browse, &step)
        if error.kind == .tooManyObjects { return lookupRefused() }
        limits.report(error, "\(what) cannot be browsed: \(error)", &step)
    }

    private mutating func lookupRefused() {
        let hasMadeRoom = deviceInfo.end(&step)
        resolver.lowerLimits(hasRoom: hasMadeRoom, &step)
        limits.lookupRefused(at: now)
    }

    private mutating func handleResolver(_ event: LookupEvent, _ id: UUID) {
        guard let service = table[id], resolver.isOpen(id) else { return }
        switch event {
        case .resolved(let resolution, let isCached): resolved(service, resolution, isCached)
        case .timedOut: if !hasClockJumpedAhead() { timedOut(service) }
        case .failed(let error):
            resolver.failed(id, &step)
            if error.kind == .tooManyObjects { return lookupRefused() }
            limits.report(
                error, "\(service.key.fullName) cannot be resolved: \(error)", &step)
        default: break
        }
    }

    private mutating func resolved(
        _ service: ServiceTable.Service, _ resolution: Resolution, _ isCached: Bool
    ) {
        let id = service.key.id
        var resolution = resolution
        resolution.network =
            table.hostName(resolution.host, of: id, at: resolution.address).network
        if service.isHidden { return judge(service, resolution) }
        let host = resolution.hostName.key
        // Cached records of an unresponsive service do not prove that it is there.
        let isBelieved = (!isCached || !silence.isUnresponsive(id)) && !table.isLost(id)
        // Addresses of a host that is not reported would be reported too early.
        guard isBelieved || service.host != nil else { return resolver.wait(id, &step) }
        if isBelieved { silence.clear(id) }
        table.setHost(resolution, of: id)
        limits.scheduleCheck(at: now)
        if let former = service.host, former != resolution.hostName {
            // An open lookup would continue to report the address of the former host.
            removeFromHost(id, former)
            return resolver.resolveAgain(id, &step)
        }
        resolver.answered(id, watches: !limits.isRefused, &step)
        if resolution.host == backends.hostName { step.add(.reportOwnAddresses) }
        if isBelieved {
            step.report(.resolved(service.key, table.limited(resolution, of: id, &step)))
        }
        addToHost(service)
        if !isCached { silence.heard(host, at: now) }
        if isBelieved {
            addresses.hostAnswered(resolution, table, isCatchingUp: isCatchingUp, &step)
        }
    }

    /// Judges a service that is hidden because its name was found on another network before: it is that one, or another
    /// one, which is listed soon. Until that one is resolved, it waits.
    private mutating func judge(_ service: ServiceTable.Service, _ resolution: Resolution) {
        let id = service.key.id
        guard let first = table[service.key.nameID]?.host else {
            return resolver.wait(id, &step)
        }
        if first.key == resolution.hostName.key { return join(id) }
        namesakes.add(id, resolution, at: now)
        resolver.wait(id, &step)
    }

    /// Lists the services that are others than the services of the same name on other networks.
    private mutating func listNamesakes() {
        for (id, resolution) in namesakes.popDue(at: now, in: table) {
            show(id)
            if let service = table[id] { resolved(service, resolution, false) }
        }
    }

    private mutating func show(_ id: UUID) {
        table.show(id)
        for sighting in table[id]?.sightings(on: { _ in true }) ?? [] {
            step.report(.found(sighting))
        }
    }

    /// Turns a hidden service into sightings of the service of its name on other networks.
    private mutating func join(_ id: UUID) {
        guard let service = table[id] else { return }
        for sighting in service.sightings(on: { _ in true }) {
            removeFromTable(sighting)
            serviceAppeared(
                service.instance,
                Sighting(
                    service: service.instance.key, interface: sighting.interface,
                    family: sighting.family, subtype: sighting.subtype))
        }
    }

    private mutating func addToHost(_ service: ServiceTable.Service) {
        guard let (added, isNew) = table.addToHost(service.key.id) else { return }
        for other in table.hiddenServices(named: service.key.id) {
            resolver.resolveAgain(other, &step)
        }
        if isNew { addresses.add(added, at: now) }
        deviceInfo.add(added, offering: service.instance, at: now)
        silence.addHost(added, at: now)
    }

    private mutating func timedOut(_ service: ServiceTable.Service) {
        let id = service.key.id
        if table.isLost(id) { return resolver.wait(id, &step) }
        switch resolver.timedOut(service) {
        case nil: break
        case .hasOtherPath where silence.suspect(service, table, at: now):
            resolver.wait(id, &step)
        case .hasOtherPath: resolver.resolveOnOtherPath(id, &step)
        case .isUnanswered:
            // The backend looks for a host whose name is an address, and which no record has.
            if let resolution = heard.resolution(of: service.key.nameID, on: service.paths),
                HostAddress(parsing: resolution.host) != nil
            {
                return resolved(service, resolution, false)
            }
            resolver.unanswered(id, &step)
            silence.clear(id)
            if !service.isHidden { step.report(.unanswered(service.key)) }
            for other in table.hiddenServices(named: id) {
                show(other)
                resolver.resolveAgain(other, &step)
            }
        }
    }

    private mutating func probed(_ id: ProbeID, _ result: Result<Set<UUID>, ProbeError>) {
        let outcome = silence.probed(
            id, result, isRunning: isRunning && !hasClockJumpedAhead(), table, &step)
        for id in outcome.missed { dropWithdrawn(id) }
        for id in outcome.answered { resolver.resolveAgain(id, &step) }
        for id in outcome.onOtherPath {
            table.setWithdrawn(id, to: false)
            resolver.resolveOnOtherPath(id, &step)
        }
        probedContested(outcome.onOtherPath)
        for (host, isThere) in outcome.probedHosts
        where addresses.isWaiting(host) && !table.isHostLost(host) {
            addresses.probed(host, isThere: isThere, table, &step)
            for id in isThere ? [] : table.hosts[host]?.services ?? [] {
                silence.missed(id, table, &step)
            }
        }
    }

    private mutating func neighboursRead(_ neighbours: NeighbourTable) {
        for (id, host) in table.hosts.sorted(by: { $0.key < $1.key }) {
            hardware.update(
                id, host.name, addresses.reportedAddresses(of: id),
                isSilent: host.services.allSatisfy(silence.isUnresponsive),
                on: table.interfaces(ofHost: id), neighbours, &step)
        }
    }

    private mutating func hasClockJumpedAhead() -> Bool {
        clock.hasJumpedAhead(backend, at: step.reading)
    }

    /// Handles records and senders that were heard on the link.
    private mutating func recordsHeard(_ records: [HeardRecord], _ senders: [HeardSender]) {
        if options.reportsSenders, !senders.isEmpty { step.report(.heard(senders)) }
        if isRunning { for sender in senders { noteLife(of: sender) } }
        var services: [UUID] = []
        for record in records {
            // The records of a sender whose address is not on the link are left to the backend.
            guard record.ttl == nil || links.isOnLink(record.sender, of: record.interface) else {
                continue
            }
            switch heard.apply(record, at: now) {
            case .addressed(let host, nil): services += heard.popWaiting(for: host)
            case .ended(let key, let path, let end) where end.departure == .removed:
                // The backend, which has dropped it before, cannot report that.
                for sighting in contested.removeAll(of: key.id, on: path) {
                    serviceDisappeared(sighting)
                }
                services.append(key.id)
            case let change: services += [change?.service].compactMap(\.self)
            }
            typeHeard(record)
        }
        for id in services where isRunning { serviceHeard(id) }
    }

    /// Handles a service after one of its records was heard or withdrawn.
    private mutating func serviceHeard(_ id: UUID) {
        guard table[id] != nil else {
            if let sighting = sightingAsHeard(id)?.sighting,
                heard.resolution(of: id, on: [sighting.place.path]) != nil
            {
                unfound.add(id, at: now)
            }
            return
        }
        heardServices.append(id)
        if unfound.isListed(id), heard.announcement(of: id) == nil { dropUnfound(id) }
    }

    /// Returns the sighting of a service whose announcement was heard, if the backend browses for the service's type
    /// and has room for its records.
    private func sightingAsHeard(
        _ id: UUID
    ) -> (instance: ServiceInstance, sighting: Sighting)? {
        guard let (key, path) = heard.announcement(of: id),
            case let instance = ServiceInstance(key),
            types.isBrowsed(instance.type, through: path.family),
            types.domain.isSame(as: instance.domain), !table.lostPaths.contains(path),
            (table.services.count + 1) * ServiceTable.recordsPerService
                < backends.current?.cacheLimit ?? 0
        else { return nil }
        return (instance, sighting(instance, path, instance.type))
    }

    /// Lists services by heard records if the backend is behind, and drops listed services that the backend has not
    /// found in time.
    private mutating func listAsHeard() {
        for id in unfound.popUnfound(at: now) { dropUnfound(id) }
        // They answer, and another machine had the backend forget them.
        for sighting in contested.popDue(at: now) { serviceDisappeared(sighting, .revoked) }
        for id in unfound.popBacklog(at: now) {
            if table[id] == nil, let (instance, sighting) = sightingAsHeard(id) {
                serviceAppeared(instance, sighting)
                resolveAsHeard(id)
            }
            if table[id] == nil { unfound.remove(id) }
        }
    }

    private mutating func dropUnfound(_ id: UUID) {
        guard let service = table[id] else { return }
        for path in service.paths {
            serviceDisappeared(sighting(service.instance, path, service.instance.type))
        }
    }

    /// Notes a packet that a host itself sent as a sign of life, so that the host is not probed.
    private mutating func noteLife(of sender: HeardSender) {
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

    /// Handles the type of a service of which a record was heard.
    private mutating func typeHeard(_ record: HeardRecord) {
        guard let ttl = record.ttl, let (type, domain, isListed) = record.offeredType,
            types.wants(type, domain: domain)
        else { return }
        if isListed {
            heardTypes.listed(type)
            if isRunning { typeAnswered(type) }
        } else {
            heardTypes.hear(
                type, until: now + .seconds(Int(ttl)), from: record.sender,
                isLimited: types.isUnknown(type), isBrowsed: types.isBrowsed(type), at: now)
        }
    }

    private mutating func browseHeardTypes() {
        for type in heardTypes.popReady(at: now, &step) where !typeAnswered(type) {
            heardTypes.closed([type])
        }
        let unoffered = heardTypes.popUnoffered(at: now) { [table] in table.offeredTypes }
        types.close(unoffered, &step)
    }

    /// Browses for a type, in canonical form, and returns whether there is room for it.
    @discardableResult
    private mutating func typeAnswered(_ type: String) -> Bool {
        if types.typeAnswered(type, &step) { return true }
        limits.scheduleRoomCheck(at: now)
        return false
    }

    /// Resolves services by heard records if services have to wait for the backend, because the wait grows with their
    /// number. Otherwise the backend resolves them just as soon.
    private mutating func resolveAsHeard() {
        guard resolver.schedule.isBusy else {
            return heardServices.removeAll { table[$0].map { $0.host != nil } ?? true }
        }
        for id in heardServices { resolveAsHeard(id) }
        heardServices = []
    }

    /// Reports a service as resolved by heard records, unless the backend has resolved it. The backend confirms the
    /// resolution later.
    private mutating func resolveAsHeard(_ id: UUID) {
        guard let service = table[id], service.host == nil, !table.isLost(id),
            !silence.isUnresponsive(id),
            !service.isHidden,
            var resolution = heard.resolution(of: service.key.nameID, on: service.paths)
        else { return }
        resolution.network =
            table.hostName(resolution.host, of: id, at: resolution.address).network
        table.setHost(resolution, of: id)
        limits.scheduleCheck(at: now)
        resolver.heard(id, at: now)
        if resolution.host == backends.hostName { step.add(.reportOwnAddresses) }
        step.report(.resolved(service.key, table.limited(resolution, of: id, &step)))
        addToHost(service)
    }

    /// Browses again for the services and types that found no room.
    private mutating func lookForRoom() {
        if table.isOverLimit {
            let room = DiscoveryRules.serviceLimit - table.services.count
            guard room >= DiscoveryRules.serviceLimit / 8 else {
                return limits.scheduleRoomCheck(at: now)
            }
            restartBrowsing()
            step.report(
                .notice(.serviceRoom, "there is room for services again, so all are browsed again"))
        } else if types.isOverLimit {
            heardTypes.closed(types.closeUnoffered(table.offeredTypes, &step))
        }
    }
}
