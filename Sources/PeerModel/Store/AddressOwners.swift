// Finds the machine of a device without a host name, by its address or its MAC address.

/// The devices without a host name, such as a device of SSDP, each with the host that lives at its address.
///
/// An address is not a machine: a device belongs to no host with other MAC addresses, and to no host that is silent,
/// unless it belonged to that before. If several hosts live at an address, the device belongs to the host that came
/// first; without a host there, to the device that came first.
///
/// Without a host at its addresses, such as if the device is heard over IPv6 alone, a MAC address in common does the same,
/// unless that has several IPv4 addresses, as a repeater's has.
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

        var places: Set<Place> { Set(addresses.map(Place.address) + macs.map(Place.mac)) }

        /// Whether another host with a MAC address in common has other IPv4 addresses.
        func isElsewhere(than other: Host) -> Bool {
            let own = addresses.filter { $0.family == .ipv4 }
            let others = other.addresses.filter { $0.family == .ipv4 }
            return !own.isEmpty && !others.isEmpty && !own.contains(where: others.contains)
        }

        /// Whether other MAC addresses are known of another host.
        func contradicts(_ other: Host) -> Bool {
            !macs.isEmpty && !other.macs.isEmpty && !macs.contains(where: other.macs.contains)
        }
    }

    private enum Place: Hashable {
        case address(HostAddress)
        case mac(MACAddress)
    }

    /// The hosts and devices at a place, at most ``limit`` of each, by their keys.
    private struct Residents {
        var hosts: Set<String> = []
        var devices: Set<String> = []
    }

    /// The maximum number of hosts, and of devices, of a place that are considered.
    static let limit = 16

    private var hosts: [String: Host] = [:]
    private var residents: [Place: Residents] = [:]
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
        let (old, new) = (before?.places ?? [], after?.places ?? [])
        for place in old.subtracting(new) { remove(key, isDevice, from: place) }
        for place in new.subtracting(old) { add(key, isDevice, to: place) }
        let concerned = old.union(new).reduce(into: Set<String>()) {
            $0.formUnion(residents[$1]?.devices ?? [])
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

    private mutating func add(_ key: String, _ isDevice: Bool, to place: Place) {
        var here = residents[place] ?? Residents()
        if isDevice {
            if here.devices.count < Self.limit { here.devices.insert(key) }
        } else if here.hosts.count < Self.limit {
            here.hosts.insert(key)
        }
        residents[place] = here
    }

    private mutating func remove(_ key: String, _ isDevice: Bool, from place: Place) {
        if isDevice {
            residents[place]?.devices.remove(key)
        } else {
            residents[place]?.hosts.remove(key)
        }
        if let here = residents[place], here.hosts.isEmpty, here.devices.isEmpty {
            residents[place] = nil
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
        let here = device.addresses.compactMap { residents[.address($0)] }
        let there = device.macs.compactMap { residents[.mac($0)] }.filter { residents in
            let all = residents.hosts.union(residents.devices).compactMap { hosts[$0] }
            return !all.contains { one in all.contains { one.isElsewhere(than: $0) } }
        }
        func first(_ keys: Set<String>) -> String? {
            keys.compactMap { key in hosts[key].map { (came: $0.came, key: key, host: $0) } }
                .filter {
                    !$0.host.contradicts(device) && (!$0.host.isUnanswered || $0.key == former)
                }
                .min { ($0.came, $0.key) < ($1.came, $1.key) }?.key
        }
        for residents in [here, there] {
            if let host = first(residents.reduce(into: []) { $0.formUnion($1.hosts) }) {
                return host
            }
        }
        let leader = first((here + there).reduce(into: [key]) { $0.formUnion($1.devices) })
        return leader == key ? nil : leader
    }
}
