// Reads the kernel's neighbour table, which has the MAC addresses of hosts on the links of this machine.
import CNetlink
import Glibc

/// The MAC addresses of IP addresses on the links of this machine, from the kernel's neighbour table (ARP, neighbour
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

    private struct Key: Hashable {
        let interface: Int32
        let address: [UInt8]
    }

    private var entries: [Key: MACAddress] = [:]

    /// Creates an empty table.
    package init() {}

    package var count: Int { entries.count }

    /// Adds the MAC address of an IP address, in network order, on the interface with an index.
    package mutating func add(_ mac: MACAddress, of address: [UInt8], interface: Int32) {
        entries[Key(interface: interface, address: address)] = mac
    }

    /// Returns the MAC addresses of a host's IP addresses on some interfaces, each once, in order.
    package func hardwareAddresses(
        of addresses: [HostAddress], on interfaces: some Sequence<NetworkInterface>
    ) -> [MACAddress] {
        var found: Set<MACAddress> = []
        for address in addresses {
            for interface in interfaces where [nil, interface.name].contains(address.scope) {
                let key = Key(interface: interface.index, address: address.bytes)
                if let mac = entries[key] { found.insert(mac) }
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

    /// Adds an entry if it has a valid MAC address.
    private mutating func add(_ neighbour: Neighbour) {
        let known = UInt32(NUD_REACHABLE | NUD_STALE | NUD_DELAY | NUD_PROBE | NUD_PERMANENT)
        let hardwareAddress = unsafe UnsafeBufferPointer(
            start: neighbour.hardware_address.start, count: neighbour.hardware_address.count)
        guard unsafe neighbour.state & known != 0,
            let mac = unsafe MACAddress(bytes: Array(hardwareAddress))
        else { return }
        let address = unsafe UnsafeBufferPointer(
            start: neighbour.address.start, count: neighbour.address.count)
        unsafe add(mac, of: Array(address), interface: neighbour.interface)
    }
}
