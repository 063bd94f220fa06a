// Keeps the records that were heard on the link, by which services are found and resolved.
package import DNSMessages
import FoundationEssentials
import StackProtocol

/// A change of a record that was heard on the link, in packets with a hop limit of 255.
package struct HeardRecord: Sendable, Hashable {
    let name: DNSName
    let type: UInt16
    /// The data, with names in wire form.
    let data: [UInt8]
    let change: RecordCache.Change.Kind
    /// The sender of the packet that changed it.
    let sender: HostAddress
    let interface: NetworkInterface

    package init(
        name: DNSName, type: UInt16, data: [UInt8], _ change: RecordCache.Change.Kind,
        sender: HostAddress, interface: NetworkInterface
    ) {
        (self.name, self.type, self.data, self.change) = (name, type, data, change)
        (self.sender, self.interface) = (sender, interface)
    }

    /// The path on which it was heard.
    var path: NetworkPath { NetworkPath(interface: interface, family: sender.family) }

    /// The time to live in seconds of a record that was announced; `nil` if the record ends.
    var ttl: UInt32? {
        switch change {
        case .added(let ttl), .refreshed(let ttl): ttl
        case .ending, .removed: nil
        }
    }

    /// The service to which the record points from the service's type, not from a subtype.
    fileprivate var service: ServiceInstance? {
        guard let owner = name.serviceParts, owner.instance == nil, owner.subtype == nil,
            let parts = DNSName(wire: data)?.serviceParts, let instance = parts.instance,
            Identity.canonical(parts.type) == Identity.canonical(owner.type),
            Identity.canonical(parts.domain) == Identity.canonical(owner.domain)
        else { return nil }
        return ServiceInstance(name: instance, type: parts.type, domain: parts.domain)
    }

    /// The service type that the record shows to be offered, in canonical form, its domain, and whether the record is of
    /// a responder's list of types (RFC 6763, section 9).
    var offeredType: (type: String, domain: String, isListed: Bool)? {
        guard ttl != nil, type == DNSType.ptr || type == DNSType.srv else { return nil }
        var parts = name.serviceParts
        var isListed = false
        if let list = parts, list.instance == "_services",
            Identity.canonical(list.type) == "_dns-sd._udp"
        {
            guard type == DNSType.ptr else { return nil }
            parts = DNSName(wire: data)?.serviceParts
            guard parts?.instance == nil else { return nil }
            isListed = true
        }
        guard let parts, let type = try? ServiceType(parts.type) else { return nil }
        return (type.name, parts.domain, isListed)
    }
}

/// The records of services and hosts that were heard and are believed, within bounds.
///
/// The witness's helper decides how long a record is believed. What it says to end within a second counts no more, but
/// for the announcement of a service.
struct HeardRecords {
    /// The maximum number of services, and of hosts.
    static let nameLimit = 4_096
    /// The maximum number of addresses of a host.
    static let addressLimit = 16
    /// The maximum size of a TXT record's data, in bytes; a service with a larger record is resolved by the stack.
    static let txtLimit = ServiceTable.smallRecord
    /// The time for which the end of an announcement is remembered. The backend may report it later.
    private static let endTime = Duration.seconds(10)

    /// The fate of the announcement of a service on a path, as far as it was heard.
    enum Announcement: Equatable {
        case unheard
        case heard
        /// It ends within a second, or has ended within the last seconds.
        case ended(RecordCache.End)
    }

    private struct Location {
        let record: HeardRecord
        let host: String
        let port: UInt16

        init?(_ record: HeardRecord) {
            guard let location = ServiceLocation(record.data), !location.isNowhere else {
                return nil
            }
            self.record = record
            (host, port) = (location.host.text, location.port)
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
        var instance: ServiceInstance?
        var paths: [NetworkPath: Pointer] = [:]
        var location: Location?
        var text: HeardRecord?

        var isEmpty: Bool { paths.isEmpty && location == nil && text == nil }
    }

    private var services: [UUID: Entry] = [:]
    /// The addresses of hosts, by canonical name, and the paths on which each was heard.
    private var addresses: [String: [HostAddress: Set<NetworkPath>]] = [:]
    /// The services that wait for an address of their host, by the canonical name of the host.
    private var waiting: [String: Set<UUID>] = [:]
    /// The announcements that have ended, in the order in which they are forgotten.
    private var ended: ArraySlice<(id: UUID, path: NetworkPath, due: Duration)> = []

    /// Applies a change of a record.
    ///
    /// - Returns: The services that the record may announce, resolve or withdraw.
    mutating func insert(_ record: HeardRecord, at now: Duration) -> [UUID] {
        forgetEnded(at: now)
        switch record.type {
        case DNSType.ptr: return insertPointer(record, at: now)
        case DNSType.srv, DNSType.txt: return insertDetail(record)
        case DNSType.a, DNSType.aaaa: return insertAddress(record)
        default: return []
        }
    }

    /// Returns the names and a path of a service whose announcement was heard; `nil` if there is none, or it ends.
    func announcement(of id: UUID) -> (instance: ServiceInstance, path: NetworkPath)? {
        guard let entry = services[id], let instance = entry.instance,
            let path = entry.paths.filter({ $0.value.end == nil }).keys.min()
        else { return nil }
        return (instance, path)
    }

    /// Returns what was heard of the announcement of a service on a path.
    func announcement(of id: UUID, on path: NetworkPath) -> Announcement {
        guard let pointer = services[id]?.paths[path] else { return .unheard }
        return pointer.end.map(Announcement.ended) ?? .heard
    }

    /// Whether the announcement of a sighting is believed, or was ended by another machine, so that it may be there
    /// although the backend has it no more.
    func contradictsRemoval(of sighting: Sighting) -> Bool {
        guard sighting.subtype == nil else { return false }
        return switch announcement(of: sighting.service.id, on: sighting.place.path) {
        case .heard, .ended(.withdrawnByOther), .ended(.replaced): true
        case .unheard, .ended(.withdrawn), .ended(.expired): false
        }
    }

    /// Whether a sender of the announcement of a sighting has withdrawn it.
    func isWithdrawn(_ sighting: Sighting) -> Bool {
        announcement(of: sighting.service.id, on: sighting.place.path) == .ended(.withdrawn)
            && sighting.subtype == nil
    }

    /// Returns the reason for which a sighting has ended that the backend has no more, as far as it was heard.
    func departure(of sighting: Sighting, isSilent: Bool) -> Departure {
        switch announcement(of: sighting.service.id, on: sighting.place.path) {
        case .unheard, .ended(.withdrawn): .removed
        case .ended(.expired): .expired
        // The end was not heard.
        case .heard: isSilent ? .expired : .removed
        case .ended(.withdrawnByOther), .ended(.replaced): .revoked
        }
    }

    /// Returns the resolution of a service by heard records; `nil` if a record is missing, or if the SRV record was heard
    /// on an interface on which the service is not announced.
    mutating func resolution(of id: UUID, on paths: Set<NetworkPath>) -> Resolution? {
        guard let entry = services[id], let location = entry.location, let text = entry.text,
            paths.contains(where: { $0.interface == location.record.interface })
        else { return nil }
        let host = Identity.canonical(location.host)
        guard let address = addresses[host]?.keys.filter({ !$0.isLoopback }).min() else {
            if waiting[host] != nil || waiting.count < Self.nameLimit {
                waiting[host, default: []].insert(id)
            }
            return nil
        }
        return Resolution(
            host: location.host, port: location.port, txt: TXTRecord(data: text.data),
            address: address, isConfirmed: false)
    }

    private mutating func insertPointer(_ record: HeardRecord, at now: Duration) -> [UUID] {
        guard let instance = record.service else { return [] }
        let id = instance.key.id
        switch record.change {
        case .added, .refreshed:
            guard hasRoom(for: id) else { return [] }
            update(id) {
                $0.instance = instance
                $0.paths[record.path] = Pointer()
            }
        case .ending(let end): update(id) { $0.paths[record.path]?.end = end }
        case .removed(let end):
            guard services[id]?.paths[record.path] != nil else { return [] }
            let due = now + Self.endTime
            update(id) { $0.paths[record.path] = Pointer(end: end, due: due) }
            ended.append((id, record.path, due))
        }
        return [id]
    }

    /// Applies a change of an SRV or a TXT record.
    private mutating func insertDetail(_ record: HeardRecord) -> [UUID] {
        guard let parts = record.name.serviceParts, let instance = parts.instance else { return [] }
        let id = ServiceKey(name: instance, type: parts.type, domain: parts.domain).id
        let isText = record.type == DNSType.txt
        guard record.ttl != nil else {
            update(id) {
                if isText, $0.text?.isSame(as: record) == true { $0.text = nil }
                if !isText, $0.location?.record.isSame(as: record) == true { $0.location = nil }
            }
            return []
        }
        guard hasRoom(for: id) else { return [] }
        let location = isText ? nil : Location(record)
        update(id) {
            if isText {
                $0.text = record.data.count <= Self.txtLimit ? record : nil
            } else {
                $0.location = location
            }
        }
        return [id]
    }

    private mutating func insertAddress(_ record: HeardRecord) -> [UUID] {
        let host = Identity.canonical(record.name.text)
        let address = HostAddress(bytes: record.data, interface: record.interface.name)
        guard record.ttl != nil else {
            addresses[host]?[address]?.remove(record.path)
            if addresses[host]?[address]?.isEmpty == true { addresses[host]?[address] = nil }
            if addresses[host]?.isEmpty == true { addresses[host] = nil }
            return []
        }
        guard addresses[host] != nil || addresses.count < Self.nameLimit,
            addresses[host]?[address] != nil
                || (addresses[host]?.count ?? 0) < Self.addressLimit
        else { return [] }
        addresses[host, default: [:]][address, default: []].insert(record.path)
        return waiting.removeValue(forKey: host).map(Array.init) ?? []
    }

    private mutating func update(_ id: UUID, _ change: (inout Entry) -> Void) {
        var entry = services.removeValue(forKey: id) ?? Entry()
        change(&entry)
        if !entry.isEmpty { services[id] = entry }
    }

    private func hasRoom(for id: UUID) -> Bool {
        services[id] != nil || services.count < Self.nameLimit
    }

    private mutating func forgetEnded(at now: Duration) {
        while let (id, path, due) = ended.first, due <= now {
            ended.removeFirst()
            // It may have been announced again, or have ended again.
            if services[id]?.paths[path]?.due == due { update(id) { $0.paths[path] = nil } }
        }
    }
}

extension HeardRecord {
    /// Whether another record has the same data and was heard on the same path.
    fileprivate func isSame(as other: HeardRecord) -> Bool {
        data == other.data && path == other.path
    }
}
