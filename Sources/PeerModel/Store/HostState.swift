// The folded state of one host.
import FoundationEssentials

/// The state of one host, folded from its services.
struct HostState {
    /// The maximum number of listed services of one host, because a change of one service takes
    /// time linear in their number.
    static let serviceLimit = 4_096
    static let addressLimit = 64
    static let hardwareLimit = 16
    /// The maximum number of withdrawn services whose records are kept.
    static let withdrawnLimit = 128

    let hostName: HostName
    /// The name as announced, without a final dot.
    var name: String { hostName.name }

    /// The evidence of the device's identity, the strongest first; the last is the host name.
    private(set) var evidence: [Identity]

    /// The identifiers of the evidence that only the records of withdrawn services contain.
    private(set) var withdrawnEvidence: Set<UUID> = []

    /// The description of the device by its records, as of the last ``update()``.
    private(set) var device = DeviceDescription()

    /// The records that describe the device.
    private var records: HostRecords

    /// The withdrawn services whose records still describe the device. A device that leaves withdraws one service
    /// after another, and must keep its identity until the last one.
    private var withdrawn: [UUID: Service] = [:]
    /// The service that was withdrawn last.
    private var latestWithdrawn: UUID?

    /// The listed services, by type, then name, then id.
    private(set) var services: [Service] = []

    /// The services omitted because of ``serviceLimit``.
    private(set) var omitted: Set<UUID> = []
    private(set) var serviceIDs: Set<UUID> = []

    private(set) var firstSeen: Timestamp
    private(set) var lastSeen: Timestamp
    /// The name of a device that tells none: its host name, its model, or else an address.
    var fallbackName: String {
        guard hostName.endpoint != nil else { return name }
        return device.model ?? addresses.first?.description ?? name
    }

    /// The last time at which a service of the host answered a query.
    var lastAnswer: Timestamp?

    /// The addresses reported by record browsers, in order, and the backend generation that reported them.
    private var watchedAddresses: (addresses: [HostAddress], generation: Int) = ([], 0)

    /// The MAC addresses in the kernel's table, and the backend generation in which they were reported.
    private var hardware: (macs: [MACAddress], generation: Int) = ([], 0)

    /// Other MAC addresses than the known ones, which were reported while the host was silent: they are another machine's
    /// unless the host answers again.
    var deferredHardware: [MACAddress]?

    /// The device-info record, or `nil` while none is known; discovery limits its size.
    var deviceInfo: TXTRecord? { records.deviceInfo }

    private var presences = Tally<Presence>()
    /// The number of services that the backend has resolved, and of services resolved only by records that were heard
    /// on the link.
    private var resolved = (byBackend: 0, asHeard: 0)
    private var interfaceNames = Tally<String>()
    private var resolvedAddresses = Tally<HostAddress>()

    init(_ hostName: HostName, at time: Timestamp) {
        self.hostName = hostName
        records = HostRecords(host: hostName.name)
        evidence = [hostName.identity]
        firstSeen = time
        lastSeen = time
    }

    /// Adds a service, or its new state after ``remove(_:keepsRecords:)`` of the old one.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - isListed: Whether the service is listed.
    ///   - keepsRecords: Whether the service has the same records as in the old state; if not, call
    ///     ``update()``.
    mutating func add(_ state: ServiceState, isListed: Bool, keepsRecords: Bool) {
        serviceIDs.insert(state.key.id)
        count(state, 1)
        let service = state.service
        if let former = withdrawn.removeValue(forKey: service.id) { records.remove(former) }
        if !keepsRecords, !state.isProbe { records.add(service) }
        if isListed { list(service) }
        firstSeen = min(firstSeen, state.firstSeen)
        lastSeen = max(lastSeen, state.lastSeen)
    }

    /// Computes the evidence and the properties of the device after changes of the records.
    mutating func update() {
        let statements = HostStatements(records)
        let name = evidence[evidence.count - 1]
        evidence = Identity.distinct(statements.evidence, host: name)
        device = DeviceDescription(statements)
        withdrawnEvidence = []
        // Nothing is lost with the others.
        guard withdrawn.values.contains(where: records.hasEvidence) else { return }
        var rest = records
        for service in withdrawn.values { rest.remove(service) }
        withdrawnEvidence = Set(evidence.map(\.id))
            .subtracting(Identity.distinct(HostStatements(rest).evidence, host: name).map(\.id))
    }

    /// Removes a service like ``remove(_:keepsRecords:)``, and keeps its records until ``forget(_:)``; call
    /// ``update()`` after it.
    mutating func withdraw(_ state: ServiceState) {
        remove(state, keepsRecords: true)
        guard !state.isProbe else { return }
        if withdrawn.count == Self.withdrawnLimit { forgetWithdrawn() }
        let service = state.service
        (withdrawn[service.id], latestWithdrawn) = (service, service.id)
    }

    /// Drops the records of all withdrawn services if the given one was withdrawn last.
    mutating func forget(_ id: UUID) {
        guard id == latestWithdrawn else { return }
        forgetWithdrawn()
        update()
    }

    private mutating func forgetWithdrawn() {
        for service in withdrawn.values { records.remove(service) }
        (withdrawn, latestWithdrawn) = ([:], nil)
    }

    mutating func setDeviceInfo(_ txt: TXTRecord) {
        records.deviceInfo = txt
        update()
    }

    /// Lists an added service if there is room.
    mutating func list(_ service: Service) {
        guard services.count < Self.serviceLimit else {
            omitted.insert(service.id)
            return
        }
        omitted.remove(service.id)
        services.insert(service, at: services.sortedIndex(of: service))
    }

    /// An omitted service that can be listed now.
    var nextOmitted: UUID? { services.count < Self.serviceLimit ? omitted.min() : nil }

    /// Removes a service, given the exact state in which it was added.
    mutating func remove(_ state: ServiceState, keepsRecords: Bool) {
        serviceIDs.remove(state.key.id)
        count(state, -1)
        let service = state.service
        if !keepsRecords, !state.isProbe { records.remove(service) }
        guard omitted.remove(service.id) == nil else { return }
        let index = services.sortedIndex(of: service)
        if index < services.count, services[index].id == service.id { services.remove(at: index) }
    }

    private mutating func count(_ state: ServiceState, _ step: Int) {
        presences.add(state.presence, step)
        for name in state.interfaces { interfaceNames.add(name, step) }
        if let address = state.resolution?.address { resolvedAddresses.add(address, step) }
        switch state.resolution?.isConfirmed {
        case true?: resolved.byBackend += step
        case false?: resolved.asHeard += step
        case nil: break
        }
    }

    mutating func setAddresses(_ addresses: [HostAddress], generation: Int) {
        watchedAddresses = (Set(addresses).sorted(), generation)
    }

    /// Sets the MAC addresses; the first ``hardwareLimit`` are kept.
    mutating func setHardware(_ macs: [MACAddress], generation: Int) {
        hardware = (Array(macs.prefix(Self.hardwareLimit)), generation)
    }

    /// Drops addresses that were reported in an earlier generation of the backend.
    mutating func dropAddresses(before generation: Int) {
        if watchedAddresses.generation < generation { watchedAddresses.addresses = [] }
        if hardware.generation < generation { hardware.macs = [] }
    }

    /// Returns the last signs of life of the host, by sender: packets, and answers to queries, which count as packets of
    /// its own.
    ///
    /// If packets are not heard, the records that the backend reports count as signs of life.
    func lastLife(heard: VouchingTable?) -> [HostAddress?: Timestamp] {
        var last =
            heard?.lastPackets(
                of: Identity.canonical(name), serviceIDs, from: outwardAddresses)
            ?? [nil: lastSeen]
        if let lastAnswer { last[nil] = max(last[nil] ?? lastAnswer, lastAnswer) }
        return last
    }

    /// Whether another host that announces the same evidence is the same machine: it has an address in common, and no
    /// other MAC addresses, or it is the same device with another network card, or with its name on another network.
    func isSameMachine(as other: HostState) -> Bool {
        if isNamesake(of: other) { return true }
        let isUncontradicted =
            macs.isEmpty || other.macs.isEmpty || macs.contains(where: other.macs.contains)
        // A device tells the same by two protocols, from any of its addresses.
        if hostName.endpoint != nil || other.hostName.endpoint != nil { return isUncontradicted }
        let isShared = outwardAddresses.contains {
            !$0.isOfBridge && other.outwardAddresses.contains($0)
        }
        guard isShared else { return isTwin(of: other) }
        return isUncontradicted
    }

    /// Whether another host has this host's name on another network.
    private func isNamesake(of other: HostState) -> Bool {
        hostName.network != other.hostName.network && hostName.endpoint == nil
            && Identity.canonical(name) == Identity.canonical(other.name)
    }

    /// Whether both are host names of one device with two network cards: their services are alike, and their names
    /// differ at most in the number of a name conflict or in a MAC address.
    private func isTwin(of other: HostState) -> Bool {
        guard device.isLike(other.device), !services.isEmpty,
            DeviceName.isTwin(records.label, other.records.label)
        else { return false }
        let others = Dictionary(grouping: other.services, by: { $0.type.lowercased() })
        var isAlike = false
        for service in services {
            let namesakes = (others[service.type.lowercased()] ?? []).filter {
                DeviceName.isTwin(service.name, $0.name)
            }
            // Its owner has put the other device in another place.
            if namesakes.contains(where: { $0.txt["note"] != service.txt["note"] }) { return false }
            isAlike = isAlike || !namesakes.isEmpty
        }
        return isAlike
    }

    /// Returns this host merged with another host name of the same machine; services beyond ``serviceLimit`` are
    /// omitted.
    ///
    /// If both names have an address in common, only the addresses of this host are kept, because other addresses of a
    /// former name may be outdated. A service that both offer under one name on two networks is listed once.
    func merged(with other: HostState) -> HostState {
        var merged = self
        let names =
            isNamesake(of: other)
            ? Dictionary(services.map { ($0.canonicalName, $0) }) { first, _ in first } : [:]
        for service in other.services {
            if let same = names[service.canonicalName] {
                // Always the same of both is listed.
                guard service.isNamedAlone else { continue }
                merged.services.removeAll { $0.id == same.id }
            }
            merged.list(service)
        }
        merged.records.merge(other.records)
        merged.update()
        merged.serviceIDs.formUnion(other.serviceIDs)
        for presence in other.presences.elements { merged.presences.add(presence, 1) }
        merged.resolved.byBackend += other.resolved.byBackend
        merged.resolved.asHeard += other.resolved.asHeard
        // What is out of reach on one network is in reach on another.
        let isOnlyOther = presence == .unknown && other.presence != .unknown
        let isOnlyThis = presence != .unknown && other.presence == .unknown
        if isOnlyOther { merged.interfaceNames = Tally() }
        if !isOnlyThis {
            for name in other.interfaceNames.elements { merged.interfaceNames.add(name, 1) }
        }
        merged.setHardware(
            Set(macs + other.macs).sorted(), generation: hardware.generation)
        if isOnlyOther {
            merged.watchedAddresses.addresses = other.known
        } else if !isOnlyThis,
            !outwardAddresses.contains(where: other.outwardAddresses.contains)
        {
            merged.watchedAddresses.addresses = (known + other.known).sorted()
        }
        merged.firstSeen = min(firstSeen, other.firstSeen)
        merged.lastSeen = max(lastSeen, other.lastSeen)
        return merged
    }

    var presence: Presence { .combined(presences.elements) }

    /// Returns whether the host has a listed service of one of some types.
    func offers(_ types: Set<String>) -> Bool {
        types.contains { type in
            let index = services.partitionIndex {
                !$0.type.utf8.lexicographicallyPrecedes(type.utf8)
            }
            return index < services.count && services[index].type == type
        }
    }

    /// Whether services were resolved, but only by records heard on the link.
    var isHeard: Bool { resolved.asHeard > 0 && resolved.byBackend == 0 }

    /// The MAC addresses of the host's addresses in the kernel's table, in order.
    var macs: [MACAddress] { hardware.macs }

    /// A universally administered MAC address of the device, which determines the maker: from the
    /// device's records, or else from the kernel's table.
    var universalAddress: MACAddress? {
        // An extended address starts like the MAC addresses of its maker.
        evidence.lazy.filter { $0.rank == .hardwareAddress }
            .compactMap { MACAddress($0.value.dropFirst("mac:".count).prefix(12)) }.first
            ?? macs.first(where: \.isUniversal)
    }

    /// The interfaces by name; the loopback interface only if there is no other.
    var interfaces: [String] {
        let names = interfaceNames.elements.filter { $0 != "lo" }
        return names.isEmpty ? interfaceNames.elements.sorted() : names.sorted()
    }

    /// The first ``addressLimit`` addresses in order; loopback addresses only if there are no others.
    var addresses: [HostAddress] {
        let outward = outwardAddresses
        return outward.isEmpty ? known : outward
    }

    /// The first ``addressLimit`` addresses in order, without loopback addresses.
    var outwardAddresses: [HostAddress] {
        Array(known.lazy.filter { !$0.isLoopback }.prefix(Self.addressLimit))
    }

    /// The first ``addressLimit`` addresses in order, loopback addresses among them.
    var announcedAddresses: [HostAddress] { Array(known.prefix(Self.addressLimit)) }

    /// All addresses in order, without loopback addresses; empty until a record browser has reported them.
    var completeAddresses: [HostAddress] {
        watchedAddresses.addresses.isEmpty ? [] : outwardAddresses
    }

    /// The addresses in order.
    private var known: [HostAddress] {
        let watched = watchedAddresses.addresses
        return watched.isEmpty ? resolvedAddresses.elements.sorted() : watched
    }
}

/// A multiset, which makes the cost of one service's change independent of the number of services.
private struct Tally<Element: Hashable & Sendable>: Sendable {
    private var counts: [Element: Int] = [:]
    var elements: Dictionary<Element, Int>.Keys { counts.keys }

    mutating func add(_ element: Element, _ step: Int) {
        let count = (counts[element] ?? 0) + step
        counts[element] = count > 0 ? count : nil
    }
}
