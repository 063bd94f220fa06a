// Browses for the addresses of hosts, and decides when a change of the addresses is reported.
import FoundationEssentials
import HeardRecords

/// The addresses of hosts, found by record browsers that a host's services share.
///
/// While there is room, a host is watched: its record browsers stay open. Otherwise hosts are looked up in turn, and
/// the record browsers of a host are closed when all of its addresses have been reported.
struct AddressWatcher {
    /// The maximum number of hosts that are looked up at once if they cannot all be watched.
    static let lookupLimit = 16
    /// The time for which the first addresses are gathered after a change of backends. Otherwise a list that has
    /// addresses already would show each new address as a change.
    static let gatheringTime = Duration.milliseconds(300)
    /// The interval at which hosts that lost addresses are checked while hosts are probed.
    private static let lossInterval = Duration.milliseconds(200)
    /// The maximum number of records of a host: each address may arrive through both families.
    private static let recordLimit = 2 * DiscoveryRules.addressLimit

    private struct Host {
        var lookup: Lookup?
        /// Whether a lookup of the host has found all addresses.
        var isComplete = false
        var reported: Set<HostAddress> = []
        var firstReported: Duration?
    }

    private struct Lookup {
        var open: Set<AddressFamily> = []
        var records: [Record] = []
        /// The families whose cached records have not all been reported.
        var unread = Set(AddressFamily.allCases)
        /// Whether the lookup has found all addresses, so that only changes are awaited.
        var isOver = false
        /// Whether the lookup no longer waits for missing records.
        var isOverdue = false
        /// The time at which a change is to be reported.
        var due: Duration?
    }

    private struct Record: Hashable {
        var data: [UInt8]
        var path: NetworkPath
    }

    private let path: LookupPath
    private var hosts: [String: Host] = [:]
    private var schedule: LookupSchedule<String>
    /// The hosts with open record browsers, oldest first.
    private var open: [String] = []
    private var shared = SharedAddresses()

    init(
        path: LookupPath, limits: LookupSchedule<String>.Limits = LookupSchedule<String>.Limits()
    ) {
        self.path = path
        schedule = LookupSchedule(limits: limits)
    }

    mutating func add(_ host: String, at now: Duration) {
        hosts[host] = Host()
        schedule.schedule(host, at: now)
    }

    mutating func remove(_ host: String, _ step: inout DiscoveryStep) {
        close(host, &step)
        schedule.remove(host)
        hosts[host] = nil
    }

    /// Looks up the addresses of a host again, because removals were ignored.
    mutating func lookUpAgain(_ host: String, at now: Duration) {
        if hosts[host] != nil { schedule.schedule(host, at: now) }
    }

    /// Closes all record browsers.
    mutating func end(_ step: inout DiscoveryStep) {
        for host in open { close(host, &step) }
    }

    mutating func handle(
        _ event: LookupEvent, of host: String, _ family: AddressFamily, _ table: ServiceTable,
        isCatchingUp: Bool, _ step: inout DiscoveryStep
    ) {
        guard var lookup = hosts[host]?.lookup else { return }
        switch event {
        case .recordAppeared(let data, let path):
            let record = Record(data: data, path: path)
            guard lookup.records.count < Self.recordLimit, !lookup.records.contains(record) else {
                return
            }
            lookup.records.append(record)
        case .recordDisappeared(let data, let path):
            lookup.records.removeAll { $0 == Record(data: data, path: path) }
        case .cacheExhausted: lookup.unread.remove(family)
        case .failed:
            // The lookups of the host's services still report one address.
            lookup.unread.remove(family)
            lookup.open.remove(family)
            step.close(.addresses(host: host, family))
        default: return
        }
        hosts[host]?.lookup = lookup
        reportOrSchedule(host, table, isCatchingUp: isCatchingUp, &step)
    }

    /// Handles an answer of a host: may report a change, and looks up an unwatched host again if the answer has a new
    /// address.
    mutating func hostAnswered(
        _ resolution: Resolution, _ table: ServiceTable, isCatchingUp: Bool,
        _ step: inout DiscoveryStep
    ) {
        let id = resolution.hostName.key
        reportOrSchedule(id, table, isCatchingUp: isCatchingUp, &step)
        guard let host = hosts[id], host.lookup == nil, !host.reported.isEmpty,
            let address = resolution.address, !address.isLoopback, !host.reported.contains(address)
        else { return }
        schedule.schedule(id, at: step.now)
    }

    /// Handles the result of the probe of a host that lost addresses.
    mutating func probed(
        _ host: String, isThere: Bool, _ table: ServiceTable, _ step: inout DiscoveryStep
    ) {
        guard let lookup = hosts[host]?.lookup, lookup.due != nil else { return }
        hosts[host]?.lookup?.due = nil
        if isThere, !lookup.records.isEmpty { report(host, table, &step) }
    }

    /// Returns the addresses of a host that were reported last.
    func reportedAddresses(of host: String) -> Set<HostAddress> { hosts[host]?.reported ?? [] }

    /// Whether a host waits for the result of a probe.
    func isWaiting(_ host: String) -> Bool { hosts[host]?.lookup?.due != nil }

    mutating func deadline() -> Duration? {
        let changes = open.map { hosts[$0]?.lookup?.due }
        let others = [
            shared.verification.due, shared.query.due, schedule.deadline(busyUntil: .zero),
        ]
        return (changes + others).compactMap { $0 }.min()
    }

    /// Reports the changes that are due, opens the record browsers for which there is room, and closes the
    /// record browsers that need not stay open.
    ///
    /// A silent host loses its addresses one by one as their records expire. So a host that has only lost addresses is
    /// probed; if it does not answer, it is unanswered and keeps its last addresses. The lookups of services and of
    /// addresses share the stack's room.
    ///
    /// - Returns: The hosts to probe: hosts that lost addresses, and hosts with addresses that another host has too.
    mutating func advance(
        _ table: ServiceTable, _ services: LookupSchedule<UUID>, isUnresponsive: (UUID) -> Bool,
        _ step: inout DiscoveryStep
    ) -> (lost: [String], shared: [String]) {
        askForShared(table, &step)
        let sharers = popSharers(\.verification, at: step.now)
        var lost: [String] = []
        for id in open {
            guard let host = hosts[id], let lookup = host.lookup, let due = lookup.due,
                due <= step.now
            else { continue }
            let offered = table.hosts[id]?.services ?? []
            if lookup.records.isEmpty || offered.allSatisfy(isUnresponsive) {
                hosts[id]?.lookup?.due = nil
            } else if Set(addresses(lookup.records, of: id, table)).isSubset(of: host.reported) {
                lost.append(id)
                hosts[id]?.lookup?.due = step.now + Self.lossInterval
            } else {
                report(id, table, &step)
            }
        }
        openAndClose(table, services, &step)
        return (lost, sharers)
    }

    private mutating func openAndClose(
        _ table: ServiceTable, _ services: LookupSchedule<UUID>, _ step: inout DiscoveryStep
    ) {
        let families = AddressFamily.allCases.count
        let watched = max(0, services.limits.kept - services.count) / families
        let lookups = services.keepsOpen ? services.count : services.limits.inFlight
        // At least one host is looked up at a time, even without room.
        let atOnce = min(
            max(1, max(0, services.limits.kept - lookups) / families), Self.lookupLimit)
        let room = max(atOnce, watched)
        // Many services that wait to be resolved take precedence; their lookups report an address
        // each.
        let isCrowded = !services.keepsOpen && services.isBusy && !services.isHeldUp
        schedule.allow(inFlight: isCrowded ? 0 : room, kept: watched)
        for id in schedule.popSlow(busyUntil: .zero, at: step.now) {
            hosts[id]?.lookup?.isOverdue = true
        }
        for id in open { finishLookup(of: id, table, &step) }
        for id in schedule.releaseKept(at: step.now) { close(id, &step) }
        while open.count > room, let id = open.last {
            close(id, &step)
            schedule.schedule(id, at: step.now)
        }
        while let turn = schedule.next(at: step.now) {
            if let id = turn.evicted { close(id, &step) }
            openLookup(of: turn.id, table, &step)
        }
    }

    private mutating func openLookup(
        of id: String, _ table: ServiceTable, _ step: inout DiscoveryStep
    ) {
        close(id, &step)
        guard let name = table.hosts[id]?.name else { return }
        open.append(id)
        hosts[id]?.lookup = Lookup(open: Set(AddressFamily.allCases))
        for family in AddressFamily.allCases {
            step.open(
                .addresses(host: id, family), .addresses(host: name.name, family, path))
        }
    }

    /// Ends a lookup that has found all addresses; the host stays watched if there is room.
    private mutating func finishLookup(
        of id: String, _ table: ServiceTable, _ step: inout DiscoveryStep
    ) {
        guard let host = hosts[id], let lookup = host.lookup, !lookup.isOver,
            lookup.unread.isEmpty, lookup.due == nil,
            lookup.isOverdue
                || table.families(ofHost: id).isSubset(
                    of: lookup.records.map { $0.data.count == 4 ? .ipv4 : .ipv6 })
        else { return }
        hosts[id]?.lookup?.isOver = true
        if !host.isComplete {
            hosts[id]?.isComplete = true
            if host.reported.isEmpty, let name = table.hosts[id]?.name {
                step.report(.addresses(host: name, []))
            }
        }
        let staysOpen =
            lookup.open.isEmpty
            ? schedule.failed(id, isOpen: false, at: step.now) : schedule.answered(id, at: step.now)
        if !staysOpen { close(id, &step) }
    }

    private mutating func close(_ id: String, _ step: inout DiscoveryStep) {
        guard let index = open.firstIndex(of: id) else { return }
        open.remove(at: index)
        for family in hosts[id]?.lookup?.open ?? [] {
            step.close(.addresses(host: id, family))
        }
        hosts[id]?.lookup = nil
    }

    /// Reports the first addresses of a host, or schedules the report of a later change; after an event, or after the
    /// networks have changed on which the host is seen.
    mutating func reportOrSchedule(
        _ id: String, _ table: ServiceTable, isCatchingUp: Bool, _ step: inout DiscoveryStep
    ) {
        guard let host = hosts[id], let lookup = host.lookup, lookup.unread.isEmpty,
            !lookup.records.isEmpty
        else { return }
        guard Set(addresses(lookup.records, of: id, table)) != host.reported else {
            // A lost address is back, or was found through the other family.
            hosts[id]?.lookup?.due = nil
            return
        }
        switch host.firstReported {
        case nil where isCatchingUp:
            if lookup.due == nil { hosts[id]?.lookup?.due = step.now + Self.gatheringTime }
        case let first? where step.now >= first + DiscoveryRules.addressArrival:
            if lookup.due == nil {
                hosts[id]?.lookup?.due = step.now + DiscoveryRules.addressChange
            }
        default: report(id, table, &step)
        }
    }

    private mutating func report(_ id: String, _ table: ServiceTable, _ step: inout DiscoveryStep) {
        guard let host = hosts[id], let lookup = host.lookup, let name = table.hosts[id]?.name
        else { return }
        let addresses = addresses(lookup.records, of: id, table)
        hosts[id]?.reported = Set(addresses)
        hosts[id]?.firstReported = host.firstReported ?? step.now
        hosts[id]?.lookup?.due = nil
        shared.addressesChanged(at: step.now)
        step.add(.reportOwnAddresses)
        step.report(.addresses(host: name, addresses))
    }

    private func addresses(
        _ records: [Record], of id: String, _ table: ServiceTable
    ) -> [HostAddress] {
        var known: Set<HostAddress> = []
        let interfaces = Set(records.map(\.path.interface)).filter {
            table.hasRecords(id, on: $0)
        }
        let all = records.filter {
            [4, 16].contains($0.data.count) && interfaces.contains($0.path.interface)
        }
        .map { HostAddress(bytes: $0.data, interface: $0.path.interface.name) }
        return Array(all.filter { known.insert($0).inserted }.prefix(DiscoveryRules.addressLimit))
    }

    /// Returns the hosts that an action on shared addresses concerns now.
    private mutating func popSharers(
        _ action: WritableKeyPath<SharedAddresses, SharedAddresses.Action>, at now: Duration
    ) -> [String] {
        guard let due = shared[keyPath: action].due, due <= now else { return [] }
        let addresses = open.map { ($0, hosts[$0]?.reported ?? []) }
        return shared[keyPath: action].pop(Dictionary(uniqueKeysWithValues: addresses))
    }

    private mutating func askForShared(_ table: ServiceTable, _ step: inout DiscoveryStep) {
        let names = popSharers(\.query, at: step.now)
        guard !names.isEmpty else { return }
        let services = names.flatMap { table.hosts[$0]?.services ?? [] }
        let paths = services.reduce(into: Set<NetworkPath>()) { paths, id in
            paths.formUnion(table.question(for: id)?.paths ?? [])
        }
        let hosts = Set(names.map(HostName.canonical(ofKey:))).sorted()
        step.add(.askForAddresses(hosts: hosts, paths))
    }
}

/// The addresses that several hosts share.
///
/// An address may have passed from one host to another, so the hosts are verified.
///
/// A machine that changes its name sends no goodbye for its addresses under the former name. If another machine has the
/// former name now, that machine seems to have the addresses of both until the old records expire. An answer of the
/// name's owner flushes old records from caches (RFC 6762, section 10.2), so the addresses of the name are queried
/// once.
struct SharedAddresses {
    /// Something that is done once for the hosts that share addresses.
    struct Action {
        /// The time from a change of addresses to the action.
        let settling: Duration
        /// The hosts of each shared address as of the last action.
        private var done: [HostAddress: Set<String>] = [:]
        /// The time to look for shared addresses, or `nil` for never.
        private(set) var due: Duration?

        init(after settling: Duration) { self.settling = settling }

        mutating func addressesChanged(at now: Duration) {
            if due == nil { due = now + settling }
        }

        /// Returns hosts of the shared addresses that other hosts have gained since the last action: the
        /// new ones, and at most ``ownerLimit`` of the others of each address.
        mutating func pop(_ addresses: [String: Set<HostAddress>]) -> [String] {
            due = nil
            var owners: [HostAddress: Set<String>] = [:]
            for (host, addresses) in addresses {
                for address in addresses { owners[address, default: []].insert(host) }
            }
            owners = owners.filter { $0.value.count > 1 }
            var hosts: Set<String> = []
            for (address, names) in owners {
                let known = done[address] ?? []
                let new = names.subtracting(known)
                guard !new.isEmpty else { continue }
                hosts.formUnion(new)
                hosts.formUnion(
                    known.intersection(names).sorted().prefix(SharedAddresses.ownerLimit))
            }
            done = owners
            return hosts.sorted()
        }
    }

    /// The maximum number of hosts of an address that are concerned again when another host gains it.
    private static let ownerLimit = 8

    var verification = Action(after: .milliseconds(100))
    /// Records younger than a second are not flushed.
    var query = Action(after: .seconds(2))

    mutating func addressesChanged(at now: Duration) {
        verification.addressesChanged(at: now)
        query.addressesChanged(at: now)
    }
}
