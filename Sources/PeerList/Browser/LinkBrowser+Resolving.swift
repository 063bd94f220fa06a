// Where each service is: lookups through a window, kept open while there are few.
import FoundationEssentials

extension LinkBrowser {
    /// Opens what lookups there is room for, tells of slow ones, and closes what need not stay open.
    func continueResolving() {
        for id in resolving.schedule.takeSlow(calmFrom: calm, at: now) {
            guard let service = resolving.services[id], service.host == nil else { continue }
            report(.pending(service.key))
        }
        for id in resolving.schedule.releaseKept(at: now) {
            closeLookup(id)
            resolving.watches.remove(id)
        }
        while let turn = resolving.schedule.next(at: now) {
            if let id = turn.predecessor { closeLookup(id) }
            openLookup(turn.id)
        }
        continueWatching()
    }

    func resolvingDeadline() -> Duration? {
        let dues = [resolving.schedule.deadline(calmFrom: calm), resolving.watches.deadline]
        return dues.compactMap { $0 }.min()
    }

    /// When the daemon is taken to be through with what it works at, if nothing is found until then.
    private var calm: Duration { browsing.lastNews + Self.familyWait.quiet }

    func closeResolvers() {
        for service in resolving.services.values { service.lookup?.close() }
        resolving.watches.removeAll()
        resolving = Resolving()
        limits.gauge = CacheGauge()
        limits.isRefused = false
        planLimitCheck()
    }

    /// Looks a service up once more, as soon as there is room.
    func lookUpAfresh(_ id: UUID) {
        closeLookup(id)
        resolving.services[id]?.failedPaths = []
        resolving.schedule.ask(id, at: now)
    }

    /// Ends the lookup of a service, if one is open.
    func closeLookup(_ id: UUID) {
        resolving.services[id]?.lookup?.close()
        resolving.services[id]?.lookup = nil
        resolving.services[id]?.lookupPath = nil
    }

    private func openLookup(_ id: UUID) {
        closeLookup(id)
        guard let service = resolving.services[id], let path = choosePath(service) else { return }
        do throws(AvahiError) {
            let lookup = try stack?.resolve(service.instance, path: LookupPath(path)) { event in
                self.assumeIsolated { $0.resolved(event, id) }
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
        case .timedOut:
            if mayHaveExpiredByClock() { return }
            timedOut(service)
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
        if !resolving.schedule.answered(id, at: now) {
            closeLookup(id)
        } else if let path = service.lookupPath, !limits.isRefused {
            resolving.watches.add(id, on: path)
        }
        if resolution.host == backends.toldHost { reportOwnAddresses() }
        if !isHearsay { report(.resolved(service.key, kept(resolution, of: id))) }
        watchAddresses(of: resolution.host, service: id)
        if !isCached { noteSignOfLife(of: id) }
        if !isHearsay { hostAnswered(resolution) }
    }

    private func timedOut(_ service: Resolving.Service) {
        let id = service.key.id
        guard let path = service.lookupPath else { return }
        resolving.services[id]?.failedPaths.insert(path)
        if service.paths.contains(where: { $0 != path && !service.failedPaths.contains($0) }) {
            if suspect(service) {
                // The link is asked, and asked again; the lookup need not be made anew for that.
                if !resolving.schedule.answered(id, at: now) { closeLookup(id) }
                return
            }
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
}
