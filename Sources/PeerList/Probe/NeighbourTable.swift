// Reads the kernel's neighbour table, which has the MAC addresses of hosts on the links of this machine.
import CNetlinkRoute
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
        // A socket for each family, because after a dump was stopped, its socket still receives the
        // rest.
        guard let socket = unsafe nl_socket_alloc() else { return }
        defer { unsafe nl_socket_free(socket) }
        var dump = Dump(table: self)
        unsafe withUnsafeMutablePointer(to: &dump) { dump in
            guard
                unsafe nl_socket_modify_cb(
                    socket, NL_CB_VALID, NL_CB_CUSTOM, Self.messageReceived, dump) == 0,
                unsafe nl_connect(socket, NETLINK_ROUTE) == 0,
                unsafe nl_rtgen_request(socket, Int32(RTM_GETNEIGH), family, NLM_F_DUMP) >= 0
            else { return }
            // An error ends the dump; the entries before it are valid.
            unsafe _ = nl_recvmsgs_default(socket)
        }
        self = dump.table
    }

    private static let messageReceived: nl_recvmsg_msg_cb_t = { message, context in
        guard let dump = unsafe context?.assumingMemoryBound(to: Dump.self) else {
            return Int32(NL_STOP.rawValue)
        }
        unsafe dump.pointee.count += 1
        var neighbour: OpaquePointer?
        if unsafe rtnl_neigh_parse(nlmsg_hdr(message), &neighbour) == 0 {
            unsafe dump.pointee.table.add(neighbour)
            unsafe rtnl_neigh_put(neighbour)
        }
        let isOver = unsafe dump.pointee.count >= limit
        return Int32((isOver ? NL_STOP : NL_OK).rawValue)
    }

    /// Adds an entry if it has a valid MAC address.
    private mutating func add(_ neighbour: OpaquePointer?) {
        let known = NUD_REACHABLE | NUD_STALE | NUD_DELAY | NUD_PROBE | NUD_PERMANENT
        guard unsafe rtnl_neigh_get_state(neighbour) & known != 0,
            let mac = unsafe MACAddress(bytes: bytes(rtnl_neigh_get_lladdr(neighbour)))
        else { return }
        unsafe add(
            mac, of: bytes(rtnl_neigh_get_dst(neighbour)),
            interface: rtnl_neigh_get_ifindex(neighbour))
    }
}

/// Copies the bytes of an address of libnl; none if it is missing.
private func bytes(_ address: OpaquePointer?) -> [UInt8] {
    guard let address = unsafe address, let start = unsafe nl_addr_get_binary_addr(address) else {
        return []
    }
    return unsafe Array(
        UnsafeRawBufferPointer(start: start, count: Int(nl_addr_get_len(address))))
}
