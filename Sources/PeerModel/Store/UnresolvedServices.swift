// Finds the devices to which services without a known host probably belong.
package import FoundationEssentials

/// A device that was seen before, as the program remembers it.
package struct KnownDevice: Sendable, Hashable {
    package let id: UUID
    package let name: String
    package let kind: DeviceKind?

    package init(id: UUID, name: String, kind: DeviceKind?) {
        (self.id, self.name, self.kind) = (id, name, kind)
    }
}

/// The services that have waited for their answer, grouped by the device to which they probably belong.
///
/// A service without a host is no device. It belongs to the device that offered it when it was seen before, or to the
/// device whose other services have its instance name. Services of one instance name without either are one device.
struct UnresolvedServices {
    /// The services of one device.
    enum Group: Hashable, Comparable {
        /// The services that a device had when it was seen before.
        case known(UUID)
        /// The services of an instance name and a domain.
        case named(String)
    }

    /// The maximum number of hosts among which the owner of an instance name is looked for.
    private static let hostLimit = 8

    /// Returns the device that had a service when it was seen before; `nil` if it was never seen.
    var known: @Sendable (ServiceKey) -> KnownDevice? = { _ in nil }

    private var groups: [UUID: Group] = [:]
    private(set) var services: [Group: Set<UUID>] = [:]
    /// The devices of the groups ``Group/known(_:)``.
    private(set) var devices: [UUID: KnownDevice] = [:]
    /// The hosts of the resolved services of each instance name, with the numbers of these services.
    private var hosts: [String: [String: Int]] = [:]
    /// The hosts to whose rows groups are added.
    private var owners: [Group: String] = [:]
    private var joined: [String: Set<Group>] = [:]

    /// Whether every service has a host or still waits for its first answer.
    var isEmpty: Bool { services.isEmpty }

    /// Replaces the state of a service.
    ///
    /// - Returns: The groups that may have changed.
    mutating func update(
        _ before: ServiceState?, to after: ServiceState?, isListed: Bool
    ) -> Set<Group> {
        let isWaiting = after?.host == nil && after?.isOverdue == true
        guard let key = (after ?? before)?.key,
            before?.host != after?.host || isWaiting || groups[key.id] != nil
        else { return [] }
        let name = Self.name(of: key)
        var changed: Set<Group> = []
        if before?.host != after?.host {
            if let host = before?.host, let count = hosts[name]?[host] {
                hosts[name]?[host] = count > 1 ? count - 1 : nil
                if hosts[name]?.isEmpty == true { hosts[name] = nil }
            }
            if let host = after?.host { hosts[name, default: [:]][host, default: 0] += 1 }
            if services[.named(name)] != nil { changed.insert(.named(name)) }
        }
        if let group = groups[key.id] {
            changed.insert(group)
            services[group]?.remove(key.id)
            if services[group]?.isEmpty == true {
                services[group] = nil
                if case .known(let id) = group { devices[id] = nil }
            }
            groups[key.id] = nil
        }
        guard let after, isListed, isWaiting else { return changed }
        var group = Group.named(name)
        if let device = known(key) {
            group = .known(device.id)
            devices[device.id] = device
        } else if after.presence == .resolving, DeviceName.isIdentifier(key.name) {
            // No person would call a device so, and it probably has another name.
            return changed
        }
        groups[key.id] = group
        services[group, default: []].insert(key.id)
        changed.insert(group)
        return changed
    }

    /// Finds the hosts to whose rows groups belong now.
    ///
    /// - Parameters:
    ///   - changed: The groups that may have changed.
    ///   - listedName: Returns the name under which the device of a host is listed.
    /// - Returns: The hosts whose rows change.
    mutating func join(_ changed: Set<Group>, listedName: (String) -> String) -> Set<String> {
        var touched: Set<String> = []
        for group in changed {
            let owner = services[group] == nil ? nil : owner(of: group, listedName)
            if let owner { touched.insert(owner) }
            guard owners[group] != owner else { continue }
            if let former = owners[group] {
                touched.insert(former)
                joined[former]?.remove(group)
                if joined[former]?.isEmpty == true { joined[former] = nil }
            }
            owners[group] = owner
            if let owner { joined[owner, default: []].insert(group) }
        }
        return touched
    }

    private func owner(of group: Group, _ listedName: (String) -> String) -> String? {
        guard case .named(let name) = group, let hosts = hosts[name], hosts.count <= Self.hostLimit
        else { return nil }
        let names = Set(hosts.keys.map(listedName))
        return names.count == 1 ? names.first : nil
    }

    /// The groups that are part of a host's row.
    func groups(of host: String) -> Set<Group> { joined[host] ?? [] }

    /// Whether a group is part of the row of a host.
    func isJoined(_ group: Group) -> Bool { owners[group] != nil }

    /// Returns the hosts of the resolved services of a group's instance name.
    func hosts(of group: Group) -> [String] {
        guard case .named(let name) = group else { return [] }
        return (hosts[name] ?? [:]).keys.sorted()
    }

    /// Returns the instance name of a service without the MAC addresses that some types add, and its domain.
    private static func name(of key: ServiceKey) -> String {
        var name = key.name[...]
        if let at = name.firstIndex(of: "@"), MACAddress(name[..<at]) != nil {
            name = name[name.index(after: at)...]
        }
        if name.hasSuffix("]"), let open = name.lastIndex(of: "["),
            MACAddress(name[name.index(after: open)...].dropLast()) != nil
        {
            name = name[..<open]
        }
        while name.last == " " { name.removeLast() }
        return Identity.canonical("\(name).\(key.domain)")
    }
}
