// Makes services and hosts of the records that are believed, on a link and in captures.
package import DNSMessages
package import FoundationEssentials
package import PeerModel

/// The services and hosts in the records that were heard and are believed, within bounds.
///
/// A ``RecordCache`` decides how long a record is believed; this table follows its changes. A record of which the cache
/// says that it ends within a second counts no more, but for the announcement of a service.
///
/// A service is described by the record that was reported last on the first of its paths with such a record.
package struct RecordServices: Sendable {
    /// The bounds on what others can make grow.
    package struct Limits: Sendable {
        /// The numbers of services, and of hosts.
        package var names = Int.max
        /// The number of addresses of a host.
        package var addresses = 256
        /// The size of the data of a TXT record, in bytes.
        package var txtSize = Int.max

        package init() {}
    }

    /// The maximum number of paths of a service.
    package static let pathLimit = 256
    /// The maximum number of SRV records of a service, and of TXT records; those heard last are kept.
    static let detailLimit = 64
    /// The time for which the end of an announcement is remembered. A backend may report it later.
    private static let endTime = Duration.seconds(10)

    /// The fate of the announcement of a service on a path.
    package enum Announcement: Equatable {
        case unheard
        case heard
        /// It ends within a second, or has ended within the last seconds.
        case ended(RecordCache.End)
    }

    /// A change of a service or a host by a record.
    package enum Change: Equatable {
        /// A service is announced on a path, maybe again.
        case announced(ServiceKey, NetworkPath)
        /// The announcement of a service on a path ends within a second.
        case ending(ServiceKey, NetworkPath)
        /// The announcement of a service on a path has ended.
        case ended(ServiceKey, NetworkPath, RecordCache.End)
        /// An SRV or a TXT record of a service, which need not be announced, is there or has ended.
        case described(ServiceKey, RecordCache.End?)
        /// An address of a host, by its canonical name, is there or has ended.
        case addressed(host: String, RecordCache.End?)

        /// The service that it is of, if any.
        package var service: UUID? {
            switch self {
            case .announced(let key, _), .ending(let key, _), .ended(let key, _, _),
                .described(let key, _):
                key.id
            case .addressed: nil
            }
        }
    }

    /// The announcement of a service on a path.
    private struct Pointer {
        /// The reason for which it ends or has ended; `nil` while it is believed.
        var end: RecordCache.End?
        /// The time at which an announcement that has ended is forgotten.
        var due: Duration?
    }

    private struct Entry {
        let key: ServiceKey
        var pointers: [NetworkPath: Pointer] = [:]
        /// The records of each type, those reported last first.
        var details = (locations: [Detail](), texts: [Detail]())

        /// The host for whose address it waits, by canonical name.
        var awaitedHost: String?

        var isEmpty: Bool {
            pointers.isEmpty && details.locations.isEmpty && details.texts.isEmpty
        }
    }

    private struct Detail: Equatable {
        let path: NetworkPath
        let data: [UInt8]
    }

    private let limits: Limits
    private var services: [UUID: Entry] = [:]
    /// The addresses of hosts, by canonical name, and the paths on which each was heard.
    private var hosts: [String: [HostAddress: Set<NetworkPath>]] = [:]
    /// The services that wait for an address of their host, by the canonical name of the host.
    private var waiting: [String: Set<UUID>] = [:]
    /// The announcements that have ended, in the order in which they are forgotten.
    private var ended: ArraySlice<(id: UUID, path: NetworkPath, due: Duration)> = []

    package init(_ limits: Limits = Limits()) { self.limits = limits }

    /// Applies a change of a record; returns what that changes, if anything.
    ///
    /// - Complexity: O(1) on average, and O(*m*) for a service with *m* records.
    package mutating func apply(_ record: HeardRecord, at now: Duration) -> Change? {
        forgetEnded(at: now)
        switch record.type {
        case DNSType.ptr: return applyPointer(record, at: now)
        case DNSType.srv, DNSType.txt: return applyDetail(record)
        case DNSType.a, DNSType.aaaa: return applyAddress(record)
        default: return nil
        }
    }

    /// Returns the name and a path of a service whose announcement was heard; `nil` if there is none, or it ends.
    package func announcement(of id: UUID) -> (key: ServiceKey, path: NetworkPath)? {
        guard let entry = services[id],
            let path = entry.pointers.filter({ $0.value.end == nil }).keys.min()
        else { return nil }
        return (entry.key, path)
    }

    /// Returns what was heard of the announcement of a service on a path.
    package func announcement(of id: UUID, on path: NetworkPath) -> Announcement {
        guard let pointer = services[id]?.pointers[path] else { return .unheard }
        return pointer.end.map(Announcement.ended) ?? .heard
    }

    /// Returns the host and the port of a service that is announced on paths, and the path on which that was heard.
    package func location(
        of id: UUID, on paths: some Collection<NetworkPath>
    ) -> (path: NetworkPath, location: ServiceLocation)? {
        guard let details = services[id]?.details.locations else { return nil }
        for path in paths {
            let detail = details.first { $0.path == path }
            if let location = detail.flatMap({ ServiceLocation($0.data) }) {
                return (path, location)
            }
        }
        return nil
    }

    /// Returns the data of the TXT record of a service on the first of some paths that has one.
    package func text(of id: UUID, on paths: some Collection<NetworkPath>) -> [UInt8]? {
        guard let details = services[id]?.details.texts else { return nil }
        for path in paths {
            if let detail = details.first(where: { $0.path == path }) { return detail.data }
        }
        return nil
    }

    /// Returns the data of the TXT record of a service that was heard last, on any path.
    package func latestText(of id: UUID) -> [UInt8]? { services[id]?.details.texts.first?.data }

    /// Returns the addresses of a host, by its canonical name, in order.
    ///
    /// The name of a host may be its address: some SRV records have no other name.
    package func addresses(of host: String) -> [HostAddress] {
        if let addresses = hosts[host] { return addresses.keys.sorted() }
        return HostAddress(parsing: host).map { [$0] } ?? []
    }

    /// Returns the resolution of a service that is announced on paths; `nil` if a record is missing.
    ///
    /// If only an address of its host is missing, the service waits for it.
    package mutating func resolution(of id: UUID, on paths: Set<NetworkPath>) -> Resolution? {
        let paths = paths.sorted()
        guard let (path, location) = location(of: id, on: paths), !location.isNowhere,
            let text = text(of: id, on: [path] + paths)
        else { return nil }
        let host = location.host.text
        let name = Identity.canonical(host)
        guard let address = addresses(of: name).first(where: { !$0.isLoopback }) else {
            stopWaiting(id)
            services[id]?.awaitedHost = name
            waiting[name, default: []].insert(id)
            return nil
        }
        return Resolution(
            host: host, port: location.port, txt: TXTRecord(data: text), address: address,
            isConfirmed: false)
    }

    /// Removes and returns the services that wait for an address of a host, by its canonical name.
    package mutating func popWaiting(for host: String) -> Set<UUID> {
        let ids = waiting[host] ?? []
        for id in ids { stopWaiting(id) }
        return ids
    }

    private mutating func stopWaiting(_ id: UUID) {
        guard let host = services[id]?.awaitedHost else { return }
        services[id]?.awaitedHost = nil
        waiting[host]?.remove(id)
        if waiting[host]?.isEmpty == true { waiting[host] = nil }
    }

    private mutating func applyPointer(_ record: HeardRecord, at now: Duration) -> Change? {
        guard let key = record.announcedService else { return nil }
        let path = record.path
        let isKnown = services[key.id]?.pointers[path] != nil
        switch record.change {
        case .added, .refreshed:
            guard hasRoom(for: key.id),
                isKnown || (services[key.id]?.pointers.count ?? 0) < Self.pathLimit
            else { return nil }
            update(key) { $0.pointers[path] = Pointer() }
            return .announced(key, path)
        case .ending(let end):
            guard isKnown else { return nil }
            update(key) { $0.pointers[path]?.end = end }
            return .ending(key, path)
        case .removed(let end):
            guard isKnown else { return nil }
            let due = now + Self.endTime
            update(key) { $0.pointers[path] = Pointer(end: end, due: due) }
            ended.append((key.id, path, due))
            return .ended(key, path, end)
        }
    }

    /// Applies a change of an SRV or a TXT record.
    private mutating func applyDetail(_ record: HeardRecord) -> Change? {
        guard let key = record.name.service else { return nil }
        let detail = Detail(path: record.path, data: record.data)
        let isText = record.type == DNSType.txt
        let end: RecordCache.End?
        switch record.change {
        case .added, .refreshed: end = nil
        case .ending(let reason), .removed(let reason): end = reason
        }
        let isKept = end == nil && (!isText || record.data.count <= limits.txtSize)
        guard !isKept || hasRoom(for: key.id) else { return nil }
        update(key) { entry in
            var details = isText ? entry.details.texts : entry.details.locations
            details.removeAll { $0 == detail }
            if isKept {
                details.insert(detail, at: 0)
                if details.count > Self.detailLimit { details.removeLast() }
            }
            if isText { entry.details.texts = details } else { entry.details.locations = details }
        }
        return .described(key, end)
    }

    private mutating func applyAddress(_ record: HeardRecord) -> Change? {
        let host = Identity.canonical(record.name.text)
        let address = HostAddress(bytes: record.data, interface: record.interface.name)
        switch record.change {
        case .added, .refreshed:
            guard hosts[host] != nil || hosts.count < limits.names,
                hosts[host]?[address] != nil || (hosts[host]?.count ?? 0) < limits.addresses
            else { return nil }
            hosts[host, default: [:]][address, default: []].insert(record.path)
            return .addressed(host: host, nil)
        case .ending(let end), .removed(let end):
            hosts[host]?[address]?.remove(record.path)
            if hosts[host]?[address]?.isEmpty == true { hosts[host]?[address] = nil }
            if hosts[host]?.isEmpty == true { hosts[host] = nil }
            return .addressed(host: host, end)
        }
    }

    private mutating func update(_ key: ServiceKey, _ change: (inout Entry) -> Void) {
        change(&services[key.id, default: Entry(key: key)])
        guard services[key.id]?.isEmpty == true else { return }
        stopWaiting(key.id)
        services[key.id] = nil
    }

    private func hasRoom(for id: UUID) -> Bool {
        services[id] != nil || services.count < limits.names
    }

    private mutating func forgetEnded(at now: Duration) {
        while let (id, path, due) = ended.first, due <= now {
            ended.removeFirst()
            // It may have been announced again, or have ended again.
            guard let entry = services[id], entry.pointers[path]?.due == due else { continue }
            update(entry.key) { $0.pointers[path] = nil }
        }
    }
}
