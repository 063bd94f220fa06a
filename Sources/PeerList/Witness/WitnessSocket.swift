// Opens the sockets of the witness, which receive the packets to the multicast DNS group.
import Glibc

extension DatagramSocket {
    /// The size of a socket's queue in bytes, as far as the system allows it: a thousand services that answer at once
    /// take 150 KB.
    private static let queueSize: Int32 = 1 << 20

    /// Opens a socket that receives messages to the multicast DNS group on one path, with their interfaces and hop
    /// limits.
    ///
    /// The socket is bound to the group's address, so it takes no unicast packets from a daemon on this machine.
    static func listening(on path: NetworkPath) throws(ProbeError) -> DatagramSocket {
        let isIPv4 = path.family == .ipv4
        let group = ProbeSocket.group(on: path)
        let socket = try DatagramSocket(path.family)
        try socket.set(SO_REUSEADDR, to: Int32(1), level: SOL_SOCKET)
        try socket.set(SO_REUSEPORT, to: Int32(1), level: SOL_SOCKET)
        try? socket.set(SO_RCVBUF, to: queueSize, level: SOL_SOCKET)
        if isIPv4 {
            // Otherwise a socket also receives packets to groups that other programs have joined on other interfaces.
            try socket.set(IP_MULTICAST_ALL, to: Int32(0))
            try socket.set(IP_PKTINFO, to: Int32(1))
            try socket.set(IP_RECVTTL, to: Int32(1))
        } else {
            try socket.set(IPV6_V6ONLY, to: Int32(1))
            try socket.set(IPV6_RECVPKTINFO, to: Int32(1))
            try socket.set(IPV6_RECVHOPLIMIT, to: Int32(1))
        }
        try socket.bind(to: group)
        try socket.set(
            MCAST_JOIN_GROUP,
            to: group_req(gr_interface: UInt32(path.interface.index), gr_group: group.storage))
        return socket
    }
}
