// Derives the events of discovery from the messages of a capture.
import DNSMessages
import FoundationEssentials
import HeardRecords
import PeerModel
import SilentDevices
import SilentMessages

/// The services and hosts that a passive listener finds in multicast DNS messages.
///
/// A live list asks, and a capture only shows what others asked and answered. So the expiry of an SRV, TXT or address
/// record, which nothing has refreshed, does not contradict what was known: a service keeps its last resolution, and a
/// host its last addresses, until the PTR record of the service has expired or is withdrawn. Times are the times of the
/// packets, and must not fall.
struct CaptureDiscovery: Sendable {
    /// The maximum number of addresses whose MAC addresses are remembered.
    static let senderLimit = 4_096
    /// The maximum size of a message in bytes. More than RFC 6762 allows is sent, and Avahi reads it.
    private static let messageLimit = 65_535
    /// The time in microseconds for a service to be resolved before it counts as pending.
    private static let patience: Int64 = 500_000
    /// The time between two reports of the senders that were heard. A busy capture has thousands of names, whose
    /// reports would take a quarter of the time.
    private static let reportInterval: Int64 = 10_000_000

    private struct Service {
        let key: ServiceKey
        /// The paths on which it is announced, in order.
        var paths: [NetworkPath] = []
        var resolution: Resolution?
        /// The canonical name of its host.
        var host: String?
        /// The paths on which another machine has ended its announcement, with the times at which it leaves them.
        var contests: [NetworkPath: Int64] = [:]
        /// Whether the time for a complete answer is over.
        var isOverdue = false
        /// Whether a timer for that time runs.
        var isTimed = false
        /// Whether it was reported that the service waits for its first answer.
        var isPending = false
    }

    private struct Host {
        let name: String
        var services: Set<UUID> = []
        var reported: [HostAddress] = []
        var firstReported: Int64?
        /// Whether a report of a change is due.
        var isTimed = false
        /// Whether an address was withdrawn or replaced since the last report.
        var hasLoss = false
        var macs: [MACAddress] = []
        /// The records of device information that are accepted as its own, as services.
        var infoRecords: [UUID] = []
        var hasInfo = false
    }

    private enum Timer {
        case overdue(UUID)
        /// The time is over in which a service answers for itself after another machine has ended its announcement.
        case contested(ServiceKey, NetworkPath, RecordCache.End)
        case forgotten(ServiceKey)
        /// Of a host, by its canonical name.
        case addresses(String)
        case senders
    }

    private var cache = RecordCache()
    private var records = RecordServices()
    private var timers = TimerQueue<Timer>()
    private var services: [UUID: Service] = [:]
    /// The hosts of services, by canonical name.
    private var hosts: [String: Host] = [:]
    /// The MAC addresses of senders, by the address on an interface, and by the address as a host may have it.
    private var senders: [Sender: MACAddress] = [:]
    private var macs: [HostAddress: MACAddress] = [:]
    private var hostsOfAddresses: [HostAddress: Set<String>] = [:]
    private var infoHosts: [UUID: Set<String>] = [:]
    private var heard = SenderTable()
    /// The devices that tell of themselves by other protocols.
    private var silent = SilentTable()
    private var interfaces: [Int32: NetworkInterface] = [:]
    private var isReportPlanned = false
    private var unsettled: (services: [UUID], hosts: [String]) = ([], [])
    private var hasReportedLimit = (services: false, cache: false, senders: false)
    private var now: Int64 = 0
    private var events: [DiscoveryEvent] = []

    /// The time of the latest packet.
    var time: Timestamp { Timestamp(microseconds: now) }

    /// The memory that a copy takes, as a number of listed items, of which a device of four records takes some fifty.
    var weight: Int { 8 * (cache.count + services.count + senders.count + silent.count) }

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
        while let due = [cache.due, timers.due, silent.due].compactMap(\.self).min(), due <= time {
            now = max(now, due)
            apply(cache.removeDue(at: due))
            perform(silent.advance(to: due))
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
        hearOther(datagram, from: sender, on: interface)
        settle()
        return takeEvents()
    }

    /// Handles a datagram of SSDP or WS-Discovery.
    private mutating func hearOther(
        _ datagram: Datagram, from sender: Sender, on interface: NetworkInterface
    ) {
        let ports: [UInt16?] = [datagram.sourcePort, datagram.destinationPort]
        let speaker = Statement.Speaker.allCases.first { $0.port != nil && ports.contains($0.port) }
        guard let speaker else { return }
        let address = HostAddress(bytes: datagram.source, interface: interface.name)
        let origin = SilentDevice.Origin(
            address, on: NetworkPath(interface: interface, family: address.family),
            mac: senders[sender])
        for statement in Statement.all(of: datagram.payload, speaker, from: datagram.source) {
            perform(silent.hear(statement, from: origin, at: now))
        }
    }

    /// Reports what is to be reported; a capture asks nothing.
    private mutating func perform(_ effects: [SilentTable.Effect]) {
        for case .report(let kind) in effects { report(kind) }
    }

    /// The time after a duration from now, in microseconds.
    private func now(after duration: Duration) -> Int64 {
        now + Int64(duration / .microseconds(1))
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
        "more than \(DiscoveryRules.serviceLimit) services are announced, the rest are not shown"
}

// MARK: Records

extension CaptureDiscovery {
    private mutating func apply(_ changes: [RecordCache.Change]) {
        for change in changes {
            // What ends within a second counts until then.
            if case .ending = change.kind { continue }
            guard let interface = interfaces[change.key.path.interface] else { continue }
            let record = HeardRecord(
                name: change.key.name, type: change.key.type, data: change.data, change.kind,
                from: change.sender.address, on: interface)
            switch records.apply(record, at: .microseconds(now)) {
            case .announced(let key, let path): announced(key, on: path)
            case .ended(let key, let path, let end):
                guard end.departure == .revoked else {
                    announcementEnded(key, on: path, end)
                    continue
                }
                let due = now(after: DiscoveryRules.contestTime)
                services[key.id]?.contests[path] = due
                timers.add(.contested(key, path, end), at: due)
            case .described(let key, let end): described(key, by: record, end)
            case .addressed(let host, let end):
                guard hosts[host] != nil else { continue }
                if let end, end != .expired { hosts[host]?.hasLoss = true }
                if unsettled.hosts.last != host { unsettled.hosts.append(host) }
            case .ending, nil: break
            }
        }
    }

    private mutating func announced(_ key: ServiceKey, on path: NetworkPath) {
        guard Identity.canonical(key.domain) == "local" else { return }
        services[key.id]?.contests[path] = nil
        if services[key.id] == nil {
            guard services.count < DiscoveryRules.serviceLimit else {
                if !hasReportedLimit.services {
                    report(.notice(.serviceLimit, Self.serviceNotice))
                }
                hasReportedLimit.services = true
                return
            }
            services[key.id] = Service(key: key)
        }
        guard let service = services[key.id], !service.paths.contains(path) else { return }
        let index = service.paths.partitionIndex { $0 > path }
        services[key.id]?.paths.insert(path, at: index)
        report(.found(sighting(service.key, path)))
        unsettled.services.append(key.id)
    }

    private mutating func announcementEnded(
        _ key: ServiceKey, on path: NetworkPath, _ end: RecordCache.End
    ) {
        guard let service = services[key.id], let index = service.paths.firstIndex(of: path) else {
            return
        }
        services[key.id]?.paths.remove(at: index)
        services[key.id]?.contests[path] = nil
        report(.removed(sighting(service.key, path), end.departure))
        guard service.paths.count == 1 else { return }
        services[key.id] = nil
        leaveHost(key.id, service.host)
        timers.add(.forgotten(service.key), at: now(after: DiscoveryRules.withdrawalTime))
    }

    /// Handles a change of an SRV or a TXT record.
    private mutating func described(
        _ key: ServiceKey, by record: HeardRecord, _ end: RecordCache.End?
    ) {
        if record.type == DNSType.srv {
            if let end { locationEnded(key.id, end) }
        } else if end == nil {
            for host in (infoHosts[key.id] ?? []).sorted() { reportInfo(record.data, of: host) }
        }
        if services[key.id] != nil, unsettled.services.last != key.id {
            unsettled.services.append(key.id)
        }
    }

    /// Handles the end of an SRV record: a service that withdrew its last one does not answer, although its PTR record is
    /// still believed.
    private mutating func locationEnded(_ id: UUID, _ end: RecordCache.End) {
        guard end == .withdrawn, let service = services[id], service.resolution != nil,
            records.location(of: id, on: service.paths) == nil
        else { return }
        services[id]?.resolution = nil
        // It waits for nothing.
        services[id]?.isPending = true
        report(.unanswered(service.key))
    }

    private func sighting(_ key: ServiceKey, _ path: NetworkPath) -> Sighting {
        Sighting(service: key, interface: path.interface, family: path.family)
    }

    private mutating func fire(_ timer: Timer) {
        switch timer {
        case .overdue(let id):
            guard services[id]?.isTimed == true else { return }
            services[id]?.isTimed = false
            services[id]?.isOverdue = true
            unsettled.services.append(id)
        case .forgotten(let key):
            if services[key.id] == nil { report(.forgotten(key)) }
        case .contested(let key, let path, let end):
            guard let due = services[key.id]?.contests[path], due <= now else { return }
            announcementEnded(key, on: path, end)
        case .senders: reportSenders()
        case .addresses(let name):
            guard let host = hosts[name], host.isTimed else { return }
            hosts[name]?.isTimed = false
            let addresses = addresses(of: name)
            let isLoss = Set(addresses).isSubset(of: host.reported)
            guard addresses != host.reported, !addresses.isEmpty, !isLoss || host.hasLoss else {
                return
            }
            reportAddresses(addresses, of: name)
        }
    }

    /// Reports what the records of a message, or of one time, have changed together.
    private mutating func settle() {
        for id in unsettled.services { resolve(id) }
        for name in unsettled.hosts { checkAddresses(of: name) }
        unsettled = ([], [])
    }

    // MARK: Services

    /// Reports the resolution of a service if it is new.
    private mutating func resolve(_ id: UUID) {
        guard let service = services[id] else { return }
        let paths = service.paths
        guard let (path, location) = records.location(of: id, on: paths) else {
            // A resolved service keeps its resolution, and waits for nothing.
            guard service.resolution == nil, !service.isPending else { return }
            guard service.isOverdue else { return time(id) }
            services[id]?.isPending = true
            report(.pending(service.key))
            return
        }
        guard !location.isNowhere else {
            services[id]?.resolution = nil
            services[id]?.isPending = true
            leaveHost(id, service.host)
            services[id]?.host = nil
            return report(.unanswered(service.key))
        }
        let data = records.text(of: id, on: [path] + paths)
        let txt = data.map { TXTRecord(data: $0) } ?? service.resolution?.txt
        // Another answer may complete this one.
        guard txt != nil || service.isOverdue else { return time(id) }
        let resolution = Resolution(
            host: location.host.text, port: location.port, txt: txt ?? TXTRecord(), address: nil)
        guard resolution != service.resolution else { return }
        services[id]?.resolution = resolution
        report(.resolved(service.key, resolution))
        let host = Identity.canonical(resolution.host)
        if service.host != host {
            leaveHost(id, service.host)
            services[id]?.host = host
        }
        join(host, resolution.host, service.key)
    }

    /// Gives a service the time for a complete answer.
    private mutating func time(_ id: UUID) {
        guard services[id]?.isTimed == false else { return }
        services[id]?.isTimed = true
        services[id]?.isOverdue = false
        timers.add(.overdue(id), at: now + Self.patience)
    }

    // MARK: Hosts

    private mutating func join(_ host: String, _ text: String, _ service: ServiceKey) {
        let isNew = hosts[host] == nil
        if isNew { hosts[host] = Host(name: text) }
        hosts[host]?.services.insert(service.id)
        if isNew {
            unsettled.hosts.append(host)
            let label = host.hasSuffix(".local") ? host.dropLast(6) : host[...]
            if !label.contains(".") { awaitInfo(String(label), of: host) }
        }
        if DiscoveryRules.typesOfComputers.contains(Identity.canonical(service.type)) {
            awaitInfo(service.name, of: host)
        }
    }

    private mutating func leaveHost(_ service: UUID, _ name: String?) {
        guard let name, hosts[name]?.services.remove(service) != nil, let host = hosts[name],
            host.services.isEmpty
        else { return }
        for address in host.reported { forget(address, of: name) }
        for info in host.infoRecords {
            infoHosts[info]?.remove(name)
            if infoHosts[info]?.isEmpty == true { infoHosts[info] = nil }
        }
        hosts[name] = nil
    }

    /// Returns the first addresses of a host in order, as many as a host may have.
    private func addresses(of host: String) -> [HostAddress] {
        Array(records.addresses(of: host).prefix(DiscoveryRules.addressLimit))
    }

    private mutating func forget(_ address: HostAddress, of host: String) {
        hostsOfAddresses[address]?.remove(host)
        if hostsOfAddresses[address]?.isEmpty == true { hostsOfAddresses[address] = nil }
    }

    private mutating func checkAddresses(of name: String) {
        guard let host = hosts[name] else { return }
        let addresses = addresses(of: name)
        guard addresses != host.reported, !addresses.isEmpty else {
            hosts[name]?.isTimed = false
            return
        }
        if let first = host.firstReported,
            .microseconds(now - first) >= DiscoveryRules.addressArrival
        {
            guard !host.isTimed else { return }
            hosts[name]?.isTimed = true
            timers.add(.addresses(name), at: now(after: DiscoveryRules.addressChange))
        } else if host.reported.isEmpty || !Set(addresses).isSubset(of: host.reported) {
            reportAddresses(addresses, of: name)
        }
    }

    private mutating func reportAddresses(_ addresses: [HostAddress], of name: String) {
        guard let host = hosts[name] else { return }
        for address in host.reported { forget(address, of: name) }
        for address in addresses { hostsOfAddresses[address, default: []].insert(name) }
        hosts[name]?.reported = addresses
        hosts[name]?.firstReported = host.firstReported ?? now
        hosts[name]?.isTimed = false
        hosts[name]?.hasLoss = false
        report(.addresses(host: HostName(host.name), addresses))
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
        for host in (hostsOfAddresses[address] ?? []).sorted() {
            reportHardware(of: host)
        }
    }

    private mutating func reportHardware(of name: String) {
        guard let host = hosts[name] else { return }
        let found = Set(host.reported.compactMap { macs[$0] }).sorted()
        guard !found.isEmpty, found != host.macs else { return }
        hosts[name]?.macs = found
        report(.hardware(host: HostName(host.name), found))
    }

    /// Accepts the device-info record under a name as the record of a host.
    private mutating func awaitInfo(_ name: String, of host: String) {
        let record = ServiceKey(name: name, type: DiscoveryRules.deviceInfoType, domain: "local").id
        guard let state = hosts[host], !state.hasInfo,
            state.infoRecords.count < DiscoveryRules.deviceInfoNameLimit,
            infoHosts[record, default: []].insert(host).inserted
        else { return }
        hosts[host]?.infoRecords.append(record)
        if let data = records.latestText(of: record) { reportInfo(data, of: host) }
    }

    private mutating func reportInfo(_ data: [UInt8], of name: String) {
        let txt = TXTRecord(data: data)
        guard let host = hosts[name], !host.hasInfo, !txt.pairs.isEmpty,
            data.count <= DiscoveryRules.smallRecord
        else {
            return
        }
        hosts[name]?.hasInfo = true
        report(.deviceInfo(host: HostName(host.name), txt))
    }
}
