// What is known of the network: services, the hosts that offer them, and who is who.
import FoundationEssentials

/// All that discovery has told, folded into services and hosts.
///
/// The sightings of one service on several interfaces and families are one
/// service, and the services of one host are one peer. The store knows no
/// clock and no network: the same events always make the same store.
struct PeerStore {
    /// What an event may have changed.
    struct Touched {
        /// Hosts, in canonical form.
        var hosts: Set<String> = []
        /// Services.
        var services: Set<UUID> = []
        /// What the user should be told.
        var notices: [(code: Notice.Code, message: String)] = []
    }

    let options: ListOptions
    private(set) var services: [UUID: ServiceState] = [:]
    private(set) var hosts: [String: HostState] = [:]

    /// This machine's host name, in canonical form.
    private(set) var ownHost: String?

    /// The addresses of this machine.
    private(set) var ownAddresses: Set<HostAddress> = []

    /// Who announces which identifier.
    private(set) var claims = IdentityClaims()

    /// Whether it was told that a host offers more than is listed.
    private var hasToldHostLimit = false

    /// Counts the backend's lives: what was seen in an earlier one may be gone.
    private var life = 0

    init(options: ListOptions) { self.options = options }

    /// How many services are not resolved yet and may still be.
    private var openServiceCount = 0
    /// The hosts of whom it was not told yet which addresses they have.
    private var unseenHosts: Set<String> = []

    /// How many services wait for their first answer, and hosts for the first look at their addresses.
    var openCount: Int { openServiceCount + unseenHosts.count }

    /// Folds an event in.
    ///
    /// - Returns: What it may have changed.
    mutating func apply(_ event: DiscoveryEvent) -> Touched {
        var touched = Touched()
        switch event.kind {
        case .running(let host): begin(host: host, &touched)
        case .ownAddresses(let addresses):
            ownAddresses = addresses
            touched.hosts.formUnion(hosts.keys)
        case .lost: forgetPresence(&touched)
        case .handedOver(_, let host):
            life += 1
            begin(host: host, &touched)
        case .caughtUp: dropUnseen(&touched)
        case .found(let sighting): found(sighting, event.time, &touched)
        case .removed(let sighting): removed(sighting, &touched)
        case .pending(let key):
            update(key.id, &touched) { $0.isOverdue = true }
        case .resolved(let key, let resolution):
            update(key.id, &touched) { service in
                service.resolution = resolution
                service.presence = .present
                service.lastSeen = event.time
            }
        case .answered(let key): services[key.id]?.lastSeen = event.time
        case .unanswered(let key):
            update(key.id, &touched) { service in
                service.isOverdue = true
                service.presence = .unanswered
            }
        case .addresses(let host, let addresses):
            watched(Identity.canonical(host), addresses, &touched)
        case .served, .settled, .announced, .notice:
            break
        }
        touched.hosts.formUnion(claims.takeAffected(hosts: hosts, &touched.notices))
        touched.hosts.formUnion(
            touched.hosts.compactMap(Self.otherName).filter { hosts[$0] != nil })
        return touched
    }
}

extension PeerStore {
    private mutating func begin(host: String, _ touched: inout Touched) {
        let before = ownHost
        ownHost = Identity.canonical(host)
        for host in [before, ownHost] {
            if let host, hosts[host] != nil { touched.hosts.insert(host) }
        }
    }

    private mutating func found(
        _ sighting: Sighting, _ time: Timestamp, _ touched: inout Touched
    ) {
        let id = sighting.service.id
        if services[id] == nil {
            services[id] = ServiceState(sighting.service, at: time)
            openServiceCount += 1
        }
        update(id, &touched) { [life] service in
            service.sightings[sighting] = life
            service.lastSeen = time
        }
    }

    private mutating func removed(_ sighting: Sighting, _ touched: inout Touched) {
        let id = sighting.service.id
        update(id, &touched) { $0.sightings[sighting] = nil }
        if services[id]?.sightings.isEmpty == true { drop(id, &touched) }
    }

    private mutating func forgetPresence(_ touched: inout Touched) {
        life += 1
        for id in services.keys { update(id, &touched) { $0.presence = .unknown } }
    }

    private mutating func dropUnseen(_ touched: inout Touched) {
        for (id, service) in services {
            let unseen = service.sightings.filter { $0.value < life }.keys
            guard !unseen.isEmpty else { continue }
            update(id, &touched) { service in
                for sighting in unseen { service.sightings[sighting] = nil }
            }
            if unseen.count == service.sightings.count { drop(id, &touched) }
        }
        for host in hosts.keys {
            hosts[host]?.forgetAddresses(before: life)
            touched.hosts.insert(host)
        }
    }

    private mutating func watched(
        _ host: String, _ addresses: [HostAddress], _ touched: inout Touched
    ) {
        guard hosts[host] != nil else { return }
        unseenHosts.remove(host)
        hosts[host]?.watch(addresses, life: life)
        touched.hosts.insert(host)
    }

    /// Changes a service, and with it what its host says of itself; one that is not known is left alone.
    private mutating func update(
        _ id: UUID, _ touched: inout Touched, _ change: (inout ServiceState) -> Void
    ) {
        guard let before = services[id] else { return }
        var after = before
        change(&after)
        leave(before)
        services[id] = after
        enter(after)
        openServiceCount += (after.isOpen ? 1 : 0) - (before.isOpen ? 1 : 0)
        touched.services.insert(id)
        settle([before.host, after.host], &touched)
    }

    private mutating func drop(_ id: UUID, _ touched: inout Touched) {
        guard let service = services.removeValue(forKey: id) else { return }
        leave(service)
        if service.isOpen { openServiceCount -= 1 }
        touched.services.insert(id)
        settle([service.host], &touched)
    }

    private mutating func leave(_ service: ServiceState) {
        if let host = service.host { hosts[host]?.remove(service) }
    }

    private mutating func enter(_ service: ServiceState) {
        guard let host = service.host, let name = service.resolution?.host else { return }
        if hosts[host] == nil { unseenHosts.insert(host) }
        let isListed = options.lists(type: service.key.type, subtypes: service.service.subtypes)
        hosts[host, default: HostState(name: name, at: service.firstSeen)].add(
            service, isListed: isListed)
    }

    /// Brings hosts to rest whose services changed: one without any is gone, and so is its claim.
    private mutating func settle(_ changed: [String?], _ touched: inout Touched) {
        for host in changed.compactMap({ $0 }) {
            if hosts[host]?.serviceIDs.isEmpty == true {
                hosts[host] = nil
                unseenHosts.remove(host)
            }
            if let state = hosts[host], !state.omitted.isEmpty {
                listOmitted(host, state, &touched)
            }
            claims.update(host, to: hosts[host])
            touched.hosts.insert(host)
        }
    }
    /// Lists what a host has room for again, and tells once that there is more than room for it.
    private mutating func listOmitted(_ host: String, _ state: HostState, _ touched: inout Touched)
    {
        if let id = state.nextOmitted, let service = services[id] { hosts[host]?.list(service) }
        guard !hasToldHostLimit, options.grouping == .device else { return }
        hasToldHostLimit = true
        touched.notices.append(
            (
                .serviceLimit,
                """
                \(state.name) offers more than \(HostState.serviceLimit) services, the rest are not \
                shown; group them by type, or name the types you want with --type
                """
            ))
    }
}
