// Which services are kept, and on which paths they are announced.
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
            /// What was found first has the least.
            let number: Int
            /// Where it is announced, and through which subtype's browse that is seen; a browse may
            /// tell the same twice.
            var sightings: Set<Sighting>
            var lookup: (any Lookup)?
            var lookupPath: LinkPath?
            /// The paths on which it did not answer since it last did.
            var failedPaths: Set<LinkPath> = []
            var host: String?
            /// The memory that its TXT record takes, in bytes.
            var attributeSize = 0

            /// The paths on which it is announced.
            var paths: Set<LinkPath> {
                Set(sightings.map(\.path))
            }
        }

        var schedule = LookupSchedule<UUID>()
        /// The record browsers beside resolvers that stay open.
        var watches = RecordWatches()
        var services: [UUID: Service] = [:]
        /// The number of the service found last.
        var lastNumber = 0
        var hasToldServiceLimit = false
        /// The failures that were told; what a stranger does is told once.
        var toldErrors: Set<AvahiError> = []
        /// How many services were found in each domain.
        var domains: [String: Int] = [:]
        /// Whether services were left out because there are so many.
        var isOverLimit = false
        /// The memory that the TXT records of all services take, in bytes.
        var attributeSize = 0
        var hasToldAttributeLimit = false
    }

    /// Takes note of a service on a path.
    ///
    /// - Parameters:
    ///   - sighting: The service and the path, as they are reported.
    ///   - instance: The service, as libavahi names it.
    /// - Returns: Whether it is kept: beyond the limit it is not, and a notice says so.
    func track(_ sighting: Sighting, _ instance: ServiceInstance) -> Bool {
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
        resolving.lastNumber += 1
        resolving.services[id] = Resolving.Service(
            key: sighting.service, instance: instance, number: resolving.lastNumber,
            sightings: [sighting])
        resolving.schedule.ask(id, at: now)
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
            resolving.watches.remove(id)
            resolving.schedule.remove(id)
            noteAttributes(0, of: id)
            resolving.services[id] = nil
            leaveDomain(of: service.key)
            verifying.doubts.remove(id)
            unwatchAddresses(of: service.host, service: id)
        } else if service.lookupPath == path, !service.paths.contains(path) {
            closeLookup(id)
            resolving.schedule.ask(id, at: now)
        }
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
