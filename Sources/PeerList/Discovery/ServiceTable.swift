// Holds the announced services, the paths on which they were seen, and the hosts that offer them.
import FoundationEssentials
import HeardRecords
import StackProtocol

/// The announced services and their hosts, within the bounds on what others can announce.
struct ServiceTable {
    /// The maximum number of sightings of a service; a sighting is a path with a subtype.
    static let sightingLimit = 256
    /// The number of records that a stack caches of a service: PTR, SRV and TXT.
    static let recordsPerService = 3
    /// The maximum memory in bytes of all TXT records that are larger than ``DiscoveryRules/smallRecord``.
    static let txtRoom = 16 << 20

    struct Service {
        let key: ServiceKey
        let instance: ServiceInstance
        /// The paths, and the subtypes through whose browses the service was seen.
        fileprivate(set) var sightings: Set<Sighting.Place>
        /// The host that the service was resolved to last.
        fileprivate(set) var host: HostName?
        /// The address of the host to which the service was resolved last.
        fileprivate(set) var address: HostAddress?
        /// Whether the service is not reported, because it may be the one of its name on another network.
        fileprivate(set) var isHidden = false
        /// Whether its owner has withdrawn it on a path, and neither announced it nor answered since.
        fileprivate(set) var isWithdrawn = false
        /// The memory that the TXT record takes, in bytes.
        fileprivate var txtSize = 0

        var paths: Set<NetworkPath> { Set(sightings.map(\.path)) }
        var interfaces: some Sequence<NetworkInterface> { sightings.lazy.map(\.path.interface) }

        /// The sightings on some paths.
        func sightings(on isIncluded: (NetworkPath) -> Bool) -> [Sighting] {
            sightings.filter { isIncluded($0.path) }.map { Sighting(service: key, place: $0) }
        }

        func isSeen(on path: NetworkPath) -> Bool { sightings.contains { $0.path == path } }

        /// Whether a host, such as the service's, is this machine.
        fileprivate func isOwn(_ name: String, host: HostName? = nil) -> Bool {
            (host ?? self.host).map { Identity.canonical($0.name) == name } ?? false
        }
    }

    struct Host {
        /// The name as it was resolved first.
        let name: HostName
        fileprivate(set) var services: Set<UUID>
    }

    enum Addition {
        /// The service is new.
        case service
        /// The service is known, and the sighting is new.
        case sighting
        /// The sighting is known.
        case nothing
        /// There is no room, or the service is in another domain than the browsed one.
        case refused
    }

    private(set) var services: [UUID: Service] = [:]
    /// The hosts by their keys.
    private(set) var hosts: [String: Host] = [:]
    /// The paths on which no query and no answer can be sent at present.
    var lostPaths: Set<NetworkPath> = []
    /// The networks of this machine.
    var networks = OwnNetworks()
    /// The canonical name of this machine, whose services are the same on all networks.
    var ownHost = ""
    /// The hidden services by the UUIDs of their names.
    private var hidden: [UUID: Set<UUID>] = [:]
    /// Whether services were omitted because there are too many.
    private(set) var isOverLimit = false
    /// The types of the services, in canonical form.
    var offeredTypes: Set<String> {
        Set(services.values.map { Identity.canonical($0.instance.type) })
    }
    private let domain: BrowsedDomain
    private var txtSize = 0
    private var hasReportedServiceLimit = false
    private var hasReportedTXTLimit = false
    private var hasReportedOtherDomain = false

    init(domain: BrowsedDomain = BrowsedDomain()) { self.domain = domain }

    /// Empties the table for a new domain to browse. Lost paths stay lost, and the notice about services of other
    /// domains is not repeated.
    mutating func reset(domain: BrowsedDomain = BrowsedDomain()) {
        let (lostPaths, networks, own) = (lostPaths, networks, ownHost)
        let hasReportedOtherDomain = hasReportedOtherDomain
        self = ServiceTable(domain: domain)
        (self.lostPaths, self.networks, self.ownHost) = (lostPaths, networks, own)
        self.hasReportedOtherDomain = hasReportedOtherDomain
    }

    subscript(id: UUID) -> Service? { services[id] }

    /// Whether services were seen on a path.
    ///
    /// - Complexity: O(*n*) in the sightings.
    func uses(_ path: NetworkPath) -> Bool { services.values.contains { $0.isSeen(on: path) } }

    /// Whether a known service was seen only on lost paths.
    func isLost(_ id: UUID) -> Bool {
        guard !lostPaths.isEmpty, let service = services[id] else { return false }
        return service.sightings.allSatisfy { lostPaths.contains($0.path) }
    }

    /// Whether all services of a host were seen only on lost paths.
    func isHostLost(_ host: String) -> Bool {
        !lostPaths.isEmpty && hosts[host]?.services.allSatisfy(isLost) == true
    }

    /// Adds a service on a path.
    ///
    /// - Returns: The part that was added. The first refusal for each reason adds a notice to the
    ///   effects.
    mutating func add(
        _ sighting: Sighting, _ instance: ServiceInstance, _ step: inout DiscoveryStep
    ) -> Addition {
        let key = sighting.service
        guard domain.isSame(as: key.domain) else {
            if !hasReportedOtherDomain { step.report(otherDomainNotice(key)) }
            hasReportedOtherDomain = true
            return .refused
        }
        if let known = services[key.id]?.sightings {
            services[key.id]?.isWithdrawn = false
            if known.contains(sighting.place) { return .nothing }
            guard known.count < Self.sightingLimit else { return .refused }
            services[key.id]?.sightings.insert(sighting.place)
            return .sighting
        }
        guard services.count < DiscoveryRules.serviceLimit else {
            if !hasReportedServiceLimit { step.report(Self.serviceLimitNotice) }
            (hasReportedServiceLimit, isOverLimit) = (true, true)
            return .refused
        }
        services[key.id] = Service(key: key, instance: instance, sightings: [sighting.place])
        if key.network != nil {
            services[key.id]?.isHidden = true
            hidden[key.nameID, default: []].insert(key.id)
        }
        return .service
    }

    /// Removes a service on a path.
    ///
    /// - Returns: Whether the service was seen on the path.
    mutating func remove(_ sighting: Sighting) -> Bool {
        services[sighting.service.id]?.sightings.remove(sighting.place) != nil
    }

    /// Removes a service that is no longer seen on any path.
    mutating func remove(_ id: UUID) {
        show(id)
        guard let service = services.removeValue(forKey: id) else { return }
        txtSize -= service.txtSize
    }

    /// Notes that the owner of a service has withdrawn it on a path, or that it is there after all.
    mutating func setWithdrawn(_ id: UUID, to isWithdrawn: Bool) {
        services[id]?.isWithdrawn = isWithdrawn
    }

    /// Sets the host that a service was resolved to, without adding the service to the host.
    mutating func setHost(_ resolution: Resolution, of id: UUID) {
        services[id]?.host = resolution.hostName
        services[id]?.address = resolution.address
    }

    /// Adds a service to its host.
    ///
    /// - Returns: The host's key, and whether the host is new.
    mutating func addToHost(_ id: UUID) -> (host: String, isNew: Bool)? {
        guard let name = services[id]?.host else { return nil }
        let host = name.key
        if hosts[host]?.services.insert(id) != nil { return (host, false) }
        hosts[host] = Host(name: name, services: [id])
        return (host, true)
    }

    /// Removes a service from a host.
    ///
    /// - Returns: The host's key if it has no services any more and was removed.
    mutating func remove(_ id: UUID, fromHost name: HostName?) -> String? {
        guard let host = name?.key, hosts[host] != nil else { return nil }
        hosts[host]?.services.remove(id)
        guard hosts[host]?.services.isEmpty == true else { return nil }
        hosts[host] = nil
        return host
    }

    /// Returns a resolution, without its TXT record if the other TXT records leave no room for a large record.
    mutating func limited(
        _ resolution: Resolution, of id: UUID, _ step: inout DiscoveryStep
    ) -> Resolution {
        let size = resolution.txt.footprint
        let others = txtSize - (services[id]?.txtSize ?? 0)
        guard size <= DiscoveryRules.smallRecord || others + size <= Self.txtRoom else {
            setTXTSize(0, of: id)
            if !hasReportedTXTLimit { step.report(Self.txtLimitNotice) }
            hasReportedTXTLimit = true
            var resolution = resolution
            resolution.txt = TXTRecord()
            return resolution
        }
        setTXTSize(size, of: id)
        return resolution
    }

    /// Returns the families through which a host's services are announced, and so the families of its
    /// addresses.
    func families(ofHost host: String) -> Set<AddressFamily> {
        var families: Set<AddressFamily> = []
        for id in hosts[host]?.services ?? [] where families.count < AddressFamily.allCases.count {
            families.formUnion(services[id]?.paths.map(\.family) ?? [])
        }
        return families
    }

    /// Returns the interfaces on which a host's services are announced.
    ///
    /// - Complexity: O(*n*) in the sightings of the services.
    func interfaces(ofHost host: String) -> Set<NetworkInterface> {
        var interfaces: Set<NetworkInterface> = []
        for id in hosts[host]?.services ?? [] {
            for place in services[id]?.sightings ?? [] { interfaces.insert(place.path.interface) }
        }
        return interfaces
    }

    /// The number of services whose host is not known.
    var unresolvedCount: Int { services.values.count { $0.host == nil } }

    /// The number of records that a stack must cache for the services, on the path with the most records.
    ///
    /// A stack caches a limited number of records for each interface and family. It drops further records silently, so
    /// only this number shows that the cache is full. A service has an SRV and a TXT record, and a PTR record for its
    /// type and each subtype; a type has a PTR record; a host has an A and an AAAA record. A service that is not
    /// resolved counts as having a host of its own.
    ///
    /// - Complexity: O(*n*) in the sightings.
    var largestCache: Int {
        struct Owner: Hashable {
            let name: String
            let path: NetworkPath
        }
        var records: [NetworkPath: Int] = [:]
        var owners: Set<Owner> = []
        for service in services.values {
            for place in service.sightings { records[place.path, default: 0] += 1 }
            for path in service.paths {
                var count = 2
                if owners.insert(Owner(name: service.key.type, path: path)).inserted { count += 1 }
                let host = service.host?.key
                if host.map({ owners.insert(Owner(name: $0, path: path)).inserted }) ?? true {
                    count += 2
                }
                records[path, default: 0] += count
            }
        }
        return records.values.max() ?? 0
    }

    /// Returns the question of a probe for a service, on the paths that lead to other machines, or else on all paths;
    /// lost paths are omitted.
    ///
    /// - Returns: `nil` if the service is in another domain than `local`, if DNS cannot carry its name, or if it was
    ///   seen only on lost paths.
    func question(for id: UUID) -> LinkProbe.Question? {
        guard let service = services[id], service.key.domain.lowercased() == "local",
            ProbeMessage.name(of: service.key) != nil
        else { return nil }
        let paths = service.paths.subtracting(lostPaths)
        let outward = paths.filter { !$0.interface.isLoopback }
        guard !paths.isEmpty else { return nil }
        return LinkProbe.Question(service: service.key, paths: outward.isEmpty ? paths : outward)
    }

    // MARK: Networks

    /// Returns the key of a service that was found on an interface.
    ///
    /// The name may be that of another service on another network; then the key has the network. Whether it is another
    /// service is known when both are resolved.
    func key(of instance: ServiceInstance, on interface: NetworkInterface) -> ServiceKey {
        let key = instance.key
        guard let network = networks.name(of: interface), services[key.id]?.isOwn(ownHost) != true
        else { return key }
        let other = ServiceKey(
            name: key.name, type: key.type, domain: key.domain, network: network)
        if services[other.id] != nil { return other }
        let known = networks.names(of: services[key.id].map { Array($0.interfaces) } ?? [])
        return known.isEmpty || known.contains(network) ? key : other
    }

    /// The services that were seen on several networks, each with its sightings on others than the first, which may be of
    /// another service.
    var dividedServices: [(service: Service, sightings: [Sighting])] {
        guard networks.areSeveral else { return [] }
        return services.values.filter { $0.key.network == nil && !$0.isOwn(ownHost) }
            .compactMap { service in
                let first = networks.names(of: service.interfaces).min()
                let others = service.sightings { path in
                    networks.name(of: path.interface).map { $0 != first } ?? false
                }
                return others.isEmpty ? nil : (service, others)
            }
            .sorted { $0.service.key.id < $1.service.key.id }
    }

    /// Returns the sighting of a service on a path that was found by a browse for a type or a subtype.
    func sighting(
        of instance: ServiceInstance, on path: NetworkPath, browsedAs type: String
    ) -> Sighting {
        Sighting(
            service: key(of: instance, on: path.interface), interface: path.interface,
            family: path.family, subtype: subtype(of: type))
    }

    /// Returns a resolution of a service with the network of its host.
    func located(_ resolution: Resolution, of id: UUID) -> Resolution {
        var resolution = resolution
        resolution.network = hostName(resolution.host, of: id, at: resolution.address).network
        return resolution
    }

    /// Whether a resolved service is hidden, and is the service of its name on another network, with the same host.
    func isRepeated(_ service: Service, _ resolution: Resolution) -> Bool {
        service.isHidden
            && services[service.key.nameID]?.host?.key
                == located(resolution, of: service.key.id).hostName.key
    }

    /// Returns the name of the host of a service, with its network if a host of the name was found on another network
    /// before and has not the address of this one.
    private func hostName(_ name: String, of id: UUID, at address: HostAddress?) -> HostName {
        let plain = HostName(name)
        guard networks.areSeveral, let service = services[id],
            !service.isOwn(ownHost, host: plain)
        else { return plain }
        let former = HostName(name, on: service.host?.network)
        if former.key == service.host?.key { return former }
        let own = networks.names(of: service.interfaces)
        guard let network = own.min() else { return plain }
        let other = HostName(name, on: network)
        if hosts[other.key] != nil { return other }
        let known = hosts[plain.key]?.services.compactMap { services[$0] } ?? []
        let others = networks.names(of: known.flatMap { Array($0.interfaces) })
        let isSame =
            others.isEmpty || !others.isDisjoint(with: own)
            || known.contains { $0.address != nil && $0.address == address }
        return isSame ? plain : other
    }

    /// Whether a record of a host's name that arrived on an interface is the host's.
    func hasRecords(_ host: String, on interface: NetworkInterface) -> Bool {
        guard let network = networks.name(of: interface) else { return true }
        let known = networks.names(of: interfaces(ofHost: host))
        return known.isEmpty || known.contains(network)
    }

    /// The hidden services with the name of a service.
    func hiddenServices(named id: UUID) -> Set<UUID> { hidden[id] ?? [] }

    /// Marks a service as reported.
    mutating func show(_ id: UUID) {
        guard let service = services[id], service.isHidden else { return }
        services[id]?.isHidden = false
        let name = service.key.nameID
        hidden[name]?.remove(id)
        if hidden[name]?.isEmpty == true { hidden[name] = nil }
    }

    private mutating func setTXTSize(_ size: Int, of id: UUID) {
        guard let before = services[id]?.txtSize else { return }
        txtSize += size - before
        services[id]?.txtSize = size
    }

    private static let serviceLimitNotice = DiscoveryEvent.Kind.notice(
        .serviceLimit,
        """
        more than \(DiscoveryRules.serviceLimit) services are announced, the rest are not shown; name the types you \
        want with --type
        """)

    private func otherDomainNotice(_ key: ServiceKey) -> DiscoveryEvent.Kind {
        .notice(
            .otherDomain,
            """
            services outside of the browsed domain \(domain.name) are announced, and are not shown; \
            the first one is '\(key.fullName)'
            """)
    }

    private static let txtLimitNotice = DiscoveryEvent.Kind.notice(
        .serviceLimit,
        """
        the TXT records of all services take more than \(txtRoom >> 20) MiB, so large ones are left out; \
        name the types you want with --type
        """)
}
