// Folds discovery events into services, hosts and rows.
import FoundationEssentials

/// The host or the services that a row shows, regardless of the row's identifier.
///
/// The order decides which of several sources with the same identifier gets the row.
enum RowSource: Hashable, Comparable {
    /// A host, by its key.
    case host(String)
    /// The services of a device without a known host.
    case unresolved(UnresolvedServices.Group)
}

/// All reported services and hosts.
///
/// The sightings of a service on several paths are one service, and the services of one host are one
/// peer. The same events always make the same store.
struct PeerStore {
    /// The services and hosts that an event may have changed, and the resulting notices.
    struct Touched {
        let time: Timestamp
        /// The keys of the hosts.
        var hosts: Set<String> = []
        var services: Set<UUID> = []
        /// The groups of services without a known host.
        var unresolved: Set<UnresolvedServices.Group> = []
        var notices: [Notice] = []
        /// The hosts whose vouching must be judged again.
        fileprivate var toJudge: Set<String> = []

        mutating func report(
            _ code: Notice.Code, _ message: String, _ backend: Backend? = nil,
            interface: String? = nil
        ) {
            notices.append(
                Notice(code, message, backend: backend, interface: interface, time: time))
        }
    }

    let options: ListOptions
    /// Returns the maker to which a MAC address is registered.
    private let makerOf: @Sendable (MACAddress) -> String?
    private(set) var services: [UUID: ServiceState] = [:]
    /// The hosts by their keys.
    private(set) var hosts: [String: HostState] = [:]
    /// The services of which others with the same name are on other networks, by the UUIDs of the names.
    private var namesakes: [UUID: Set<UUID>] = [:]

    /// The canonical name of this machine.
    private(set) var ownHost: String?

    private var ownAddresses: Set<HostAddress> = []
    private var routes = RouteTable()
    private var machines = Machines()
    private(set) var unresolved = UnresolvedServices()
    /// The vouching of each device; `nil` unless packets are heard.
    private var vouching: VouchingTable?
    /// The number of reported conflicts of hosts.
    private var hostConflictCount = 0
    private var hasReportedHostLimit = false
    private var hasReportedNameLimit = false

    /// The generation of the current backend: services last seen in an earlier generation may be
    /// gone.
    private var generation = 0

    /// The hosts of the withdrawn services whose records are kept, by service.
    private var hostsOfWithdrawn: [UUID: String] = [:]

    private var links = LostLinks()
    private var returning = ReturningHosts()

    private var openServiceCount = 0
    /// The hosts whose addresses have not been reported yet.
    private var unwatchedHosts: Set<String> = []

    init(
        options: ListOptions, makerOf: @escaping @Sendable (MACAddress) -> String? = { _ in nil }
    ) {
        (self.options, self.makerOf) = (options, makerOf)
    }

    /// The number of services that wait for their first answer and hosts that wait for their addresses.
    var openCount: Int { openServiceCount + unwatchedHosts.count }

    /// The full names of the services, and the names of the hosts, that ``openCount`` counts, in
    /// order.
    var openNames: [String] {
        services.values.filter(\.isOpen).map(\.key.fullName).sorted() + unwatchedHosts.sorted()
    }

    /// Folds an event into the store, and returns the services and hosts that may have changed.
    mutating func apply(_ event: DiscoveryEvent) -> Touched {
        var touched = Touched(time: event.time)
        switch event.kind {
        case .running(let host): setOwnHost(host, &touched)
        case .ownAddresses(let addresses):
            ownAddresses = addresses
            touched.hosts.formUnion(hosts.keys)
        case .lost(let reason):
            touched.report(
                .backendLost, "\(reason); what it told is unknown until it is seen again")
            generation += 1
            for (id, service) in services where service.isOfBackend {
                update(id, &touched) { $0.presence = .unknown }
            }
        case .handedOver(_, let host):
            generation += 1
            setOwnHost(host, &touched)
        case .caughtUp: removeUnseen(&touched)
        case .linkLost(let interface, let families, let reason):
            linkLost(interface, families, reason, &touched)
        case .linkBack(let interface): linkBack(interface, &touched)
        case .linkCaughtUp(let interface, let gone): linkCaughtUp(interface, gone, &touched)
        case .linkExpired(let interface, let families):
            linkExpired(interface, families, &touched)
        case .found(let sighting):
            let key = sighting.service
            var service =
                services[key.id]
                ?? ServiceState(key: key, firstSeen: event.time, lastSeen: event.time)
            // Removed first to replace the key too: its interface may have another name now.
            service.sightings[sighting.place] = nil
            service.sightings[sighting.place] = generation
            service.lastSeen = event.time
            set(key.id, to: service, &touched)
        case .removed(let sighting, _):
            update(sighting.service.id, isWithdrawal: true, &touched) {
                $0.sightings[sighting.place] = nil
            }
        case .forgotten(let key): forgetWithdrawn(key.id, &touched)
        case .pending(let key):
            update(key.id, &touched) { $0.isOverdue = true }
        case .resolved(let key, let resolution):
            update(key.id, &touched) { service in
                service.resolution = resolution.confirmed(by: service.resolution)
                service.presence = .present
                service.lastSeen = event.time
            }
            if let host = services[key.id]?.host, let macs = hosts[host]?.deferredHardware {
                hosts[host]?.deferredHardware = nil
                setHardware(macs, of: host, &touched)
            }
        case .answered(let key):
            services[key.id]?.lastSeen = event.time
            // A backend resolves again what it has lost; other protocols only repeat themselves.
            if services[key.id].map({ !$0.isOfBackend && $0.presence == .unknown }) == true {
                update(key.id, &touched) { $0.presence = .present }
            }
            if let host = services[key.id]?.host {
                let listed = listedName(of: host)
                vouching?.answered(listed, at: event.time)
                hosts[host]?.lastAnswer = event.time
                machines.sharing.noteLife(of: host)
            }
        case .unanswered(let key):
            update(key.id, &touched) { service in
                service.isOverdue = true
                service.presence = .unanswered
            }
        case .addresses(let host, let addresses):
            let host = host.key
            guard hosts[host] != nil else { break }
            unwatchedHosts.remove(host)
            hosts[host]?.setAddresses(addresses, generation: generation)
            machines.update(host, to: hosts[host])
            touched.hosts.insert(host)
        case .deviceInfo(let host, let txt):
            let host = host.key
            hosts[host]?.setDeviceInfo(txt)
            touched.hosts.insert(host)
        case .hardware(let host, let macs):
            setHardware(macs, of: host.key, &touched)
        case .backendChanged(let backend, let message):
            touched.report(.backendBack, message, backend)
        case .notice(let code, let message): touched.report(code, message)
        case .heard(let senders): hear(senders, &touched)
        case .routes(let table):
            routes = table
            touched.hosts.formUnion(hosts.keys)
            touched.toJudge.formUnion(vouching?.setNetworks(table.links) ?? [])
        case .settled, .announced: break
        }
        touched.hosts.formUnion(
            machines.grantAffected(hosts: hosts) { touched.report(.identityConflict, $0) })
        touched.hosts.formUnion(returning.removeDue(at: event.time))
        divideMachines(&touched)
        joinUnresolved(&touched)
        touched.hosts.formUnion(touched.hosts.flatMap(machines.names))
        touched.hosts.formUnion(touched.hosts.flatMap(machines.namesakes))
        judgeVouching(&touched)
        return touched
    }
}

// MARK: Vouching

extension PeerStore {
    private mutating func hear(_ heard: [HeardSender], _ touched: inout Touched) {
        if vouching == nil {
            vouching = VouchingTable(networks: routes.links)
            touched.hosts.formUnion(hosts.keys)
            machines.sharing.noteAll()
        }
        let changed = vouching?.hear(heard, at: touched.time) { services[$0]?.host }
        for id in changed ?? [] { judgeHost(ofName: id, &touched) }
        for sender in heard { noteLife(sender, at: touched.time) }
    }

    /// Updates the last sign of life of a device that sent a packet itself.
    private mutating func noteLife(_ sender: HeardSender, at time: Timestamp) {
        let name = Identity.canonical(sender.name)
        let id = Identity.uuid(forName: name)
        let named = [name] + machines.namesakes(of: name)
        let ids = named.compactMap { hosts[$0]?.serviceIDs.first } + [id] + (namesakes[id] ?? [])
        for service in ids {
            guard let host = services[service]?.host else { continue }
            machines.sharing.noteLife(of: host)
            if hosts[host]?.outwardAddresses.contains(sender.address) == true {
                services[service]?.lastSeen = time
            }
        }
    }

    /// Judges again the vouching of devices that an event or the passing of time may have changed.
    private mutating func judgeVouching(_ touched: inout Touched) {
        guard let due = vouching?.removeDue(at: touched.time) else { return }
        touched.toJudge.formUnion(due.hosts)
        for id in due.names { judgeHost(ofName: id, &touched) }
        // Packets with another name change nothing for a device that was heard itself.
        for id in touched.services where vouching?.isHeard(services[id]?.key.nameID ?? id) == true {
            let host = services[id]?.host.map(listedName)
            if host.flatMap({ vouching?.vouching(of: $0) })?.rule != .own {
                judgeHost(ofName: services[id]?.key.nameID ?? id, &touched)
            }
        }
        for name in touched.hosts where !HostName.isEndpoint(name) {
            let host = hosts[name].map { vouchingHost(name, $0) }
            touched.toJudge.formUnion(vouching?.update(name, to: host, at: touched.time) ?? [])
        }
        for name in Set(touched.toJudge.map(listedName)) where !HostName.isEndpoint(name) {
            let names = machines.names(of: name)
            for other in names.dropFirst() { vouching?.remove(other) }
            var services = names.flatMap { hosts[$0]?.serviceIDs ?? [] }
            if !namesakes.isEmpty {
                services = services.map { self.services[$0]?.key.nameID ?? $0 }
            }
            let known = vouching?.conflict(of: name)
            if vouching?.judge(names, services: services, at: touched.time) == true {
                touched.hosts.formUnion(names)
            }
            if let conflict = vouching?.conflict(of: name), conflict != known {
                reportConflict(conflict, of: name, &touched)
            }
        }
    }

    /// Reports that two machines announce one host name, a limited number of times.
    private mutating func reportConflict(
        _ conflict: HostConflict, of name: String, _ touched: inout Touched
    ) {
        guard hostConflictCount < IdentityClaims.noticeLimit else { return }
        hostConflictCount += 1
        let addresses = conflict.addresses.map(\.description).joined(separator: " and ")
        touched.report(
            .identityConflict,
            "two machines announce the host name \(hosts[name]?.name ?? name), \(addresses), so it identifies neither"
        )
    }

    /// Judges the hosts of a name, or the hosts of the services of a name.
    private func judgeHost(ofName id: UUID, _ touched: inout Touched) {
        guard let host = services[id]?.host ?? vouching?.host(id) else { return }
        touched.toJudge.formUnion([host])
        touched.toJudge.formUnion(machines.namesakes(of: host))
        touched.toJudge.formUnion((namesakes[id] ?? []).compactMap { services[$0]?.host })
    }

    private func vouchingHost(_ name: String, _ host: HostState) -> VouchingHost {
        VouchingHost(
            name: host.device.name ?? host.name, addresses: host.outwardAddresses,
            isComplete: !host.completeAddresses.isEmpty, macs: host.macs,
            interfaces: machines.namesakes(of: name).isEmpty ? [] : host.interfaces,
            isSelf: isSelf(host), isSleepProxy: host.offers(["_sleep-proxy._udp"]),
            isBorderRouter: host.offers(["_meshcop._udp", "_srpl-tls._tcp"]))
    }
}

// MARK: Folding

extension PeerStore {
    private mutating func setOwnHost(_ host: String, _ touched: inout Touched) {
        touched.hosts.formUnion([ownHost, Identity.canonical(host)].compactMap(\.self))
        ownHost = Identity.canonical(host)
    }

    /// Removes sightings and addresses that the current backend has not reported, unless they are on a lost link.
    private mutating func removeUnseen(_ touched: inout Touched) {
        for (id, service) in services where service.isOfBackend {
            let seen = service.sightings.filter {
                $0.value == generation || links.paths.contains($0.key.path)
            }
            guard seen.count < service.sightings.count else { continue }
            update(id, &touched) { $0.sightings = seen }
        }
        for (host, state) in hosts
        where state.hostName.endpoint == nil && (state.presence != .unknown || links.paths.isEmpty)
        {
            hosts[host]?.dropAddresses(before: generation)
            machines.update(host, to: hosts[host])
            touched.hosts.insert(host)
        }
    }

    /// Marks services that were seen only through lost paths as unknown, and reports the loss if it affects any.
    ///
    /// The services of this machine stay present whatever its interfaces do.
    private mutating func linkLost(
        _ interface: NetworkInterface, _ families: Set<AddressFamily>, _ reason: String,
        _ touched: inout Touched
    ) {
        links.lose(interface, families)
        let lost = services.filter { links.contains($0.value) && !isOwn($0.value) }
        for (id, service) in lost where service.presence != .unknown {
            update(id, &touched) { $0.presence = .unknown }
        }
        let isConcerned = lost.values.contains {
            $0.sightings.keys.contains { $0.path.interface == interface }
        }
        if isConcerned {
            links.reported[interface] = false
            touched.report(
                .linkLost, "\(reason): what was seen through it is unknown until it is back",
                interface: interface.name)
        } else {
            reportReturn(of: interface, &touched)
        }
    }

    private mutating func linkBack(_ interface: NetworkInterface, _ touched: inout Touched) {
        links.lose(interface, [])
        reportReturn(of: interface, &touched)
    }

    private mutating func reportReturn(
        of interface: NetworkInterface, _ touched: inout Touched
    ) {
        guard links.reported.removeValue(forKey: interface) != nil else { return }
        touched.report(.linkBack, "\(interface.name) is back", interface: interface.name)
    }

    private mutating func linkCaughtUp(
        _ interface: NetworkInterface, _ gone: Set<Sighting>, _ touched: inout Touched
    ) {
        for sighting in gone {
            update(sighting.service.id, &touched) { $0.sightings[sighting.place] = nil }
        }
        removeSightings(&touched) { [generation, links] service, place, seen in
            place.path.interface == interface && seen < generation && service.isOfBackend
                && !links.paths.contains(place.path)
        }
    }

    private mutating func linkExpired(
        _ interface: NetworkInterface, _ families: Set<AddressFamily>, _ touched: inout Touched
    ) {
        removeSightings(&touched) { _, place, _ in
            place.path.interface == interface && families.contains(place.path.family)
        }
        links.expire(interface, families)
        guard links.reported[interface] == false else { return }
        links.reported[interface] = true
        touched.report(
            .linkExpired,
            "\(interface.name) was down for long, or is on another network: what was seen through it has left",
            interface: interface.name)
    }

    /// Removes the sightings whose place and generation satisfy a condition.
    private mutating func removeSightings(
        _ touched: inout Touched, where isGone: (ServiceState, Sighting.Place, Int) -> Bool
    ) {
        for (id, service) in services {
            let kept = service.sightings.filter { !isGone(service, $0.key, $0.value) }
            guard kept.count < service.sightings.count else { continue }
            update(id, &touched) { $0.sightings = kept }
        }
    }

    /// Whether a service belongs to this machine.
    private func isOwn(_ service: ServiceState) -> Bool {
        guard let host = service.host, let state = hosts[host] else { return false }
        return isSelf(state)
    }

    /// Changes the state of a known service, and removes the service if it has no sighting left.
    private mutating func update(
        _ id: UUID, isWithdrawal: Bool = false, _ touched: inout Touched,
        _ change: (inout ServiceState) -> Void
    ) {
        guard var service = services[id] else { return }
        change(&service)
        let isGone = service.sightings.isEmpty
        set(id, to: isGone ? nil : service, isWithdrawal: isWithdrawal && isGone, &touched)
    }

    /// Adds, replaces or removes the state of a service, and its contribution to its host.
    private mutating func set(
        _ id: UUID, to after: ServiceState?, isWithdrawal: Bool = false, _ touched: inout Touched
    ) {
        let before = services[id]
        let isSame = before != nil && before?.resolution == after?.resolution
        if let before, let host = before.host {
            if isWithdrawal {
                forgetWithdrawn(id, &touched)
                hosts[host]?.withdraw(before)
                hostsOfWithdrawn[id] = host
            } else {
                hosts[host]?.remove(before, keepsRecords: isSame)
            }
        }
        services[id] = after
        let key = after?.key ?? before?.key
        if let key, key.network != nil {
            let name = key.nameID
            namesakes[name, default: []].insert(id)
            if after == nil { namesakes[name]?.remove(id) }
            if namesakes[name]?.isEmpty == true { namesakes[name] = nil }
            touched.services.insert(name)
        }
        if let after, let host = after.host, let name = after.resolution?.hostName {
            if hosts[host] == nil {
                unwatchedHosts.insert(host)
                returning.returned(host, at: touched.time)
            }
            hosts[host, default: HostState(name, at: after.firstSeen)]
                .add(after, isListed: options.includes(after), keepsRecords: isSame)
        }
        if !isSame {
            for host in Set([before?.host, after?.host].compactMap(\.self)) {
                hosts[host]?.update()
            }
        }
        touched.unresolved.formUnion(
            unresolved.update(before, to: after, isListed: after.map(options.includes) ?? false))
        openServiceCount += (after?.isOpen == true ? 1 : 0) - (before?.isOpen == true ? 1 : 0)
        touched.services.insert(id)
        updateHosts([before?.host, after?.host], &touched)
    }

    /// Drops the kept records of a host's withdrawn services if the given service was withdrawn last.
    private mutating func forgetWithdrawn(_ id: UUID, _ touched: inout Touched) {
        guard let host = hostsOfWithdrawn.removeValue(forKey: id), hosts[host] != nil else {
            return
        }
        hosts[host]?.forget(id)
        machines.update(host, to: hosts[host])
        touched.hosts.insert(host)
    }

    /// Removes hosts that have lost their last service, and updates the claims of the others.
    private mutating func updateHosts(_ changed: [String?], _ touched: inout Touched) {
        for host in changed.compactMap({ $0 }) {
            if let state = hosts[host], state.serviceIDs.isEmpty {
                returning.left(host, state.device)
                hosts[host] = nil
                unwatchedHosts.remove(host)
            }
            if let state = hosts[host], !state.omitted.isEmpty { listOmitted(state, &touched) }
            machines.update(host, to: hosts[host])
            touched.hosts.insert(host)
        }
    }

    /// Lists an omitted service if there is room, and reports the limit once.
    private mutating func listOmitted(_ state: HostState, _ touched: inout Touched) {
        if let service = state.nextOmitted.flatMap({ services[$0] }), let host = service.host {
            hosts[host]?.list(service.service)
        }
        guard !hasReportedHostLimit, options.grouping == .device else { return }
        hasReportedHostLimit = true
        touched.report(
            .serviceLimit,
            """
            \(state.name) offers more than \(HostState.serviceLimit) services, the rest are not \
            shown; group them by type, or name the types you want with --type
            """)
    }
}

// MARK: Machines

extension PeerStore {
    /// Sets the MAC addresses of a host, unless it is silent or its addresses have passed to a younger host: then another
    /// machine has them.
    private mutating func setHardware(
        _ macs: [MACAddress], of name: String, _ touched: inout Touched
    ) {
        let known = hosts[name]?.macs ?? []
        if !known.isEmpty, Set(known).isDisjoint(with: macs) {
            if machines.sharing.hasSuccessor(name) { return }
            if hosts[name]?.presence.isSilent == true {
                hosts[name]?.deferredHardware = macs
                return
            }
        }
        hosts[name]?.setHardware(macs, generation: generation)
        machines.update(name, to: hosts[name])
        touched.hosts.insert(name)
    }

    /// Finds the host names that are one machine, and reports the limit of their number once.
    private mutating func divideMachines(_ touched: inout Touched) {
        let changed = machines.sharing.removeChanged { [hosts, vouching] name in
            hosts[name]?.lastLife(heard: vouching) ?? [:]
        }.union(machines.removeChangedOwners())
        touched.hosts.formUnion(changed)
        touched.toJudge.formUnion(changed.filter { hosts[$0] != nil })
        guard !hasReportedNameLimit, let name = machines.sharing.excess.min(),
            let host = hosts[name]
        else { return }
        hasReportedNameLimit = true
        touched.report(
            .serviceLimit,
            """
            \(host.addresses.first?.description ?? name) has more than \(AddressSharing.nameLimit) host names; \
            the services of the others are not shown
            """)
    }

    /// Adds services without a known host to the rows of their devices.
    private mutating func joinUnresolved(_ touched: inout Touched) {
        guard !touched.unresolved.isEmpty || !unresolved.isEmpty else { return }
        for host in touched.hosts { touched.unresolved.formUnion(unresolved.groups(of: host)) }
        touched.hosts.formUnion(
            unresolved.join(touched.unresolved) { [machines] in machines.listedName(of: $0) })
    }

    /// Remembers the devices that had services when they were seen before.
    mutating func remember(_ known: @escaping @Sendable (ServiceKey) -> KnownDevice?) {
        unresolved.known = known
    }

    /// Returns the name under which the device with a host name is listed.
    func listedName(of name: String) -> String { machines.listedName(of: name) }
}

// MARK: Hosts

extension PeerStore {
    /// Returns the state of a device by its host name, or `nil` if it is listed under another name.
    func device(_ name: String) -> HostState? {
        let names = machines.names(of: name)
        guard names[0] == name, let host = hosts[name] else { return nil }
        return names.dropFirst().compactMap { hosts[$0] }.reduce(host) { $0.merged(with: $1) }
    }

    /// Returns an instance name of a device that starts with its name and is longer, if it has one.
    func longerName(of name: String) -> String? { device(name)?.device.longerName }

    /// Returns the services of the device with an identifier, or the service with the identifier,
    /// in no order.
    func services(ofDevice id: UUID) -> [UUID] {
        if services[id] != nil { return [id] }
        let names = hosts.keys.filter { identity(of: $0).id == id }
        return names.flatMap { device($0)?.serviceIDs ?? [] }
    }

    /// Whether a host is this machine.
    ///
    /// Another machine may have this machine's name, so addresses decide. A host with this machine's
    /// name needs one of this machine's addresses, or has only loopback addresses. A host with another
    /// name, which another stack on this machine may announce, must have only addresses of this
    /// machine.
    private func isSelf(_ host: HostState) -> Bool {
        let addresses = host.outwardAddresses
        return Identity.canonical(host.name) == ownHost
            ? addresses.isEmpty || addresses.contains(where: ownAddresses.contains)
            : !addresses.isEmpty && addresses.allSatisfy(ownAddresses.contains)
    }

    /// Returns the maker to which a MAC address is registered, unless others build its modules into their devices.
    private func maker(of mac: MACAddress) -> String? {
        makerOf(mac).flatMap { MakerNames.makesModules($0) ? nil : MakerNames.name(of: $0) }
    }

    private func identity(of name: String) -> Identity {
        machines.identity(of: name) { [hosts] in hosts[$0]?.interfaces.first }
    }

    /// Returns the peer of a host without its services.
    private func owner(_ name: String, _ host: HostState) -> Peer {
        let evidence = identity(of: name)
        let noTime = Timestamp(microseconds: 0)
        let isNamed = host.hostName.endpoint == nil
        var peer = Peer(
            id: evidence.id, name: host.device.name ?? host.fallbackName,
            host: isNamed ? host.name : nil,
            isSelf: isSelf(host), presence: .present, identity: evidence,
            addresses: host.addresses.map(\.description), firstSeen: noTime, lastSeen: noTime)
        host.device.describe(&peer)
        returning[name]?.describe(&peer)
        // The network interface often has another maker than the device, so any record takes precedence.
        peer.maker = peer.maker ?? host.universalAddress.flatMap(maker)
        peer.macs = host.macs.map(\.text)
        peer.deviceInfo = host.deviceInfo
        peer.vouchedBy = vouching?.vouching(of: name)
        if !peer.isSelf {
            let isReflected = peer.vouchedBy?.rule == .reflector
            for address in host.announcedAddresses {
                peer.reach[address.description] = routes.reach(
                    of: address, on: host.interfaces, isReflected: isReflected)
            }
        }
        return peer
    }
}

// MARK: Rows

extension PeerStore {
    /// Returns the row of a host, or of an overdue service without a known host; `nil` if it has none.
    func row(_ source: RowSource) -> ListItem? {
        switch source {
        case .host(let name):
            guard let host = device(name), !host.services.isEmpty else { return nil }
            let row = deviceRow(name, host)
            let isListed = options.includes(row.peer.kind) && options.includes(row.peer.vouchedBy)
            return isListed ? row : nil
        case .unresolved(let group):
            guard !unresolved.isJoined(group), let peer = unresolvedPeer(group),
                options.includes(peer.kind), options.includes(Vouching?.none)
            else { return nil }
            return .peer(peer)
        }
    }

    /// Returns the part of a host's peer that the rows of its services contain.
    func serviceOwner(_ name: String) -> Peer? {
        let name = listedName(of: name)
        guard let host = device(name) else { return nil }
        var owner = owner(name, host)
        if vouching?.isSilent(name) == true { owner.presence = .proxied }
        // Properties that the rows of services do not contain must not make two owners differ.
        owner.macs = []
        owner.vouchedBy = options.vouched.isEmpty ? nil : owner.vouchedBy.map { Vouching($0.rule) }
        if owner.identity.source != .hostName {
            owner.identity = Identity(
                source: .announced, value: owner.id.uuidString.lowercased())
        }
        return owner
    }

    private func deviceRow(_ name: String, _ host: HostState) -> ListItem {
        var peer = owner(name, host)
        (peer.presence, peer.interfaces, peer.services) =
            (presence(host.presence, of: name), host.interfaces, host.services)
        for id in unresolved.groups(of: name).flatMap({ unresolved.services[$0] ?? [] }) {
            guard let service = services[id]?.service else { continue }
            peer.services.insert(service, at: peer.services.sortedIndex(of: service))
        }
        (peer.firstSeen, peer.lastSeen) = (host.firstSeen, host.lastSeen)
        // In the order of types, no other protocol is between two types of multicast DNS.
        let ends = [peer.services.first, peer.services.last].compactMap(\.self)
        if ends.contains(where: { DiscoveryProtocol(ofType: $0.type) != .mdns }) {
            peer.protocols = Set(peer.services.map { DiscoveryProtocol(ofType: $0.type) }).sorted()
        }
        peer.isHeard = host.isHeard
        peer.evidence = host.evidence
        return .peer(peer)
    }

    /// Returns the presence of a device or service, which is `proxied` if the stack considers it present but only other
    /// machines answer for it.
    private func presence(_ presence: Presence, of name: String) -> Presence {
        presence == .present && vouching?.isSilent(name) == true ? .proxied : presence
    }

    /// Returns the peer of services without a known host: the device that had them when it was seen before, or else a
    /// device with the identifier of the first of them.
    private func unresolvedPeer(_ group: UnresolvedServices.Group) -> Peer? {
        let states = (unresolved.services[group] ?? []).compactMap { services[$0] }
            .sorted { $0.service.precedes($1.service) }
        guard let first = states.first else { return nil }
        var peer = unresolvedPeer(states, first: first)
        if case .known(let id) = group, let device = unresolved.devices[id] {
            (peer.id, peer.name, peer.kind) = (id, device.name, device.kind ?? peer.kind)
        }
        return peer
    }

    private func unresolvedPeer(_ states: [ServiceState], first: ServiceState) -> Peer {
        var peer = Peer(
            unresolved: first.service, interfaces: Set(states.flatMap(\.interfaces)).sorted(),
            presence: .combined(states.map(\.presence)),
            firstSeen: states.map(\.firstSeen).min() ?? first.firstSeen,
            lastSeen: states.map(\.lastSeen).max() ?? first.lastSeen)
        peer.services = states.map(\.service)
        DeviceDescription(peer.services, host: first.key.name).describe(&peer)
        return peer
    }

    /// Whether a machine offers a service under one name on several networks, and this is not the first.
    private func isRepeated(_ state: ServiceState) -> Bool {
        guard state.key.network != nil, let host = state.host,
            let first = services[state.key.nameID]?.host
        else { return false }
        return listedName(of: host) == listedName(of: first)
    }

    /// Returns the row of a service in a list by type, or `nil` if the service or its kind of device is not
    /// listed.
    func serviceRow(_ id: UUID) -> ListItem? {
        guard let state = services[id], options.includes(state), !isRepeated(state) else {
            return nil
        }
        var peer = state.host.flatMap(serviceOwner) ?? unresolvedPeer([state], first: state)
        guard options.includes(peer.kind), options.includes(peer.vouchedBy) else { return nil }
        let repeated = (namesakes[id] ?? []).compactMap { services[$0] }.filter(isRepeated)
        peer.presence = presence(
            .combined([state.presence] + repeated.map(\.presence)),
            of: state.host.map(listedName) ?? "")
        (peer.firstSeen, peer.lastSeen) = (state.firstSeen, state.lastSeen)
        peer.isHeard = state.resolution?.isConfirmed == false
        return .service(state.service, of: peer)
    }
}
