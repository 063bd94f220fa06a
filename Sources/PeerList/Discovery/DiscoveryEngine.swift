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
    private let options: BrowseOptions
    private var backends: BackendSelector
    private var types: TypeBrowsing
    private var lookups: ServiceLookups
    private var hardware = HardwareWatcher()
    private var clock = ClockMonitor()
    private var announcer: Announcer
    private var links = LinkWatch()
    /// The paths on which other sources have found services.
    private var othersPaths: Set<NetworkPath> = []
    private var witness = WitnessControl()
    private var heard = HeardServices()
    private var contested = ContestedRemovals()
    private var caughtUpDue: Duration?
    /// The removed services whose records still describe their devices, with the times at which that ends.
    private var withdrawals = DueQueue<ServiceKey>()
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
        lookups = ServiceLookups(path: options.path)
        announcer = Announcer(options, random: random)
    }

    var isRunning: Bool { backends.isRunning }

    var backend: Backend { backends.backend }

    private var table: ServiceTable { lookups.table }

    private var now: Duration { step.now }

    /// The number of records that the stack in use caches for an interface and family.
    private var cacheLimit: Int { backends.current?.cacheLimit ?? 0 }

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
            noteRoom(types.typeListed(type, isRunning: isRunning, &step))
        case .witness(.heard(let records, let senders)): recordsHeard(records, senders)
        case .witness(let report):
            witness.handle(report, &step)
            if case .failed = report { heard.witnessFailed() }
            if case .listening = report, options.reportsSenders { step.report(.heard([])) }
        case .neighbours(let neighbours): if isRunning { neighboursRead(neighbours) }
        case .foundByOthers(let path): othersPaths.insert(path)
        case .verify(let ids, let number):
            lookups.silence.verify(ids, number, unavailable: backends.absence, table, &step)
        case .tick:
            // Not while an event is handled, because the event's lookup would be closed from within its own callback.
            if isRunning, clock.isRestartDue || links.isRestartDue { restartBrowsing() }
            if isRunning, lookups.limits.popRoomCheck(at: now) { lookForRoom() }
        }
        advance()
        return step.effects
    }

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
        for service in withdrawals.pop(upTo: now) { step.report(.forgotten(service)) }
        var deadlines = [
            backends.deadline, announcer.deadline, caughtUpDue, withdrawals.deadline,
            witness.deadline,
        ]
        if isRunning {
            advanceLookups()
            deadlines += [
                types.deadline(isResolving: lookups.isBusy),
                lookups.deadline(busyUntil: busyUntil), heard.deadline, contested.deadline,
                hardware.deadline,
                clock.deadline(at: now), links.deadline, links.isRestartDue ? now : nil,
            ]
        }
        deadline = deadlines.compactMap { $0 }.min()
    }

    private mutating func advanceLookups() {
        noteRoom(
            types.advance(
                isResolving: lookups.isBusy, offered: { [table] in table.offeredTypes }, &step))
        listAsHeard()
        lookups.advanceServices(busyUntil: busyUntil, isCatchingUp: isCatchingUp, &step)
        for id in heard.popUnresolved(table, isBusy: lookups.isBusy) { resolveAsHeard(id) }
        lookups.advanceHosts(&step)
        if let due = lookups.silence.deadline(), due <= now, !hasClockJumpedAhead() {
            lookups.silence.advance(table, &step)
        }
        lookups.limits.check(
            table, failedBrowses: types.failedCount, isBusy: lookups.isBusy, backend,
            cacheLimit: cacheLimit, &step)
        clock.advance(backend, at: step.reading)
        for host in step.removedHosts { hardware.remove(host) }
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
        lookups.hostName = backends.hostName
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
        lookups.end(&step)
        types.end(&step)
        hardware = HardwareWatcher()
        heard.browsingEnded()
        contested = ContestedRemovals()
        clock.end()
        links.browsingEnded()
        lookups.table.lostPaths = links.lostPaths
    }

    private mutating func beginBrowsing() {
        guard !options.announcesOnly else { return }
        types = TypeBrowsing(options, hostName: backends.hostName, heard: types.heard)
        lookups.table.reset(domain: types.domain)
        lookups.table.ownHost = Identity.canonical(backends.hostName)
        step.add(.reportOwnAddresses)
        clock.begin(backend, at: step.reading)
        types.begin(&step)
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
        lookups.table.lostPaths = links.lostPaths
        networksChanged(to: links.networks)
        lookups.lookUpAgain(lost.filter { !table.isLost($0) }, &step)
    }

    /// Handles the networks of this machine: what was one host on an interface whose network was not known may be two.
    private mutating func networksChanged(to networks: OwnNetworks) {
        guard networks != table.networks else { return }
        lookups.table.networks = networks
        for (service, sightings) in table.dividedServices {
            for sighting in sightings {
                serviceDisappeared(sighting)
                let key = table.key(of: service.instance, on: sighting.interface)
                serviceAppeared(service.instance, Sighting(service: key, place: sighting.place))
            }
        }
        for host in table.hosts.keys {
            lookups.addresses.reportOrSchedule(host, table, isCatchingUp: isCatchingUp, &step)
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
            if case .recordAppeared = event {
                lookups.resolver.recordAppeared(type, of: id, at: now)
            }
        case .addresses(let host, let family):
            if case .recordDisappeared = event, hasClockJumpedAhead() || table.isHostLost(host) {
                return
            }
            lookups.addresses.handle(
                event, of: host, family, table, isCatchingUp: isCatchingUp, &step)
        case .deviceInfo: lookups.deviceInfo.handle(event, of: key, table, &step)
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
            noteRoom(types.typeAppeared(type, domain: domain, &step))
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
            let sighting = table.sighting(of: instance, on: path, browsedAs: type)
            // A record of one type may point to a service of another.
            guard sighting.service.isPlausible,
                Identity.canonical(instance.type) == Identity.canonical(wholeType(of: type))
            else { return }
            heard.remove(sighting.service.id)
            serviceAppeared(instance, sighting)
        case .serviceDisappeared(let instance, let path):
            if !hasClockJumpedAhead() {
                backendDropped(table.sighting(of: instance, on: path, browsedAs: type))
            }
        case .settled: step.report(.settled)
        case .failed(let error): browseFailed(browse, error)
        default: break
        }
    }

    private mutating func serviceAppeared(_ instance: ServiceInstance, _ sighting: Sighting) {
        let id = sighting.service.id
        let addition = lookups.add(sighting, instance, isCatchingUp: isCatchingUp, &step)
        if addition == .refused { return }
        links.found(sighting)
        contested.found(sighting)
        if !heard.isListed(id) { types.serviceAppeared(at: now) }
        if table[id]?.isHidden == true { return }
        step.report(.found(sighting))
        if addition == .service, options.usesWitness { heard.found(id) }
    }

    /// Handles a sighting that the backend has no more, which is doubted if no sender of its announcement withdrew that.
    private mutating func backendDropped(_ sighting: Sighting) {
        if heard.records.contradictsRemoval(of: sighting), contested.hasRoom, !isCatchingUp,
            !table.lostPaths.contains(sighting.place.path),
            let service = table[sighting.service.id],
            lookups.silence.suspect(service, table, at: now)
        {
            return contested.add(sighting, at: now)
        }
        let isWithdrawn = heard.records.isWithdrawn(sighting)
        serviceDisappeared(sighting)
        // A machine that says goodbye on one path may be gone on the others too.
        if isWithdrawn, let service = table[sighting.service.id], !table.isLost(service.key.id) {
            lookups.table.setWithdrawn(service.key.id, to: true)
            _ = lookups.silence.suspect(service, table, at: now)
        }
    }

    /// Handles the results of a probe for services that the backend has dropped.
    private mutating func probedContested(_ answered: [UUID]) {
        for id in answered where contested.contains(id) {
            if let type = table[id]?.instance.type { types.browseAgain(type, &step) }
        }
        for sighting in contested.removeAll(where: lookups.silence.isUnresponsive) {
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
            reason
            ?? heard.records.departure(
                of: sighting, isSilent: lookups.silence.isUnresponsive(id))
        removeFromTable(sighting)
        if isHidden { return }
        if table[id] == nil || table.isLost(id), links.withhold(sighting) { return }
        if isKnown, table[id] == nil {
            withdrawals.add(sighting.service, at: now + DiscoveryRules.withdrawalTime)
        }
        step.report(.removed(sighting, reason))
        // It is there alone now, wherever it is.
        if isKnown, table[id] == nil {
            for other in table.hiddenServices(named: id) { join(other) }
        }
    }

    private mutating func removeFromTable(_ sighting: Sighting) {
        if lookups.remove(sighting, &step) { heard.remove(sighting.service.id) }
    }

    private mutating func browseFailed(_ browse: LookupKey, _ error: StackError) {
        let what = types.browseFailed(browse, &step)
        lookups.failed(error, "\(what) cannot be browsed", &step)
    }

    private mutating func handleResolver(_ event: LookupEvent, _ id: UUID) {
        guard let service = table[id], lookups.resolver.isOpen(id) else { return }
        switch event {
        case .resolved(let resolution, let isCached): resolved(service, resolution, isCached)
        case .timedOut: if !hasClockJumpedAhead() { timedOut(service) }
        case .failed(let error):
            lookups.resolver.failed(id, &step)
            lookups.failed(error, "\(service.key.fullName) cannot be resolved", &step)
        default: break
        }
    }

    private mutating func resolved(
        _ service: ServiceTable.Service, _ resolution: Resolution, _ isCached: Bool
    ) {
        if table.isRepeated(service, resolution) { return join(service.key.id) }
        lookups.resolved(
            service, resolution, isCached: isCached, isCatchingUp: isCatchingUp, &step)
    }

    /// Turns a hidden service into sightings of the service of its name on other networks.
    private mutating func join(_ id: UUID) {
        guard let service = table[id] else { return }
        for sighting in service.sightings(on: { _ in true }) {
            removeFromTable(sighting)
            serviceAppeared(
                service.instance, Sighting(service: service.instance.key, place: sighting.place))
        }
    }

    private mutating func timedOut(_ service: ServiceTable.Service) {
        guard lookups.timedOut(service, &step) else { return }
        // The backend looks for a host whose name is an address, and which no record has.
        if let resolution = heard.records.resolution(of: service.key.nameID, on: service.paths),
            HostAddress(parsing: resolution.host) != nil
        {
            return resolved(service, resolution, false)
        }
        lookups.unanswered(service, &step)
    }

    private mutating func probed(_ id: ProbeID, _ result: Result<Set<UUID>, ProbeError>) {
        let outcome = lookups.silence.probed(
            id, result, isRunning: isRunning && !hasClockJumpedAhead(), table, &step)
        for id in outcome.missed { dropWithdrawn(id) }
        for id in outcome.answered { lookups.resolver.resolveAgain(id, &step) }
        for id in outcome.onOtherPath {
            lookups.table.setWithdrawn(id, to: false)
            lookups.resolver.resolveOnOtherPath(id, &step)
        }
        probedContested(outcome.onOtherPath)
        lookups.probed(outcome.probedHosts, &step)
    }

    private mutating func neighboursRead(_ neighbours: NeighbourTable) {
        for (id, host) in table.hosts.sorted(by: { $0.key < $1.key }) {
            hardware.update(
                id, host.name, lookups.addresses.reportedAddresses(of: id),
                on: table.interfaces(ofHost: id), neighbours, &step)
        }
    }

    private mutating func hasClockJumpedAhead() -> Bool {
        clock.hasJumpedAhead(backend, at: step.reading)
    }

    /// Handles records and senders that were heard on the link.
    private mutating func recordsHeard(_ records: [HeardRecord], _ senders: [HeardSender]) {
        if options.reportsSenders, !senders.isEmpty { step.report(.heard(senders)) }
        if isRunning { for sender in senders { lookups.noteLife(of: sender, at: now) } }
        var services: [UUID] = []
        for record in records {
            // The records of a sender whose address is not on the link are left to the backend.
            guard record.ttl == nil || links.isOnLink(record.sender, of: record.interface) else {
                continue
            }
            let change = heard.apply(record, at: now)
            if let (id, path) = change.withdrawn {
                // The backend, which has dropped it before, cannot report that.
                for sighting in contested.removeAll(of: id, on: path) {
                    serviceDisappeared(sighting)
                }
            }
            services += change.services
            noteRoom(types.hear(record, isRunning: isRunning, &step))
        }
        for id in services
        where isRunning && heard.update(id, table, types, cacheLimit: cacheLimit, at: now) {
            dropUnfound(id)
        }
    }

    /// Lists services by heard records if the backend is behind, and drops listed services that the backend has not
    /// found in time.
    private mutating func listAsHeard() {
        for id in heard.popUnfound(at: now) { dropUnfound(id) }
        // They answer, and another machine had the backend forget them.
        for sighting in contested.popDue(at: now) { serviceDisappeared(sighting, .revoked) }
        for id in heard.popBacklog(at: now) {
            if table[id] == nil,
                let (instance, sighting) = heard.sighting(
                    of: id, table, types, cacheLimit: cacheLimit)
            {
                serviceAppeared(instance, sighting)
                resolveAsHeard(id)
            }
            if table[id] == nil { heard.remove(id) }
        }
    }

    private mutating func dropUnfound(_ id: UUID) {
        guard let service = table[id] else { return }
        for path in service.paths {
            serviceDisappeared(
                table.sighting(
                    of: service.instance, on: path, browsedAs: service.instance.type))
        }
    }

    /// Schedules a check for room if there was no room for a type.
    private mutating func noteRoom(_ hasRoom: Bool) {
        if !hasRoom { lookups.limits.scheduleRoomCheck(at: now) }
    }

    /// Reports a service as resolved by heard records, unless the backend has resolved it.
    private mutating func resolveAsHeard(_ id: UUID) {
        guard let service = table[id], service.host == nil, !table.isLost(id),
            !service.isHidden, !lookups.silence.isUnresponsive(id),
            let resolution = heard.records.resolution(of: service.key.nameID, on: service.paths)
        else { return }
        lookups.resolvedAsHeard(service, resolution, &step)
    }

    /// Browses again for the services and types that found no room.
    private mutating func lookForRoom() {
        if table.isOverLimit {
            let room = DiscoveryRules.serviceLimit - table.services.count
            guard room >= DiscoveryRules.serviceLimit / 8 else {
                return lookups.limits.scheduleRoomCheck(at: now)
            }
            restartBrowsing()
            step.report(
                .notice(.serviceRoom, "there is room for services again, so all are browsed again"))
        } else if types.isOverLimit {
            types.closeUnoffered(table.offeredTypes, &step)
        }
    }
}
