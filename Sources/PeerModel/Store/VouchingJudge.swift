// Decides which devices' vouching is judged again after an event, and reports the conflicts found.
import FoundationEssentials

/// The vouching table of a store, and the hosts to judge again after an event.
struct VouchingJudge {
    /// The senders of all records that were heard, and the vouching of each device; `nil` unless packets are heard.
    private(set) var table: VouchingTable?
    /// The hosts whose vouching must be judged again.
    private var pending: Set<String> = []
    private var conflictCount = 0

    /// Adds hosts whose vouching must be judged again.
    mutating func judgeAgain(_ hosts: Set<String>) { pending.formUnion(hosts) }

    /// Sets the networks of this machine.
    mutating func setNetworks(_ networks: [LinkNetwork]) {
        pending.formUnion(table?.setNetworks(networks) ?? [])
    }

    /// Notes that a query for the device that is listed under a name was answered.
    mutating func answered(_ name: String, at time: Timestamp) {
        table?.answered(name, at: time)
    }

    /// Adds senders that were heard on the networks of this machine.
    mutating func hear(
        _ heard: [HeardSender], on networks: [LinkNetwork], _ services: ServiceStates,
        _ hosts: HostTable, at time: Timestamp
    ) {
        if table == nil { table = VouchingTable(networks: networks) }
        let changed = table?.hear(heard, at: time) { services[$0]?.host } ?? []
        for id in changed { addHosts(ofName: id, services, hosts) }
    }

    /// Judges again the vouching of devices that an event or the passing of time may have changed.
    mutating func judge(
        _ services: ServiceStates, _ hosts: HostTable, _ touched: inout StoreChanges
    ) {
        defer { pending = [] }
        guard let due = table?.removeDue(at: touched.time) else { return }
        pending.formUnion(due.hosts)
        for id in due.names { addHosts(ofName: id, services, hosts) }
        // Packets with another name change nothing for a device that was heard itself.
        for id in touched.services {
            let nameID = services[id]?.key.nameID ?? id
            guard table?.isHeard(nameID) == true else { continue }
            let host = services[id]?.host.map(hosts.machines.listedName)
            if host.flatMap({ table?.vouching(of: $0) })?.rule != .own {
                addHosts(ofName: nameID, services, hosts)
            }
        }
        for name in touched.hosts where !HostName.isEndpoint(name) {
            let host = hosts[name].map { Self.vouchingHost(name, $0, hosts) }
            pending.formUnion(table?.update(name, to: host, at: touched.time) ?? [])
        }
        for name in Set(pending.map(hosts.machines.listedName)) where !HostName.isEndpoint(name) {
            let names = hosts.machines.names(of: name)
            for other in names.dropFirst() { table?.remove(other) }
            let ids = names.flatMap { hosts[$0]?.serviceIDs ?? [] }.map(services.nameID)
            let known = table?.conflict(of: name)
            if table?.judge(names, services: ids, at: touched.time) == true {
                touched.hosts.formUnion(names)
            }
            if let conflict = table?.conflict(of: name), conflict != known {
                report(conflict, of: hosts[name]?.name ?? name, &touched)
            }
        }
    }

    /// Adds the hosts of a name, or the hosts of the services of a name.
    private mutating func addHosts(
        ofName id: UUID, _ services: ServiceStates, _ hosts: HostTable
    ) {
        guard let host = services[id]?.host ?? table?.host(id) else { return }
        pending.insert(host)
        pending.formUnion(hosts.machines.namesakes(of: host))
        pending.formUnion(services.namesakes(of: id).compactMap { services[$0]?.host })
    }

    /// Reports that two machines announce one host name, a limited number of times.
    private mutating func report(
        _ conflict: HostConflict, of name: String, _ touched: inout StoreChanges
    ) {
        guard conflictCount < IdentityClaims.noticeLimit else { return }
        conflictCount += 1
        let addresses = conflict.addresses.map(\.description).joined(separator: " and ")
        touched.report(
            .identityConflict,
            "two machines announce the host name \(name), \(addresses), so it identifies neither")
    }

    private static func vouchingHost(
        _ name: String, _ host: HostState, _ hosts: HostTable
    ) -> VouchingHost {
        VouchingHost(
            name: host.device.name ?? host.name, addresses: host.outwardAddresses,
            isComplete: !host.completeAddresses.isEmpty, macs: host.macs,
            interfaces: hosts.machines.namesakes(of: name).isEmpty ? [] : host.interfaces,
            isSelf: hosts.isSelf(host), isSleepProxy: host.offers(["_sleep-proxy._udp"]),
            isBorderRouter: host.offers(["_meshcop._udp", "_srpl-tls._tcp"]))
    }
}
