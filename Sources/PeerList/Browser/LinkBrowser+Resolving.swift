// Where each service is: lookups through a window, kept open while there are few.
import FoundationEssentials

extension LinkBrowser {
    /// How many services are kept at the most; strangers can announce any number.
    static let serviceLimit = 20_000

    /// In how many domains services are kept; a stranger can name any, and each is a section of the list.
    static let domainLimit = 16
    /// How often one service is noted to be announced: on each path, and there under each subtype.
    static let sightingLimit = 256

    struct Resolving {
        /// A service that is announced on one path or more, and how far its lookup is.
        struct Service {
            let key: ServiceKey
            let instance: ServiceInstance
            /// Where it is announced, and through which subtype's browse that is seen; a browse may
            /// tell the same twice.
            var sightings: Set<Sighting>
            var lookup: (any Lookup)?
            var lookupPath: LinkPath?
            /// The paths on which it did not answer since it last did.
            var failedPaths: Set<LinkPath> = []
            var host: String?

            /// The paths on which it is announced.
            var paths: Set<LinkPath> {
                Set(sightings.map(\.path))
            }
        }

        var schedule = ResolveSchedule()
        var services: [UUID: Service] = [:]
        var hasToldServiceLimit = false
        /// The failures that were told; what a stranger does is told once.
        var toldErrors: Set<AvahiError> = []
        /// How many services were found in each domain.
        var domains: [String: Int] = [:]
        /// Whether services were left out because there are so many.
        var isOverLimit = false
    }

    /// Takes note of a service on a path.
    ///
    /// - Parameters:
    ///   - sighting: The service and the path, as they are reported.
    ///   - instance: The service, as libavahi names it.
    ///   - isKnown: Whether the daemon knew it already, so that a lookup is answered at once.
    /// - Returns: Whether it is kept: beyond the limit it is not, and a notice says so.
    func track(
        _ sighting: Sighting, _ instance: ServiceInstance, isKnown: Bool
    ) -> Bool {
        let id = sighting.service.id
        planLimitCheck()
        if let known = resolving.services[id]?.sightings {
            if known.contains(sighting) { return true }
            guard known.count < Self.sightingLimit else { return false }
            resolving.services[id]?.sightings.insert(sighting)
            limits.gauge.found(id, type: sighting.service.type, on: sighting.path)
            return true
        }
        guard hasRoom(for: sighting.service) else {
            tellServiceLimit()
            return false
        }
        resolving.domains[Identity.canonical(sighting.service.domain), default: 0] += 1
        limits.gauge.found(id, type: sighting.service.type, on: sighting.path)
        resolving.services[id] = Resolving.Service(
            key: sighting.service, instance: instance, sightings: [sighting])
        resolving.schedule.add(id, isKnown: isKnown, at: now)
        return true
    }

    /// Forgets a service on a path, and all of it with its last path.
    func untrack(_ sighting: Sighting, _ path: LinkPath) {
        let id = sighting.service.id
        guard var service = resolving.services[id], service.sightings.remove(sighting) != nil
        else { return }
        limits.gauge.removed(id, on: path)
        planLimitCheck()
        service.failedPaths.remove(path)
        resolving.services[id] = service
        if service.sightings.isEmpty {
            closeLookup(id)
            resolving.schedule.remove(id)
            resolving.services[id] = nil
            leaveDomain(of: service.key)
            verifying.doubts.remove(id)
            unwatchAddresses(of: service.host, service: id)
        } else if service.lookupPath == path, !service.paths.contains(path) {
            closeLookup(id)
            resolving.schedule.ask(id, at: now)
        }
    }

    /// Opens what lookups there is room for, tells of slow ones, and closes what need not stay open.
    func continueResolving() {
        for id in resolving.schedule.takeSlow(at: now) {
            guard let service = resolving.services[id], service.host == nil else { continue }
            report(.pending(service.key))
        }
        for id in resolving.schedule.releaseKept(at: now) { closeLookup(id) }
        trimAddresses()
        while let id = resolving.schedule.next(at: now) { openLookup(id) }
    }

    func resolvingDeadline() -> Duration? { resolving.schedule.deadline(at: now) }

    func closeResolvers() {
        for service in resolving.services.values { service.lookup?.close() }
        resolving = Resolving()
        limits.gauge = CacheGauge()
        limits.isRefused = false
        planLimitCheck()
    }

    /// Whether a new service is kept; the domain that is browsed always has room.
    private func hasRoom(for service: ServiceKey) -> Bool {
        guard resolving.services.count < Self.serviceLimit else {
            resolving.isOverLimit = true
            planRoomCheck()
            return false
        }
        let domain = Identity.canonical(service.domain)
        if domain == browsing.domain || resolving.domains[domain] != nil { return true }
        let others = resolving.domains.keys.count { $0 != browsing.domain }
        return others < Self.domainLimit - 1
    }

    private func leaveDomain(of service: ServiceKey) {
        let domain = Identity.canonical(service.domain)
        guard let count = resolving.domains[domain] else { return }
        resolving.domains[domain] = count > 1 ? count - 1 : nil
    }

    /// Looks a service up once more, as soon as there is room.
    func lookUpAfresh(_ id: UUID) {
        closeLookup(id)
        resolving.services[id]?.failedPaths = []
        resolving.schedule.ask(id, at: now)
    }

    private func closeLookup(_ id: UUID) {
        resolving.services[id]?.lookup?.close()
        resolving.services[id]?.lookup = nil
        resolving.services[id]?.lookupPath = nil
    }

    private func openLookup(_ id: UUID) {
        closeLookup(id)
        guard let service = resolving.services[id], let path = choosePath(service) else { return }
        do throws(AvahiError) {
            let asked = now
            let lookup = try stack?.resolve(service.instance, path: LookupPath(path)) { event in
                self.assumeIsolated { $0.resolved(event, id) }
            }
            // It answers at once unless it works through something.
            if now - asked > resolving.schedule.limits.calm {
                resolving.schedule.daemonIsFree(at: now)
            }
            resolving.services[id]?.lookup = lookup
            resolving.services[id]?.lookupPath = path
        } catch {
            _ = resolving.schedule.failed(id, isOpen: false, at: now)
            tellLookupFailed(service.key, error)
        }
    }

    /// A path that has not failed yet, the loopback last: it knows this machine by 127.0.0.1 only.
    private func choosePath(_ service: Resolving.Service) -> LinkPath? {
        let untried = service.paths.filter { !service.failedPaths.contains($0) }
        return (untried.isEmpty ? service.paths : untried).min { left, right in
            preference(left) < preference(right)
        }
    }

    private func preference(_ path: LinkPath) -> (Int, Int, Int32) {
        let isLoopback = interface(path.interface).isLoopback
        return (isLoopback ? 1 : 0, path.family == .ipv6 ? 1 : 0, path.interface)
    }

    private func resolved(_ event: ResolveEvent, _ id: UUID) {
        guard let service = resolving.services[id], service.lookup != nil else { return }
        switch event {
        case .found(let resolution, let isCached): answered(service, resolution, isCached)
        case .timedOut: timedOut(service)
        case .failed(let error):
            closeLookup(id)
            _ = resolving.schedule.failed(id, isOpen: false, at: now)
            tellLookupFailed(service.key, error)
        }
        proceed()
    }

    private func answered(
        _ service: Resolving.Service, _ resolution: Resolution, _ isCached: Bool
    ) {
        let id = service.key.id
        // One that gave no answer itself is not there because a cache still speaks of it.
        let isHearsay = isCached && verifying.doubts.contains(id)
        if !isHearsay { verifying.doubts.remove(id) }
        resolving.services[id]?.failedPaths = []
        resolving.services[id]?.host = resolution.host
        limits.gauge.resolved(id, host: Identity.canonical(resolution.host))
        planLimitCheck()
        if let host = service.host, host != resolution.host {
            // A lookup that lives through a change of host goes on telling the old one's address.
            unwatchAddresses(of: host, service: id)
            closeLookup(id)
            resolving.schedule.ask(id, at: now)
            return
        }
        if !resolving.schedule.answered(id, at: now) { closeLookup(id) }
        if !isHearsay { report(.resolved(service.key, resolution)) }
        watchAddresses(of: resolution.host, service: id)
    }

    private func timedOut(_ service: Resolving.Service) {
        let id = service.key.id
        guard let path = service.lookupPath else { return }
        resolving.services[id]?.failedPaths.insert(path)
        if service.paths.contains(where: { $0 != path && !service.failedPaths.contains($0) }) {
            closeLookup(id)
            resolving.schedule.ask(id, at: now)
            return
        }
        if !resolving.schedule.failed(id, isOpen: true, at: now) {
            closeLookup(id)
            resolving.services[id]?.failedPaths = []
        }
        verifying.doubts.remove(id)
        report(.unanswered(service.key))
    }

    private func tellLookupFailed(_ key: ServiceKey, _ error: AvahiError) {
        guard !error.isTooManyObjects else { return lowerLimits() }
        guard resolving.toldErrors.insert(error).inserted else { return }
        report(.notice(.lookupFailed, "\(key.fullName) cannot be resolved: \(error)"))
    }

    private func tellServiceLimit() {
        guard !resolving.hasToldServiceLimit else { return }
        resolving.hasToldServiceLimit = true
        report(
            .notice(
                .serviceLimit,
                """
                more than \(Self.serviceLimit) services are announced, or in more than \
                \(Self.domainLimit) domains, the rest are not shown; \
                name the types you want with --type
                """))
    }
}

extension Sighting {
    /// The path that it was seen on.
    fileprivate var path: LinkPath { LinkPath(interface: interface.index, family: family) }
}
