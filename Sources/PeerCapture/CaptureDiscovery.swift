// Derives the events of discovery from the messages of a capture.
import DNSMessages
import PeerModel

/// The services and hosts that a passive listener finds in multicast DNS messages.
///
/// A live list asks, and a capture only shows what others asked and answered. So the expiry of an SRV, TXT or address
/// record, which nothing has refreshed, does not contradict what was known: a service keeps its last resolution, and a
/// host its last addresses, until the PTR record of the service has expired or is withdrawn. Times are the times of the
/// packets, and must not fall.
struct CaptureDiscovery {
    /// The maximum number of services, as in a live list.
    static let serviceLimit = 20_000
    /// The maximum number of addresses whose MAC addresses are remembered.
    static let senderLimit = 4_096
    /// The maximum size of a message in bytes. More than RFC 6762 allows is sent, and Avahi reads it.
    private static let messageLimit = 65_535
    /// The maximum number of paths of a service, as in the list; those beyond it are ignored.
    static let pathLimit = 256
    /// The maximum numbers of a host's addresses, of its MAC addresses, and of the names of its device-info record.
    static let hostLimits = (addresses: 64, macs: 16, names: 3)
    /// The time in microseconds for a service to be resolved before it counts as pending.
    private static let patience: Int64 = 500_000
    /// The time for which the records of a removed service still tell who its device is.
    private static let withdrawalTime: Int64 = 2_000_000
    /// The time after the first address of a host during which each address is reported at once, and the time for a
    /// later change to be complete, as in a live list.
    private static let addressTimes = (arrival: Int64(1_000_000), change: Int64(2_500_000))
    /// The time between two reports of the senders that were heard. A busy capture has thousands of names, whose
    /// reports would take a quarter of the time.
    private static let reportInterval: Int64 = 10_000_000

    private struct Service {
        let key: ServiceKey
        /// The paths on which it is announced, in order.
        var paths: [NetworkPath] = []
        var resolution: Resolution?
        var host: DNSName?
        /// Whether the time for a complete answer is over.
        var isOverdue = false
        /// Whether a timer for that time runs.
        var isTimed = false
        /// Whether it was reported that the service waits for its first answer.
        var isPending = false
    }

    private struct Host {
        let name: String
        var services: Set<DNSName> = []
        /// The addresses in its records, in order, with the numbers of the records of each.
        var known: [(address: HostAddress, count: Int)] = []
        var reported: [HostAddress] = []
        var firstReported: Int64?
        /// Whether a report of a change is due.
        var isTimed = false
        /// Whether an address was withdrawn or replaced since the last report.
        var hasLoss = false
        var macs: [MACAddress] = []
        /// The names under which its device-info record is accepted.
        var infoNames: [DNSName] = []
        var hasInfo = false

        /// Adds an address of a record.
        mutating func add(_ address: HostAddress) {
            let index = known.partitionIndex { $0.address >= address }
            if index < known.count, known[index].address == address {
                known[index].count += 1
            } else {
                known.insert((address, 1), at: index)
            }
        }

        /// Removes an address of a record.
        mutating func remove(_ address: HostAddress) {
            let index = known.partitionIndex { $0.address >= address }
            guard index < known.count, known[index].address == address else { return }
            known[index].count -= 1
            if known[index].count == 0 { known.remove(at: index) }
        }

        /// The first addresses in order, as many as a host may have.
        var addresses: [HostAddress] {
            known.prefix(CaptureDiscovery.hostLimits.addresses).map(\.address)
        }
    }

    private enum Timer {
        case overdue(DNSName)
        case forgotten(DNSName, ServiceKey)
        case addresses(DNSName)
        case senders
    }

    private var cache = RecordCache()
    private var timers = TimerQueue<Timer>()
    private var services: [DNSName: Service] = [:]
    private var hosts: [DNSName: Host] = [:]
    /// The MAC addresses of senders, by the address on an interface, and by the address as a host may have it.
    private var senders: [Sender: MACAddress] = [:]
    private var macs: [HostAddress: MACAddress] = [:]
    private var hostsOfAddresses: [HostAddress: Set<DNSName>] = [:]
    private var infoHosts: [DNSName: Set<DNSName>] = [:]
    private var heard = SenderTable()
    private var interfaces: [Int32: NetworkInterface] = [:]
    private var isReportPlanned = false
    private var unsettled: (services: [DNSName], hosts: [DNSName]) = ([], [])
    private var hasReportedLimit = (services: false, cache: false, senders: false)
    private var now: Int64 = 0
    private var events: [DiscoveryEvent] = []

    /// The time of the latest packet.
    var time: Timestamp { Timestamp(microseconds: now) }

    /// Begins at a time; returns the first event.
    mutating func begin(at time: Int64) -> [DiscoveryEvent] {
        now = time
        // The machine that captured is not known.
        report(.running(host: ""))
        report(.heard([]))
        return takeEvents()
    }

    /// Handles the expiry of records and all else up to a time, and returns its events.
    mutating func advance(to time: Int64) -> [DiscoveryEvent] {
        while let due = [cache.due, timers.due].compactMap(\.self).min(), due <= time {
            now = max(now, due)
            apply(cache.removeDue(at: due))
            while let (_, timer) = timers.popDue(at: due) { fire(timer) }
            settle()
        }
        now = max(now, time)
        return takeEvents()
    }

    /// Ends the capture, and returns the last events: what was withdrawn last leaves a second later.
    mutating func finish() -> [DiscoveryEvent] {
        events = advance(to: now + RecordCache.grace)
        while heard.hasSenders { reportSenders() }
        return takeEvents()
    }

    /// Handles a datagram that was captured on an interface at a time, and returns the events up to then.
    mutating func receive(
        _ datagram: Datagram, on interface: NetworkInterface, at time: Int64
    ) -> [DiscoveryEvent] {
        events = advance(to: time)
        interfaces[interface.index] = interface
        let sender = Sender(address: datagram.source, interface: interface.index)
        noteMAC(of: sender, datagram, interface)
        let packet = Belief(
            datagram.payload, sizeLimit: Self.messageLimit, from: datagram.sourcePort,
            to: datagram.destinationPort, hopLimit: Int32(datagram.hopLimit))
        if let packet {
            heard.hear(packet, from: sender, at: UInt64(now / 1_000))
            planReport()
            apply(cache.add(packet.records, from: sender, at: now))
            if cache.refusedCount > 0, !hasReportedLimit.cache {
                hasReportedLimit.cache = true
                report(.notice(.cacheLimit, Self.cacheNotice))
            }
        }
        settle()
        return takeEvents()
    }

    private mutating func report(_ kind: DiscoveryEvent.Kind) {
        events.append(DiscoveryEvent(kind, at: time))
    }

    private mutating func takeEvents() -> [DiscoveryEvent] {
        defer { events = [] }
        return events
    }

    private static let cacheNotice = """
        more records are announced than the \(RecordCache.limits.all) that can be kept, or more than \
        \(RecordCache.limits.ofName) of one name; the rest are not shown
        """
    private static let senderNotice = """
        more names than \(SenderTable.nameLimit) are in responses, or more senders than \
        \(SenderTable.senderLimit) of one name; the senders of the rest are not known
        """
    private static let serviceNotice =
        "more than \(serviceLimit) services are announced, the rest are not shown"
}

extension RecordCache.End {
    /// The reason for which a service departs whose PTR record has ended.
    fileprivate var departure: Departure {
        switch self {
        case .withdrawn: .removed
        case .expired: .expired
        case .withdrawnByOther, .replaced: .revoked
        }
    }
}

// MARK: Records

extension CaptureDiscovery {
    private mutating func apply(_ changes: [RecordCache.Change]) {
        for change in changes {
            let end: RecordCache.End?
            switch change.kind {
            case .added: end = nil
            case .removed(let reason): end = reason
            case .refreshed, .ending: continue
            }
            guard let path = path(change.key.path) else { continue }
            switch change.key.type {
            case DNSType.ptr: applyPointer(change, on: path, end)
            case DNSType.srv, DNSType.txt:
                if change.key.type == DNSType.srv, let end { locationEnded(change.key.name, end) }
                if services[change.key.name] != nil,
                    unsettled.services.last != change.key.name
                {
                    unsettled.services.append(change.key.name)
                }
                guard change.key.type == DNSType.txt, end == nil else { continue }
                for host in (infoHosts[change.key.name] ?? []).sorted(by: { $0.text < $1.text }) {
                    reportInfo(change.data, of: host)
                }
            default:
                guard hosts[change.key.name] != nil else { continue }
                let address = HostAddress(bytes: change.data, interface: path.interface.name)
                if let end {
                    hosts[change.key.name]?.remove(address)
                    if end != .expired { hosts[change.key.name]?.hasLoss = true }
                } else {
                    hosts[change.key.name]?.add(address)
                }
                if unsettled.hosts.last != change.key.name {
                    unsettled.hosts.append(change.key.name)
                }
            }
        }
    }

    /// Handles the end of an SRV record: a service that withdrew its last one does not answer, although its PTR record is
    /// still believed.
    private mutating func locationEnded(_ name: DNSName, _ end: RecordCache.End) {
        guard end == .withdrawn, let service = services[name], service.resolution != nil,
            firstRecord(name, DNSType.srv, on: service.paths) == nil
        else { return }
        services[name]?.resolution = nil
        // It waits for nothing.
        services[name]?.isPending = true
        report(.unanswered(service.key))
    }

    /// Applies a change of a PTR record: of a service if it has the name of a type, and nothing otherwise.
    private mutating func applyPointer(
        _ change: RecordCache.Change, on path: NetworkPath, _ end: RecordCache.End?
    ) {
        guard let owner = change.key.name.serviceParts, owner.instance == nil,
            owner.subtype == nil, let name = DNSName(wire: change.data)
        else { return }
        guard let end else {
            guard let parts = name.serviceParts, let instance = parts.instance,
                Identity.canonical(parts.domain) == "local",
                Identity.canonical(parts.type) == Identity.canonical(owner.type)
            else { return }
            let service = ServiceKey(name: instance, type: parts.type, domain: parts.domain)
            guard service.isPlausible else { return }
            if services[name] == nil {
                guard services.count < Self.serviceLimit else {
                    if !hasReportedLimit.services {
                        report(.notice(.serviceLimit, Self.serviceNotice))
                    }
                    hasReportedLimit.services = true
                    return
                }
                services[name] = Service(key: service)
            }
            guard let service = services[name], !service.paths.contains(path),
                service.paths.count < Self.pathLimit
            else { return }
            let index = service.paths.partitionIndex { $0 > path }
            services[name]?.paths.insert(path, at: index)
            report(.found(sighting(service.key, path)))
            unsettled.services.append(name)
            return
        }
        guard let service = services[name], let index = service.paths.firstIndex(of: path) else {
            return
        }
        services[name]?.paths.remove(at: index)
        report(.removed(sighting(service.key, path), end.departure))
        if service.paths.count == 1 { remove(name, service) }
    }

    private func path(_ path: RecordPath) -> NetworkPath? {
        interfaces[path.interface].map {
            NetworkPath(interface: $0, family: path.isIPv6 ? .ipv6 : .ipv4)
        }
    }

    private func recordPath(_ path: NetworkPath) -> RecordPath {
        RecordPath(interface: path.interface.index, isIPv6: path.family == .ipv6)
    }

    /// Returns the paths of address or TXT records of a name, in order.
    private func paths(of name: DNSName, _ type: UInt16) -> [NetworkPath] {
        cache.paths(of: name, type).compactMap(path).sorted()
    }

    /// Returns the data of the records of a name and a type on a path, those heard last first.
    private func data(of name: DNSName, _ type: UInt16, on path: NetworkPath) -> [[UInt8]] {
        cache.data(of: RecordCache.Key(name: name, type: type, path: recordPath(path)))
    }

    private func sighting(_ key: ServiceKey, _ path: NetworkPath) -> Sighting {
        Sighting(service: key, interface: path.interface, family: path.family)
    }

    private mutating func remove(_ name: DNSName, _ service: Service) {
        services[name] = nil
        leaveHost(name, service.host)
        timers.add(.forgotten(name, service.key), at: now + Self.withdrawalTime)
    }

    private mutating func fire(_ timer: Timer) {
        switch timer {
        case .overdue(let name):
            guard services[name]?.isTimed == true else { return }
            services[name]?.isTimed = false
            services[name]?.isOverdue = true
            unsettled.services.append(name)
        case .forgotten(let name, let key):
            if services[name] == nil { report(.forgotten(key)) }
        case .senders: reportSenders()
        case .addresses(let name):
            guard let host = hosts[name], host.isTimed else { return }
            hosts[name]?.isTimed = false
            let addresses = host.addresses
            let isLoss = Set(addresses).isSubset(of: host.reported)
            guard addresses != host.reported, !addresses.isEmpty, !isLoss || host.hasLoss else {
                return
            }
            reportAddresses(addresses, of: name)
        }
    }

    /// Reports what the records of a message, or of one time, have changed together.
    private mutating func settle() {
        for name in unsettled.services { resolve(name) }
        for name in unsettled.hosts { checkAddresses(of: name) }
        unsettled = ([], [])
    }

    // MARK: Services

    /// Reports the resolution of a service if it is new.
    private mutating func resolve(_ name: DNSName) {
        guard let service = services[name] else { return }
        let paths = service.paths
        guard let record = firstRecord(name, DNSType.srv, on: paths),
            let location = ServiceLocation(record.data)
        else {
            // A resolved service keeps its resolution, and waits for nothing.
            guard service.resolution == nil, !service.isPending else { return }
            guard service.isOverdue else { return time(name) }
            services[name]?.isPending = true
            report(.pending(service.key))
            return
        }
        guard !location.isNowhere else {
            services[name]?.resolution = nil
            services[name]?.isPending = true
            leaveHost(name, service.host)
            services[name]?.host = nil
            return report(.unanswered(service.key))
        }
        let data = firstRecord(name, DNSType.txt, on: [record.path] + paths)?.data
        let txt = data.map { TXTRecord(data: $0) } ?? service.resolution?.txt
        // Another answer may complete this one.
        guard txt != nil || service.isOverdue else { return time(name) }
        let resolution = Resolution(
            host: location.host.text, port: location.port, txt: txt ?? TXTRecord(), address: nil)
        guard resolution != service.resolution else { return }
        services[name]?.resolution = resolution
        report(.resolved(service.key, resolution))
        if service.host != location.host {
            leaveHost(name, service.host)
            services[name]?.host = location.host
        }
        join(location.host, resolution.host, name, service.key)
    }

    /// Returns the latest record of a name and type on the first path that has one.
    private func firstRecord(
        _ name: DNSName, _ type: UInt16, on paths: [NetworkPath]
    ) -> (path: NetworkPath, data: [UInt8])? {
        for path in paths {
            if let data = data(of: name, type, on: path).first { return (path, data) }
        }
        return nil
    }

    /// Gives a service the time for a complete answer.
    private mutating func time(_ name: DNSName) {
        guard services[name]?.isTimed == false else { return }
        services[name]?.isTimed = true
        services[name]?.isOverdue = false
        timers.add(.overdue(name), at: now + Self.patience)
    }

    // MARK: Hosts

    private mutating func join(
        _ host: DNSName, _ text: String, _ service: DNSName, _ key: ServiceKey
    ) {
        let isNew = hosts[host] == nil
        if isNew { hosts[host] = self.host(named: host, text) }
        hosts[host]?.services.insert(service)
        if isNew {
            unsettled.hosts.append(host)
            if let label = host.labels.first, host.labels.count == 2 {
                awaitInfo(Array(label), of: host)
            }
        }
        if Self.typesOfComputers.contains(Identity.canonical(key.type)) {
            awaitInfo(Array(key.name.utf8), of: host)
        }
    }

    /// Returns a host with the addresses in the records of its name.
    private func host(named name: DNSName, _ text: String) -> Host {
        var host = Host(name: text)
        for type in [DNSType.a, DNSType.aaaa] {
            for path in paths(of: name, type) {
                for data in data(of: name, type, on: path) {
                    host.add(HostAddress(bytes: data, interface: path.interface.name))
                }
            }
        }
        return host
    }

    private mutating func leaveHost(_ service: DNSName, _ name: DNSName?) {
        guard let name, hosts[name]?.services.remove(service) != nil, let host = hosts[name],
            host.services.isEmpty
        else { return }
        for address in host.reported { forget(address, of: name) }
        for info in host.infoNames {
            infoHosts[info]?.remove(name)
            if infoHosts[info]?.isEmpty == true { infoHosts[info] = nil }
        }
        hosts[name] = nil
    }

    private mutating func forget(_ address: HostAddress, of host: DNSName) {
        hostsOfAddresses[address]?.remove(host)
        if hostsOfAddresses[address]?.isEmpty == true { hostsOfAddresses[address] = nil }
    }

    private mutating func checkAddresses(of name: DNSName) {
        guard let host = hosts[name] else { return }
        let addresses = host.addresses
        guard addresses != host.reported, !addresses.isEmpty else {
            hosts[name]?.isTimed = false
            return
        }
        if let first = host.firstReported, now >= first + Self.addressTimes.arrival {
            guard !host.isTimed else { return }
            hosts[name]?.isTimed = true
            timers.add(.addresses(name), at: now + Self.addressTimes.change)
        } else if host.reported.isEmpty || !Set(addresses).isSubset(of: host.reported) {
            reportAddresses(addresses, of: name)
        }
    }

    private mutating func reportAddresses(_ addresses: [HostAddress], of name: DNSName) {
        guard let host = hosts[name] else { return }
        for address in host.reported { forget(address, of: name) }
        for address in addresses { hostsOfAddresses[address, default: []].insert(name) }
        hosts[name]?.reported = addresses
        hosts[name]?.firstReported = host.firstReported ?? now
        hosts[name]?.isTimed = false
        hosts[name]?.hasLoss = false
        report(.addresses(host: host.name, addresses))
        reportHardware(of: name)
    }

    // MARK: Senders

    private mutating func planReport() {
        guard heard.hasSenders, !isReportPlanned else { return }
        isReportPlanned = true
        timers.add(.senders, at: now + Self.reportInterval)
    }

    private mutating func reportSenders() {
        isReportPlanned = false
        let (named, omitted) = heard.popSenders()
        if !omitted.isEmpty, !hasReportedLimit.senders {
            hasReportedLimit.senders = true
            report(.notice(.witnessLimit, Self.senderNotice))
        }
        let senders = named.flatMap { named in
            named.senders.compactMap { sender, packets -> HeardSender? in
                guard let interface = interfaces[sender.interface] else { return nil }
                return HeardSender(
                    name: named.name.text,
                    address: HostAddress(bytes: sender.address, interface: interface.name),
                    interface: interface, isLocal: packets.isLocal,
                    owner: packets.options.owner.flatMap { MACAddress(bytes: $0) },
                    hasTimeSinceReceived: packets.options.registrationAge != nil,
                    count: Int(packets.count),
                    last: Timestamp(microseconds: Int64(packets.last) * 1_000))
            }
        }
        if !senders.isEmpty { report(.heard(senders)) }
        planReport()
    }

    // MARK: Hardware

    /// Remembers the MAC address of a sender on this link.
    private mutating func noteMAC(
        of sender: Sender, _ datagram: Datagram, _ interface: NetworkInterface
    ) {
        guard datagram.hopLimit == 255, let mac = datagram.senderMAC else { return }
        // Nearly all packets end here, as the text of an address takes longer than the rest of a packet.
        guard senders[sender] != mac, senders[sender] != nil || senders.count < Self.senderLimit
        else { return }
        senders[sender] = mac
        let address = HostAddress(bytes: datagram.source, interface: interface.name)
        macs[address] = mac
        for host in (hostsOfAddresses[address] ?? []).sorted(by: { $0.text < $1.text }) {
            reportHardware(of: host)
        }
    }

    private mutating func reportHardware(of name: DNSName) {
        guard let host = hosts[name] else { return }
        let found = Set(host.reported.compactMap { macs[$0] }).sorted()
        guard !found.isEmpty, found != host.macs else { return }
        hosts[name]?.macs = Array(found.prefix(Self.hostLimits.macs))
        report(.hardware(host: host.name, Array(found.prefix(Self.hostLimits.macs))))
    }

    /// The types of services that have the name of the computer, as a live list uses them.
    private static let typesOfComputers: Set = [
        "_afpovertcp._tcp", "_companion-link._tcp", "_rfb._tcp", "_sftp-ssh._tcp", "_smb._tcp",
        "_ssh._tcp",
    ]

    /// Accepts the device-info record under a name as the record of a host.
    private mutating func awaitInfo(_ label: [UInt8], of host: DNSName) {
        guard let state = hosts[host], !state.hasInfo,
            state.infoNames.count < Self.hostLimits.names,
            let name = DNSName([label] + ["_device-info", "_tcp", "local"].map { Array($0.utf8) }),
            infoHosts[name, default: []].insert(host).inserted
        else { return }
        hosts[host]?.infoNames.append(name)
        if let path = paths(of: name, DNSType.txt).first,
            let data = data(of: name, DNSType.txt, on: path).first
        {
            reportInfo(data, of: host)
        }
    }

    private mutating func reportInfo(_ data: [UInt8], of name: DNSName) {
        let txt = TXTRecord(data: data)
        guard let host = hosts[name], !host.hasInfo, !txt.pairs.isEmpty, data.count <= 1_024 else {
            return
        }
        hosts[name]?.hasInfo = true
        report(.deviceInfo(host: host.name, txt))
    }
}
