// Finds the machine of a device without a host name, by its address.

/// The devices without a host name, such as a device of SSDP, each with the host that lives at its address.
///
/// An address is not a machine: a device belongs to no host with other MAC addresses, and to no host that is silent,
/// unless it belonged to that before. If several hosts live at an address, the device belongs to the host that came
/// first; without a host there, to the device that came first.
struct AddressOwners {
    private struct Host: Equatable {
        var addresses: [HostAddress]
        var macs: [MACAddress]
        var came: Timestamp
        var isUnanswered: Bool

        init(_ state: HostState) {
            addresses = state.outwardAddresses.filter { !$0.isOfBridge }
            (macs, came) = (state.macs, state.firstSeen)
            isUnanswered = state.presence == .unanswered
        }

        /// Whether other MAC addresses are known of another host.
        func contradicts(_ other: Host) -> Bool {
            !macs.isEmpty && !other.macs.isEmpty && !macs.contains(where: other.macs.contains)
        }
    }

    /// The hosts and devices at an address, at most ``limit`` of each, by their keys.
    private struct Place {
        var hosts: Set<String> = []
        var devices: Set<String> = []
    }

    /// The maximum number of hosts, and of devices, of an address that are considered.
    static let limit = 16

    private var hosts: [String: Host] = [:]
    private var places: [HostAddress: Place] = [:]
    /// The owners of devices, and the devices of owners.
    private var owners: [String: String] = [:]
    private var devices: [String: Set<String>] = [:]
    private var changed: Set<String> = []

    /// Updates the properties of a host or a device, or removes it if `state` is `nil`.
    ///
    /// - Complexity: O(1), and O(``limit``²) if devices are at its addresses.
    mutating func update(_ key: String, to state: HostState?) {
        let (before, after) = (hosts[key], state.map { Host($0) })
        guard before != after else { return }
        hosts[key] = after
        let isDevice = HostName.isEndpoint(key)
        let (old, new) = (Set(before?.addresses ?? []), Set(after?.addresses ?? []))
        for address in old.subtracting(new) { remove(key, isDevice, from: address) }
        for address in new.subtracting(old) { add(key, isDevice, to: address) }
        let concerned = old.union(new).reduce(into: Set<String>()) {
            $0.formUnion(places[$1]?.devices ?? [])
        }
        guard isDevice || !concerned.isEmpty else { return }
        for device in concerned.union(isDevice ? [key] : []) { setOwner(of: device) }
        changed.formUnion(concerned)
    }

    /// Returns the other keys of the machine of a host or a device, as far as they follow from its addresses: its owner, or
    /// what it owns.
    func others(of key: String) -> Set<String> {
        (devices[key] ?? []).union([owners[key]].compactMap(\.self))
    }

    /// Returns the keys whose machines may have changed since the last call.
    mutating func removeChanged() -> Set<String> {
        defer { changed = [] }
        return changed
    }

    private mutating func add(_ key: String, _ isDevice: Bool, to address: HostAddress) {
        var place = places[address] ?? Place()
        if isDevice {
            if place.devices.count < Self.limit { place.devices.insert(key) }
        } else if place.hosts.count < Self.limit {
            place.hosts.insert(key)
        }
        places[address] = place
    }

    private mutating func remove(_ key: String, _ isDevice: Bool, from address: HostAddress) {
        if isDevice {
            places[address]?.devices.remove(key)
        } else {
            places[address]?.hosts.remove(key)
        }
        if let place = places[address], place.hosts.isEmpty, place.devices.isEmpty {
            places[address] = nil
        }
    }

    private mutating func setOwner(of key: String) {
        let former = owners[key]
        let owner = findOwner(of: key, former: former)
        guard owner != former else { return }
        owners[key] = owner
        if let former {
            devices[former]?.remove(key)
            if devices[former]?.isEmpty == true { devices[former] = nil }
        }
        if let owner { devices[owner, default: []].insert(key) }
        changed.formUnion([key, former, owner].compactMap(\.self))
    }

    private func findOwner(of key: String, former: String?) -> String? {
        guard let device = hosts[key] else { return nil }
        let here = device.addresses.compactMap { places[$0] }
        func first(_ keys: Set<String>) -> String? {
            keys.compactMap { key in hosts[key].map { (came: $0.came, key: key, host: $0) } }
                .filter {
                    !$0.host.contradicts(device) && (!$0.host.isUnanswered || $0.key == former)
                }
                .min { ($0.came, $0.key) < ($1.came, $1.key) }?.key
        }
        if let host = first(here.reduce(into: []) { $0.formUnion($1.hosts) }) { return host }
        let leader = first(here.reduce(into: [key]) { $0.formUnion($1.devices) })
        return leader == key ? nil : leader
    }
}
