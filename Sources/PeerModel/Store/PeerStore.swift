// Folds discovery events into services, hosts and rows.
import FoundationEssentials

/// All reported services and hosts.
///
/// The sightings of a service on several paths are one service, and the services of one host are one
/// peer. The same events always make the same store.
struct PeerStore {
    let options: ListOptions
    /// Returns the maker to which a MAC address is registered.
    private let makerOf: @Sendable (MACAddress) -> String?
    private var serviceStates = ServiceStates()
    private(set) var hostTable: HostTable
    private(set) var unresolved = UnresolvedServices()
    private var vouching = VouchingJudge()
    private var links = LostLinks()
    private var routes = RouteTable()

    /// The generation of the current backend: services last seen in an earlier generation may be
    /// gone.
    private var generation = 0

    init(
        options: ListOptions, makerOf: @escaping @Sendable (MACAddress) -> String? = { _ in nil }
    ) {
        (self.options, self.makerOf) = (options, makerOf)
        hostTable = HostTable(options: options)
    }

    var services: [UUID: ServiceState] { serviceStates.all }
    /// The hosts by their keys.
    var hosts: [String: HostState] { hostTable.states }

    /// The number of services that wait for their first answer and hosts that wait for their addresses.
    var openCount: Int { serviceStates.openCount + hostTable.unwatched.count }

    /// The full names of the services, and the names of the hosts, that ``openCount`` counts, in
    /// order.
    var openNames: [String] {
        services.values.filter(\.isOpen).map(\.key.fullName).sorted()
            + hostTable.unwatched.sorted()
    }

    /// Folds an event into the store, and returns the services and hosts that may have changed.
    mutating func apply(_ event: DiscoveryEvent) -> StoreChanges {
        var touched = StoreChanges(at: event.time)
        switch event.kind {
        case .running(let host): hostTable.setOwnName(host, &touched)
        case .ownAddresses(let addresses): hostTable.setOwnAddresses(addresses, &touched)
        case .lost(let reason): backendLost(reason, &touched)
        case .handedOver(_, let host):
            generation += 1
            hostTable.setOwnName(host, &touched)
        case .caughtUp: removeUnseen(&touched)
        case .linkLost(let interface, let families, let reason):
            linkLost(interface, families, reason, &touched)
        case .linkBack(let interface):
            links.lose(interface, [])
            links.reportReturn(of: interface, &touched)
        case .linkCaughtUp(let interface, let gone): linkCaughtUp(interface, gone, &touched)
        case .linkExpired(let interface, let families):
            removeSightings(&touched) { _, place, _ in
                place.path.interface == interface && families.contains(place.path.family)
            }
            links.expire(interface, families, &touched)
        case .found(let sighting): found(sighting, &touched)
        case .removed(let sighting, _):
            update(sighting.service.id, isWithdrawal: true, &touched) {
                $0.sightings[sighting.place] = nil
            }
        case .forgotten(let key): hostTable.forgetWithdrawn(key.id, &touched)
        case .pending(let key): update(key.id, &touched) { $0.isOverdue = true }
        case .resolved(let key, let resolution): resolved(key.id, resolution, &touched)
        case .answered(let key): answered(key.id, &touched)
        case .unanswered(let key):
            update(key.id, &touched) { ($0.isOverdue, $0.presence) = (true, .unanswered) }
        case .addresses(let host, let addresses):
            hostTable.setAddresses(addresses, of: host.key, generation: generation, &touched)
        case .deviceInfo(let host, let txt): hostTable.setDeviceInfo(txt, of: host.key, &touched)
        case .hardware(let host, let macs):
            setHardware(macs, of: host.key, &touched)
        case .backendChanged(let backend, let message):
            touched.report(.backendBack, message, backend)
        case .notice(let code, let message): touched.report(code, message)
        case .heard(let senders): hear(senders, &touched)
        case .routes(let table):
            routes = table
            touched.hosts.formUnion(hosts.keys)
            vouching.setNetworks(table.links)
        case .settled, .announced: break
        }
        vouching.judgeAgain(hostTable.settle(heard: vouching.table, &touched))
        joinUnresolved(&touched)
        touched.hosts.formUnion(touched.hosts.flatMap(hostTable.machines.names))
        touched.hosts.formUnion(touched.hosts.flatMap(hostTable.machines.namesakes))
        vouching.judge(serviceStates, hostTable, &touched)
        return touched
    }
}

// MARK: Folding

extension PeerStore {
    private mutating func backendLost(_ reason: String, _ touched: inout StoreChanges) {
        touched.report(.backendLost, "\(reason); what it told is unknown until it is seen again")
        generation += 1
        for (id, service) in services where service.isOfBackend {
            update(id, &touched) { $0.presence = .unknown }
        }
    }

    private mutating func found(_ sighting: Sighting, _ touched: inout StoreChanges) {
        let key = sighting.service
        var service =
            serviceStates[key.id]
            ?? ServiceState(key: key, firstSeen: touched.time, lastSeen: touched.time)
        // Removed first to replace the key too: its interface may have another name now.
        service.sightings[sighting.place] = nil
        service.sightings[sighting.place] = generation
        service.lastSeen = touched.time
        set(key.id, to: service, &touched)
    }

    private mutating func resolved(
        _ id: UUID, _ resolution: Resolution, _ touched: inout StoreChanges
    ) {
        let time = touched.time
        update(id, &touched) { service in
            service.resolution = resolution.confirmed(by: service.resolution)
            service.presence = .present
            service.lastSeen = time
        }
        if let host = serviceStates[id]?.host, let macs = hostTable[host]?.deferredHardware {
            hostTable.setDeferredHardware(nil, of: host)
            setHardware(macs, of: host, &touched)
        }
    }

    private mutating func answered(_ id: UUID, _ touched: inout StoreChanges) {
        serviceStates.noteLife(of: id, at: touched.time)
        guard let service = serviceStates[id] else { return }
        // A backend resolves again what it has lost; other protocols only repeat themselves.
        if !service.isOfBackend, service.presence == .unknown {
            update(id, &touched) { $0.presence = .present }
        }
        if let host = service.host {
            vouching.answered(listedName(of: host), at: touched.time)
            hostTable.answered(host, at: touched.time)
        }
    }

    private mutating func hear(_ heard: [HeardSender], _ touched: inout StoreChanges) {
        if vouching.table == nil { hostTable.noteLifeOfAll(&touched) }
        vouching.hear(heard, on: routes.links, serviceStates, hostTable, at: touched.time)
        for sender in heard { noteLife(sender, at: touched.time) }
    }

    /// Updates the last sign of life of a device that sent a packet itself.
    private mutating func noteLife(_ sender: HeardSender, at time: Timestamp) {
        let name = Identity.canonical(sender.name)
        let id = Identity.uuid(forName: name)
        let named = [name] + hostTable.machines.namesakes(of: name)
        let ids =
            named.compactMap { hostTable[$0]?.serviceIDs.first } + [id]
            + serviceStates.namesakes(of: id)
        for service in ids {
            guard let host = serviceStates[service]?.host else { continue }
            hostTable.noteLife(of: host)
            if hostTable[host]?.outwardAddresses.contains(sender.address) == true {
                serviceStates.noteLife(of: service, at: time)
            }
        }
    }

    /// Removes sightings and addresses that the current backend has not reported, unless they are on a lost link.
    private mutating func removeUnseen(_ touched: inout StoreChanges) {
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
            hostTable.update(host, &touched) { [generation] in
                $0?.dropAddresses(before: generation)
            }
        }
    }

    /// Marks services that were seen only through lost paths as unknown, and reports the loss if it affects any.
    ///
    /// The services of this machine stay present whatever its interfaces do.
    private mutating func linkLost(
        _ interface: NetworkInterface, _ families: Set<AddressFamily>, _ reason: String,
        _ touched: inout StoreChanges
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
            links.reportLoss(of: interface, reason: reason, &touched)
        } else {
            links.reportReturn(of: interface, &touched)
        }
    }

    private mutating func linkCaughtUp(
        _ interface: NetworkInterface, _ gone: Set<Sighting>, _ touched: inout StoreChanges
    ) {
        for sighting in gone {
            update(sighting.service.id, &touched) { $0.sightings[sighting.place] = nil }
        }
        removeSightings(&touched) { [generation, links] service, place, seen in
            place.path.interface == interface && seen < generation && service.isOfBackend
                && !links.paths.contains(place.path)
        }
    }

    /// Removes the sightings whose place and generation satisfy a condition.
    private mutating func removeSightings(
        _ touched: inout StoreChanges, where isGone: (ServiceState, Sighting.Place, Int) -> Bool
    ) {
        for (id, service) in services {
            let kept = service.sightings.filter { !isGone(service, $0.key, $0.value) }
            guard kept.count < service.sightings.count else { continue }
            update(id, &touched) { $0.sightings = kept }
        }
    }

    /// Whether a service belongs to this machine.
    private func isOwn(_ service: ServiceState) -> Bool {
        service.host.flatMap { hostTable[$0] }.map(hostTable.isSelf) ?? false
    }

    /// Changes the state of a known service, and removes the service if it has no sighting left.
    private mutating func update(
        _ id: UUID, isWithdrawal: Bool = false, _ touched: inout StoreChanges,
        _ change: (inout ServiceState) -> Void
    ) {
        guard var service = serviceStates[id] else { return }
        change(&service)
        let isGone = service.sightings.isEmpty
        set(id, to: isGone ? nil : service, isWithdrawal: isWithdrawal && isGone, &touched)
    }

    /// Adds, replaces or removes the state of a service, and its contribution to its host.
    private mutating func set(
        _ id: UUID, to after: ServiceState?, isWithdrawal: Bool = false,
        _ touched: inout StoreChanges
    ) {
        let before = serviceStates.set(id, to: after)
        touched.services.insert(id)
        if let key = (after ?? before)?.key, key.network != nil {
            touched.services.insert(key.nameID)
        }
        touched.unresolved.formUnion(
            unresolved.update(before, to: after, isListed: after.map(options.includes) ?? false))
        hostTable.replace(
            before, by: after, isWithdrawal: isWithdrawal, among: serviceStates, &touched)
    }
}

// MARK: Machines

extension PeerStore {
    /// Sets the MAC addresses of a host, unless it is silent or its addresses have passed to a younger host: then another
    /// machine has them, or a router answers for the host.
    private mutating func setHardware(
        _ macs: [MACAddress], of name: String, _ touched: inout StoreChanges
    ) {
        let known = hostTable[name]?.macs ?? []
        if Set(known).isDisjoint(with: macs) {
            if !known.isEmpty, hostTable.machines.sharing.hasSuccessor(name) { return }
            if hostTable[name]?.presence.isSilent == true {
                return hostTable.setDeferredHardware(macs, of: name)
            }
        }
        hostTable.update(name, &touched) { [generation] in
            $0?.setHardware(macs, generation: generation)
        }
    }

    /// Adds services without a known host to the rows of their devices.
    private mutating func joinUnresolved(_ touched: inout StoreChanges) {
        guard !touched.unresolved.isEmpty || !unresolved.isEmpty else { return }
        for host in touched.hosts { touched.unresolved.formUnion(unresolved.groups(of: host)) }
        touched.hosts.formUnion(
            unresolved.join(touched.unresolved) { [machines = hostTable.machines] in
                machines.listedName(of: $0)
            })
    }

    /// Remembers the devices that had services when they were seen before.
    mutating func remember(_ known: @escaping @Sendable (ServiceKey) -> KnownDevice?) {
        unresolved.known = known
    }

    /// Returns the name under which the device with a host name is listed.
    func listedName(of name: String) -> String { hostTable.machines.listedName(of: name) }
}

// MARK: Hosts

extension PeerStore {
    /// Returns an instance name of a device that starts with its name and is longer, if it has one.
    func longerName(of name: String) -> String? { hostTable.device(name)?.device.longerName }

    /// Returns the services of the device with an identifier, or the service with the identifier,
    /// in no order.
    func services(ofDevice id: UUID) -> [UUID] {
        if serviceStates[id] != nil { return [id] }
        let names = hosts.keys.filter { hostTable.identity(of: $0).id == id }
        return names.flatMap { hostTable.device($0)?.serviceIDs ?? [] }
    }

    /// Returns the maker to which a MAC address is registered, unless others build its modules into their devices.
    private func maker(of mac: MACAddress) -> String? {
        makerOf(mac).flatMap { MakerNames.makesModules($0) ? nil : MakerNames.name(of: $0) }
    }

    /// Returns the peer of a host without its services.
    private func owner(_ name: String, _ host: HostState) -> Peer {
        let evidence = hostTable.identity(of: name)
        let noTime = Timestamp(microseconds: 0)
        let isNamed = host.hostName.endpoint == nil
        var peer = Peer(
            id: evidence.id, name: host.device.name ?? host.fallbackName,
            host: isNamed ? host.name : nil,
            isSelf: hostTable.isSelf(host), presence: .present, identity: evidence,
            addresses: host.addresses.map(\.description), firstSeen: noTime, lastSeen: noTime)
        host.device.describe(&peer)
        hostTable.formerDescription(of: name)?.describe(&peer)
        // The network interface often has another maker than the device, so any record takes precedence.
        peer.maker = peer.maker ?? host.universalAddress.flatMap(maker)
        peer.macs = host.macs.map(\.text)
        peer.deviceInfo = host.deviceInfo
        peer.vouchedBy = vouching.table?.vouching(of: name)
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
            guard let host = hostTable.device(name), !host.services.isEmpty else { return nil }
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
        guard let host = hostTable.device(name) else { return nil }
        var owner = owner(name, host)
        if vouching.table?.isSilent(name) == true { owner.presence = .proxied }
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
            guard let service = serviceStates[id]?.service else { continue }
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
        presence == .present && vouching.table?.isSilent(name) == true ? .proxied : presence
    }

    /// Returns the peer of services without a known host: the device that had them when it was seen before, or else a
    /// device with the identifier of the first of them.
    private func unresolvedPeer(_ group: UnresolvedServices.Group) -> Peer? {
        let states = (unresolved.services[group] ?? []).compactMap { serviceStates[$0] }
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
            let first = serviceStates[state.key.nameID]?.host
        else { return false }
        return listedName(of: host) == listedName(of: first)
    }

    /// Returns the row of a service in a list by type, or `nil` if the service or its kind of device is not
    /// listed.
    func serviceRow(_ id: UUID) -> ListItem? {
        guard let state = serviceStates[id], options.includes(state), !isRepeated(state) else {
            return nil
        }
        var peer = state.host.flatMap(serviceOwner) ?? unresolvedPeer([state], first: state)
        guard options.includes(peer.kind), options.includes(peer.vouchedBy) else { return nil }
        let repeated = serviceStates.namesakes(of: id).compactMap { serviceStates[$0] }
            .filter(isRepeated)
        peer.presence = presence(
            .combined([state.presence] + repeated.map(\.presence)),
            of: state.host.map(listedName) ?? "")
        (peer.firstSeen, peer.lastSeen) = (state.firstSeen, state.lastSeen)
        peer.isHeard = state.resolution?.isConfirmed == false
        return .service(state.service, of: peer)
    }
}
