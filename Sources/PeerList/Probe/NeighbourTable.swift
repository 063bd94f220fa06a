// Reads the kernel's neighbour table, which has the MAC addresses of hosts on the links of this machine.
import CNetlink
import Glibc

/// The MAC addresses of IP addresses on the links of this machine, and whether they answer, from the kernel's neighbour table (ARP, neighbour
/// discovery).
///
/// The kernel knows only hosts with which this machine has exchanged unicast packets lately, and does not verify
/// their answers. Reading the table needs no privilege.
///
/// Read the table when addresses of hosts have become known or have changed, not at each event: a dump of 1,000
/// entries takes 2 ms to 3 ms.
package struct NeighbourTable: Sendable {
    /// The maximum number of entries that are read of each family; the kernel keeps 1,024 by default.
    package static let limit = 8_192

    /// An entry of the table.
    struct Entry {
        /// The state, such as NUD_REACHABLE.
        var state = UInt32(NUD_REACHABLE)
        /// The MAC address; `nil` if the entry has none that is valid.
        var mac: MACAddress?
        /// The time since the machine last answered address resolution.
        var age = Duration.zero

        /// Whether the state is one of some.
        private func has(_ states: Int32...) -> Bool {
            states.contains { state & UInt32($0) != 0 }
        }

        /// Whether the MAC address was learned, and no attempt to confirm it has failed.
        var isKnown: Bool {
            has(NUD_REACHABLE, NUD_STALE, NUD_DELAY, NUD_PROBE, NUD_PERMANENT)
        }

        /// Whether address resolution is used and has been answered.
        var isResolved: Bool { has(NUD_REACHABLE, NUD_STALE, NUD_DELAY, NUD_PROBE) }

        /// Whether address resolution failed, or has got no answer yet.
        var hasFailed: Bool { has(NUD_FAILED, NUD_INCOMPLETE) }

        /// Whether the machine has answered address resolution within a time.
        func isConfirmed(within time: Duration) -> Bool {
            isResolved && age <= time
        }

        /// Whether the kernel may still learn whether the machine is there, which it has not within a time.
        func isPending(within time: Duration) -> Bool {
            (isResolved || has(NUD_INCOMPLETE)) && !isConfirmed(within: time)
        }
    }

    private struct Key: Hashable {
        let interface: Int32
        let address: [UInt8]
    }

    private var entries: [Key: Entry] = [:]

    /// Creates an empty table.
    package init() {}

    /// The number of entries with a known MAC address.
    package var count: Int { entries.values.count { $0.isKnown && $0.mac != nil } }

    /// Adds the MAC address of an IP address, in network order, on the interface with an index.
    package mutating func add(_ mac: MACAddress, of address: [UInt8], interface: Int32) {
        entries[Key(interface: interface, address: address)] = Entry(mac: mac)
    }

    /// The machines that have answered address resolution within five minutes.
    package var answering: [(address: [UInt8], interface: Int32, mac: MACAddress)] {
        entries.compactMap { key, entry in
            guard entry.isConfirmed(within: .seconds(300)), let mac = entry.mac else { return nil }
            return (key.address, key.interface, mac)
        }
    }

    /// Returns the entry of an address; of one without a scope, on the interface where it answered last.
    func entry(of address: HostAddress, on interface: NetworkInterface?) -> Entry? {
        guard let interface else {
            return entries.lazy.filter { $0.key.address == address.bytes }.map(\.value)
                .min { ($0.hasFailed ? 1 : 0, $0.age) < ($1.hasFailed ? 1 : 0, $1.age) }
        }
        return entries[Key(interface: interface.index, address: address.bytes)]
    }

    /// Returns the MAC addresses of a host's IP addresses on some interfaces, each once, in order.
    package func hardwareAddresses(
        of addresses: [HostAddress], on interfaces: some Sequence<NetworkInterface>
    ) -> [MACAddress] {
        var found: Set<MACAddress> = []
        for address in addresses {
            for interface in interfaces where [nil, interface.name].contains(address.scope) {
                let key = Key(interface: interface.index, address: address.bytes)
                if let entry = entries[key], entry.isKnown, let mac = entry.mac {
                    found.insert(mac)
                }
            }
        }
        return found.sorted()
    }
}

extension NeighbourTable {
    /// Reads the kernel's table; returns an empty one if the system refuses that.
    package static func current() -> NeighbourTable {
        var table = NeighbourTable()
        for family in [AF_INET, AF_INET6] { table.read(family) }
        return table
    }

    /// The entries that one request reads, at most ``limit``.
    private struct Dump {
        var table: NeighbourTable
        var count = 0
    }

    private mutating func read(_ family: Int32) {
        var dump = Dump(table: self)
        unsafe withUnsafeMutablePointer(to: &dump) { dump in
            unsafe neighbours_read(
                family,
                { neighbour, context in
                    guard let neighbour = unsafe neighbour?.pointee,
                        let dump = unsafe context?.assumingMemoryBound(to: Dump.self)
                    else { return false }
                    unsafe dump.pointee.count += 1
                    unsafe dump.pointee.table.add(neighbour)
                    return unsafe dump.pointee.count < NeighbourTable.limit
                }, dump)
        }
        self = dump.table
    }

    private mutating func add(_ neighbour: Neighbour) {
        let hardwareAddress = unsafe UnsafeBufferPointer(
            start: neighbour.hardware_address.start, count: neighbour.hardware_address.count)
        let address = unsafe UnsafeBufferPointer(
            start: neighbour.address.start, count: neighbour.address.count)
        let ticks = unsafe Int64(neighbour.confirmed)
        entries[unsafe Key(interface: neighbour.interface, address: Array(address))] = Entry(
            state: unsafe neighbour.state, mac: unsafe MACAddress(bytes: Array(hardwareAddress)),
            age: .milliseconds(ticks * 1_000 / max(1, Int64(sysconf(Int32(_SC_CLK_TCK))))))
    }
}
