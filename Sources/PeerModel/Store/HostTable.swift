// Holds the hosts of the reported services: their states, their machines, and this machine among them.
import FoundationEssentials

/// The hosts of the reported services.
///
/// A host is in the table for as long as it has a service. Each change of a host also updates ``machines``.
struct HostTable {
    private let options: ListOptions
    /// The hosts by their keys.
    private(set) var states: [String: HostState] = [:]
    private(set) var machines = Machines()
    /// The hosts whose addresses have not been reported yet.
    private(set) var unwatched: Set<String> = []
    /// The canonical name of this machine.
    private(set) var ownName: String?
    private var ownAddresses: Set<HostAddress> = []
    /// The hosts of the withdrawn services whose records are kept, by service.
    private var hostsOfWithdrawn: [UUID: String] = [:]
    private var returning = ReturningHosts()
    private var hasReportedServiceLimit = false
    private var hasReportedNameLimit = false

    init(options: ListOptions) { self.options = options }

    subscript(name: String) -> HostState? { states[name] }

    /// Returns the state of a device by its host name, or `nil` if it is listed under another name.
    func device(_ name: String) -> HostState? {
        let names = machines.names(of: name)
        guard names[0] == name, let host = states[name] else { return nil }
        return names.dropFirst().compactMap { states[$0] }.reduce(host) { $0.merged(with: $1) }
    }

    func identity(of name: String) -> Identity {
        machines.identity(of: name) { states[$0]?.interfaces.first }
    }

    /// Returns the description that a host had when it left, if the host has just returned.
    func formerDescription(of name: String) -> DeviceDescription? { returning[name] }

    // MARK: This machine

    mutating func setOwnName(_ name: String, _ touched: inout StoreChanges) {
        touched.hosts.formUnion([ownName, Identity.canonical(name)].compactMap(\.self))
        ownName = Identity.canonical(name)
    }

    mutating func setOwnAddresses(
        _ addresses: Set<HostAddress>, _ touched: inout StoreChanges
    ) {
        ownAddresses = addresses
        touched.hosts.formUnion(states.keys)
    }

    /// Whether a host is this machine.
    ///
    /// Another machine may have this machine's name, so addresses decide. A host with this machine's
    /// name needs one of this machine's addresses, or has only loopback addresses. A host with another
    /// name, which another stack on this machine may announce, must have only addresses of this
    /// machine.
    func isSelf(_ host: HostState) -> Bool {
        let addresses = host.outwardAddresses
        return Identity.canonical(host.name) == ownName
            ? addresses.isEmpty || addresses.contains(where: ownAddresses.contains)
            : !addresses.isEmpty && addresses.allSatisfy(ownAddresses.contains)
    }

    // MARK: Changes

    /// Changes the state of a host, and updates its machine.
    mutating func update(
        _ name: String, _ touched: inout StoreChanges, _ change: (inout HostState?) -> Void
    ) {
        change(&states[name])
        machines.update(name, to: states[name])
        touched.hosts.insert(name)
    }

    mutating func setAddresses(
        _ addresses: [HostAddress], of name: String, generation: Int,
        _ touched: inout StoreChanges
    ) {
        guard states[name] != nil else { return }
        unwatched.remove(name)
        update(name, &touched) { $0?.setAddresses(addresses, generation: generation) }
    }

    mutating func setDeviceInfo(
        _ txt: TXTRecord, of name: String, _ touched: inout StoreChanges
    ) {
        states[name]?.setDeviceInfo(txt)
        touched.hosts.insert(name)
    }

    /// Keeps the MAC addresses that were reported while a host was silent, or drops them.
    mutating func setDeferredHardware(_ macs: [MACAddress]?, of name: String) {
        states[name]?.deferredHardware = macs
    }

    /// Notes that a service of a host answered a query.
    mutating func answered(_ name: String, at time: Timestamp) {
        states[name]?.lastAnswer = time
        noteLife(of: name)
    }

    mutating func noteLife(of name: String) { machines.sharing.noteLife(of: name) }

    /// Notes that packets are heard from now on, which are signs of life, so that all machines are judged again.
    mutating func noteLifeOfAll(_ touched: inout StoreChanges) {
        touched.hosts.formUnion(states.keys)
        machines.sharing.noteAll()
    }

    /// Replaces the state of a service in the states of its hosts; a host that has lost its last service is removed.
    mutating func replace(
        _ before: ServiceState?, by after: ServiceState?, isWithdrawal: Bool,
        among services: ServiceStates, _ touched: inout StoreChanges
    ) {
        let isSame = before != nil && before?.resolution == after?.resolution
        if let before, let host = before.host {
            if isWithdrawal {
                forgetWithdrawn(before.key.id, &touched)
                states[host]?.withdraw(before)
                hostsOfWithdrawn[before.key.id] = host
            } else {
                states[host]?.remove(before, keepsRecords: isSame)
            }
        }
        if let after, let host = after.host, let name = after.resolution?.hostName {
            if states[host] == nil {
                unwatched.insert(host)
                returning.returned(host, at: touched.time)
            }
            states[host, default: HostState(name, at: after.firstSeen)]
                .add(after, isListed: options.includes(after), keepsRecords: isSame)
        }
        let hosts = [before?.host, after?.host].compactMap(\.self)
        if !isSame { for host in Set(hosts) { states[host]?.update() } }
        for host in hosts {
            if let state = states[host], state.serviceIDs.isEmpty {
                returning.left(host, state.device)
                states[host] = nil
                unwatched.remove(host)
            }
            if let state = states[host], !state.omitted.isEmpty {
                listOmitted(state, services, &touched)
            }
            update(host, &touched) { _ in }
        }
    }

    /// Drops the kept records of a host's withdrawn services if the given service was withdrawn last.
    mutating func forgetWithdrawn(_ id: UUID, _ touched: inout StoreChanges) {
        guard let host = hostsOfWithdrawn.removeValue(forKey: id), states[host] != nil else {
            return
        }
        update(host, &touched) { $0?.forget(id) }
    }

    /// Lists an omitted service if there is room, and reports the limit once.
    private mutating func listOmitted(
        _ state: HostState, _ services: ServiceStates, _ touched: inout StoreChanges
    ) {
        if let service = state.nextOmitted.flatMap({ services[$0] }), let host = service.host {
            states[host]?.list(service.service)
        }
        guard !hasReportedServiceLimit, options.grouping == .device else { return }
        hasReportedServiceLimit = true
        touched.report(
            .serviceLimit,
            """
            \(state.name) offers more than \(HostState.serviceLimit) services, the rest are not \
            shown; group them by type, or name the types you want with --type
            """)
    }

    // MARK: Machines

    /// Adds the hosts whose machine, identifier or description has changed, and reports conflicts and limits.
    ///
    /// - Returns: The hosts whose machine may have changed.
    mutating func settle(
        heard: VouchingTable?, _ touched: inout StoreChanges
    ) -> Set<String> {
        touched.hosts.formUnion(
            machines.grantAffected(hosts: states) { touched.report(.identityConflict, $0) })
        touched.hosts.formUnion(returning.removeDue(at: touched.time))
        let changed = machines.sharing.removeChanged { [states] name in
            states[name]?.lastLife(heard: heard) ?? [:]
        }.union(machines.removeChangedOwners())
        touched.hosts.formUnion(changed)
        if !hasReportedNameLimit, let name = machines.sharing.excess.min(), let host = states[name]
        {
            hasReportedNameLimit = true
            touched.report(
                .serviceLimit,
                """
                \(host.addresses.first?.description ?? name) has more than \(AddressSharing.nameLimit) host names; \
                the services of the others are not shown
                """)
        }
        return changed.filter { states[$0] != nil }
    }
}
