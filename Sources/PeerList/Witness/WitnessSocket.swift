// Opens the sockets that receive the packets to a group, and that ask the group and are answered.
import Glibc

extension DatagramSocket {
    /// The size of a socket's queue in bytes, as far as the system allows it: a thousand services that answer at once
    /// take 150 KB.
    private static let queueSize: Int32 = 1 << 20

    /// Opens a socket that receives messages to the multicast DNS group on one path.
    static func listening(on path: NetworkPath) throws(ProbeError) -> DatagramSocket {
        try listening(on: path, to: ProbeSocket.group(on: path))
    }

    /// Opens a socket that receives messages to a group on one path, with their interfaces and hop limits.
    ///
    /// The socket is bound to the group's address, so it takes no unicast packets from a daemon on this machine.
    package static func listening(
        on path: NetworkPath, to group: SocketAddress
    ) throws(ProbeError) -> DatagramSocket {
        let isIPv4 = path.family == .ipv4
        let socket = try DatagramSocket(path.family)
        try socket.set(SO_REUSEADDR, to: Int32(1), level: SOL_SOCKET)
        try socket.set(SO_REUSEPORT, to: Int32(1), level: SOL_SOCKET)
        try? socket.set(SO_RCVBUF, to: queueSize, level: SOL_SOCKET)
        if isIPv4 {
            // Otherwise a socket also receives packets to groups that other programs have joined on other interfaces.
            try socket.set(IP_MULTICAST_ALL, to: Int32(0))
        }
        try socket.requestDetails(path.family)
        try socket.bind(to: group)
        try socket.set(
            MCAST_JOIN_GROUP,
            to: group_req(gr_interface: UInt32(path.interface.index), gr_group: group.storage))
        return socket
    }

    /// Has the kernel tell the interface, the destination and the hop limit of each packet.
    private func requestDetails(_ family: AddressFamily) throws(ProbeError) {
        if family == .ipv4 {
            try set(IP_PKTINFO, to: Int32(1))
            try set(IP_RECVTTL, to: Int32(1))
        } else {
            try set(IPV6_V6ONLY, to: Int32(1))
            try set(IPV6_RECVPKTINFO, to: Int32(1))
            try set(IPV6_RECVHOPLIMIT, to: Int32(1))
        }
    }

    /// Has multicast sent on a path, with a hop limit.
    func sendMulticast(on path: NetworkPath, hopLimit: Int32) throws(ProbeError) {
        if path.family == .ipv4 {
            try set(
                IP_MULTICAST_IF,
                to: ip_mreqn(
                    imr_multiaddr: in_addr(), imr_address: in_addr(),
                    imr_ifindex: path.interface.index))
            try set(IP_MULTICAST_TTL, to: hopLimit)
        } else {
            try set(IPV6_MULTICAST_IF, to: path.interface.index)
            try set(IPV6_MULTICAST_HOPS, to: hopLimit)
        }
    }

    /// Opens a socket that sends to groups on one path, whose packets no router forwards, and receives what comes back
    /// to its own port.
    package static func asking(on path: NetworkPath) throws(ProbeError) -> DatagramSocket {
        let isIPv4 = path.family == .ipv4
        let socket = try DatagramSocket(path.family)
        try socket.requestDetails(path.family)
        try socket.sendMulticast(on: path, hopLimit: 1)
        try socket.set(isIPv4 ? IP_TTL : IPV6_UNICAST_HOPS, to: Int32(1))
        try socket.bind(
            to: SocketAddress(
                HostAddress(bytes: [UInt8](repeating: 0, count: isIPv4 ? 4 : 16), interface: ""),
                port: 0))
        return socket
    }
}

/// Begins to connect to an address on the link: no router forwards the packets.
///
/// - Returns: The descriptor, which does not block, and is closed by the caller; `nil` if that is not possible.
package func connectOnLink(to address: SocketAddress) -> Int32? {
    var address = address
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let isIPv4 = Int32(address.storage.ss_family) == AF_INET
    let descriptor = socket(Int32(address.storage.ss_family), kind, 0)
    guard descriptor >= 0 else { return nil }
    var hops: Int32 = 1
    unsafe setsockopt(
        descriptor, Int32(isIPv4 ? IPPROTO_IP : IPPROTO_IPV6),
        isIPv4 ? IP_TTL : IPV6_UNICAST_HOPS, &hops, socklen_t(MemoryLayout<Int32>.size))
    let status = unsafe address.withPointer { unsafe connect(descriptor, $0, $1) }
    guard status == 0 || errno == EINPROGRESS else {
        close(descriptor)
        return nil
    }
    return descriptor
}
