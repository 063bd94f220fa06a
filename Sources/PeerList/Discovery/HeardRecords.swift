// Keeps the records that were heard on the link, by which services are found and resolved.
package import DNSMessages
import FoundationEssentials
import StackProtocol

/// A record that was heard on the link, in a response with a hop limit of 255.
package struct HeardRecord: Sendable, Hashable {
    let name: DNSName
    let type: UInt16
    /// The time to live in seconds; 0 withdraws the record.
    let ttl: UInt32
    /// The data, with names in wire form.
    let data: [UInt8]
    let sender: HostAddress
    let interface: NetworkInterface

    package init(
        name: DNSName, type: UInt16, ttl: UInt32, data: [UInt8], sender: HostAddress,
        interface: NetworkInterface
    ) {
        (self.name, self.type, self.ttl, self.data) = (name, type, ttl, data)
        (self.sender, self.interface) = (sender, interface)
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
        guard ttl > 0, type == DNSType.ptr || type == DNSType.srv else { return nil }
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

/// The records of services and hosts that were heard and have not expired, within bounds.
struct HeardRecords {
    /// The maximum number of services, and of hosts.
    static let nameLimit = 4_096
    /// The maximum number of addresses of a host.
    static let addressLimit = 16
    /// The maximum size of a TXT record's data, in bytes; a service with a larger record is resolved by the stack.
    static let txtLimit = ServiceTable.smallRecord
    /// The minimum time between two searches for expired records. A search takes time linear in the number of names.
    private static let searchInterval = Duration.seconds(10)

    private struct Location {
        let host: String
        let port: UInt16
        let interface: NetworkInterface
        let expiry: Duration
    }

    private struct Text {
        let data: [UInt8]
        let expiry: Duration
    }

    /// The pointer of a type to a service.
    private struct Pointer {
        let instance: ServiceInstance
        let path: NetworkPath
        let expiry: Duration
    }

    private struct Entry {
        var pointer: Pointer?
        var location: Location?
        var text: Text?

        var isEmpty: Bool { pointer == nil && location == nil && text == nil }
    }

    private var services: [UUID: Entry] = [:]
    /// The addresses of hosts, by canonical name, and the times at which the addresses expire.
    private var addresses: [String: [HostAddress: Duration]] = [:]
    /// The services that wait for an address of their host, by the canonical name of the host.
    private var waiting: [String: Set<UUID>] = [:]
    private var searchDue = Duration.zero

    /// The number of services and hosts.
    var count: Int { services.count + addresses.count }

    /// Adds a record in place of an earlier one, or removes a withdrawn record.
    ///
    /// - Returns: The services that the record may announce, resolve or withdraw.
    mutating func insert(_ record: HeardRecord, at now: Duration) -> [UUID] {
        let expiry = now + .seconds(Int(record.ttl))
        switch record.type {
        case DNSType.ptr:
            guard let instance = record.service else { return [] }
            let id = instance.key.id
            guard services[id] != nil || hasRoom(at: now) else { return [] }
            let path = NetworkPath(interface: record.interface, family: record.sender.family)
            update(id) {
                $0.pointer =
                    record.ttl > 0 ? Pointer(instance: instance, path: path, expiry: expiry) : nil
            }
            return [id]
        case DNSType.srv, DNSType.txt:
            guard let parts = record.name.serviceParts, let instance = parts.instance else {
                return []
            }
            let id = ServiceKey(name: instance, type: parts.type, domain: parts.domain).id
            guard services[id] != nil || hasRoom(at: now) else { return [] }
            if record.type == DNSType.txt {
                let isKept = record.ttl > 0 && record.data.count <= Self.txtLimit
                update(id) {
                    $0.text = isKept ? Text(data: record.data, expiry: expiry) : nil
                }
            } else {
                let location = record.ttl > 0 ? self.location(record, until: expiry) : nil
                update(id) { $0.location = location }
            }
            return record.ttl > 0 ? [id] : []
        case DNSType.a, DNSType.aaaa:
            guard record.data.count == (record.type == DNSType.a ? 4 : 16) else { return [] }
            let host = Identity.canonical(record.name.text)
            let address = HostAddress(bytes: record.data, interface: record.interface.name)
            guard record.ttl > 0 else {
                addresses[host]?[address] = nil
                return []
            }
            guard addresses[host] != nil || hasRoom(at: now),
                addresses[host]?[address] != nil
                    || (addresses[host]?.count ?? 0) < Self.addressLimit
            else { return [] }
            addresses[host, default: [:]][address] = expiry
            return waiting.removeValue(forKey: host).map(Array.init) ?? []
        default: return []
        }
    }

    /// Returns the names and the path of a service whose announcement was heard; `nil` if the announcement has expired.
    func announcement(
        of id: UUID, at now: Duration
    ) -> (instance: ServiceInstance, path: NetworkPath)? {
        guard let pointer = services[id]?.pointer, pointer.expiry > now else { return nil }
        return (pointer.instance, pointer.path)
    }

    /// Returns the resolution of a service by heard records; `nil` if a record is missing or has expired, or if the SRV
    /// record was heard on an interface on which the service is not announced.
    mutating func resolution(
        of id: UUID, on paths: Set<NetworkPath>, at now: Duration
    ) -> Resolution? {
        guard let entry = services[id], let location = entry.location, location.expiry > now,
            let text = entry.text, text.expiry > now,
            paths.contains(where: { $0.interface == location.interface })
        else { return nil }
        let host = Identity.canonical(location.host)
        let known = addresses[host]?.filter { $0.value > now && !$0.key.isLoopback }
        guard let address = known?.keys.min() else {
            if waiting[host] != nil || waiting.count < Self.nameLimit {
                waiting[host, default: []].insert(id)
            }
            return nil
        }
        return Resolution(
            host: location.host, port: location.port,
            txt: TXTRecord(data: text.data), address: address,
            isConfirmed: false)
    }

    private mutating func update(_ id: UUID, _ change: (inout Entry) -> Void) {
        var entry = services.removeValue(forKey: id) ?? Entry()
        change(&entry)
        if !entry.isEmpty { services[id] = entry }
    }

    private func location(_ record: HeardRecord, until expiry: Duration) -> Location? {
        guard record.data.count > 6, let target = DNSName(wire: Array(record.data.dropFirst(6))),
            !target.labels.isEmpty
        else { return nil }
        return Location(
            host: target.text, port: UInt16(record.data[4]) << 8 | UInt16(record.data[5]),
            interface: record.interface, expiry: expiry)
    }

    /// Removes expired records if there is no room, and returns whether there is room then.
    private mutating func hasRoom(at now: Duration) -> Bool {
        let isFull = services.count >= Self.nameLimit || addresses.count >= Self.nameLimit
        if isFull { removeExpired(at: now) }
        return services.count < Self.nameLimit && addresses.count < Self.nameLimit
    }

    private mutating func removeExpired(at now: Duration) {
        guard searchDue <= now else { return }
        searchDue = now + Self.searchInterval
        services = services.filter { ($0.value.location?.expiry ?? .zero) > now }
        addresses = addresses.compactMapValues { known in
            let valid = known.filter { $0.value > now }
            return valid.isEmpty ? nil : valid
        }
        waiting = waiting.filter { _, ids in ids.contains { services[$0] != nil } }
    }
}
