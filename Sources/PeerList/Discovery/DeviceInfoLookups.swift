// Looks up the records that describe the hardware of hosts, once for each host.
import HeardRecords
import StackProtocol

/// Lookups of the TXT records `NAME._device-info._tcp.local`, which browsing does not find because they have no PTR
/// record.
///
/// The name is the host's label or, on Apple's systems, the name of the computer, which is also the name of some of
/// its services. So a record browser is opened for each of these names when the host is new, and closed after an
/// answer or a time-out.
struct DeviceInfoLookups {
    /// The maximum number of open record browsers.
    static let openLimit = 8
    /// The time for an answer; the stack sends the query twice within this time.
    static let patience = Duration.seconds(3)

    private enum Stage {
        case waiting
        case open
    }

    private struct Host {
        var names: [String] = []
        var isAnswered = false
    }

    private let path: LookupPath
    private var hosts: [String: Host] = [:]
    private var lookups = StageQueues<LookupKey, Stage>()

    init(path: LookupPath) { self.path = path }

    /// Returns the time at which the next lookup times out, or `nil` for never.
    mutating func deadline() -> Duration? { lookups.firstDue(in: .open) }

    /// Schedules lookups for a host that offers a service; `host` is its key.
    mutating func add(_ host: String, offering service: ServiceInstance, at now: Duration) {
        if hosts[host] == nil {
            hosts[host] = Host()
            let name = HostName.canonical(ofKey: host)
            let label = name.hasSuffix(".local") ? String(name.dropLast(6)) : name
            if !label.contains(".") { schedule(label, of: host, at: now) }
        }
        if DiscoveryRules.typesOfComputers.contains(Identity.canonical(service.type)) {
            schedule(service.name, of: host, at: now)
        }
    }

    private mutating func schedule(_ name: String, of host: String, at now: Duration) {
        guard let state = hosts[host], !state.isAnswered,
            state.names.count < DiscoveryRules.deviceInfoNameLimit,
            !state.names.contains(where: { Identity.canonical($0) == Identity.canonical(name) })
        else { return }
        hosts[host]?.names.append(name)
        lookups.move(.deviceInfo(host: host, name: name), to: .waiting, due: now)
    }

    mutating func remove(_ host: String, _ step: inout DiscoveryStep) {
        close(host, &step)
        hosts[host] = nil
    }

    /// Closes all record browsers.
    ///
    /// - Returns: Whether any were open.
    @discardableResult
    mutating func end(_ step: inout DiscoveryStep) -> Bool {
        let open = lookups.members(of: .open)
        for (key, _) in open { close(key, &step) }
        return !open.isEmpty
    }

    mutating func handle(
        _ event: LookupEvent, of key: LookupKey, _ table: ServiceTable, _ step: inout DiscoveryStep
    ) {
        guard case .deviceInfo(let host, _) = key, lookups.stage(of: key) == .open else { return }
        switch event {
        case .recordAppeared(let data, let path) where table.hasRecords(host, on: path.interface):
            let txt = TXTRecord(data: data)
            guard !txt.pairs.isEmpty, txt.footprint <= DiscoveryRules.smallRecord,
                let name = table.hosts[host]?.name
            else { return }
            close(host, &step)
            hosts[host]?.isAnswered = true
            step.report(.deviceInfo(host: name, txt))
        case .failed: close(key, &step)
        default: break
        }
    }

    /// Closes the lookups that have timed out, and opens waiting ones if there is room.
    mutating func advance(hasRoom: Bool, _ step: inout DiscoveryStep) {
        while let key = lookups.first(in: .open, due: step.now) { close(key, &step) }
        while hasRoom, lookups.count(in: .open) < Self.openLimit,
            let key = lookups.first(in: .waiting, due: step.now),
            case .deviceInfo(_, let name) = key
        {
            lookups.move(key, to: .open, due: step.now + Self.patience)
            let record = ServiceInstance(
                name: name, type: DiscoveryRules.deviceInfoType, domain: "local")
            step.open(key, .records(.txt, of: record, path))
        }
    }

    private mutating func close(_ host: String, _ step: inout DiscoveryStep) {
        for name in hosts[host]?.names ?? [] {
            close(.deviceInfo(host: host, name: name), &step)
        }
    }

    private mutating func close(_ key: LookupKey, _ step: inout DiscoveryStep) {
        if lookups.stage(of: key) == .open { step.close(key) }
        lookups.remove(key)
    }
}
