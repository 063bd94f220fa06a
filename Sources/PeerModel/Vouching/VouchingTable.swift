// Keeps the senders of each name's records for two hours, and judges which machine answers for each device.
import FoundationEssentials

/// The senders of all records that were heard, and the vouching of each device.
///
/// Names are kept as their UUIDs; the UUID of a service's name is the service's identifier.
struct VouchingTable {
    /// The time for which a sender counts after its last packet, in microseconds.
    static let memory: Int64 = 7_200_000_000
    /// The time from the first packet of another machine until that machine counts. It may be the device itself with a
    /// new address that is not known yet.
    static let grace: Int64 = 2_000_000
    /// The maximum time from a query to the report that it was answered.
    static let questionTime: Int64 = 4_000_000
    /// The maximum time from the report that a query was answered to the report of the packets.
    static let reportTime: Int64 = 2_000_000
    /// The number of consecutive queries that only others answer until a device that was heard itself counts as silent.
    /// One answer may be lost.
    static let missLimit = 2
    /// The maximum number of names. At the limit, names of unknown hosts and services are dropped; if that makes no
    /// room, no more names are added.
    static let nameLimit = 40_000
    /// The maximum number of senders of a name; the device itself and the latest of the others are kept.
    static let senderLimit = 8
    /// The maximum number of former addresses of a host.
    static let formerLimit = 16
    /// The time between two searches for senders that no longer count.
    private static let pruning: Int64 = 60_000_000

    /// The vouching of a device, and the facts that led to it.
    private struct Device {
        var vouching: Vouching
        /// The time of an answer to a query for the device, until the answer is judged.
        var asked: Timestamp?
        /// The number of consecutive queries that only others have answered.
        var misses = 0
        /// The time of the last answer to these queries.
        var missed: Timestamp?
        /// The conflict with another machine of the same host name.
        var conflict: HostConflict?
        /// The addresses of other senders.
        var senders: Set<HostAddress> = []

        /// Judges the answer to a query; a packet of the device itself clears the misses before it.
        mutating func updateMisses(own: HeardFact?, others: HeardFact?, at time: Timestamp) {
            if let missed, let own, own.last > missed { (misses, self.missed) = (0, nil) }
            guard let asked, time >= asked.advanced(by: VouchingTable.reportTime) else { return }
            self.asked = nil
            let start = asked.advanced(by: -VouchingTable.questionTime)
            guard own.map({ $0.last < start }) ?? true else {
                (misses, missed) = (0, nil)
                return
            }
            guard let others, others.last >= start else { return }
            misses = own == nil ? VouchingTable.missLimit : misses + 1
            missed = asked
        }
    }

    private var names: [UUID: [RecordSender: HeardPackets]] = [:]
    private var hosts: [String: VouchingHost] = [:]
    private var hostsByID: [UUID: String] = [:]
    private var hostsByAddress: [HostAddress: Set<String>] = [:]
    /// The addresses that hosts no longer announce, each with the time at which that became known.
    private var former: [String: [HostAddress: Timestamp]] = [:]
    private var devices: [String: Device] = [:]
    /// The devices whose ``Device/senders`` contain an address.
    private var devicesBySender: [HostAddress: Set<String>] = [:]
    /// The devices with misses, which a packet of their own clears.
    private var doubted: Set<String> = []
    private var dues: [String: Timestamp] = [:]
    private var nextDue: Timestamp?
    private var nextPruning: Timestamp?
    private var networks: [LinkNetwork] = []

    /// Creates a table without names, given the networks on the links of this machine.
    init(networks: [LinkNetwork] = []) { self.networks = networks }

    /// Returns the vouching of a device by its host name; `nil` if the device is unknown.
    func vouching(of name: String) -> Vouching? { devices[name]?.vouching }

    /// Whether only others answer for a device, and the device itself does not answer queries.
    func isSilent(_ name: String) -> Bool {
        guard let device = devices[name], device.misses >= Self.missLimit else { return false }
        return device.vouching.rule == .proxy || device.vouching.rule == .sleepProxy
    }

    /// Returns the two machines that announce the name of a device; `nil` if only one does.
    func conflict(of name: String) -> HostConflict? { devices[name]?.conflict }

    /// Returns the senders of the packets with records of a host or its services, each with the time of the last packet;
    /// the host's own addresses are one sender, `nil`.
    func lastPackets(
        of name: String, _ services: Set<UUID>, from addresses: [HostAddress]
    ) -> [HostAddress?: Timestamp] {
        var last: [HostAddress?: Timestamp] = [:]
        for id in services.union([Identity.uuid(forName: name)]) {
            for (sender, packets) in names[id] ?? [:] where packets.isLocal {
                let key = addresses.contains(sender.address) ? nil : sender.address
                last[key] = max(last[key] ?? packets.last, packets.last)
            }
        }
        return last
    }

    /// The number of names that were heard.
    var nameCount: Int { names.count }

    /// Whether records with a name were heard.
    func isHeard(_ id: UUID) -> Bool { names[id] != nil }

    /// Returns the host whose name has a UUID; `nil` if there is none.
    func host(_ id: UUID) -> String? { hostsByID[id] }

    // MARK: Facts

    /// Adds senders that were heard.
    ///
    /// - Parameters:
    ///   - heard: The senders.
    ///   - time: The time of the report.
    ///   - hostOf: Returns the host of a service; `nil` if it is not known.
    /// - Returns: The names whose devices must be judged again.
    mutating func hear(
        _ heard: [HeardSender], at time: Timestamp, hostOf: (UUID) -> String?
    ) -> Set<UUID> {
        var changed: Set<UUID> = []
        var hasMadeRoom = false
        for report in heard {
            let id = Identity.uuid(forName: Identity.canonical(report.name))
            if names[id] == nil, names.count >= Self.nameLimit {
                if !hasMadeRoom {
                    names = names.filter { (hostsByID[$0.key] ?? hostOf($0.key)) != nil }
                }
                hasMadeRoom = true
                guard names.count < Self.nameLimit else { continue }
            }
            // If the clock was set back, a time in the future would keep a sender for too long.
            let last = min(report.last, time)
            let packets = HeardPackets(
                first: last, last: last, isLocal: report.isLocal, owner: report.owner,
                hasTimeSinceReceived: report.hasTimeSinceReceived)
            let sender = RecordSender(address: report.address, interface: report.interface)
            if var known = names[id]?[sender] {
                let before = known
                known.merge(packets)
                names[id]?[sender] = known
                // Repeated at intervals, because two machines with one name are recognised only after many packets.
                let isMilestone = known.reports.isMultiple(of: HostConflict.leastRepetitions)
                if isMilestone || !known.isLike(before) { changed.insert(id) }
            } else {
                if let full = names[id], full.count >= Self.senderLimit {
                    let host = (hostsByID[id] ?? hostOf(id)).flatMap { hosts[$0] }
                    let own = host?.addresses ?? []
                    let others = full.filter { !own.contains($0.key.address) }
                    let oldest = (others.isEmpty ? full : others).min {
                        $0.value.last < $1.value.last
                    }
                    if let oldest { names[id]?[oldest.key] = nil }
                }
                names[id, default: [:]][sender] = packets
                changed.insert(id)
            }
        }
        if !heard.isEmpty { for name in doubted { schedule(name, at: time) } }
        return changed
    }

    /// Updates the properties of a host, or removes the host if the properties are `nil`.
    ///
    /// - Returns: The hosts to judge again.
    mutating func update(_ name: String, to host: VouchingHost?, at time: Timestamp) -> Set<String>
    {
        let before = hosts[name]
        guard before != host else { return [] }
        hosts[name] = host
        // Of hosts with one name, the one without a network.
        if HostName.canonical(ofKey: name) == name {
            hostsByID[Identity.uuid(forName: name)] = host == nil ? nil : name
        }
        let (old, new) = (Set(before?.addresses ?? []), Set(host?.addresses ?? []))
        for address in old.subtracting(new) {
            hostsByAddress[address]?.remove(name)
            if hostsByAddress[address]?.isEmpty == true { hostsByAddress[address] = nil }
            if host != nil, (former[name]?.count ?? 0) < Self.formerLimit {
                former[name, default: [:]][address] = time
            }
        }
        for address in new.subtracting(old) {
            hostsByAddress[address, default: []].insert(name)
            former[name]?[address] = nil
        }
        if host == nil {
            former[name] = nil
            remove(name)
        }
        return old.union(new).reduce(into: [name]) { $0.formUnion(devicesBySender[$1] ?? []) }
    }

    /// Forgets the vouching of a device that has left or is listed under another name.
    mutating func remove(_ name: String) {
        for address in devices[name]?.senders ?? [] { devicesBySender[address]?.remove(name) }
        (devices[name], dues[name]) = (nil, nil)
        doubted.remove(name)
    }

    /// Sets the networks of this machine; returns the hosts to judge again.
    mutating func setNetworks(_ networks: [LinkNetwork]) -> Set<String> {
        guard self.networks != networks else { return [] }
        self.networks = networks
        return Set(hosts.keys)
    }

    /// Notes that a query for a device was answered, by the device itself or by another machine.
    mutating func answered(_ name: String, at time: Timestamp) {
        guard devices[name] != nil, devices[name]?.asked == nil else { return }
        devices[name]?.asked = time
        schedule(name, at: time.advanced(by: Self.reportTime))
    }

    // MARK: Times

    /// Returns the devices that are due to be judged again, and the names that have lost outdated senders.
    mutating func removeDue(at time: Timestamp) -> (hosts: Set<String>, names: Set<UUID>) {
        var due: Set<String> = []
        if let nextDue, nextDue <= time {
            due = Set(dues.filter { $0.value <= time }.keys)
            for name in due { dues[name] = nil }
            self.nextDue = dues.values.min()
        }
        guard nextPruning ?? time <= time else { return (due, []) }
        nextPruning = time.advanced(by: Self.pruning)
        let start = time.advanced(by: -Self.memory)
        for (name, addresses) in former {
            let kept = addresses.filter { $0.value >= start }
            former[name] = kept.isEmpty ? nil : kept
        }
        var changed: Set<UUID> = []
        for (id, senders) in names {
            let kept = senders.filter { $0.value.last >= start }
            guard kept.count < senders.count else { continue }
            names[id] = kept.isEmpty ? nil : kept
            changed.insert(id)
        }
        return (due, changed)
    }

    private mutating func schedule(_ name: String, at time: Timestamp) {
        dues[name] = min(dues[name] ?? time, time)
        nextDue = min(nextDue ?? time, time)
    }

    // MARK: Judging

    /// Judges which machine answers for a device.
    ///
    /// - Parameters:
    ///   - machine: The keys of the device's hosts; the first is the one under which the device is listed.
    ///   - services: The UUIDs of the names of the device's services.
    ///   - time: The time.
    /// - Returns: Whether the vouching or the silence of the device has changed.
    /// - Complexity: O(*n*) for *n* services.
    mutating func judge(_ machine: [String], services: some Sequence<UUID>, at time: Timestamp)
        -> Bool
    {
        let name = machine[0]
        guard var device = hosts[name] else { return false }
        for other in machine.dropFirst() {
            guard let host = hosts[other] else { continue }
            device.addresses += host.addresses
            device.macs += host.macs
            device.interfaces += host.interfaces
        }
        let former = machine.reduce(into: Set<HostAddress>()) { addresses, name in
            addresses.formUnion(self.former[name]?.keys.map(\.self) ?? [])
        }
        let hosts = VouchingCase(
            device: device, formerAddresses: former, networks: networks,
            otherHost: { [hosts, hostsByAddress] address in
                hostsByAddress[address]?.subtracting(machine).min().flatMap { hosts[$0] }
            })
        var senders: [RecordSender: HeardPackets] = [:]
        let ids = machine.map { Identity.uuid(forName: HostName.canonical(ofKey: $0)) }
        for id in ids + services {
            for (sender, packets) in packets(of: id, device) {
                if senders[sender]?.merge(packets) == nil { senders[sender] = packets }
            }
        }
        var state = devices[name] ?? Device(vouching: Vouching(.unheard))
        for address in state.senders { devicesBySender[address]?.remove(name) }
        state.senders = []
        var (own, others): (HeardFact?, HeardFact?) = (nil, nil)
        for (sender, packets) in senders {
            guard let rule = hosts.rule(of: sender, packets) else {
                state.senders.insert(sender.address)
                continue
            }
            var fact = HeardFact(rule: rule, sender: sender, packets: packets)
            if rule == .own {
                own = own.map { $0.merged(with: fact) } ?? fact
                continue
            }
            state.senders.insert(sender.address)
            fact.name = hosts.otherHost(sender.address)?.name
            let counts = packets.first.advanced(by: Self.grace)
            if counts > time {
                schedule(name, at: counts)
            } else {
                others = others.map { $0.merged(with: fact) } ?? fact
            }
        }
        for address in state.senders { devicesBySender[address, default: []].insert(name) }
        let wasSilent = isSilent(name)
        state.updateMisses(own: own, others: others, at: time)
        if let asked = state.asked { schedule(name, at: asked.advanced(by: Self.reportTime)) }
        let fact = state.misses >= Self.missLimit ? others : own ?? others
        var vouching = Vouching(device.isSelf ? .own : .unheard)
        if let fact, !device.isSelf || fact.rule == .own {
            let (isOwn, first) = (fact.rule == .own, fact.packets.first)
            vouching = Vouching(
                fact.rule, sender: fact.sender.address.description,
                name: fact.name,
                mac: fact.rule == .sleepProxy ? fact.packets.owner?.text : nil,
                since: isOwn ? first : max(first, own?.last ?? first))
        }
        let hasChanged = devices[name]?.vouching != vouching
        state.vouching = vouching
        state.conflict = HostConflict(
            device, hosts: packets(of: ids[0], device),
            services: services.map { packets(of: $0, device) }.filter { !$0.isEmpty })
        devices[name] = state
        if state.misses > 0 { doubted.insert(name) } else { doubted.remove(name) }
        return hasChanged || wasSilent != isSilent(name)
    }

    /// Returns the packets with a name that can be a device's.
    private func packets(of id: UUID, _ device: VouchingHost) -> [RecordSender: HeardPackets] {
        let all = names[id] ?? [:]
        return device.interfaces.isEmpty
            ? all : all.filter { device.isSeen(on: $0.key.interface) }
    }
}

/// A sender with the rule for its packets.
private struct HeardFact {
    let rule: VouchingRule
    let sender: RecordSender
    var packets: HeardPackets
    /// The name of the listed device that sent the packets; `nil` for the device itself, and if the sender is not
    /// listed.
    var name: String?
    /// The time of the last packet of any sender with the rule.
    var last: Timestamp { packets.last }

    /// Returns the fact with the stronger rule.
    ///
    /// Of two facts with the same rule, the fact of a sender with a name is preferred, or else the fact of the sender
    /// that was heard first. The result then has the later of the two last times.
    func merged(with other: HeardFact) -> HeardFact {
        guard rule == other.rule else { return rule > other.rule ? self : other }
        let isFirst =
            (name == nil) != (other.name == nil)
            ? name != nil
            : packets.first == other.packets.first
                ? sender.address < other.sender.address : packets.first < other.packets.first
        var fact = isFirst ? self : other
        fact.packets.last = max(packets.last, other.packets.last)
        return fact
    }
}
