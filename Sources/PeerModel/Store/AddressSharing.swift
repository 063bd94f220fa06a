// Finds the host names with the same addresses that are one machine.

/// The host names that share their addresses, divided into machines.
///
/// An address is not a machine: it changes hands, and machines announce addresses of bridges of their own. So host
/// names with the same addresses are one machine only if no MAC addresses contradict that, and either
///
/// - their labels are equal apart from the number of a name conflict (`pi`, `pi-2`), or
/// - both names live there: since the younger name came, packets of both were heard from one sender, or both answered
///   queries.
///
/// Names that fall silent while others live, and names of hosts with evidence of their own, are joined by their labels
/// alone: several bridges may run on one machine, each a device.
struct AddressSharing {
    /// The properties of a host that determine its machine.
    struct Host: Equatable {
        /// All addresses that the host announces and that are on the link.
        var addresses: [HostAddress]
        /// The MAC addresses of these addresses.
        var macs: [MACAddress]
        /// The time at which the host was first seen.
        var came: Timestamp
        /// Whether the host has evidence besides its name.
        var isIdentified: Bool
        var isUnanswered: Bool
    }

    /// The names of one machine.
    private struct Machine {
        var names: Set<String> = []
        var labels: Set<String> = []
        var macs: Set<MACAddress> = []
        /// The last signs of life of the names, by sender.
        var lives: [HostAddress?: Timestamp] = [:]

        mutating func add(_ name: String, _ host: Host, _ other: [HostAddress?: Timestamp]) {
            names.insert(name)
            labels.insert(AddressSharing.label(of: name))
            macs.formUnion(host.macs)
            lives.merge(other, uniquingKeysWith: max)
        }

        /// Whether other MAC addresses are known of a host.
        func contradicts(_ host: Host) -> Bool {
            !macs.isEmpty && !host.macs.isEmpty && macs.isDisjoint(with: host.macs)
        }

        /// Whether both the machine and a younger host have shown a sign of life since the host came.
        func livesWith(_ host: Host, _ other: [HostAddress?: Timestamp]) -> Bool {
            let start = host.came.advanced(by: -AddressSharing.grace)
            return other.contains { sender, last in
                last >= start && lives[sender].map { $0 >= start } ?? false
            }
        }
    }

    /// The maximum number of names of a machine. The services of further names are not listed.
    static let nameLimit = 64
    /// The maximum time from the last sign of life of a name to the arrival of another name, in microseconds, if both
    /// names were announced together.
    static let grace: Int64 = 2_000_000

    /// The names with one set of addresses.
    private struct Group {
        /// The names that are divided into machines, at most ``nameLimit``.
        var names: Set<String> = []
        /// The further names, in the order of their arrival, some of which may have left.
        var queue: ArraySlice<String> = []
    }

    private var hosts: [String: Host] = [:]
    private var groups: [[HostAddress]: Group] = [:]
    /// The other names of the machine of each name.
    private var machines: [String: Set<String>] = [:]
    /// The names beyond ``nameLimit``, which are in the queue of their group.
    private(set) var excess: Set<String> = []
    /// The names whose machines may have changed.
    private var changed: Set<String> = []
    /// The sets of addresses to divide again.
    private var undivided: Set<[HostAddress]> = []

    /// Updates the properties of a host, or removes the host; amortized O(1).
    mutating func update(_ name: String, to host: Host?) {
        let before = hosts[name]
        guard before != host else { return }
        hosts[name] = host
        let (old, new) = (before?.addresses ?? [], host?.addresses ?? [])
        if old != new {
            remove(name, from: old)
            add(name, to: new)
        } else if !new.isEmpty, !excess.contains(name) {
            undivided.insert(new)
        }
    }

    /// Whether two hosts have an address or a MAC address in common.
    func haveCommonAddress(_ left: String, _ right: String) -> Bool {
        guard let left = hosts[left], let right = hosts[right] else { return false }
        return left.addresses.contains(where: right.addresses.contains)
            || left.macs.contains(where: right.macs.contains)
    }

    private mutating func add(_ name: String, to addresses: [HostAddress]) {
        guard !addresses.isEmpty else { return }
        let count = groups[addresses]?.names.count ?? 0
        if count < Self.nameLimit {
            groups[addresses, default: Group()].names.insert(name)
            if count > 0 { undivided.insert(addresses) }
        } else {
            groups[addresses]?.queue.append(name)
            excess.insert(name)
            changed.insert(name)
            // Names that leave and return again and again stand there each time.
            guard let queue = groups[addresses]?.queue,
                queue.count > 2 * (excess.count + Self.nameLimit)
            else { return }
            var kept: Set<String> = []
            groups[addresses]?.queue =
                queue.filter { excess.contains($0) && kept.insert($0).inserted }[...]
        }
    }

    private mutating func remove(_ name: String, from addresses: [HostAddress]) {
        guard groups[addresses] != nil else { return }
        if excess.remove(name) != nil {
            changed.insert(name)
            return
        }
        groups[addresses]?.names.remove(name)
        if let others = machines.removeValue(forKey: name) { changed.formUnion(others) }
        changed.insert(name)
        // Names that are in the queue but not beyond the limit have left.
        while let next = groups[addresses]?.queue.popFirst() {
            guard hosts[next]?.addresses == addresses, excess.remove(next) != nil else { continue }
            groups[addresses]?.names.insert(next)
            changed.insert(next)
            break
        }
        if groups[addresses]?.names.isEmpty == true { groups[addresses] = nil }
        undivided.insert(addresses)
    }

    /// Has the machines of a host and of those with its addresses judged again, after a sign of life.
    mutating func noteLife(of name: String) {
        guard let addresses = hosts[name]?.addresses, !excess.contains(name),
            groups[addresses]?.names.count ?? 0 > 1
        else { return }
        undivided.insert(addresses)
    }

    /// Has all machines judged again.
    mutating func noteAll() {
        for (addresses, group) in groups where group.names.count > 1 { undivided.insert(addresses) }
    }

    /// Whether a host that came later has the addresses of a host.
    func hasSuccessor(_ name: String) -> Bool {
        guard let host = hosts[name], let group = groups[host.addresses] else { return false }
        return group.names.contains { hosts[$0].map { host.came < $0.came } ?? false }
    }

    /// Returns the oldest of the names with the addresses of a name that is one too many; `nil` for other names.
    func listedName(ofExcess name: String) -> String? {
        guard excess.contains(name), let host = hosts[name] else { return nil }
        return groups[host.addresses]?.names.min { left, right in
            guard let first = hosts[left]?.came, let second = hosts[right]?.came else {
                return false
            }
            return (first, left) < (second, right)
        }
    }

    /// Returns the other host names with the same addresses that are the same machine.
    func others(of name: String) -> Set<String> { machines[name] ?? [] }

    /// Divides the hosts whose properties have changed since the last call.
    ///
    /// - Parameter lastLife: Returns the last signs of life of a host, by sender.
    /// - Returns: The names whose machines may have changed.
    /// - Complexity: O(*n*) for *n* names with the same addresses, at most ``nameLimit``.
    mutating func removeChanged(
        _ lastLife: (String) -> [HostAddress?: Timestamp]
    ) -> Set<String> {
        for addresses in undivided { divide(addresses, lastLife) }
        undivided = []
        defer { changed = [] }
        return changed
    }

    private mutating func divide(
        _ addresses: [HostAddress], _ lastLife: (String) -> [HostAddress?: Timestamp]
    ) {
        let names = groups[addresses]?.names ?? []
        guard names.count > 1 || names.contains(where: { machines[$0] != nil }) else { return }
        let members = names.compactMap { name in
            hosts[name].map { (name, $0) }
        }.sorted { ($0.1.came, $0.0) < ($1.1.came, $1.0) }
        let present = members.filter { !$0.1.isUnanswered }
        let identified = present.count { $0.1.isIdentified }
        var found: [Machine] = []
        for (name, host) in members {
            // A machine that falls silent does so under all its names.
            let isLeft = host.isUnanswered && !present.isEmpty
            let lives = isLeft ? [:] : lastLife(name)
            let index = found.firstIndex { machine in
                guard !machine.contradicts(host) else { return false }
                return machine.labels.contains(Self.label(of: name))
                    || identified <= 1 && machine.livesWith(host, lives)
            }
            if index == nil { found.append(Machine()) }
            found[index ?? found.count - 1].add(name, host, lives)
        }
        for machine in found {
            for name in machine.names {
                let others = machine.names.subtracting([name])
                let former = machines[name] ?? []
                guard former != others else { continue }
                changed.formUnion(others.union(former))
                changed.insert(name)
                machines[name] = others.isEmpty ? nil : others
            }
        }
    }

    /// Returns the first label of a host name without the number of a name conflict.
    private static func label(of name: String) -> String {
        DeviceName.unnumbered(String(name.prefix { $0 != "." }))
    }
}

extension HostAddress {
    /// Whether the address is usually the address of a machine in a network of its own containers or virtual machines:
    /// the first address of a network of Docker, Podman, LXC or libvirt. Other machines have the same address.
    package var isOfBridge: Bool {
        guard bytes.count == 4, bytes[3] == 1 else { return false }
        return bytes[0] == 172 && 16..<32 ~= bytes[1] && bytes[2] == 0
            || [[192, 168, 122], [10, 0, 3], [10, 88, 0]].contains { bytes.starts(with: $0) }
    }
}
